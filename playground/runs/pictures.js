// Pictures of many runs: the boundary scores, the types of findings, and the rates of
// success and of success within bounds. Each picture has a description in words, and can
// be saved.

import { el } from "../base/dom.js";
import { svgElement, saveButtons } from "../base/draw.js";
import { METRICS } from "../base/terms.js";
import { figureText, listText, plural, typeName } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Report} Report */
/** @typedef {{name: string, title: string, words: string, picture: import("../base/draw.js").Picture, rows: unknown[][]}} Shown */

const WIDTH = 360;
const LOOKS = [["succeeded", "good"], ["failed", "bad"], ["no verdict", "calm"]];

/** The runs by their boundary score, in ten bins; null without a score. @param {Report} report @returns {Shown | null} */
export function scoresPicture({ trajectories: runs }) {
  const bins = Array.from({ length: 10 }, () => [0, 0, 0]);
  const values = [];
  for (const r of runs) {
    const { scored, value } = r.metrics.abs.max;
    if (!scored) continue;
    values.push(value);
    bins[Math.min(9, Math.max(0, Math.floor(value * 10 + 1e-9)))][r.success === null ? 2 : r.success ? 0 : 1]++;
  }
  if (values.length < 2) return null;
  const most = Math.max(...bins.map((b) => b[0] + b[1] + b[2]));
  const [left, top, high, wide] = [34, 24, 130, 31];
  const shapes = [{ line: [left, top + high, left + 10 * wide, top + high], look: "line" }];
  bins.forEach((b, i) => {
    let y = top + high;
    b.forEach((n, k) => {
      if (!n) return;
      const tall = (n / most) * high;
      y -= tall;
      shapes.push({ rect: [left + i * wide + 2, roundHundredths(y), wide - 4, roundHundredths(tall)], look: LOOKS[k][1], title: `${binText(i)}: ${n} ${LOOKS[k][0]}` });
    });
    const all = b[0] + b[1] + b[2];
    if (all) shapes.push({ text: String(all), at: [left + i * wide + wide / 2, roundHundredths(y) - 4], anchor: "middle", look: "ink" });
  });
  for (let i = 0; i <= 10; i += 5) shapes.push({ text: (i / 10).toFixed(1), at: [left + i * wide, top + high + 15], anchor: "middle", look: "soft" });
  const present = LOOKS.filter((_, k) => bins.some((b) => b[k]));
  let x = left;
  for (const [text, look] of present) {
    shapes.push({ rect: [x, top + high + 26, 9, 9], look }, { text, at: [x + 13, top + high + 34], look: "ink" });
    x += 24 + text.length * 6;
  }
  const within = values.filter((v) => v > 1 - 1e-9).length;
  return {
    name: "boundcheck-scores", title: METRICS.absMax.name,
    words: `Boundary scores of ${plural(values.length, "run")}. Runs with score 1: ${within.toLocaleString("en")}. Median: ${figureText(values.sort((a, b) => a - b)[values.length >> 1])}. Lowest: ${figureText(values[0])}.`,
    picture: { width: WIDTH, height: top + high + 44, shapes },
    rows: [["from", "to", ...LOOKS.map(([text]) => text.replace(" ", "_"))], ...bins.map((b, i) => [i / 10, (i + 1) / 10, ...b])],
  };
}

const binText = (i) => `${(i / 10).toFixed(1)} to ${((i + 1) / 10).toFixed(1)}`;
const roundHundredths = (x) => Math.round(x * 100) / 100;

const TYPE_LOOKS = { "over-action": "over", "under-action": "under", "over-granular": "fine", "under-granular": "coarse", "start-boundary": "start", "end-boundary": "end" };

/** The findings by type; null if there are none. @param {Report} report @returns {Shown | null} */
export function findingsPicture({ corpus }) {
  const all = Object.entries(corpus.violations.byType ?? {}).filter(([, n]) => n).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!all.length) return null;
  const most = all[0][1];
  const [left, top, step] = [112, 10, 26];
  const shapes = all.flatMap(([type, n], i) => {
    const y = top + i * step;
    const wide = Math.max(2, (n / most) * (WIDTH - left - 50));
    return [
      { text: typeName(type), at: [left - 8, y + 13], anchor: "end", look: "ink" },
      { rect: [left, y, roundHundredths(wide), 18], round: 2, look: TYPE_LOOKS[type] ?? "calm", title: `${typeName(type)}: ${n}` },
      { text: n.toLocaleString("en"), at: [left + roundHundredths(wide) + 6, y + 13], look: "ink" },
    ];
  });
  return {
    name: "boundcheck-violations", title: "What broke",
    words: `${plural(corpus.violations.total, "finding")}: ${listText(all.map(([type, n]) => `${typeName(type).toLowerCase()} ${n.toLocaleString("en")}`))}.`,
    picture: { width: WIDTH, height: top + all.length * step + 4, shapes },
    rows: [["type", "findings"], ...all],
  };
}

/** Success, success within bounds and lucky success, with their intervals; null without outcomes. @param {Report} report @returns {Shown | null} */
export function successPicture({ corpus: { metrics } }) {
  const all = [["sr", metrics.sr], ["basr", metrics.basr?.max], ["luckySuccess", metrics.luckySuccess?.max]].filter(([, s]) => s?.scored);
  if (all.length < 2) return null;
  const [left, top, step] = [150, 14, 34];
  const at = (v) => roundHundredths(left + Math.min(1, Math.max(0, v)) * (WIDTH - left - 46));
  const shapes = [0, 0.5, 1].flatMap((v) => [
    { line: [at(v), top - 8, at(v), top + all.length * step - 8], look: "line" },
    { text: v.toFixed(1), at: [at(v), top + all.length * step + 6], anchor: "middle", look: "soft" }]);
  all.forEach(([key, s], i) => {
    const y = top + i * step + 8;
    shapes.push({ text: METRICS[key].short, at: [left - 10, y + 4], anchor: "end", look: "ink" });
    if (s.interval) shapes.push({ line: [at(s.interval.low), y, at(s.interval.high), y], wide: 3, look: METRICS[key].low ? "bad" : "good" });
    shapes.push({ rect: [at(s.value) - 4, y - 7, 8, 14], round: 2, look: METRICS[key].low ? "bad" : "good", title: `${METRICS[key].name}: ${figureText(s.value)}` },
      { text: figureText(s.value), at: [WIDTH - 34, y + 4], look: "ink" });
  });
  const said = ([key, s]) => `${METRICS[key].name} ${figureText(s.value)}${s.interval ? ` (${figureText(s.interval.low)} to ${figureText(s.interval.high)})` : ""}`;
  return {
    name: "boundcheck-success", title: "Success, and success within bounds",
    words: `${listText(all.map(said))}.`,
    picture: { width: WIDTH, height: top + all.length * step + 12, shapes },
    rows: [["figure", "value", "low", "high"], ...all.map(([key, s]) => [key, s.value, s.interval?.low ?? "", s.interval?.high ?? ""])],
  };
}

/** The pictures of a report of many runs; null if there are none. @param {Report} report */
export function picturesView(report) {
  const all = [scoresPicture(report), findingsPicture(report), successPicture(report)].filter(Boolean);
  if (!all.length) return null;
  return el("section", { class: "pictures", "aria-label": "Pictures" }, all.map((p) => el("figure", { data: { picture: p.name } },
    el("h3", { text: p.title }),
    svgElement(p.picture, p.words),
    el("figcaption", { class: "hint", text: p.words }),
    saveButtons(p.name, p.title.toLowerCase(), () => p.picture, () => p.rows))));
}
