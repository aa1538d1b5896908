// The class mode of a lesson of the kind "cut". It shows a reader's cuts as a short code, and
// a summary of the codes of several readers.

import { append, el } from "../base/dom.js";
import { plural } from "../base/words.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** A reader's cuts as a code. Its last character is a check character. @param {Set<number>} cuts */
export function codeOf(cuts) {
  const bits = [...cuts].reduce((sum, after) => sum + 2 ** (after - 1), 0).toString(36);
  return bits + checkCharacter(bits);
}

/** The cuts in a code; places is the number of places where a cut is possible. Null if the code is invalid. @param {string} code @param {number} places @returns {Set<number> | null} */
export function cutsOf(code, places) {
  const text = code.toLowerCase();
  if (!/^[0-9a-z]{2,12}$/.test(text) || checkCharacter(text.slice(0, -1)) !== text.at(-1)) return null;
  let bits = Number.parseInt(text.slice(0, -1), 36);
  if (bits >= 2 ** places) return null;
  const cuts = new Set();
  for (let after = 1; bits > 0; after++, bits = Math.floor(bits / 2)) if (bits % 2) cuts.add(after);
  return cuts;
}

const checkCharacter = (bits) => DIGITS[Array.from(bits).reduce((sum, c, i) => sum + (i + 3) * (DIGITS.indexOf(c) + 1), 0) % 36];

/**
 * Fleiss' κ: how far the readers agree on which places to cut. Null if agreement by chance
 * is certain.
 * @param {Set<number>[]} all @param {number} places
 */
export function fleissKappa(all, places) {
  const n = all.length;
  const counts = Array.from({ length: places }, (_, i) => all.filter((c) => c.has(i + 1)).length);
  const agreed = counts.reduce((sum, c) => sum + (c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1)), 0) / places;
  const share = counts.reduce((a, b) => a + b, 0) / (n * places);
  const chance = share ** 2 + (1 - share) ** 2;
  return chance === 1 ? null : (agreed - chance) / (1 - chance);
}

/** @param {any} lesson @param {Set<number>} mine */
export function classView(lesson, mine) {
  const places = lesson.steps.length - 1;
  const box = el("textarea", { id: "class-codes", rows: "3", spellcheck: "false", autocomplete: "off", placeholder: codeOf(new Set(lesson.boundaries)) });
  const out = el("div", { role: "status" });
  const tell = () => {
    const words = box.value.split(/[\s,;]+/).filter(Boolean);
    const read = words.map((w) => cutsOf(w, places));
    const all = read.filter((c) => c !== null);
    const wrong = words.filter((_, i) => read[i] === null);
    out.replaceChildren();
    append(out, [
      wrong.length ? el("p", { class: "notice bad", text: `Not a code for this lesson: ${wrong.slice(0, 5).join(", ")}. Check the spelling.` }) : null,
      all.length < 2 ? el("p", { class: "hint", text: "Paste at least two codes." }) : classAgreementView(lesson, all, places)]);
  };
  box.addEventListener("input", tell);
  const view = el("details", { class: "card class-mode" });
  append(view, [
    el("summary", { text: "Use this lesson with a class" }),
    el("p", {}, "This code stands for your boundaries: ", el("code", { class: "class-code", text: codeOf(mine) }), ". Collect the codes of all readers and paste them here:"),
    el("label", { for: "class-codes", text: "Codes, one per line" }), box, out]);
  tell();
  return view;
}

function classAgreementView(lesson, all, places) {
  const k = fleissKappa(all, places);
  const counts = Array.from({ length: places }, (_, i) => all.filter((c) => c.has(i + 1)).length);
  const split = counts.map((c, i) => ({ after: i + 1, c })).filter(({ c }) => c > 0 && c < all.length).sort((a, b) => Math.abs(a.c - all.length / 2) - Math.abs(b.c - all.length / 2)).slice(0, 3);
  const reference = new Set(lesson.boundaries);
  const bar = (c) => el("span", { class: "bar", "aria-hidden": "true" }, el("span", { class: "fill", style: { width: `${(100 * c) / all.length}%` } }));
  return [
    el("p", {}, `${plural(all.length, "reader")}. `, k === null ? "All readers marked the same places." : `Agreement (Fleiss' κ): ${k.toFixed(2)}. `,
      split.length ? `Opinions differ most after ${split.map(({ after, c }) => `line ${after} (${c} of ${all.length})`).join(", ")}.` : ""),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Boundaries that the class marked" }, el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["After line", "Readers", "Reference"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, counts.map((c, i) => el("tr", {}, el("th", { scope: "row", text: String(i + 1) }), el("td", {}, `${c} of ${all.length} `, bar(c)), el("td", { text: reference.has(i + 1) ? "ends here" : "" })))))),
  ];
}
