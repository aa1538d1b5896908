// Texts to copy for a report: the configuration of a CI job that scores the same files, and
// a first policy for the gate with the tools that the trace called.

import { append, copyButton, el } from "../base/dom.js";
import { listText } from "../base/words.js";
import { CONFIG, maybeYAML } from "../base/yaml.js";

/** @typedef {import("./inputs.js").Input} Input */
/** @typedef {import("../npm/types.d.ts").Report} Report */

/** Returns a file's name if it needs no quotes in a shell and in YAML, and otherwise the usual name. */
const plainName = (name, usual) => (/^[\w][\w.-]*$/.test(name ?? "") ? name : usual);

/** The names under which the command of an input finds the files. @param {Input} input */
function namesOf(input) {
  const traces = [];
  for (const [i, f] of input.files.entries()) {
    const name = plainName(f.name, `trace-${i + 1}.json`);
    traces.push(traces.includes(name) ? `trace-${i + 1}.json` : name);
  }
  if (!traces.length) traces.push("trace.json");
  const text = input.reference;
  const reference = !text.trim() ? "" : /^\s*[[{]/.test(text) ? "reference.json" : maybeYAML(text) ? "reference.yaml" : "reference.txt";
  return { traces, reference, config: input.config.trim() ? CONFIG : "" };
}

/** The one rule of each command that the page gives: the job is green if each run passed. */
const FAIL = "--fail-on not-passed";

/** The flag of the command for each of the papers' parameters. */
const FLAGS = { alpha: "alpha", beta: "beta", gamma: "gamma", tau: "tau", theta: "theta", thetaG: "theta-g", denominator: "denominator", without: "without" };

/**
 * The arguments of the command that comes to the page's verdict: it is green for exactly the
 * runs that the page shows as good.
 * @param {Input} input @param {Report} report @param {boolean} [data] whether the checker has the benchmark's files
 */
export function commandOf(input, report, data = false) {
  const { traces, reference } = namesOf(input);
  const flags = [];
  if (input.checker) flags.push(`--plugin ${plainName(input.checker, "checker")}${data ? " --env-data data" : ""}`);
  const compared = report.trajectories.filter((run) => run.reference).length;
  if (!compared && !input.checker) return ["lint", ...traces, ...flags, FAIL].join(" ");
  if (reference) flags.push(`--reference ${reference}`);
  if (input.profile !== "auto") flags.push(`--profile ${input.profile}`);
  for (const [name, flag] of Object.entries(FLAGS)) for (const value of [input.parameters?.[name] ?? []].flat()) flags.push(`--${flag} ${value}`);
  return ["score", ...traces, ...flags, FAIL].join(" ");
}

/** Says which files the command needs. @param {Input} input @param {boolean} data */
function placesText(input, data) {
  const { traces, reference, config } = namesOf(input);
  const files = [traces.length > 1 ? "the traces" : "the trace", reference && "the reference", config && "the configuration"].filter(Boolean);
  return `Put ${listText(files)} into the repository under ${files.length + traces.length > 2 ? "these names" : "this name"}: ${listText([...traces, reference, config].filter(Boolean))}.${data ? " Put the benchmark's files into the folder data." : ""}`;
}

/** The steps of a GitHub workflow. @param {string} command */
export function workflowOf(command) {
  return `- uses: actions/checkout@v4\n- uses: boundcheck/boundcheck@v1\n  with:\n    args: ${command} --format github,sarif=boundcheck.sarif\n`;
}

/** A GitLab job. @param {string} command */
export function pipelineOf(command) {
  return `boundaries:\n  image:\n    name: ghcr.io/boundcheck/boundcheck\n    entrypoint: [""]\n  script:\n    - boundcheck ${command} --format junit=boundcheck.xml,table\n  artifacts:\n    when: always\n    reports:\n      junit: boundcheck.xml\n`;
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
 * @param {Input} input @param {Report} report @param {boolean} data whether the checker has the benchmark's files
 */
export function snippetsView(input, report, data) {
  const command = commandOf(input, report, data);
  const said = el("p", { role: "status", class: "hint" });
  const text = (title, note, lines) => {
    const pre = el("pre", { tabindex: "0", "aria-label": title, text: lines });
    const words = { done: `Copied: ${title}.`, denied: "copy the selected text", select: () => getSelection().selectAllChildren(pre) };
    return [el("h3", { text: title }), note ? el("p", { class: "hint" }, note) : null, pre, copyButton("Copy", () => lines, said, words, { "aria-label": `Copy: ${title}` })];
  };
  const node = el("section", { class: "card share snippets", "aria-label": "Use it" });
  append(node, [
    el("h2", { text: "Use it" }),
    text("GitHub", placesText(input, data), workflowOf(command)),
    text("GitLab", null, pipelineOf(command)),
    text("Policy for the gate", ["Save this text as policy.yaml, then run ", el("code", { text: "boundcheck gate check policy.yaml" }), "."], policyOf(report)),
    said]);
  return node;
}
