// The rows of a run, and their names.

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

/** The rows to show: the alignment, or without a reference the agent's steps with their findings. */
export function rowsOf(run) {
  if (run.reference) return run.alignment;
  const at = new Map();
  for (const v of run.violations) at.set(v.obs, [...(at.get(v.obs) ?? []), v]);
  return run.observed.map((_, obs) => {
    const found = at.get(obs) ?? [];
    return { op: "", obs, ref: null, verdict: found.some((v) => !v.hint) ? "found" : found.length ? "note" : "", reason: found.map((v) => v.reason).join("; ") };
  });
}

/** The name of a row: the number of the agent's step, or of the reference's step if the agent has no step in this row. @param {Run} run @param {number} at */
export function stepName(run, at) {
  if (!run.reference) return `Step ${at + 1}`;
  const row = run.alignment[at];
  return row.obs === null ? `Reference step ${row.ref + 1}` : `Step ${row.obs + 1}`;
}
