// Makes references for two buttons. One makes a run the reference, the other accepts a step
// that broke a boundary as another valid way. The result is JSON that every front end can
// read.

import { memberNode, parseTree } from "../base/json.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */
/** @typedef {import("../npm/types.d.ts").Action} Action */

/** The calls of a run as a reference, without calls that only talk and calls that were refused. @param {Run} run */
export function referenceOf(run) {
  return referenceText(run.observed.filter((a) => !a.control && !a.error && !a.proposed).map(stepJSON));
}

/**
 * Returns the reference that accepts a row of the run. A missing step becomes optional, an
 * extra step becomes an optional step, and a replaced step becomes a choice. Returns null if
 * the row's place in the reference cannot be determined.
 * @param {string} reference as JSON, or one call a line @param {Run} run @param {number} at the row's index
 */
export function acceptRow(reference, run, at) {
  const row = run.alignment[at];
  const elements = elementsOf(reference, run);
  const places = elements && placesOf(elements, run);
  if (!places || (row.ref !== null && places[row.ref] === undefined)) return null;
  const done = row.obs === null ? "" : stepJSON(run.observed[row.obs]);
  if (row.ref === null) {
    const before = run.alignment.slice(0, at).findLast((r) => r.ref !== null);
    elements.splice(before ? places[before.ref] + 1 : 0, 0, `{"optional": ${done}}`);
  } else {
    const i = places[row.ref];
    elements[i] = done ? `{"oneOf": [${elements[i]}, ${done}]}` : `{"optional": ${elements[i]}}`;
  }
  return referenceText(elements);
}

/** A call as JSON with its arguments unchanged; an action in words as a text. @param {Action} a */
function stepJSON(a) {
  if (a.text) return JSON.stringify(a.text);
  return `{"name": ${JSON.stringify(a.name)}${a.arguments && a.arguments !== "{}" ? `, "arguments": ${a.arguments}` : ""}}`;
}

const referenceText = (elements) => (elements.length ? `[\n${elements.map((e) => "  " + e).join(",\n")}\n]` : "[]");

/** Returns the JSON text of each element of the reference, or null if the reference is not a list. */
function elementsOf(reference, run) {
  let root = parseTree(reference);
  if (!root) return run.reference.map(stepJSON); // one call per line, or another form that is not JSON
  if (root.kind === "object") root = memberNode(root, "steps");
  return root?.kind === "array" ? root.items.map((m) => m.node.text) : null;
}

/** Returns for each step of the reference the index of the element that contains it. */
function placesOf(elements, run) {
  if (elements.length === run.reference.length) return run.reference.map((_, i) => i);
  const calls = elements.map((e) => callsIn(JSON.parse(e)));
  const places = [];
  let from = 0;
  for (const a of run.reference) {
    const found = calls.findIndex((c, i) => i >= from && c.has(callKey(a.name, a.arguments ? JSON.parse(a.arguments) : {})));
    if (found < 0) places.push(undefined);
    else places.push((from = found));
  }
  return places;
}

function callsIn(node, all = new Set()) {
  if (Array.isArray(node)) for (const n of node) callsIn(n, all);
  else if (typeof node === "object" && node !== null) {
    if (typeof node.name === "string") all.add(callKey(node.name, node.arguments ?? {}));
    for (const group of ["sequence", "anyOrder", "oneOf", "optional"]) if (node[group]) callsIn(node[group], all);
  }
  return all;
}

const callKey = (name, args) => name + JSON.stringify(sortKeys(args));

function sortKeys(v) {
  if (Array.isArray(v)) return v.map(sortKeys);
  if (typeof v !== "object" || v === null) return v;
  return Object.fromEntries(Object.keys(v).sort().map((k) => [k, sortKeys(v[k])]));
}
