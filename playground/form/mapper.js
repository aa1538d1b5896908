// A form for JSON of an unknown format. The reader selects the list of calls, and the members
// that contain a call's name and its other parts. The selection becomes the map of a
// boundcheck.yaml.

import { button, el, yieldToBrowser } from "../base/dom.js";
import { plural } from "../base/words.js";

const LARGEST = 8_000_000; // characters that the page parses at most
const MOST = 50_000; // values that it examines at most
const SLICE = 4096; // values that it examines at once
const OPTIONS = 100; // lists that it offers at most
const ENTRIES = 8; // members that an object has at least if its members are read as a list
const THIS = "@this"; // the text itself, as a path
const MEMBERS = {
  name: ["Name", "the tool's name"],
  arguments: ["Arguments", "what the tool got"],
  result: ["Result", "what the tool returned"],
  error: ["Error", "whether the call failed"],
};

/**
 * @param {string} text
 * @param {import("../npm/types.d.ts").Mapped | null} proposed
 * @param {number | undefined} read how many calls were found without a map
 * @param {(config: string) => void} use
 */
export async function mapperView(text, proposed, read, use) {
  const lists = await listsIn(text);
  if (!lists.size) return [];
  const likely = proposed && pathFromRoot(proposed.map.runs, proposed.map.calls);
  const longest = [...lists].sort((a, b) => b[1].objects - a[1].objects).slice(0, OPTIONS);
  const offered = new Set(longest.map(([path]) => path)).add(likely);
  const options = [...lists].filter(([path]) => offered.has(path));
  const hints = [
    options.length < lists.size && `the ${options.length} longest of ${lists.size} lists`,
    options.some(([path]) => path.includes("@values")) && "@values means the values of an object",
  ];
  const calls = labeledSelect("calls", "The list of calls", options.map(([path, l]) => [path, `${path || "the text itself"} (${plural(l.objects, "object")})`]), hints.filter(Boolean).join("; "));
  calls.select.value = lists.has(likely) ? likely : longest[0][0];
  const parts = el("div", { class: "mapper-parts" });
  const selects = {};
  const fill = () => {
    const path = calls.select.value;
    const { members } = lists.get(path);
    const runs = labeledSelect("runs", "A run is", [["", "the whole text"], ...outerListPaths(path).map((p) => [p, `each of ${p === THIS ? "the list" : p}`])]);
    if (likely === path && proposed.map.runs) runs.select.value = proposed.map.runs;
    selects.runs = runs.select;
    parts.replaceChildren(runs.node, ...Object.entries(MEMBERS).map(([member, [label, hint]]) => {
      const none = member === "name" ? [] : [["", "none"]];
      const { node, select } = labeledSelect(member, label, [...none, ...[...members.keys()].map((m) => [m, m])], hint);
      const guess = likely === path ? proposed.map[member] : [...members.keys()].find((m) => m.toLowerCase().includes(member));
      if (guess && members.has(guess)) select.value = guess;
      selects[member] = select;
      return node;
    }));
  };
  calls.select.addEventListener("change", fill);
  fill();
  const press = () => use(yamlOf({
    ...Object.fromEntries(Object.entries(selects).map(([m, s]) => [m, s.value])),
    calls: listPath(pathInRun(selects.runs.value, calls.select.value)),
  }));
  const said = read === undefined ? "Where are the calls?" : `${plural(read, "call was", "calls were")} found by searching the text. Choose the list that has all calls.`;
  return [el("section", { class: "card mapper", "aria-label": "Where the calls are" },
    el("h2", { text: "No known format" }),
    el("p", {}, said, proposed ? ` Boundcheck probably found ${plural(proposed.calls, "call")} here:` : ""),
    calls.node, parts,
    el("div", { class: "buttons" }, button("Score these calls", press), el("span", { class: "hint", text: "Your choice becomes the map in boundcheck.yaml. The boundcheck command also reads this file." })))];
}

/** The paths of the lists that contain a list. An element of such a list may be a run. */
function outerListPaths(path) {
  const steps = path.split(".");
  return steps.flatMap((s, i) => (s === "#" ? [steps.slice(0, i).join(".") || THIS] : []));
}

/** Returns the path of a list of calls from the root of the text: the path of the runs, and the list's path inside a run. */
function pathFromRoot(runs, calls) {
  const inRun = calls.replace(/(^|\.)@this$/, "");
  return runs ? [runs === THIS ? "" : runs, "#", inRun].filter(Boolean).join(".") : inRun;
}

/** Returns the path that the map needs: a path that ends in # would mean the length of a list. */
const listPath = (path) => (path === "" || /(^|\.)#$/.test(path) ? joinPath(path, THIS) : path);

/** The reverse of pathFromRoot: returns the list's path inside a run. */
const pathInRun = (runs, path) => (runs ? path.slice(joinPath(runs === THIS ? "" : runs, "#").length + 1) : path);

function labeledSelect(id, label, options, hint = "") {
  const select = el("select", { id: "map-" + id }, options.map(([value, text]) => el("option", { value, text })));
  return { select, node: el("div", {}, el("label", { for: "map-" + id, text: label }), hint ? el("span", { class: "hint", text: " " + hint }) : null, select) };
}

const yamlOf = (map) => "map:\n" + Object.entries(map).filter(([, path]) => path).map(([member, path]) => `  ${member}: ${JSON.stringify(path)}\n`).join("");

/**
 * The lists of objects in a text by their path, with the members of their objects. An object with
 * many members that look alike, such as a table by id, is a list with the path @values.
 * @param {string} text
 * @returns {Promise<Map<string, {objects: number, members: Map<string, number>}>>}
 */
export async function listsIn(text) {
  const lists = new Map();
  const stack = [["", parseJSONText(text)]];
  for (let seen = 1; stack.length && seen <= MOST; seen++) {
    if (seen % SLICE === 0) await yieldToBrowser();
    const [path, value] = stack.pop();
    if (typeof value !== "object" || value === null) continue;
    const entries = Object.entries(Array.isArray(value) ? value.slice(0, MOST) : value).slice(0, MOST);
    const list = Array.isArray(value) ? path : isTable(entries) ? joinPath(path, "@values") : null;
    if (list !== null) for (const [, v] of entries) if (isObject(v)) countMembers(lists, list, v);
    for (const [key, v] of entries.reverse()) stack.push([list === null ? joinPath(path, escapeKey(key)) : joinPath(list, "#"), v]);
  }
  return lists;
}

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);

/** Reports whether the members of an object are of one kind: only lists, or only objects that have most members in common with the first. */
function isTable(entries) {
  const values = entries.map(([, v]) => v);
  if (values.length < ENTRIES) return false;
  if (values.every(Array.isArray)) return true;
  if (!values.every(isObject)) return false;
  const first = Object.keys(values[0]);
  return values.every((v) => 2 * first.filter((key) => Object.hasOwn(v, key)).length > Math.max(first.length, Object.keys(v).length));
}

function countMembers(lists, path, object) {
  const list = lists.get(path) ?? { objects: 0, members: new Map() };
  lists.set(path, list);
  list.objects++;
  const add = (member) => list.members.set(member, (list.members.get(member) ?? 0) + 1);
  for (const [key, v] of Object.entries(object)) {
    add(escapeKey(key));
    if (isObject(v)) for (const inner of Object.keys(v)) add(joinPath(escapeKey(key), escapeKey(inner)));
  }
}

const joinPath = (path, key) => (path ? path + "." : "") + key;

/** A member's name in a path, with special characters escaped. */
const escapeKey = (key) => key.replace(/[.*?|#@!\\]/g, "\\$&");

/** A JSON text, or JSON lines as a list; null for anything else. */
function parseJSONText(text) {
  if (text.length > LARGEST) return null;
  try {
    return JSON.parse(text);
  } catch {
    try {
      return text.trim().split("\n").filter((l) => l.trim()).map((l) => JSON.parse(l));
    } catch {
      return null;
    }
  }
}
