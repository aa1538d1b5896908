// Shows what a run took, where the trace says it: its totals in the core's words, and a lane
// for each agent with a bar for each step. A bracket joins a failed step and the one that
// tries it again.

import { el, visibleText } from "../base/dom.js";
import { plural } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */
/** @typedef {import("../npm/types.d.ts").Action} Action */

const MOST = 400; // steps that are drawn

/**
 * The totals of a run and its lanes; null if the trace says nothing and no step tries another again.
 * @param {Run} run @param {(step: number) => void} show goes to a step
 */
export function spentView(run, show) {
  const steps = run.observed;
  const retries = steps.some((a) => a.retry !== undefined);
  if (!run.spent && !retries) return null;
  const agents = [...new Set(steps.map((a) => a.spent?.agent ?? ""))];
  const measure = ["seconds", "tokens", "cost"].find((name) => steps.some((a) => a.spent?.[name] > 0));
  const drawn = steps.length > 1 && steps.length <= MOST && (measure || agents.length > 1 || retries);
  return el("section", { class: "spent", "aria-label": "What the run took" },
    run.spent ? el("p", { class: "hint" }, run.spent.text.map((line) => [el("span", {}, visibleText(line), "."), " "])) : null,
    drawn ? lanesView(steps, agents, measure, retries, show) : null);
}

/** The lanes, from left to right in the order of the steps. The height of a bar is its share of the largest one. */
function lanesView(steps, agents, measure, retries, show) {
  const most = Math.max(...steps.map((a) => a.spent?.[measure] ?? 0));
  const at = (i) => `${(100 * i) / steps.length}%`;
  const width = `${100 / steps.length}%`;
  const bar = (a, i) => {
    const before = steps[i - 1]?.spent?.agent ?? "";
    const share = most > 0 && a.spent?.[measure] !== undefined ? a.spent[measure] / most : 0;
    const handed = i > 0 && agents.length > 1 && (a.spent?.agent ?? "") !== before;
    return el("span", { class: `step ${a.error ? "failed" : ""} ${handed ? "handed" : ""}`, title: [`Step ${i + 1}: ${a.name || a.text}`, a.took, handed && before ? `after ${before}` : ""].filter(Boolean).join(", "),
      data: { at: i }, style: { left: at(i), width } }, el("span", { class: "fill", style: { height: `${Math.round(100 * share)}%` }, data: { at: i } }));
  };
  const lane = (agent) => [agents.length > 1 ? el("span", { class: "lane-name" }, visibleText(agent || "not said")) : null,
    el("div", { class: "lane" }, steps.map((a, i) => ((a.spent?.agent ?? "") === agent ? bar(a, i) : null)))];
  const brackets = !retries ? null : [agents.length > 1 ? el("span", { class: "lane-name", text: "again" }) : null,
    el("div", { class: "lane brackets" }, steps.map((a, i) => (a.retry === undefined ? null
      : el("span", { class: "bracket", title: `Step ${i + 1}: ${a.took}`, style: { left: at(a.retry + 0.5), width: `${(100 * (i - a.retry)) / steps.length}%` } }))))];
  return el("div", { class: agents.length > 1 ? "lanes named" : "lanes", role: "img", "aria-label": labelText(steps, agents, measure),
    on: { click: (e) => e.target.dataset.at && show(Number(e.target.dataset.at)) } }, agents.map(lane), brackets);
}

function labelText(steps, agents, measure) {
  const of = { seconds: "its time", tokens: "its tokens", cost: "its cost" }[measure];
  const handed = steps.filter((a, i) => i > 0 && (a.spent?.agent ?? "") !== (steps[i - 1].spent?.agent ?? "")).length;
  const again = steps.filter((a) => a.retry !== undefined).length;
  return [`${plural(steps.length, "step")} from left to right`, of ? `a bar is ${of}` : "", agents.length > 1 ? `${agents.length} lanes of agents with ${plural(handed, "change")} between them` : "", again ? `${plural(again, "step")} tried again` : ""].filter(Boolean).join(", ") + ". The list below has all steps.";
}
