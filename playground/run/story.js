// Shows what went wrong in a run: the core's sentences, word for word, the arguments that
// differ, and the steps around the place. The page words nothing of it itself.

import { evidenceView } from "./args.js";
import { aroundView } from "./column.js";
import { button, el, isNarrow, visibleText } from "../base/dom.js";
import { rowsOf, stepName } from "./rows.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

const SHOWN = 6; // arguments that differ, in a story; the step has all of them

/**
 * @param {Run} run one with a story
 * @param {(row: number) => void} showRow goes to a row of the run
 */
export function storyView(run, showRow) {
  return el("section", { class: "story", "aria-label": "What went wrong" }, run.story.map((s, i) => {
    const at = rowOf(run, s);
    const around = i === 0 && at !== null ? aroundView(run, at, showRow) : null;
    return el("div", { class: "card cause-story" },
      s.text.map((line, k) => el("p", { class: k ? "" : "did" }, visibleText(line))),
      s.kind === "differs" && s.differs?.some((d) => d.path) ? tableView(s, i > 0 && isNarrow()) : null,
      around,
      at === null || around ? null : el("p", { class: "buttons" }, button(`Show ${stepName(run, at).toLowerCase()}`, () => showRow(at), { class: "link" })));
  }));
}

/** The arguments that differ; folded on a phone below the first story, whose sentences say the same. */
function tableView(story, folded) {
  const table = evidenceView(story.differs.slice(0, SHOWN), "What differs");
  return folded ? el("details", {}, el("summary", { class: "hint", text: "Both values beside each other" }), table) : table;
}

/** The row that a story is about, or null. @param {Run} run */
export function rowOf(run, story) {
  const found = run.violations[story.findings[0]];
  const step = story.kind === "suspected" ? story.did?.[0]?.index : undefined;
  const at = step !== undefined ? rowsOf(run).findIndex((row) => row.obs === step) : found && (run.reference ? found.row : found.obs);
  return at === null || at === undefined || at >= rowsOf(run).length ? null : at;
}
