// A table of tasks by trials or by files, with one cell per run. A cell's colour is the
// run's most frequent type of finding. The table shows which tasks have trials that differ.

import { el, fillPages, visibleText } from "../base/dom.js";
import { saveButtons } from "../base/draw.js";
import { plural, typeName } from "../base/words.js";

const WIDEST = 40; // columns
const PAGE = 60; // rows

/** The letter and the class of each type of finding. The cell of a run shows its most frequent type. */
const CELLS = {
  "over-action": ["O", "over"], "under-action": ["U", "under"], "over-granular": ["G", "fine"], "under-granular": ["C", "coarse"],
  "start-boundary": ["S", "start"], "end-boundary": ["E", "end"],
};

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

/**
 * Returns a row for each task, with the indices of the task's runs by column. Returns null if
 * there are fewer than two tasks, if no task has several runs, or if there are too many columns.
 * @param {import("../npm/types.d.ts").Report} report
 */
export function taskGrid(report) {
  const { trajectories: runs, input } = report;
  const files = input.files?.length > 1 ? input.files : null;
  const fileOf = [];
  files?.forEach((f, i) => fileOf.push(...Array(f.trajectories).fill(i)));
  const tasks = new Map();
  runs.forEach((r, i) => {
    if (r.task) tasks.set(r.task, [...(tasks.get(r.task) ?? []), i]);
  });
  const rows = [...tasks];
  if (rows.length < 2 || !rows.some(([, all]) => all.length > 1)) return null;
  const distinct = (key) => rows.every(([, all]) => new Set(all.map(key)).size === all.length && all.every((i) => key(i) !== undefined && key(i) !== null));
  const byFile = files && distinct((i) => fileOf[i]);
  const byTrial = !byFile && distinct((i) => runs[i].trial);
  const key = byFile ? (i) => fileOf[i] : byTrial ? (i) => runs[i].trial : null;
  const keys = key ? [...new Set(rows.flatMap(([, all]) => all.map(key)))].sort((a, b) => a - b) : [...Array(Math.max(...rows.map(([, all]) => all.length))).keys()];
  if (keys.length > WIDEST) return null;
  return {
    columns: keys.map((k) => (byFile ? files[k].name : byTrial ? `Trial ${k}` : `Run ${k + 1}`)),
    rows: rows.map(([task, all]) => ({ task, cells: keys.map((k, at) => (key ? all.find((i) => key(i) === k) : all[at])) })),
  };
}

/** The most frequent type of finding of a run (of equally frequent ones, the first); "" for none. @param {Run} run */
export function topFindingType(run) {
  if (!run.flagged) return "";
  const counts = new Map();
  for (const v of run.violations) if (!v.hint) counts.set(v.type, (counts.get(v.type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

const outcomeText = (run) => (run.success === null ? "" : run.success ? "succeeded" : "failed");

/** The text of a cell. @param {Run} run */
const cellText = (run) => [outcomeText(run), topFindingType(run) ? typeName(topFindingType(run)).toLowerCase() : "nothing broke"].filter(Boolean).join(", ");

/**
 * @param {import("../npm/types.d.ts").Report} report
 * @param {(i: number) => void} open
 */
export function heatMap(report, open) {
  const all = taskGrid(report);
  if (!all) return null;
  const runs = report.trajectories;
  const cell = (i) => {
    if (i === undefined) return el("td");
    const [letter, look] = CELLS[topFindingType(runs[i])] ?? ["", "kept"];
    const tell = () => cause.replaceChildren(...causeOf(runs[i]));
    return el("td", {}, el("button", { type: "button", class: `cell ${look} ${outcomeText(runs[i])}`, "aria-label": `Run ${runs[i].id}: ${cellText(runs[i])}`, data: { run: i }, on: { click: () => open(i), pointerenter: tell, focus: tell } }, letter));
  };
  const cause = el("div", { class: "card heat-cause", "aria-hidden": "true" }, el("p", { class: "hint", text: "Point at a run: its cause stands here." }));
  const body = el("tbody");
  const row = (r) => el("tr", {}, el("th", { scope: "row" }, visibleText(r.task)), r.cells.map(cell));
  const [, more] = fillPages(body, all.rows, row, PAGE);
  const present = [...new Set(runs.map(topFindingType))];
  const node = el("section", { class: "heat", "aria-label": "Tasks and their runs" },
    el("h3", { text: `${plural(all.rows.length, "task")} by ${all.columns.length} ${all.columns[0].startsWith("Trial") ? "trials" : report.input.files?.length > 1 ? "files" : "runs"}` }),
    el("ul", { class: "keys" }, Object.entries(CELLS).filter(([type]) => present.includes(type)).map(([type, [letter, look]]) => el("li", {}, el("span", { class: `cell ${look}`, "aria-hidden": "true", text: letter }), typeName(type))),
      el("li", {}, el("span", { class: "cell kept", "aria-hidden": "true" }), "nothing broke"), runs.some((r) => r.success === false) ? el("li", {}, el("span", { class: "cell kept failed", "aria-hidden": "true" }), "failed") : null),
    el("div", { class: "heat-body" }, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tasks by runs" },
      el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Task" }), all.columns.map((c) => el("th", { scope: "col" }, visibleText(c))))), body)), cause),
    more,
    saveButtons("boundcheck-tasks", "the tasks and their runs", () => heatPicture(all, runs), () => csvRows(all, runs)));
  return { node, dim: (fits) => node.querySelectorAll("button.cell").forEach((b) => b.classList.toggle("dim", !fits.has(Number(b.dataset.run)))) };
}

/** What the pointer tells of a run: what went wrong in it. @param {Run} run */
function causeOf(run) {
  return [el("p", { class: "eyebrow" }, visibleText(`Run ${run.id}: ${cellText(run)}`)),
    ...(run.story?.length ? run.story[0].text : [run.error?.message ?? run.verdict ?? ""]).filter(Boolean).map((line, i) => el("p", { class: i ? "" : "did" }, visibleText(line)))];
}

/** The rows of a CSV file, one per run. */
export function csvRows(all, runs) {
  const rows = [["task", "column", "run", "outcome", "flagged", "type", "findings", "abs_max"]];
  for (const { task, cells } of all.rows) {
    cells.forEach((i, c) => {
      if (i === undefined) return;
      const r = runs[i];
      rows.push([task, all.columns[c], r.id, outcomeText(r), r.flagged, topFindingType(r), r.violations.length, r.metrics.abs.max.scored ? r.metrics.abs.max.value : ""]);
    });
  }
  return rows;
}

/** The table as a picture for a file. @returns {import("../base/draw.js").Picture} */
export function heatPicture(all, runs) {
  const [left, top, size] = [150, 40, 22];
  const shapes = all.columns.map((c, x) => ({ text: c.slice(0, 24), at: [left + x * size + size / 2, top - 8], turn: -35, look: "ink" }));
  all.rows.forEach(({ task, cells }, y) => {
    shapes.push({ text: task.slice(0, 22), at: [left - 8, top + y * size + 15], anchor: "end", look: "ink" });
    cells.forEach((i, x) => {
      if (i === undefined) return;
      const [letter, look] = CELLS[topFindingType(runs[i])] ?? ["", "kept"];
      const [px, py] = [left + x * size + 1, top + y * size + 1];
      shapes.push({ rect: [px, py, size - 2, size - 2], round: 3, look, title: `${runs[i].id}: ${cellText(runs[i])}` });
      if (runs[i].success === false) shapes.push({ rect: [px, top + y * size + size - 4, size - 2, 3], look: "ink" });
      if (letter) shapes.push({ text: letter, at: [px + size / 2 - 1, top + y * size + 15], anchor: "middle", look: "white" });
    });
  });
  return { width: left + all.columns.length * size + 60, height: top + all.rows.length * size + 10, shapes };
}
