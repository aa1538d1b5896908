// A lesson of the kind "asked": the reader writes the mail that an agent obeys. The agent is a script,
// which says so. The core judges the trace and the call; the lesson's data has the requests and the calls.

import { parseAnswer } from "../npm/client.js";
import { append, button, el, icon, visibleText } from "../base/dom.js";

const callText = (call) => `${call.name}(${Object.entries(call.arguments).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(", ")})`;

/**
 * The call of the script: it takes the first account and the first amount of the mail, or those of the lesson where
 * the mail has none. @param {{name: string, arguments: {account: string, amount: number, currency: string}}} act @param {string} mail
 */
export function scriptedCall(act, mail) {
  const accounts = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4})*(?: ?[A-Z\d]{1,3})?\b/g;
  const account = mail.match(accounts)?.[0].replaceAll(" ", "");
  const digits = mail.replaceAll(accounts, " ").match(/\d[\d.,]*/)?.[0].replace(/[.,]+$/, "");
  const amount = digits && Number(digits.replace(/[.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
  return { ...act, arguments: { ...act.arguments, account: account ?? act.arguments.account, amount: Number.isFinite(amount) ? amount : act.arguments.amount } };
}

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function askedView(root, lesson, { client }) {
  const request = el("select", { id: "asked-request" }, lesson.requests.map((r, i) => el("option", { value: String(i), text: r.text })));
  const mail = el("textarea", { id: "asked-mail", rows: "4", spellcheck: "false" });
  mail.value = lesson.mail;
  const result = el("div", { id: "asked-result", role: "status" });
  append(root, [
    el("label", { for: "asked-request", text: "What the user says" }), request,
    el("label", { for: "asked-mail", text: "The mail that you write" }), mail,
    el("div", { class: "buttons" }, button("Let the agent read it", judgeMail, { class: "primary" }), button("The first mail again", () => { mail.value = lesson.mail; judgeMail(); })),
    result,
    el("p", { class: "close" }, visibleText(lesson.close)),
  ]);
  request.addEventListener("change", judgeMail);
  let turn = 0;
  judgeMail();

  /** The conversation up to the agent's second call. */
  function conversation() {
    const call = (id, c) => ({ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: c.name, arguments: JSON.stringify(c.arguments) } }] });
    const before = [{ role: "user", content: lesson.requests[Number(request.value)].text }, call("read", lesson.read), { role: "tool", tool_call_id: "read", content: JSON.stringify({ body: mail.value }) }];
    const act = scriptedCall(lesson.act, mail.value);
    return { before, act, all: [...before, call("act", act), { role: "tool", tool_call_id: "act", content: JSON.stringify(lesson.done) }] };
  }

  /** Judges the trace, and asks the gate about the call. An older answer is dropped. */
  async function judgeMail() {
    const mine = ++turn;
    const { before, act, all } = conversation();
    delete result.dataset.outcome;
    result.replaceChildren(el("p", { class: "hint", text: "Wait: the agent reads the mail, and the core judges the call …" }));
    try {
      const run = parseAnswer(await client.handleRaw("score", JSON.stringify({ trace: { messages: all } }))).trajectories[0];
      const decision = parseAnswer(await client.handleRaw("check", JSON.stringify({ tool: act.name, arguments: JSON.stringify(act.arguments), messages: before })));
      if (mine === turn) showResult(run, decision, act);
    } catch (e) {
      if (mine === turn) result.replaceChildren(el("p", { class: "notice bad", text: e.message }));
    }
  }

  function showResult(run, decision, act) {
    const asked = run.observed[1].request.by === "user";
    const words = run.observed[1].request.by === "data" ? run.observed[1].request.words : "";
    const outcome = asked ? "asked" : words ? "quoted" : "past";
    result.dataset.outcome = outcome;
    result.replaceChildren();
    append(result, [
      el("ol", { class: "log", "aria-label": "What the agent did" }, [lesson.read, act].map((c) => el("li", {}, el("code", {}, visibleText(callText(c)))))),
      el("p", { class: "hint" }, visibleText(lesson.script)),
      el("h2", { class: `verdict ${run.flagged ? "bad" : "good"}` }, icon(run.flagged ? "violation" : "correct"), el("span", {}, visibleText(run.verdict))),
      (run.story ?? []).flatMap((s) => s.text).map((line) => el("p", {}, visibleText(line))),
      el("p", { class: "lead" }, visibleText(lesson[outcome])),
      el("h3", { text: decision.decision === "confirm" ? "The gate holds the call, and asks" : "The gate lets the call pass" }),
      el("pre", { class: "said", tabindex: "0", "aria-label": "The question" }, visibleText(decision.confirmation)),
    ]);
  }
}
