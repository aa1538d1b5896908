// Shows why a run went wrong: the first failure, its mode, and the contributing factors.

import { button, el, visibleText } from "../base/dom.js";
import { confidenceMeter } from "./figures.js";
import { stepName } from "./rows.js";
import { ABOUT } from "../base/terms.js";
import { MODES, findingName, idText, typeName } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Cause} Cause */

/**
 * @param {import("../npm/types.d.ts").Trajectory} run one with an attribution
 * @param {{row(i: number): void, finding(i: number): void}} show scrolls to a row of the alignment, or to a finding
 */
export function causeView(run, show) {
  const { first, primary, factors } = run.attribution;
  const found = run.violations[first];
  return [
    el("h3", { text: "Why the run went wrong" }),
    el("div", { class: "card cause" },
      el("div", { class: "cause-where" },
        el("p", { class: "eyebrow", text: "First failure point" }),
        el("h4", { text: findingName(found) }),
        el("p", { class: "buttons" },
          found.row === null ? el("span", { class: "hint", text: "the whole run" }) : button(stepName(run, found.row), () => show.row(found.row), { class: "link" }),
          button(`Finding ${first + 1}`, () => show.finding(first), { class: "link" }))),
      el("div", { class: "cause-why" },
        el("p", { class: "eyebrow", text: "What kind of failure" }),
        modeView(primary, found, "h4"),
        factors.length ? factorsView(factors, found) : null)),
  ];
}

function factorsView(factors, found) {
  return el("div", { class: "factors" },
    el("p", { class: "eyebrow", text: factors.length === 1 ? "A contributing factor" : "Contributing factors" }),
    el("ul", {}, factors.map((f) => el("li", {}, modeView(f, found, "strong")))));
}

/** A mode of failure in plain words, with the report's reason for it. @param {Cause} cause */
function modeView(cause, found, tag) {
  const known = MODES[cause.mode];
  const boundary = cause.reason.startsWith(found.type + ": "); // shown as a tag instead
  return [
    el("p", {}, el(tag, { class: "mode", text: known?.name ?? idText(cause.mode) }), known ? ": " + ABOUT[cause.mode] : "",
      boundary ? [" ", el("span", { class: "tag", text: typeName(found.type) })] : null),
    el("p", {}, visibleText(boundary ? cause.reason.slice(found.type.length + 2) : cause.reason)),
    cause.evidence ? quoteView(cause.evidence, known?.quote ?? "Evidence") : null,
    el("p", { class: "grounds" }, confidenceMeter(cause.confidence), " ", el("code", { class: "id", text: cause.mode })),
  ];
}

function quoteView(text, source) {
  return el("figure", { class: "quote" }, el("figcaption", { class: "hint", text: source }), el("blockquote", {}, visibleText(text)));
}
