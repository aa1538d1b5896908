// Compares the runs of one task with each other: runs that made the same changes form a group.
// This is evidence if there is no reference.

import { append, button, el, fillPages, visibleText } from "../base/dom.js";
import { listText, plural } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */
/** @typedef {{own: number, other: number, ownText: string, otherText: string}} Parting */
/** @typedef {{runs: string[], effects: string[], parting?: Parting}} Cluster the runs with the same changes */
/** @typedef {{task: string, runs: number, clusters: Cluster[]}} Task */

const PAGE = 20;
const LONGEST = 600; // characters of a change that are shown at once
const FEW = 4; // changes of a group that are shown at once

/**
 * Returns the folded section with the groups; null if no task has several runs.
 * @param {Run[]} runs @param {() => Promise<Task[]>} agree @param {(i: number) => void} open opens a run
 */
export function agreementView(runs, agree, open) {
  const tasks = runs.map((r) => r.task).filter(Boolean);
  if (new Set(tasks).size === tasks.length) return null;
  const said = el("p", { role: "status", class: "hint" });
  const body = el("div", { class: "agreement-body" }, said);
  const at = new Map(runs.map((r, i) => [r.id, i]));
  const link = (id) => {
    const { success } = runs[at.get(id)];
    return el("li", {}, append(button("", () => open(at.get(id)), { class: "link" }), [visibleText(id)]), success === null ? null : el("span", { class: "hint", text: success ? "succeeded" : "failed" }));
  };
  const fill = async () => {
    said.textContent = "Comparing…";
    try {
      const tasks = await agree();
      said.textContent = summaryText(tasks);
      append(body, differingTasksView(tasks, link));
    } catch (e) {
      said.textContent = `The runs cannot be compared: ${e.message}.`;
      node.addEventListener("toggle", fill, { once: true });
    }
  };
  const node = el("details", { class: "agreement" }, el("summary", { text: "Do the runs of one task make the same changes?" }), body);
  node.addEventListener("toggle", fill, { once: true });
  return node;
}

/** @param {Task[]} tasks */
function summaryText(tasks) {
  const share = (t) => t.clusters[0].runs.length / t.runs;
  const all = tasks.filter((t) => t.clusters.length === 1).length;
  const most = tasks.filter((t) => t.clusters.length > 1 && share(t) > 0.5).length;
  const parts = [all && `all runs made the same changes in ${plural(all, "task")}`, most && `more than half of the runs made the same changes in ${plural(most, "task")}`, tasks.length - all - most && `at most half of the runs made the same changes in ${plural(tasks.length - all - most, "task")}`].filter(Boolean);
  return `${plural(tasks.length, "task has", "tasks have")} several runs: ${listText(parts)}. Most runs may be wrong in the same way, so agreement is evidence but no proof.`;
}

/** The tasks whose runs made different changes. @param {Task[]} tasks */
function differingTasksView(tasks, link) {
  const body = el("ul", { class: "agreement-tasks" });
  const [, more] = fillPages(body, tasks.filter((t) => t.clusters.length > 1), (t) => taskView(t, link), PAGE);
  return [body, more];
}

/** @param {Task} t */
function taskView(t, link) {
  return el("li", {}, el("details", {},
    el("summary", {}, "Task ", visibleText(t.task), `: ${plural(t.runs, "run")}, ${plural(t.clusters.length, "group")}`),
    el("ol", {}, t.clusters.map((c) => el("li", {}, groupView(c, link))))));
}

/** @param {Cluster} c */
function groupView(c, link) {
  const few = el("ul", { class: "changes" });
  const [, more] = fillPages(few, c.effects, (text) => el("li", {}, el("code", {}, shortText(text))), FEW);
  return [
    el("p", { text: `${plural(c.runs.length, "run")} ${c.effects.length ? `made ${plural(c.effects.length, "change")}` : "changed nothing"}:` }),
    el("ul", { class: "group-runs" }, c.runs.map(link)),
    c.effects.length ? [few, more] : null,
    c.parting ? el("p", {}, "First difference: this group ", changePhrase(c.parting.own, c.parting.ownText), "; the largest group ", changePhrase(c.parting.other, c.parting.otherText), ".") : null,
  ];
}

/** Returns a phrase about a change: the text of what differs, and the number of its step. */
function changePhrase(action, text) {
  return action < 0 ? "makes no more changes" : ["does ", el("code", {}, visibleText(text)), ` (step ${action + 1})`];
}

const shortText = (text) => visibleText(text.length > LONGEST ? text.slice(0, LONGEST) + "…" : text);
