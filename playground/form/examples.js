// The built-in examples, which are cases from this project's test data. The first three
// are the case studies of the ABB paper.

import { dedent, memberNode, parseTree, tokenPieces } from "../base/json.js";

/** Loads the examples: [{name, title, description, trace, reference}]. */
export async function loadExamples() {
  const answer = await fetch(new URL("examples.json", import.meta.url));
  if (!answer.ok) return [];
  return parseTree(await answer.text()).items.map(({ key, node }) => ({ name: key, ...readCase(node.text) }));
}

/** Splits a case file into its trace and reference, as texts that a person could have typed. */
export function readCase(text) {
  const root = parseTree(text);
  const own = (key) => JSON.parse(memberNode(root, key)?.text ?? '""');
  return {
    title: own("title"),
    description: own("description"),
    profile: own("profile"),
    trace: plainText(memberNode(root, "trace")),
    reference: referenceLines(memberNode(root, "reference")),
  };
}

function plainText(node) {
  if (!node) return "";
  return node.text[0] === '"' ? JSON.parse(node.text) : dedent(node.text);
}

/** Returns the reference as one call per line if it is a list of calls, and otherwise its JSON text. */
function referenceLines(node) {
  if (!node) return "";
  const steps = node.items.map((m) => m.node);
  const simple = (n) => n.kind === "object" && memberNode(n, "name") && n.items.every((m) => m.key === "name" || m.key === "arguments");
  if (node.kind !== "array" || !steps.every(simple)) return plainText(node);
  return steps.map(callText).join("\n");
}

function callText(step) {
  const args = memberNode(step, "arguments");
  return JSON.parse(memberNode(step, "name").text) + "(" + (args?.items.length ? Array.from(tokenPieces(args), (p) => p.text).join("") : "") + ")";
}
