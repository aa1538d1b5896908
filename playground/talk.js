// Shows the conversation of a run: what the user asked, what the agent thought and called, and
// what the tools answered. This content is not trusted, so it is shown as text only.

import { append, button, el, Places, visibleText } from "./dom.js";
import { listText, plural } from "./words.js";

/** @typedef {import("./npm/types.d.ts").Transcript} Transcript */
/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

const FOLD = 700; // characters shown of a text; the rest is folded
const PAGE = 100;

const ROLES = { system: "System", developer: "System", user: "User", assistant: "Agent", tool: "Tool" };

/** A text. If the text is long, only its beginning is shown, with a button for the rest. */
function textView(text, kind = "") {
  if (!text.trim()) return el("p", { class: "hint", text: "(no text)" });
  const box = el("div", { class: `said-text ${kind}` });
  if (text.length <= FOLD + 200) return append(box, [visibleText(text)]);
  const cut = text.lastIndexOf("\n", FOLD) > FOLD / 2 ? text.lastIndexOf("\n", FOLD) : FOLD;
  const rest = el("span", { hidden: true }, visibleText(text.slice(cut)));
  const more = button(`Show the other ${(text.length - cut).toLocaleString("en")} characters`, () => {
    rest.hidden = !rest.hidden;
    more.textContent = rest.hidden ? `Show the other ${(text.length - cut).toLocaleString("en")} characters` : "Show less";
    more.setAttribute("aria-expanded", String(!rest.hidden));
  }, { class: "link", "aria-expanded": "false" });
  return append(el("div"), [append(box, [visibleText(text.slice(0, cut)), rest]), more]);
}

/** The answer to a step. @param {Transcript["steps"][0]} step */
function answerView(step) {
  if (step.answer === null) return el("p", { class: "hint", text: "The trace contains no answer to this call." });
  return el("div", { class: step.error ? "answer failed" : "answer" },
    el("p", { class: "who" }, "Answered", step.error ? el("span", { class: "tag error", text: "an error" }) : null), textView(step.answer, "code"));
}

/** The message that led to a step, and the user's last message before it. @param {Transcript} t @param {number} step */
function leadMessages(t, step) {
  const at = t.turns.findIndex((turn) => turn.steps?.includes(step));
  const asked = t.turns.slice(0, Math.max(at, 0)).findLast((turn) => turn.role === "user" && !turn.answers);
  return { asked: at < 0 ? null : asked, thought: t.turns[at]?.text.trim() ? t.turns[at] : null };
}

/**
 * What the user asked, the agent thought and the tool answered, folded below a step. The run
 * is read when the reader unfolds it.
 * @param {() => Promise<Transcript>} load @param {number} step
 */
export function aroundView(load, step) {
  const inside = el("div", { class: "around-in" });
  const node = el("details", { class: "around" }, el("summary", { class: "hint", text: "Asked, thought, answered" }), inside);
  node.addEventListener("toggle", async () => {
    if (!node.open || inside.firstChild) return;
    try {
      const t = await load();
      const { asked, thought } = leadMessages(t, step);
      inside.replaceChildren(...[
        asked ? el("div", {}, el("p", { class: "who", text: "Asked by the user" }), textView(asked.text)) : null,
        thought ? el("div", {}, el("p", { class: "who", text: "The agent's words before the call" }), textView(thought.text)) : null,
        answerView(t.steps[step]),
      ].filter(Boolean));
    } catch (e) {
      inside.replaceChildren(el("p", { class: "hint", text: `The run cannot be shown: ${e.message}` }));
    }
  });
  return node;
}

/**
 * All messages, calls and answers of the run in time order, folded. The function showMessage
 * unfolds them and goes to a message, by its index from 0.
 * @param {() => Promise<Transcript>} load @param {Run} run @param {(row: number) => void} show scrolls to a row of the report
 */
export function talkView(load, run, show) {
  const places = new Places();
  const inside = el("div");
  const node = el("details", { class: "talk" }, el("summary", { text: "The whole run: messages, calls and answers" }), inside);
  let filled = null;
  const fill = async () => {
    inside.replaceChildren(el("p", { class: "hint", role: "status", text: "Reading the run…" }));
    try {
      return fillTalk(inside, await load(), run, show, places);
    } catch (e) {
      inside.replaceChildren(el("p", { class: "hint", text: `The run cannot be shown: ${e.message}` }));
      return [];
    }
  };
  node.addEventListener("toggle", () => node.open && (filled ??= fill()));
  const showMessage = async (message) => {
    node.open = true;
    const entries = await (filled ??= fill());
    const at = entries.findIndex((entry) => entry.message === message);
    if (at >= 0) places.show(at);
  };
  return { node, showMessage };
}

function fillTalk(inside, t, run, show, places) {
  const items = el("ol", { class: "turns" });
  const all = entriesOf(t);
  const [, more] = places.fill(items, all, (entry) => (entry.turn ? turnView(entry.turn) : stepView(t, entry.step, run, show)), PAGE);
  const counts = [t.turns.length ? plural(t.turns.length, "message") : null, plural(t.steps.length, "call")].filter(Boolean);
  inside.replaceChildren(
    el("p", { class: "hint" }, `${listText(counts)}.`, t.model ? [" Model: ", visibleText(t.model), "."] : null, t.stopped ? [" The run was cut off: ", visibleText(t.stopped), "."] : null),
    all.length ? items : el("p", { class: "hint", text: "The trace contains no text of this run." }), more);
  return all;
}

/** The messages and calls in time order. A message that only answers a call is left out, because the call shows it. */
function entriesOf(t) {
  const out = [];
  const placed = new Set();
  for (const [message, turn] of t.turns.entries()) {
    if (!turn.answers && (turn.text.trim() || !turn.steps?.length)) out.push({ turn, message });
    for (const step of turn.steps ?? []) {
      placed.add(step);
      out.push({ step });
    }
  }
  t.steps.forEach((_, step) => placed.has(step) || out.push({ step }));
  return out;
}

function turnView(turn) {
  const who = ROLES[turn.role] ?? turn.role;
  const node = el("li", { class: `turn by-${turn.role === "user" ? "user" : turn.role === "assistant" ? "agent" : "other"}`, tabindex: "-1" },
    el("p", { class: "who" }, visibleText(who), turn.unsaid ? el("span", { class: "tag", text: "a thought that the user does not see" }) : null));
  const long = who === "System" && turn.text.length > FOLD;
  return append(node, [long ? el("details", {}, el("summary", { class: "hint", text: `${turn.text.length.toLocaleString("en")} characters of instructions` }), el("div", { class: "said-text" }, visibleText(turn.text))) : textView(turn.text)]);
}

function stepView(t, at, run, show) {
  const step = t.steps[at];
  const row = run.reference ? run.alignment.findIndex((r) => r.obs === at) : at;
  const verdict = run.reference ? run.alignment[row]?.verdict : run.violations.some((v) => v.obs === at) ? "found" : "";
  return el("li", { class: `turn call ${verdict ?? ""}`, tabindex: "-1", data: { step: at } },
    el("p", { class: "who" }, step.user ? "The user called " : "Called ", el("code", { class: "name" }, visibleText(step.name || "(no name)")),
      row >= 0 ? button(`Step ${at + 1}`, () => show(row), { class: "link" }) : null),
    step.text ? textView(step.text, "code") : null, answerView(step));
}
