// The rows of a run, and their names.

import { hideMember, hideValue } from "../base/hide.js";
import { parseTree } from "../base/json.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

const LINE = 400; // characters of a line of arguments; the rest is seen when the call is opened

/** The rows to show: the alignment, or without a reference the agent's steps with their findings. A row with hints alone is uncertain. */
export function rowsOf(run) {
  if (run.reference) return run.alignment.some((row) => row.hint) ? run.alignment.map((row) => (row.hint ? { ...row, verdict: "uncertain" } : row)) : run.alignment;
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

/** The arguments of a call on one line, such as (id="W7", amount=5), with secrets hidden. @param {import("../npm/types.d.ts").Action} action */
export function callText(action) {
  if (action.text) return action.text;
  const node = action.arguments ? parseTree(action.arguments) : null;
  if (!node || node.kind !== "object") return action.arguments ? `(${hideValue("", action.arguments)})` : "()";
  return `(${node.items.map(({ key, node: value }) => `${key}=${hideMember(key, value, LINE)}`).join(", ").slice(0, LINE)})`;
}
