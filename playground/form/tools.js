// Finds the tools of a trace, for a prompt: the tool definitions in the trace if there are
// some, and otherwise the names of the tools that the runs call.

import { memberNode, parseTree } from "../base/json.js";

const DEEP = 6; // levels of nesting to search

/** The text of the first list of tool definitions in a trace; null if there is none. */
export function toolsIn(text) {
  for (const part of [text, ...text.split("\n", 50)]) {
    const root = parseTree(part);
    const found = root && findTools(root, DEEP);
    if (found) return found.text;
    if (root) return null;
  }
  return null;
}

function findTools(node, deep) {
  const here = memberNode(node.kind === "object" ? node : undefined, "tools");
  if (here && isToolList(here)) return here;
  if (!deep) return null;
  for (const { node: below } of node.items.slice(0, 200)) {
    const found = below.items.length ? findTools(below, deep - 1) : null;
    if (found) return found;
  }
  return null;
}

/** Whether a list contains only tool definitions: objects with a name, directly or inside "function". */
function isToolList(list) {
  return list.kind === "array" && list.items.length > 0 && list.items.every(({ node }) => node.kind === "object" && (memberNode(node, "name") ?? memberNode(memberNode(node, "function"), "name")));
}

/** Entries for the tools that a report's runs call, with the names of their arguments. @param {import("../npm/types.d.ts").Report} report */
export function toolsCalled(report) {
  const all = new Map();
  for (const { observed } of report.trajectories) {
    for (const a of observed) {
      if (!a.name || a.control) continue;
      const keys = all.get(a.name) ?? new Set();
      for (const { key } of parseTree(a.arguments ?? "")?.items ?? []) if (key !== null) keys.add(key);
      all.set(a.name, keys);
    }
  }
  if (!all.size) return null;
  const entry = ([name, keys]) => ({ name, parameters: { type: "object", properties: Object.fromEntries([...keys].map((k) => [k, {}])) } });
  return JSON.stringify([...all].map(entry), null, 2);
}
