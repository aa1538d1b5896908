// What the reader thinks of a finding: right or wrong, and a comment. It is kept with the input,
// and goes with a link and with what is saved.

import { el, visibleText } from "../base/dom.js";

/** @typedef {import("../npm/types.d.ts").Mark} Mark */
/** @typedef {import("../npm/types.d.ts").Violation} Violation */

/** Names a finding, so that the finding of a later report on the same run has the same name. @param {{id: string}} run @param {Violation} v */
export const markKey = (run, v) => [run.id, v.rule, v.obs ?? "", v.ref ?? ""].join("\n");

/** Gives the findings of a report the marks of the reader. @param {import("../npm/types.d.ts").Report} report @param {Record<string, Mark>} [marks] */
export function applyMarks(report, marks = {}) {
  if (!Object.keys(marks).length) return report;
  for (const run of report.trajectories) {
    for (const v of run.violations) {
      const mark = marks[markKey(run, v)];
      if (mark) v.person = mark;
      else delete v.person;
    }
  }
  return report;
}

/** The report's text with the marks. Without marks they are the core's own bytes. @param {Uint8Array} bytes @param {Record<string, Mark>} marks */
export function withMarks(bytes, marks) {
  if (!Object.keys(marks).length) return bytes;
  return new TextEncoder().encode(JSON.stringify(applyMarks(JSON.parse(new TextDecoder().decode(bytes)), marks)) + "\n");
}

/** The marks in text that is not trusted, such as a link's. @param {unknown} held @returns {Record<string, Mark>} */
export function readMarks(held) {
  const out = {};
  for (const [key, m] of Object.entries(typeof held === "object" && held ? held : {})) {
    if (typeof m === "object" && m) out[key] = { right: typeof m.right === "boolean" ? m.right : null, ...(typeof m.comment === "string" && m.comment ? { comment: m.comment } : {}) };
  }
  return out;
}

/** Says what a person thinks of a finding. @param {Mark} mark */
export function markText(mark) {
  return [mark.right === null ? "" : mark.right ? "A person: right" : "A person: wrong", mark.comment].filter(Boolean).join(". ");
}

/**
 * Two buttons and a box in which the reader judges a finding; without keep, what a person thinks.
 * @param {Violation} v @param {(mark: Mark | null) => void} [keep] keeps the mark; null removes it
 */
export function markView(v, keep) {
  if (!keep) return v.person ? el("p", { class: "grounds person" }, visibleText(markText(v.person))) : null;
  const now = { right: v.person?.right ?? null, comment: v.person?.comment ?? "" };
  const save = () => {
    v.person = now.right === null && !now.comment ? undefined : { right: now.right, ...(now.comment ? { comment: now.comment } : {}) };
    keep(v.person ?? null);
  };
  const choice = (right, text) => {
    const node = el("button", { type: "button", class: "pill", "aria-pressed": String(now.right === right), text });
    node.addEventListener("click", () => {
      now.right = now.right === right ? null : right;
      for (const [b, of] of both) b.setAttribute("aria-pressed", String(now.right === of));
      save();
    });
    return node;
  };
  const both = [[choice(true, "Right"), true], [choice(false, "Wrong"), false]];
  const comment = el("input", { type: "text", "aria-label": "Your comment on this finding", placeholder: "Your comment", value: now.comment, autocomplete: "off" });
  comment.addEventListener("input", () => {
    now.comment = comment.value;
    save();
  });
  return el("div", { class: "mark-row", role: "group", "aria-label": "Your judgement" }, el("span", { class: "hint", text: "Is this finding right?" }), both.map(([b]) => b), comment);
}
