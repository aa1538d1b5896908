// The built-in examples, which are cases from this project's test data. The first three
// are the case studies of the ABB paper.

import { dedent, member, parse, pieces } from "./json.js";

/** Loads the examples: [{name, title, description, trace, reference}]. */
export async function loadExamples() {
  const answer = await fetch(new URL("examples.json", import.meta.url));
  if (!answer.ok) return [];
  return parse(await answer.text()).items.map(({ key, node }) => ({ name: key, ...read(node.text) }));
}

/** Splits a case file into its trace and reference, as texts that a person could have typed. */
export function read(text) {
  const root = parse(text);
  const own = (key) => JSON.parse(member(root, key)?.text ?? '""');
  return {
    title: own("title"),
    description: own("description"),
    profile: own("profile"),
    trace: plain(member(root, "trace")),
    reference: lines(member(root, "reference")),
  };
}

function plain(node) {
  if (!node) return "";
  return node.text[0] === '"' ? JSON.parse(node.text) : dedent(node.text);
}

/** Returns the reference as one call per line if it is a list of calls, and otherwise its JSON text. */
function lines(node) {
  if (!node) return "";
  const steps = node.items.map((m) => m.node);
  const simple = (n) => n.kind === "object" && member(n, "name") && n.items.every((m) => m.key === "name" || m.key === "arguments");
  if (node.kind !== "array" || !steps.every(simple)) return plain(node);
  return steps.map(call).join("\n");
}

function call(step) {
  const args = member(step, "arguments");
  return JSON.parse(member(step, "name").text) + "(" + (args?.items.length ? Array.from(pieces(args), (p) => p.text).join("") : "") + ")";
}
