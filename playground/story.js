// Shows what went wrong in a run: the core's sentences, word for word, and the arguments that
// differ. The page words nothing of it itself.

import { button, el, visibleText } from "./dom.js";
import { rowsOf, stepName } from "./rows.js";

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

/**
 * @param {Run} run one with a story
 * @param {(row: number) => void} showRow scrolls to a row of the table of steps
 */
export function storyView(run, showRow) {
  return el("section", { class: "story", "aria-label": "What went wrong" }, run.story.map((s) => el("div", { class: "card cause-story" },
    s.text.map((line, i) => el("p", { class: i ? "" : "did" }, visibleText(line))),
    s.kind === "differs" && s.differs?.some((d) => d.path) ? evidenceView(s.differs, "What differs") : null,
    placeView(run, s, showRow))));
}

/** A button to the first step of a story, if it is about a step. */
function placeView(run, s, showRow) {
  const found = run.violations[s.findings[0]];
  const at = found && (run.reference ? found.row : found.obs);
  return at === null || at === undefined || at >= rowsOf(run).length ? null : el("p", { class: "buttons" }, button(`Show ${stepName(run, at).toLowerCase()}`, () => showRow(at), { class: "link" }));
}

/** A table of places where the agent and the reference differ, with both values. @param {import("./npm/types.d.ts").Evidence[]} all @param {string} label */
export function evidenceView(all, label = "Evidence") {
  const value = (text) => el("td", {}, text ? el("code", {}, visibleText(text)) : el("span", { class: "hint", text: "none" }));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["Where", "Agent", "Reference"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, all.map((e) => el("tr", {}, el("th", { scope: "row" }, visibleText(e.path)), value(e.observed), value(e.reference))))));
}
