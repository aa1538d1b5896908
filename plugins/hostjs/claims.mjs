// Checks that a plugin's answer is only about rows, calls and actions that are in the request.

/**
 * Returns a text about the first part of an answer that does not fit the request, such as a
 * row that is not in the request. Returns "" if there is none, or for any other operation
 * than equivalence.check, state.replay and gold.audit.
 */
export function findWrongClaim(request, answer) {
  const text = new TextDecoder();
  let asked;
  try { asked = JSON.parse(text.decode(request)); } catch { return ""; } // the plugin refuses it, or it has attachments
  const { ok } = JSON.parse(text.decode(answer));
  if (!ok) return "";
  if (asked?.op === "state.replay") return findWrongCall(asked, ok);
  if (asked?.op === "gold.audit") return findWrongFlag(asked, ok);
  if (asked?.op !== "equivalence.check") return "";
  const rows = asked.alignment?.length ?? 0, differences = ok.replay?.differences?.length ?? 0;
  const within = (n, most) => n === undefined || n === null ? most > 0 : n >= 0 && n < most; // left out is 0
  for (const e of ok.excused ?? []) if (!within(e.row, rows)) return `it excuses row index ${e.row ?? 0}, but there are only ${rows} rows (from 0)`;
  for (const b of ok.blamed ?? []) {
    if (!within(b.row, rows)) return `it blames row index ${b.row ?? 0}, but there are only ${rows} rows (from 0)`;
    for (const d of b.differences ?? []) if (!(d >= 0 && d < differences)) return `it blames row ${b.row} for difference index ${d}, but there are only ${differences} differences (from 0)`;
  }
  return findWrongCall(asked, ok.replay ?? {});
}

function findWrongCall(asked, replay) {
  const n = asked.observed?.length ?? 0;
  for (const c of replay.calls ?? []) if (!(c.index >= 0 && c.index < n)) return `the replay names a call with index ${c.index}, but there are only ${n} calls, and indices begin at 0`;
  return "";
}

function findWrongFlag(asked, audit) {
  const n = asked.actions?.length ?? 0;
  for (const [i, f] of (audit.flags ?? []).entries()) {
    if (!((f.action ?? 0) >= -1 && (f.action ?? 0) < n)) return `flag ${i} is about action index ${f.action ?? 0}, but there are only ${n} actions (from 0)`;
    if (!f.kind) return `flag ${i} has no kind`;
    if (!((f.confidence ?? 0) >= 0 && (f.confidence ?? 0) <= 1)) return `flag ${i} has the confidence ${f.confidence}; want 0 to 1`;
  }
  return "";
}
