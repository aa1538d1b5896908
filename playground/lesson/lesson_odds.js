// A lesson of the kind "odds": recorded odds ratios, and their effect on the chance of
// success.

import { append, el, visibleText } from "../base/dom.js";

/** Returns the chance of success after the given numbers of deviations. The row contains the odds ratio of one deviation of each kind. */
export function successChance(start, row, mutating, other) {
  const odds = (start / (1 - start)) * row.mutating ** mutating * row.other ** other;
  return odds / (1 + odds);
}

const percentText = (p) => `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;

/** @param {HTMLElement} root @param {any} lesson */
export function oddsView(root, lesson) {
  const which = el("select", { id: "odds-row" }, lesson.rows.map((r, i) => el("option", { value: String(i), text: r.name })));
  const slider = (id) => el("input", { type: "range", id, min: "0", max: String(lesson.most), step: "1", value: "0" });
  const mutating = slider("odds-mutating"), other = slider("odds-other");
  const counts = [el("output", { for: "odds-mutating" }), el("output", { for: "odds-other" })];
  const said = el("p", { class: "lead", role: "status" });
  const bars = el("dl", { class: "card pair odds" });
  const every = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All rows" });
  append(root, [
    el("div", { class: "card" },
      el("label", { for: "odds-row", text: "Model and benchmark" }), which,
      el("label", { for: "odds-mutating" }, "Extra or missing steps that change something: ", counts[0]), mutating,
      el("label", { for: "odds-other" }, "Extra or missing steps that only read: ", counts[1]), other),
    said, bars, every,
    el("p", { class: "hint", text: lesson.source }),
    el("p", { class: "close" }, visibleText(lesson.close)),
  ]);
  const move = () => {
    const row = lesson.rows[Number(which.value)], m = Number(mutating.value), n = Number(other.value);
    counts[0].textContent = String(m);
    counts[1].textContent = String(n);
    said.textContent = m ? lesson.writes : n ? lesson.reads : lesson.none;
    const bar = (name, p) => el("div", { data: { figure: name } }, el("dt", { text: name }), el("dd", {}, el("span", { class: "value", text: percentText(p) }),
      el("span", { class: "bar", "aria-hidden": "true" }, el("span", { class: "fill", style: { width: `${100 * p}%` } }))));
    bars.replaceChildren(bar("Without a deviation", lesson.start), bar("With these deviations", successChance(lesson.start, row, m, n)));
    every.replaceChildren(el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["Model and benchmark", "Each extra or missing change", "Each extra or missing read", "With these deviations"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, lesson.rows.map((r) => el("tr", {}, el("th", { scope: "row" }, visibleText(r.name)),
        el("td", { text: `odds × ${r.mutating}` }), el("td", { text: `odds × ${r.other}` }), el("td", { text: percentText(successChance(lesson.start, r, m, n)) }))))));
  };
  for (const input of [which, mutating, other]) input.addEventListener("input", move);
  move();
}
