// A lesson of the kind "cut": the reader cuts a log into actions, and then sees the
// reference cuts and the reason for each. It does not use the core.

import { append, button, el, icon, visibleText } from "../base/dom.js";
import { compareBoundaries } from "./boundaries.js";
import { classView } from "./lesson_class.js";
import { plural } from "../base/words.js";

const TENDENCY = {
  same: "You marked the same boundaries as the reference.",
  finer: "You marked more boundaries than the reference. An agent that does so is called over-granular: its steps are only parts of an action.",
  coarser: "You marked fewer boundaries than the reference. An agent that does several actions as one is called under-granular. Nobody can then stop the agent between the actions and check.",
  elsewhere: "You marked as many boundaries as the reference, but in other places.",
};

/** @param {HTMLElement} root @param {any} lesson */
export function cutView(root, lesson) {
  const mine = new Set();
  const log = el("ol", { class: "log" });
  const outcome = el("div", { class: "outcome", tabindex: "-1" });
  const status = el("p", { class: "hint count", role: "status" });
  const again = button("Try again", () => (mine.clear(), startMarking(), log.querySelector("button").focus()), { hidden: true });
  const check = button("Compare", judgeCuts, { class: "primary" });

  append(root, [
    el("p", { class: "card task", text: lesson.task }),
    log,
    el("div", { class: "buttons lesson-foot" }, check, again, status),
    outcome,
  ]);
  startMarking();

  function showCount() {
    status.textContent = mine.size ? `${plural(mine.size, "boundary", "boundaries")} marked: ${plural(mine.size + 1, "action")}.` : "No boundary is marked yet, so the log is one long action.";
  }

  /** The log for cutting: a switch between every two lines. */
  function startMarking() {
    log.className = "log marking";
    log.replaceChildren(...lesson.steps.map((s, i) => lineView(s, i, i + 1 < lesson.steps.length ? cutToggle(i + 1) : null)));
    outcome.replaceChildren();
    check.hidden = false;
    again.hidden = true;
    showCount();
  }

  function cutToggle(after) {
    const text = el("span", { text: "An action ends here" });
    const flip = (e) => {
      if (!mine.delete(after)) mine.add(after);
      e.currentTarget.setAttribute("aria-pressed", String(mine.has(after)));
      showCount();
    };
    return el("button", { type: "button", class: "cut", "aria-pressed": String(mine.has(after)), "aria-label": `An action ends here, after line ${after}`, data: { after }, on: { click: flip } }, el("i", { "aria-hidden": "true", text: "+" }), text);
  }

  /** The log with both ways of cutting it. */
  function judgeCuts() {
    const reference = new Set(lesson.boundaries);
    const result = compareBoundaries(mine, reference);
    log.className = "log judged";
    log.replaceChildren(...lesson.steps.map((s, i) => lineView(s, i, i + 1 < lesson.steps.length ? reasonView(i + 1, mine.has(i + 1), reference.has(i + 1), lesson.why[i + 1]) : null)));
    lesson.boundaries.concat(lesson.steps.length).forEach((end, n) => {
      const start = n ? lesson.boundaries[n - 1] : 0;
      log.querySelector(`[data-line="${start + 1}"]`).prepend(el("p", { class: "action-name", text: `${n + 1}. ${lesson.actions[n]}` }));
      for (let i = start; i < end; i++) log.children[i].classList.add(n % 2 ? "even" : "odd");
    });
    check.hidden = true;
    again.hidden = false;
    status.textContent = "";
    outcome.replaceChildren(...verdictView(result, reference.size), el("p", { text: lesson.close }), classView(lesson, mine));
    outcome.focus({ preventScroll: true });
    outcome.scrollIntoView({ block: "nearest" });
  }
}

function lineView(step, i, after) {
  return el("li", { data: { line: i + 1 } },
    el("div", { class: `event ${step.who}` }, el("span", { class: "lineno", "aria-hidden": "true", text: i + 1 }), el("span", {}, step.who === "agent" ? null : el("strong", { text: "Customer: " }), visibleText(step.text))),
    after);
}

function reasonView(after, mine, reference, why) {
  if (!mine && !reference) return el("details", { class: "cut-why none" }, el("summary", { text: "Why no boundary here?" }), el("p", { text: why }));
  const [kind, words] = mine && reference ? ["correct", "You and the reference say that an action ends here"] : mine ? ["violation", "Only you say that an action ends here. In the reference, the action goes on"] : ["note", "Only the reference says that an action ends here"];
  return el("div", { class: `cut-why ${kind}`, data: { after } }, el("p", { class: `chip ${kind}` }, icon(kind), words), el("p", { text: why }));
}

/** The score in words. */
function verdictView({ both, onlyMine, tendency }, total) {
  const found = both.length === total ? `You found all ${total} boundaries` : `You found ${both.length} of ${total} boundaries`;
  const extra = onlyMine.length ? ` and marked ${plural(onlyMine.length, "place")} where the action goes on.` : both.length === total ? ", and no other." : ".";
  const good = tendency === "same";
  return [
    el("h2", { class: good ? "verdict good" : "verdict ask" }, icon(good ? "correct" : "note"), el("span", { text: found + extra })),
    el("p", { class: "lead", text: TENDENCY[tendency] }),
  ];
}
