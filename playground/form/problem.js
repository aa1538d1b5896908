// The message for an input that cannot be scored: what the input looked like, the line and
// column of the error, and the formats that can be read.

import { button, el, visibleText } from "../base/dom.js";
import { hideSecrets } from "./scrub.js";

// The most common formats in words; others are shown by name.
const FORMATS = {
  "tau-bench": "τ-bench results file",
  "openai-chat": "OpenAI chat messages with tool calls",
  "generic-actions": 'plain list of calls: [{"name": …, "arguments": {…}}]',
  generic: 'several runs: {"trajectories": [{"id": …, "actions": […]}]}',
};

/**
 * @param {import("../npm/client.js").BoundcheckError} e
 * @param {string | null} text the trace, when it is text
 * @param {string[]} known the formats that the core reads
 * @param {() => void} showSmallest fills in the smallest trace
 */
export function problemView(e, text, known, showSmallest) {
  if (e.code === "cancelled") return noticeView("Cancelled", "The scoring was stopped. Your text is still there.");
  if (e.code === "timeout") return noticeView("This took too long", "There was no answer within a minute, so the scoring was stopped. The command boundcheck score FILE has no time limit.");
  if (e.code === "op-not-described") return noticeView("This plugin checks no runs", e.message);
  if (e.code !== "invalid-input") return noticeView("Something went wrong", e.message);
  return noticeView("This cannot be scored", e.message,
    e.seen ? el("p", {}, "What was seen: ", el("strong", {}, visibleText(e.seen))) : null,
    e.line ? excerptView(text, e.line, e.column) : null,
    e.seen || e.formats ? formatsView(known, showSmallest) : null);
}

function noticeView(title, message, ...more) {
  return el("div", { class: "card problem" }, el("h2", { tabindex: "-1", text: title }), el("p", {}, visibleText(message)), more);
}

function formatsView(formats, showSmallest) {
  const told = formats.filter((f) => FORMATS[f]), others = formats.filter((f) => !FORMATS[f]);
  return el("div", { class: "readable" },
    el("p", { text: "What can be read:" }),
    el("ul", {},
      told.map((f) => el("li", {}, el("code", { text: f }), ": " + FORMATS[f])),
      others.length ? el("li", {}, el("details", {}, el("summary", { text: `and ${others.length} more formats (names only)` }), el("code", { text: others.join(", ") }))) : null),
    button("Show the smallest trace", showSmallest));
}

/**
 * Shows the text around the position of an error, with a mark at the position. Lines may be
 * very long, so it does not show the whole line. Columns count bytes.
 */
function excerptView(text, line, column = 1) {
  const where = `Line ${line}, column ${column}`;
  const given = text?.split("\n", line)[line - 1];
  const whole = given === undefined ? given : hideSecrets(given);
  if (whole === undefined) return el("p", { text: where + "." });
  const at = new TextDecoder().decode(new TextEncoder().encode(given).subarray(0, Math.max(column - 1, 0))).length;
  const from = Math.max(0, at - 40);
  return el("figure", { class: "excerpt" },
    el("figcaption", { text: where }),
    el("pre", { tabindex: "0", role: "region", "aria-label": where },
      from ? "…" : "", visibleText(whole.slice(from, at)), el("mark", {}, visibleText(whole[at] ?? " ⏎")), visibleText(whole.slice(at + 1, at + 41))));
}
