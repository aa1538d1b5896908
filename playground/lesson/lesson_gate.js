// A lesson of the kind "gate": the reader is the person whom the gate asks. The core
// decides each call; the lesson's data contains the calls that the agent proposes after each
// answer.

import { parseAnswer } from "../npm/client.js";
import { append, button, verdictChip, el, visibleText } from "../base/dom.js";

const callText = (call) => `${call.name}(${Object.entries(call.arguments).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(", ")})`;

/** What a denial without a reason leads to. */
const NO_REASON = "The call did not run. You gave no reason, so the agent read only “Denied”. It does not know what was wrong, and proposes the same call again. Say what would be right.";

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function gateLessonView(root, lesson, { client }) {
  const log = el("ol", { class: "gate-log", "aria-label": "What happened" });
  const ask = el("div", { class: "gate-ask", tabindex: "-1" });
  const again = button("Start again", startLesson, { hidden: true });
  append(root, [
    el("div", { class: "card task" }, el("p", { class: "who", text: "The customer" }), el("p", {}, "“", visibleText(lesson.customer), "”"), el("p", { class: "who", text: "The agent's rules" }), el("p", {}, visibleText(lesson.policy))),
    log, ask, el("div", { class: "buttons" }, again),
    el("p", { class: "close" }, visibleText(lesson.close)),
  ]);
  let messages, left, asked, calls, turn = 0;
  startLesson();

  function startLesson() {
    turn++;
    messages = [{ role: "user", content: lesson.customer }];
    left = [...lesson.steps];
    asked = calls = 0;
    log.replaceChildren();
    again.hidden = true;
    proposeCall();
  }

  /** Lets the agent propose its next call. */
  async function proposeCall() {
    const mine = turn;
    ask.replaceChildren();
    const step = left.shift();
    if (!step) return endLesson();
    calls++;
    const { name, arguments: args } = step.call;
    const body = JSON.stringify({ tool: name, arguments: JSON.stringify(args), policy: lesson.policy, messages });
    const decision = parseAnswer(await client.handleRaw("check", body));
    if (mine !== turn) return; // the lesson was started again
    if (decision.decision === "allow") {
      recordCall(step, "passed: it only reads");
      return proposeCall();
    }
    asked++;
    showQuestion(step, decision);
  }

  function showQuestion(step, d) {
    const box = el("input", { type: "text", id: "gate-reason", value: step.reason ?? "" });
    const answer = (approved) => () => {
      if (approved) {
        recordCall(step, "approved by you");
        note(step.approved);
      } else {
        log.append(el("li", {}, verdictChip("violation", "Denied"), " ", el("code", {}, visibleText(callText(step.call))), box.value ? [" ", el("q", {}, visibleText(box.value))] : null));
        messages.push({ role: "user", content: `Denied: ${box.value}` });
        const reason = box.value.trim();
        note(reason ? step.denied : NO_REASON);
        if (!reason) left.unshift({ ...step, reason: "" });
        else if (step.revised) left.unshift(step.revised);
      }
      proposeCall();
    };
    ask.replaceChildren(el("section", { class: "card approval", "aria-label": "The gate asks" },
      el("h2", { text: "The gate asks you" }),
      el("pre", { class: "said", tabindex: "0", "aria-label": "The question" }, visibleText(d.confirmation)),
      el("label", { for: "gate-reason", text: "Your reason, if you deny the call. The agent will read this reason." }), box,
      el("div", { class: "buttons" }, button("Approve", answer(true), { class: "primary" }), button("Deny", answer(false))),
      el("details", {}, el("summary", { text: "Reminder to the agent before this call" }), el("pre", { class: "said", tabindex: "0", "aria-label": "Reminder" }, visibleText(d.reflection)))));
    ask.focus({ preventScroll: true });
  }

  function recordCall(step, how) {
    const id = "call-" + messages.length;
    messages.push({ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: step.call.name, arguments: JSON.stringify(step.call.arguments) } }] },
      { role: "tool", tool_call_id: id, content: JSON.stringify(step.answer) });
    log.append(el("li", {}, verdictChip("correct", "Ran"), " ", el("code", {}, visibleText(callText(step.call))), el("span", { class: "hint", text: " " + how }), el("p", { class: "hint" }, visibleText(JSON.stringify(step.answer)))));
  }

  const note = (text) => log.append(el("li", { class: "what-came" }, visibleText(text)));

  function endLesson() {
    ask.replaceChildren(el("p", { class: "lead", role: "status", text: `The agent is done. It proposed ${calls} calls, and the gate asked you about ${asked} of them.` }));
    again.hidden = false;
  }
}
