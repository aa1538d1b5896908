// Tasks by trials, or by files: one cell a run, coloured by what broke. The way in to a
// task whose trials differ.

import { button, el, paged, shown } from "./dom.js";
import { plural, TYPES } from "./words.js";

const WIDEST = 40; // columns
const PAGE = 60; // rows

/** The letters and the class of each type of finding; a run has the one that it has most. */
const CELLS = {
  "over-action": ["O", "over"], "under-action": ["U", "under"], "over-granular": ["G", "fine"], "under-granular": ["C", "coarse"],
  "start-boundary": ["S", "start"], "end-boundary": ["E", "end"],
};

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

/**
 * Rows of tasks, each with the indices of its runs by column; null where no task has
 * several runs, or there are too many columns.
 * @param {import("./npm/types.d.ts").Report} report
 */
export function grid(report) {
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

/** The type of finding that a run has most, the first of equal ones; "" for none. @param {Run} run */
export function worst(run) {
  if (!run.flagged) return "";
  const counts = new Map();
  for (const v of run.violations) if (!v.hint) counts.set(v.type, (counts.get(v.type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

const outcome = (run) => (run.success === null ? "" : run.success ? "succeeded" : "failed");

/** What a cell says in words. @param {Run} run */
const words = (run) => [outcome(run), worst(run) ? (TYPES[worst(run)] ?? worst(run)).toLowerCase() : "nothing broke"].filter(Boolean).join(", ");

/**
 * @param {import("./npm/types.d.ts").Report} report
 * @param {(i: number) => void} open
 */
export function heatMap(report, open) {
  const all = grid(report);
  if (!all) return null;
  const runs = report.trajectories;
  const cell = (i) => {
    if (i === undefined) return el("td");
    const [letter, look] = CELLS[worst(runs[i])] ?? ["", "kept"];
    return el("td", {}, el("button", { type: "button", class: `cell ${look} ${outcome(runs[i])}`, title: `${runs[i].id}: ${words(runs[i])}`, "aria-label": `Run ${runs[i].id}: ${words(runs[i])}`, data: { run: i }, on: { click: () => open(i) } }, letter));
  };
  const body = el("tbody");
  const row = (r) => el("tr", {}, el("th", { scope: "row" }, shown(r.task)), r.cells.map(cell));
  const [, more] = paged(body, all.rows, row, PAGE);
  const present = [...new Set(runs.map(worst))];
  const node = el("section", { class: "heat", "aria-label": "Tasks and their runs" },
    el("h3", { text: `${plural(all.rows.length, "task")} by ${all.columns.length} ${all.columns[0].startsWith("Trial") ? "trials" : report.input.files?.length > 1 ? "files" : "runs"}` }),
    el("ul", { class: "keys" }, Object.entries(CELLS).filter(([type]) => present.includes(type)).map(([type, [letter, look]]) => el("li", {}, el("span", { class: `cell ${look}`, "aria-hidden": "true", text: letter }), TYPES[type])),
      el("li", {}, el("span", { class: "cell kept", "aria-hidden": "true" }), "nothing broke"), runs.some((r) => r.success === false) ? el("li", {}, el("span", { class: "cell kept failed", "aria-hidden": "true" }), "failed") : null),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tasks by runs" },
      el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Task" }), all.columns.map((c) => el("th", { scope: "col" }, shown(c))))), body)),
    more,
    el("div", { class: "buttons" }, button("Save as SVG", () => save("boundcheck-tasks.svg", "image/svg+xml", picture(all, runs))), button("Save as CSV", () => save("boundcheck-tasks.csv", "text/csv", table(all, runs)))));
  return { node, dim: (fits) => node.querySelectorAll("button.cell").forEach((b) => b.classList.toggle("dim", !fits.has(Number(b.dataset.run)))) };
}

/** One line a run. A field that a spreadsheet would take for a formula is quoted as a text. */
export function table(all, runs) {
  const field = (x) => {
    const s = String(x ?? "");
    return /^[=+\-@\t\r]|[",\n\r]/.test(s) ? `"${(/^[=+\-@\t\r]/.test(s) ? "'" : "") + s.replaceAll('"', '""')}"` : s;
  };
  const lines = [["task", "column", "run", "outcome", "flagged", "type", "findings", "abs_max"]];
  for (const { task, cells } of all.rows) {
    cells.forEach((i, c) => {
      if (i === undefined) return;
      const r = runs[i];
      lines.push([task, all.columns[c], r.id, outcome(r), r.flagged, worst(r), r.violations.length, r.metrics.abs.max.scored ? r.metrics.abs.max.value : ""]);
    });
  }
  return lines.map((l) => l.map(field).join(",")).join("\r\n") + "\r\n";
}

const INK = { over: "#ab2a1d", under: "#2b5ea7", fine: "#7a4f00", coarse: "#8a5a86", start: "#0f6f6c", end: "#4b4f9e", kept: "#e6e9e4" };

/** The map as a picture by itself. */
export function picture(all, runs) {
  const safe = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd");
  const [left, top, size] = [150, 40, 22];
  const marks = [];
  all.columns.forEach((c, x) => marks.push(`<text x="${left + x * size + size / 2}" y="${top - 8}" text-anchor="start" transform="rotate(-35 ${left + x * size + size / 2} ${top - 8})">${safe(c.slice(0, 24))}</text>`));
  all.rows.forEach(({ task, cells }, y) => {
    marks.push(`<text x="${left - 8}" y="${top + y * size + 15}" text-anchor="end">${safe(task.slice(0, 22))}</text>`);
    cells.forEach((i, x) => {
      if (i === undefined) return;
      const [letter, look] = CELLS[worst(runs[i])] ?? ["", "kept"];
      const at = `x="${left + x * size + 1}" y="${top + y * size + 1}"`;
      marks.push(`<g><title lang="en">${safe(runs[i].id)}: ${safe(words(runs[i]))}</title><rect ${at} width="${size - 2}" height="${size - 2}" rx="3" fill="${INK[look]}"/>` +
        (runs[i].success === false ? `<rect x="${left + x * size + 1}" y="${top + y * size + size - 4}" width="${size - 2}" height="3" fill="#1d2226"/>` : "") +
        (letter ? `<text x="${left + x * size + size / 2}" y="${top + y * size + 15}" text-anchor="middle" fill="#fff">${letter}</text>` : "") + "</g>");
    });
  });
  const [width, height] = [left + all.columns.length * size + 60, top + all.rows.length * size + 10];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>${marks.join("")}</svg>\n`;
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
