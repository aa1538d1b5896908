// Shows two runs beside each other, from the core's alignment of their calls: what both did, the
// first call in which they differ, and what each then did.

import { pairView } from "../run/args.js";
import { button, el, visibleText } from "../base/dom.js";
import { callText } from "../run/rows.js";
import { PAIRS } from "../base/terms.js";
import { plural } from "../base/words.js";

/** @typedef {{run: string, calls: import("../npm/types.d.ts").Action[], story?: string[], good: boolean | null}} Side */
/** @typedef {{a: Side, b: Side, rows: (import("../npm/types.d.ts").Row & {differs?: string})[], text: string, fork: number | null}} Pair */

const PAGE = 200; // rows that are shown at once after the fork

/** @param {Pair} pair @param {[string, string]} names of the two sides @param {(side: number) => void} [open] shows a run alone */
export function forkView(pair, names, open) {
  const sides = [pair.a, pair.b];
  const head = (side, i) => el("div", { class: `card pair-side ${side.good === false ? "bad" : ""}` },
    el("h4", {}, visibleText(`${names[i]}: run ${side.run}`), el("span", { class: "hint", text: `, ${side.word}` })),
    (side.story ?? []).map((line) => el("p", {}, visibleText(line))),
    open ? el("p", { class: "buttons" }, button("Open this run", () => open(i), { class: "link" })) : null);
  const at = pair.fork ?? pair.rows.length;
  const body = el("tbody");
  const start = pair.fork === null ? 0 : Math.max(0, at - 1);
  const rows = (from, to) => pair.rows.slice(from, to).map((row, i) => rowView(pair, names, row, from + i === pair.fork));
  body.append(...rows(start, start + PAGE));
  const before = start > 0 ? button(`Show the ${plural(start, "call")} before`, () => (body.prepend(...rows(0, start)), before.remove()), { class: "link" }) : null;
  const more = pair.rows.length > start + PAGE ? button("Show the rest", () => (body.append(...rows(start + PAGE)), more.remove()), { class: "more" }) : null;
  return el("section", { class: "fork", "aria-label": pair.text },
    el("h3", { tabindex: "-1", text: pair.text }),
    el("div", { class: "pair" }, sides.map(head)), before,
    pair.rows.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Both runs" },
      el("table", { class: "runs side-by-side" }, el("thead", {}, el("tr", {}, ["", ...names].map((h) => el(h ? "th" : "td", h ? { scope: "col" } : {}, visibleText(h))))), body)) : null, more);
}

function rowView({ a, b }, names, row, isFork) {
  const [left, right] = [row.obs === null ? null : a.calls[row.obs], row.ref === null ? null : b.calls[row.ref]];
  const cell = (call) => el("td", {}, call ? [el("code", { class: "name" }, visibleText(call.name || "")), el("code", { class: "with" }, visibleText(callText(call)))] : el("span", { class: "hint", text: "–" }));
  const differs = left && right && row.op !== "match" ? el("tr", {}, el("td"), el("td", { colspan: "2" }, row.differs ? el("p", { class: "hint" }, visibleText(row.differs)) : null, pairView(left, right, names))) : null;
  const main = el("tr", { class: `${row.op} ${isFork ? "parted" : ""}` }, el("th", { scope: "row" }, isFork ? el("mark", { text: "first difference" }) : PAIRS[row.op] ?? row.op), cell(left), cell(right));
  if (!differs) return main;
  const fragment = document.createDocumentFragment();
  fragment.append(main, differs);
  return fragment;
}
