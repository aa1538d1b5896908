// Shows the messages of a run, and the answers to its calls. This content is not trusted, so it
// is shown as text only.

import { append, button, el, isNarrow, visibleText } from "../base/dom.js";
import { markdownText } from "../base/markdown.js";
import { plural } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Transcript} Transcript */
/**
 * A message, a row of the run, or a call that is no row (the user's own).
 * @typedef {{turn?: import("../npm/types.d.ts").Turn, message?: number, first?: boolean, row?: number, step?: number}} Entry
 */

const FOLD = [280, 140]; // characters shown of a text; the rest is folded. The second number is that of a phone
const LINES = [5, 3]; // and lines

const ROLES = { system: "System", developer: "System", user: "User", assistant: "Agent", tool: "Tool" };

/** A text. If the text is long, only its beginning is shown, with a button for the rest. */
function textView(text, kind = "") {
  const shown = kind ? visibleText : markdownText;
  if (!text.trim()) return el("p", { class: "hint", text: "(no text)" });
  const box = el("div", { class: `said-text ${kind}` });
  const cut = foldAt(text.trimEnd());
  if (text.length - cut < FOLD[0] / 4) return append(box, [shown(text)]);
  const rest = el("span", { hidden: true }, shown(text.slice(cut)));
  const more = button(`Show the other ${(text.length - cut).toLocaleString("en")} characters`, () => {
    rest.hidden = !rest.hidden;
    more.textContent = rest.hidden ? `Show the other ${(text.length - cut).toLocaleString("en")} characters` : "Show less";
    more.setAttribute("aria-expanded", String(!rest.hidden));
  }, { class: "link", "aria-expanded": "false" });
  return append(el("div"), [append(box, [shown(text.slice(0, cut)), rest]), more]);
}

/** Where a text is folded: after a few lines, or at the end of a word. */
function foldAt(text) {
  const [fold, lines] = [FOLD, LINES].map((n) => n[Number(isNarrow())]);
  let end = -1;
  for (let n = 0; n < lines && (end = text.indexOf("\n", end + 1)) >= 0; n++);
  if (end < 0) end = text.length;
  if (end <= fold) return end;
  const space = text.lastIndexOf(" ", fold);
  return space > fold / 2 ? space : fold;
}

/** The answer to a step, folded unless it is an error. @param {Transcript["steps"][0]} step */
export function answerView(step) {
  if (step.answer === null) return el("p", { class: "hint", text: "The trace contains no answer to this call." });
  return el("details", { class: step.error ? "answer failed" : "answer", open: step.error },
    el("summary", { class: "hint" }, "Answered", step.error ? el("span", { class: "tag error", text: "an error" }) : ` with ${plural(step.answer.length, "character")}`), textView(step.answer, "code"));
}

/**
 * The messages and rows in time order. A message that only answers a call is left out, because
 * the call shows it. A row without a call stands before the next row with one; after the last
 * call it stands at the end.
 * @param {Transcript} t @param {{obs: number | null}[]} rows @returns {Entry[]}
 */
export function entriesOf(t, rows) {
  const out = [];
  const rowOf = new Map(rows.map((row, i) => [row.obs, i]));
  let next = 0; // the next row
  let asked = false;
  const rowsTo = (obs) => {
    const end = rowOf.get(obs) ?? -1;
    if (end < 0) out.push({ step: obs });
    while (next <= end) out.push({ row: next++ });
  };
  for (const [message, turn] of t.turns.entries()) {
    if (!turn.answers && (turn.text.trim() || !turn.steps?.length)) {
      const first = turn.role === "user" && !asked;
      asked ||= first;
      out.push({ turn, message, first });
    }
    for (const step of turn.steps ?? []) rowsTo(step);
  }
  while (next < rows.length) out.push({ row: next++ });
  return out;
}

/** A message. Instructions are folded, because they are long. @param {import("../npm/types.d.ts").Turn} turn @param {number} message its index */
export function turnView(turn, message) {
  const who = ROLES[turn.role] ?? turn.role;
  if (who === "System") return el("li", { class: "turn system", tabindex: "-1", data: { message } }, el("details", {}, el("summary", { class: "hint", text: `System: ${turn.text.length.toLocaleString("en")} characters of instructions` }), el("div", { class: "said-text" }, markdownText(turn.text))));
  const node = el("li", { class: `turn by-${turn.role === "user" ? "user" : turn.role === "assistant" ? "agent" : "other"}`, tabindex: "-1", data: { message } },
    el("p", { class: "who" }, visibleText(who), turn.unsaid ? el("span", { class: "tag", text: "a thought that the user does not see" }) : null));
  return append(node, [textView(turn.text)]);
}

/** All text of an entry, in which the reader may look for words. @param {Entry} entry @param {Transcript} [t] @param {import("../npm/types.d.ts").Action} [action] of a row @param {number | null} [obs] */
export function entryText(entry, t, action, obs) {
  const step = t?.steps[entry.step ?? obs ?? -1];
  return [entry.turn?.text, action?.name, action?.text, action?.arguments, step?.name, step?.text, step?.answer].filter(Boolean).join("\n").toLowerCase();
}

/** A call that is no row of the run. @param {Transcript["steps"][0]} step @param {number} index its index */
export function strangerView(step, index) {
  return el("li", { class: "turn call", tabindex: "-1", data: { step: index } },
    el("p", { class: "who" }, step.user ? "The user called " : "Called ", el("code", { class: "name" }, visibleText(step.name || "(no name)"))),
    step.text ? textView(step.text, "code") : null, answerView(step));
}
