// Texts to copy for a report: the configuration of a CI job that scores the same files, and
// a first policy for the gate with the tools that the trace called.

import { append, copyButton, el } from "./dom.js";

/** @typedef {import("./inputs.js").Input} Input */
/** @typedef {import("./npm/types.d.ts").Report} Report */

/** Returns a file's name if it needs no quotes in a shell and in YAML, and otherwise the usual name. */
const plainName = (name, usual) => (/^[\w][\w.-]*$/.test(name ?? "") ? name : usual);

/** The arguments of the command that does the same as the page. @param {Input} input */
export function commandOf(input) {
  const files = input.files.length ? input.files.map((f, i) => plainName(f.name, `trace-${i + 1}.json`)) : ["trace.json"];
  if (!input.reference.trim()) return `lint ${files.join(" ")} --fail-on certain`;
  return `score ${files.join(" ")} --reference reference.${/^\s*[[{]/.test(input.reference) ? "json" : "txt"}${input.profile === "auto" ? "" : ` --profile ${input.profile}`} --fail-on violation`;
}

/** The steps of a GitHub workflow. @param {Input} input */
export function workflowOf(input) {
  return `- uses: actions/checkout@v4\n- uses: boundcheck/boundcheck@v1\n  with:\n    args: ${commandOf(input)} --format github,sarif=boundcheck.sarif\n`;
}

/** A GitLab job. @param {Input} input */
export function pipelineOf(input) {
  return `boundaries:\n  image:\n    name: ghcr.io/boundcheck/boundcheck\n    entrypoint: [""]\n  script:\n    - boundcheck ${commandOf(input)} --format junit=boundcheck.xml,table\n  artifacts:\n    when: always\n    reports:\n      junit: boundcheck.xml\n`;
}

/**
 * Returns a policy for the gate. The trace comes from the agent, so it may only make the
 * policy stricter: the policy lists tools that changed something, and only mentions tools
 * that read in comments. It leaves out names that could be patterns or lines of YAML.
 * @param {Report} report
 */
export function policyOf(report) {
  const tools = new Map();
  let left = 0;
  for (const a of report.trajectories.flatMap((t) => t.observed)) {
    if (a.text) continue; // an action in words has no tool
    const rank = a.control ? 0 : { no: 0, unknown: 1, yes: 2 }[a.mutating] ?? 1;
    tools.set(a.name, Math.max(tools.get(a.name) ?? 0, rank));
  }
  const by = [[], [], []];
  for (const [name, rank] of [...tools].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (/^[A-Za-z_][\w.-]{0,127}$/.test(name)) by[rank].push(JSON.stringify(name));
    else left++;
  }
  const lines = [
    "# The gate asks about each call, except for calls that are known to only read.",
    "expiry: 15m",
    by[2].length ? "tools:\n  # these change something" : "tools: {}",
    ...by[2].map((name) => `  ${name}: {mutating: "yes"}`),
    by[1].length && "  # unknown tools, so the gate asks. Write \"no\" for a tool that only reads",
    ...by[1].map((name) => `  # ${name}: "no"`),
    by[0].length && "  # tools that only read, according to their names. The gate also checks the arguments of each call",
    ...by[0].map((name) => `  # ${name}: "no"`),
    left && `  # ${left} other ${left === 1 ? "name is" : "names are"} left out: they contain special characters`,
  ];
  return lines.filter(Boolean).join("\n") + "\n";
}

/**
 * Returns the card with the texts. Each text has a button that copies it.
 * @param {Input} input @param {Report} report
 */
export function snippetsView(input, report) {
  const said = el("p", { role: "status", class: "hint" });
  const text = (title, note, lines) => {
    const pre = el("pre", { tabindex: "0", "aria-label": title, text: lines });
    const words = { done: `Copied: ${title}.`, denied: "copy the selected text", select: () => getSelection().selectAllChildren(pre) };
    return [el("h3", { text: title }), note ? el("p", { class: "hint" }, note) : null, pre, copyButton("Copy", () => lines, said, words, { "aria-label": `Copy: ${title}` })];
  };
  const node = el("section", { class: "card share snippets", "aria-label": "Use it" });
  append(node, [
    el("h2", { text: "Use it" }),
    text("GitHub", "Put the trace and the reference into the repository under these names.", workflowOf(input)),
    text("GitLab", null, pipelineOf(input)),
    text("Policy for the gate", ["Save this text as policy.yaml, then run ", el("code", { text: "boundcheck gate check policy.yaml" }), "."], policyOf(report)),
    said]);
  return node;
}
