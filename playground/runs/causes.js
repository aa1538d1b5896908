// Shows why several runs broke a boundary or failed: groups of like runs, the largest first, each with its
// share, its steps and the story of one of its runs. The core makes the groups and their words.

import { button, el, fillPages, visibleText } from "../base/dom.js";
import { plural } from "../base/words.js";

/** @typedef {{text: string, runs: string[], share: number, note: string, example: {run: string, text: string[]}}} Group */

/** @typedef {{head: string, groups: Group[]}} Causes head says how many runs they are about */

/** Whether a run belongs to a group. @param {import("../npm/types.d.ts").Trajectory} run */
export const wentWrong = (run) => run.flagged || run.success === false;

const SHOWN = 5; // groups that are shown at first

/**
 * @param {() => Promise<Causes>} ask makes the groups
 * @param {{open: (id: string) => void, list: (group: Group) => void, say: (head: string) => void}} go open shows a run, list the runs of a group, say how many runs there are
 * @returns {HTMLElement}
 */
export function causesView(ask, go) {
  const node = el("section", { class: "causes", "aria-label": "Why they broke a boundary or failed" });
  ask().then(({ head, groups }) => {
    go.say(head);
    if (!groups.length) return node.remove();
    const items = el("ol");
    const [, more] = fillPages(items, groups, (group) => groupView(group, go), SHOWN);
    node.append(items, more);
  }, (e) => {
    if (e.code !== "cancelled") node.append(el("p", { class: "hint", text: `The causes cannot be shown: ${e.message}` }));
  });
  return node;
}

/** @param {Group} group */
function groupView(group, go) {
  const { runs, share, note, example } = group;
  return el("li", { class: "card cause-group" },
    el("p", { class: "did" }, `${plural(runs.length, "run")} `, visibleText(group.text), el("span", { class: "hint", text: ` ${note}` })),
    el("span", { class: "bar", "aria-hidden": "true" }, el("span", { class: "fill", style: { width: `${100 * share}%` } })),
    el("blockquote", {}, example.text.map((line) => el("p", {}, visibleText(line)))),
    el("p", { class: "buttons" }, button(`Open run ${example.run}`, () => go.open(example.run), { class: "link" }),
      runs.length > 1 ? button(`List the ${runs.length.toLocaleString("en")} runs`, () => go.list(group), { class: "link" }) : null));
}
