// A lesson of the kind "agent": the reader chooses the calls, and the core scores them
// like an agent's.

import { parseAnswer } from "../npm/client.js";
import { append, button, el, visibleText } from "../base/dom.js";
import { runView } from "../run/run.js";

const callText = (call) => `${call.name}(${Object.entries(call.arguments).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(", ")})`;

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function agentView(root, lesson, { client, open }) {
  const done = el("ol", { class: "done", "aria-label": "Your calls" });
  const said = el("p", { class: "hint", role: "status" });
  const outcome = el("div", { class: "outcome", tabindex: "-1" });
  const questions = el("aside", { class: "card questions", hidden: true, "aria-label": lesson.cure.title },
    el("h2", { text: lesson.cure.title }), el("p", {}, visibleText(lesson.cure.text)),
    el("dl", {}, lesson.cure.questions.map(([part, ask]) => el("div", {}, el("dt", {}, visibleText(part)), el("dd", {}, visibleText(ask))))));
  const presses = lesson.calls.map((call) => button("", () => addCall(call), { class: "press", data: { call: call.name } }));
  presses.forEach((b, i) => b.append(el("code", {}, visibleText(callText(lesson.calls[i])))));
  const finish = button("I am done", () => judgeCalls(), { class: "primary", disabled: true });
  const undo = button("Undo the last call", () => (mine.pop(), drawCalls()), { disabled: true });
  const again = button("Start again", () => restartLesson(false), { hidden: true });
  const cured = button(lesson.cure.title, () => restartLesson(true), { class: "primary", hidden: true });
  /** @type {any[]} */
  let mine = [];
  append(root, [
    el("div", { class: "card task" }, el("p", { class: "who", text: "Your rules" }), el("ul", { class: "rules" }, lesson.policy.map((rule) => el("li", {}, visibleText(rule)))),
      el("p", { class: "who", text: "The customer" }), el("p", {}, "“", visibleText(lesson.customer), "”")),
    questions,
    el("div", { class: "presses", role: "group", "aria-label": "Your tools" }, presses),
    done, el("div", { class: "buttons lesson-foot" }, finish, undo, again, cured, said),
    outcome,
  ]);
  drawCalls();

  function drawCalls() {
    done.replaceChildren(...mine.map((call) => el("li", {}, el("code", {}, visibleText(callText(call))), el("p", { class: "hint" }, visibleText(call.answer)))));
    finish.disabled = undo.disabled = !mine.length;
    said.textContent = mine.length ? "" : "Nothing done yet.";
  }

  function addCall(call) {
    mine.push(call);
    drawCalls();
    said.textContent = call.answer;
  }

  function restartLesson(withQuestions) {
    mine = [];
    questions.hidden = !withQuestions;
    outcome.replaceChildren();
    for (const b of [...presses, finish, undo]) b.hidden = false;
    again.hidden = cured.hidden = true;
    drawCalls();
    (withQuestions ? questions : root).scrollIntoView({ block: "start" });
    presses[0].focus({ preventScroll: true });
  }

  async function judgeCalls() {
    const trace = JSON.stringify([{ role: "system", content: lesson.policy.join(" ") }, { role: "user", content: lesson.customer }, ...mine.flatMap(asMessages)], null, 1);
    const reference = JSON.stringify(lesson.reference);
    let run;
    try {
      run = parseAnswer(await client.handleRaw("score", JSON.stringify({ trace, reference: lesson.reference, profile: "sop" }))).trajectories[0];
    } catch (e) {
      outcome.replaceChildren(el("p", { class: "notice bad", text: e.message }));
      return;
    }
    for (const b of [...presses, finish, undo]) b.hidden = true;
    again.hidden = false;
    cured.hidden = !run.flagged || !questions.hidden;
    outcome.replaceChildren(
      el("p", { class: "card said-so" }, visibleText(run.flagged ? lesson.broke : lesson.kept)),
      runView(run),
      el("p", { class: "close" }, visibleText(lesson.close)),
      button("Open this in Score", () => open({ trace, reference, title: lesson.title })));
    outcome.focus({ preventScroll: true });
    outcome.scrollIntoView({ block: "start" });
  }
}

/** A call and its answer, as messages of a chat. */
function asMessages(call, i) {
  const id = `call_${i + 1}`;
  return [
    { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.arguments) } }] },
    { role: "tool", tool_call_id: id, content: call.answer },
  ];
}
