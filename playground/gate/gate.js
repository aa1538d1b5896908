// The Gate view. While the reader types a call, it shows what the gate would decide about
// the call.

import { parseAnswer } from "../npm/client.js";
import { append, button, el, icon, visibleText } from "../base/dom.js";
import { MUTATES } from "../base/terms.js";
import { LAYERS } from "../base/words.js";

const SAMPLES = [
  ["Read an order", "get_order_details", '{"order_id": "#W2041"}'],
  ["Cancel an order", "cancel_pending_order", '{"order_id": "#W2041", "reason": "ordered by mistake"}'],
  ["Refund a customer", "issue_refund", '{"customer_id": 9007199254740993, "amount": "129.00", "currency": "EUR"}'],
  ["Run SQL", "run_sql", '{"query": "DELETE FROM reviews WHERE status = \'pending\'"}'],
  ["Fetch a page", "http_request", '{"method": "GET", "url": "https://shop.example/orders"}'],
  ["Think aloud", "think", '{"thought": "The customer wants the headphones only."}'],
  ["An unknown tool", "frobnicate", '{"target": "everything"}'],
];

const DELAY = 120; // ms without typing before the core is asked

export function gateView(root, client) {
  const box = (id, rows, placeholder) => el("textarea", { id, rows, placeholder, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  const tool = el("input", { id: "gate-tool", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: "cancel_pending_order" });
  const args = box("gate-args", "5", '{"order_id": "#W2041"}');
  const tools = box("gate-tools", "4", '[{"name": "cancel_pending_order", "annotations": {"readOnlyHint": false}}]');
  const policy = box("gate-policy", "4", "Orders may be cancelled only while they are pending, and only after the customer says yes.");
  const answer = el("div", { class: "gate-answer" });
  const status = el("p", { class: "away", role: "status" });
  let timer, latest;

  const form = el("form", { class: "card input-gate", on: { submit: (e) => (e.preventDefault(), askGate()), input: askLater } },
    el("label", { for: tool.id, text: "Tool" }), tool,
    el("label", { for: args.id, text: "Arguments (JSON)" }), args,
    el("details", {}, el("summary", { text: "Tool list and policy" }),
      el("label", { for: tools.id, text: "Tool list (JSON, OpenAI or MCP)" }), tools,
      el("label", { for: policy.id, text: "Policy text" }), policy));
  const samples = el("div", { class: "samples", role: "group", "aria-label": "Sample calls" },
    SAMPLES.map(([label, name, text]) => button(label, () => ((tool.value = name), (args.value = text), askGate()), { class: "pill" })));

  append(root, [
    el("div", { class: "hero" },
      el("h1", { text: "Would this call need an approval?" }),
      el("p", { class: "lead", text: "The gate allows calls that only read. It stops a call that may change something, until a person has approved exactly this call." })),
    samples,
    el("div", { class: "gate" }, form, el("div", {}, status, answer)),
  ]);
  showWaiting();

  function askLater() {
    clearTimeout(timer);
    timer = setTimeout(askGate, DELAY);
  }

  function showWaiting() {
    answer.replaceChildren(el("p", { class: "card empty", text: "Type a tool's name, or choose a sample call." }));
  }

  async function askGate() {
    clearTimeout(timer);
    if (!tool.value.trim()) return showWaiting();
    const mine = (latest = {});
    try {
      const body = checkBody({ tool: tool.value.trim(), args: args.value, tools: tools.value, policy: policy.value });
      const decision = parseAnswer(await client.handleRaw("check", body));
      if (latest !== mine) return;
      status.textContent = decision.decision === "allow" ? "Allowed." : "Needs a confirmation.";
      answer.replaceChildren(...decisionView(decision));
    } catch (e) {
      if (latest !== mine) return;
      status.textContent = e.message;
      answer.replaceChildren(el("div", { class: "card problem" }, el("h2", { text: "The gate cannot read this input" }), el("p", {}, visibleText(e.message)), e.seen ? el("p", {}, "What was seen: ", visibleText(e.seen)) : null));
    }
  }
}

/**
 * The body of a check request. It contains the arguments as a string, so that the digest
 * covers exactly the typed bytes and no number is rounded.
 */
export function checkBody({ tool, args, tools, policy }) {
  const parts = [`"tool":${JSON.stringify(tool)}`];
  if (args.trim()) parts.push(`"arguments":${JSON.stringify(args)}`);
  if (tools.trim()) parts.push(`"tools":${jsonText(tools, "tool list")}`);
  if (policy.trim()) parts.push(`"policy":${JSON.stringify(policy)}`);
  return `{${parts.join(",")}}`;
}

function jsonText(text, what) {
  try {
    JSON.parse(text);
  } catch (e) {
    throw new Error(`The ${what} is not JSON: ${e.message}`);
  }
  return text;
}

/** @param {import("../npm/types.d.ts").Decision} d */
function decisionView(d) {
  const allowed = d.decision === "allow";
  return [
    el("div", { class: allowed ? "card decision good" : "card decision ask" },
      el("h2", { class: allowed ? "verdict good" : "verdict ask" }, icon(allowed ? "allow" : "confirm"), el("span", { text: allowed ? "Allow" : "Confirm first" })),
      el("dl", { class: "facts" },
        factView("Effect", d.control ? "only talks or thinks; changes nothing" : MUTATES[d.mutating] ?? d.mutating),
        factView("Decided by", visibleText(LAYERS[d.layer] ?? d.layer), " ", el("code", { class: "id" }, visibleText(d.layer))),
        factView("Why", visibleText(d.reason)))),
    d.confirmation && !allowed ? confirmationView(d) : null,
    d.reflection ? el("div", { class: "card" }, el("h3", { text: "Reminder to the model before it acts" }), el("pre", { class: "said", tabindex: "0", "aria-label": "Reflection" }, visibleText(d.reflection))) : null,
    d.digest ? el("p", { class: "digest" }, el("span", { class: "hint", text: "Digest of the exact call " }), el("code", {}, visibleText(d.digest))) : null,
  ].filter(Boolean);
}

function factView(name, ...value) {
  return el("div", {}, el("dt", { text: name }), el("dd", {}, value));
}

/** The card that an approver would see. Its buttons only show what a real gate would do. */
function confirmationView(d) {
  const said = el("p", { class: "hint", role: "status", text: "This is only a demonstration: nothing runs on this page." });
  const answer = (text) => () => (said.textContent = text);
  const approve = button("Approve", answer("Approved (only a demonstration). A real gate would now let exactly this call run once."), { class: "primary", disabled: d.uninspectable });
  const accept = el("input", { type: "checkbox", on: { change: (e) => (approve.disabled = !e.target.checked) } });
  return el("div", { class: "card approval" },
    el("h3", { text: "What the user is asked" }),
    el("pre", { class: "said", tabindex: "0", "aria-label": "Confirmation text" }, visibleText(d.confirmation)),
    d.uninspectable ? el("label", { class: "accept" }, accept, "This text does not show all that would run. I approve it anyway.") : null,
    el("div", { class: "buttons" },
      approve,
      button("Deny", answer("Denied (only a demonstration). A real gate would not run the call, and would tell the model that the call was denied."))),
    said);
}
