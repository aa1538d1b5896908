// A plugin's word is not taken for rows and calls that it was not asked about.

/** What in an answer to equivalence.check, state.replay or gold.audit does not belong to its request; "" where all does, or it is another operation. */
export function claims(request, answer) {
  const text = new TextDecoder();
  let asked;
  try { asked = JSON.parse(text.decode(request)); } catch { return ""; } // the plugin refuses it, or it has attachments
  const { ok } = JSON.parse(text.decode(answer));
  if (!ok) return "";
  if (asked?.op === "state.replay") return calls(asked, ok);
  if (asked?.op === "gold.audit") return flags(asked, ok);
  if (asked?.op !== "equivalence.check") return "";
  const rows = asked.alignment?.length ?? 0, differences = ok.replay?.differences?.length ?? 0;
  const within = (n, most) => n === undefined || n === null ? most > 0 : n >= 0 && n < most; // left out is 0
  for (const e of ok.excused ?? []) if (!within(e.row, rows)) return `excuses row ${e.row ?? 0} of ${rows}`;
  for (const b of ok.blamed ?? []) {
    if (!within(b.row, rows)) return `blames row ${b.row ?? 0} of ${rows}`;
    for (const d of b.differences ?? []) if (!(d >= 0 && d < differences)) return `row ${b.row} is blamed for difference ${d} of ${differences}`;
  }
  return calls(asked, ok.replay ?? {});
}

function calls(asked, replay) {
  const n = asked.observed?.length ?? 0;
  for (const c of replay.calls ?? []) if (!(c.index >= 0 && c.index < n)) return `replays call ${c.index} of ${n}`;
  return "";
}

function flags(asked, audit) {
  const n = asked.actions?.length ?? 0;
  for (const [i, f] of (audit.flags ?? []).entries()) {
    if (!((f.action ?? 0) >= -1 && (f.action ?? 0) < n)) return `flag ${i} is about action ${f.action ?? 0} of ${n}`;
    if (!f.kind) return `flag ${i} has no kind`;
    if (!((f.confidence ?? 0) >= 0 && (f.confidence ?? 0) <= 1)) return `flag ${i} has the confidence ${f.confidence}; want 0 to 1`;
  }
  return "";
}
