// Makes a prompt that tells an agent to state the boundaries of its actions. The bundled
// prompts plugin makes it from the agent's tools.

import { parseAnswer } from "../npm/client.js";
import { append, button, copyButton, el, visibleText } from "../base/dom.js";
import { idText } from "../base/words.js";

const PLUGIN = "prompts";
const SMALL = '[\n  {\n    "name": "cancel_order",\n    "description": "Cancels an order that has not been shipped.",\n    "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}}\n  }\n]';

/**
 * @param {HTMLElement} root
 * @param {import("../npm/client.js").Client} client
 * @param {import("./plugins.js").Plugins} plugins
 * @param {() => string | null} fromTrace returns the tools of the trace on the Score view
 */
export function promptView(root, client, plugins, fromTrace) {
  const templates = (plugins.describe(PLUGIN)?.templates ?? []).filter((t) => t.variables.some((v) => v.kind === "tools"));
  if (!templates.length) return { make: async () => {} };
  const box = (id, rows, placeholder) => el("textarea", { id, rows, placeholder, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  const chosen = () => templates.find((t) => t.id === template.value);
  const template = el("select", { id: "prompt-template", "aria-describedby": "prompt-summary" }, templates.map((t) => el("option", { value: t.id, text: idText(t.id.replace(/^ebp-/, "")) })));
  const summary = el("p", { id: "prompt-summary", class: "hint" });
  const tools = box("prompt-tools", 8, SMALL);
  const checks = box("prompt-checks", 3, "The customer has confirmed the amount.");
  const own = el("div", {}, el("label", { for: checks.id, text: "Your own checks, one per line" }), checks);
  const picker = el("input", { type: "file", class: "away", tabindex: "-1", "aria-label": "Tools file" });
  const status = el("span", { class: "hint", role: "status" });
  const out = el("div", { class: "prompt-out" });
  let latest;

  const form = el("form", { class: "card prompt", on: { submit: (e) => (e.preventDefault(), makePrompt()) } },
    el("label", { for: template.id, text: "Template" }), template, summary,
    el("div", { class: "label-row" }, el("label", { for: tools.id, text: "Your tools" }),
      el("span", { class: "buttons" }, button("From the trace", takeTraceTools), button("Open a file…", () => picker.click()))), picker,
    tools,
    el("p", { class: "hint", text: "Tool definitions as JSON: OpenAI, Anthropic or an MCP tools/list result. Definitions are optional. With them, the prompt names each tool and its scope." }),
    own,
    el("div", { class: "buttons" }, el("button", { type: "submit", class: "primary", text: "Make the prompt" }), status));
  append(root, [
    el("h2", { text: "The cure: let the agent say its boundaries first" }),
    el("p", { class: "lead", text: "Explicit Boundary Prompting adds a text to the agent's system prompt. Before each action, the agent then says where the action begins and ends. The agent also says what the action needs and what the action will change." }),
    form, out]);
  template.addEventListener("change", showSummary);
  picker.addEventListener("change", async () => {
    if (picker.files[0]) tools.value = await picker.files[0].text();
    picker.value = "";
  });
  showSummary();

  function showSummary() {
    summary.textContent = `${chosen().summary.charAt(0).toUpperCase()}${chosen().summary.slice(1)}. About ${chosen().tokens.about} tokens without tools.`;
    own.hidden = !chosen().variables.some((v) => v.name === "checks");
  }

  function takeTraceTools() {
    const found = fromTrace();
    if (found) tools.value = found;
    status.textContent = found ? "Taken from the trace on the Score page." : "There is no trace with tools on the Score page.";
  }

  async function makePrompt() {
    const mine = (latest = {});
    const only = (f) => latest === mine && f();
    status.textContent = "Making the prompt…";
    try {
      const plugin = await fetchPlugin((percent) => only(() => (status.textContent = `Fetching the templates: ${percent} %`)));
      const { ok } = parseAnswer(await client.ask(plugin, "prompt.render", requestText()));
      only(() => {
        status.textContent = "";
        out.replaceChildren(...promptOut(ok));
      });
    } catch (e) {
      only(() => {
        status.textContent = "";
        out.replaceChildren(el("div", { class: "card problem", role: "alert" }, el("h3", { text: "No prompt can be made from this" }), el("p", {}, visibleText(e.message))));
      });
    }
  }

  let kept;
  async function fetchPlugin(progress) {
    return (kept ??= await plugins.source(PLUGIN, progress));
  }

  /** The request as a text, so that no number in a schema is rounded. */
  function requestText() {
    const variables = [];
    if (tools.value.trim()) variables.push(`"tools":${checkToolsJSON(tools.value)}`);
    const mine = own.hidden ? [] : checks.value.split("\n").map((l) => l.trim()).filter(Boolean);
    if (mine.length) variables.push(`"checks":${JSON.stringify(mine)}`);
    return `{"op":"prompt.render","template":${JSON.stringify(template.value)},"variables":{${variables.join(",")}}}`;
  }

  return { fill: (text) => text && (tools.value = text), make: makePrompt };
}

function checkToolsJSON(text) {
  try {
    if (JSON.parse(text) === null) throw new Error("the value is null. Write an array of tools or an object with tools");
  } catch (e) {
    throw new Error(`The tools cannot be read as JSON: ${e.message}`);
  }
  return text;
}

function promptOut({ text, tokens, template, version }) {
  const said = el("span", { class: "hint", role: "status" });
  return [
    el("div", { class: "report-head" },
      el("p", {}, el("strong", { text: `About ${tokens.about} tokens` }), " ", el("span", { class: "hint", text: `(${tokens.method})` }), " ", el("code", { class: "id", text: `${template} ${version}` })),
      el("div", { class: "buttons" }, said, copyButton("Copy the prompt", () => text, said, { denied: "select the text instead" }))),
    el("pre", { class: "said", tabindex: "0", role: "region", "aria-label": "The prompt" }, visibleText(text)),
  ];
}
