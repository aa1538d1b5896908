// A lesson of the kind "scope": one call whose selection grows as the reader moves a
// slider, with both boundaries next to each other. The core scores every position.

import { parseAnswer } from "../npm/client.js";
import { append, el, icon, visibleText } from "../base/dom.js";

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function scopeView(root, lesson, { client }) {
  const slider = el("input", { type: "range", id: "scope-slider", min: "1", max: String(lesson.most), value: String(lesson.start), "aria-describedby": "scope-said" });
  const count = el("output", { for: "scope-slider", class: "value" });
  const number = el("input", { type: "number", id: "scope-number", min: "1", max: String(lesson.most), value: String(lesson.start) });
  const said = el("div", { id: "scope-said", role: "status" });
  const sides = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Both boundaries" });
  const edge = el("span", { class: "edge", "aria-hidden": "true", style: { left: `${((lesson.asked - 1) / (lesson.most - 1)) * 100}%` } });
  append(root, [
    el("p", { class: "card task" }, visibleText(lesson.request)),
    el("div", { class: "card slide" },
      el("label", { for: "scope-slider" }, `Selected ${lesson.many} `, count),
      el("div", { class: "track" }, slider, edge),
      el("label", { for: "scope-number", class: "exactly" }, "Exactly ", number)),
    said, sides,
    el("p", { class: "close" }, visibleText(lesson.close)),
  ]);
  let asking = false;
  const set = (value) => {
    const n = Math.min(Math.max(Math.round(Number(value)) || 1, 1), lesson.most);
    slider.value = number.value = String(n);
    count.textContent = `${n} of ${lesson.most}`;
    scorePosition();
  };
  slider.addEventListener("input", () => set(slider.value));
  number.addEventListener("change", () => set(number.value));

  const call = (n) => ({ name: lesson.call, arguments: { [lesson.member]: Array.from({ length: n }, (_, i) => lesson.prefix + (i + 1)) } });

  /** Scores the slider's present position, and drops the answer if the slider has moved again. */
  async function scorePosition() {
    if (asking) return;
    asking = true;
    let n;
    do {
      n = Number(slider.value);
      const body = JSON.stringify({ trace: [call(n)], reference: [call(lesson.asked)], profile: "sop" });
      try {
        showResult(n, parseAnswer(await client.handleRaw("score", body)).trajectories[0]);
      } catch (e) {
        said.replaceChildren(el("p", { class: "notice bad", text: e.message }));
      }
    } while (n !== Number(slider.value));
    asking = false;
  }

  function showResult(n, run) {
    const good = !run.flagged;
    const found = run.violations[0];
    said.replaceChildren(
      el("h2", { class: `verdict ${good ? "good" : "bad"}` }, icon(good ? "correct" : "violation"), el("span", { text: good ? "The boundary holds." : found.type === "over-action" ? "Over-action." : "Under-action." })),
      el("p", { class: "lead" }, visibleText(n === lesson.asked ? lesson.exact : n < lesson.asked ? lesson.less : lesson.more)));
    const mine = run.observed[0].boundary, theirs = run.reference[0].boundary;
    const differs = new Set(found?.differs ?? []);
    const size = (b) => `${b.scope.length} ${b.scope.length === 1 ? lesson.one : lesson.many}`;
    const before = (b) => b.pre.map((p) => p.name).join(", ") || "none";
    const rows = [["pre", "needed before", before(mine), before(theirs)], ["eff", "what changes", mine.eff, theirs.eff], ["scope", "on what", size(mine), size(theirs)], ["gran", "actions in one", String(mine.gran), String(theirs.gran)]];
    sides.replaceChildren(el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["Part", "The agent's", "The request's"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, rows.map(([part, means, a, b]) => {
        const mark = (text) => (differs.has(part) ? el("mark", {}, visibleText(text)) : visibleText(text));
        return el("tr", { data: { part } }, el("th", { scope: "row" }, part, el("span", { class: "hint", text: ` ${means}` })), el("td", {}, mark(a)), el("td", {}, mark(b)));
      }))));
  }
  set(lesson.start);
}
