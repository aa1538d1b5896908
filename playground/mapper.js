// A form for JSON of an unknown format. The reader selects the list of calls, and the members
// that contain a call's name and its other parts. The selection becomes the map of a
// boundcheck.yaml.

import { button, el } from "./dom.js";
import { plural } from "./words.js";

const LARGEST = 8_000_000; // characters that the page parses at most
const MOST = 50_000; // values that it examines at most
const THIS = "@this"; // the text itself, as a path
const MEMBERS = {
  name: ["Name", "the tool's name"],
  arguments: ["Arguments", "what the tool got"],
  result: ["Result", "what the tool returned"],
  error: ["Error", "whether the call failed"],
};

/**
 * @param {string} text
 * @param {import("./npm/types.d.ts").Mapped | null} proposed
 * @param {number | undefined} read how many calls were found without a map
 * @param {(config: string) => void} use
 */
export function mapperView(text, proposed, read, use) {
  const lists = listsIn(text);
  if (!lists.size) return [];
  const calls = labeledSelect("calls", "The list of calls", [...lists].map(([path, l]) => [path, `${path || "the text itself"} (${plural(l.objects, "object")})`]));
  const likely = proposed && pathFromRoot(proposed.map.runs, proposed.map.calls);
  calls.select.value = lists.has(likely) ? likely : [...lists].sort((a, b) => b[1].objects - a[1].objects)[0][0];
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
    calls: pathInRun(selects.runs.value, calls.select.value) || THIS,
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
const pathFromRoot = (runs, calls) => (runs ? joinPath(joinPath(runs === THIS ? "" : runs, "#"), calls) : calls === THIS ? "" : calls);

/** The reverse of pathFromRoot: returns the list's path inside a run. */
const pathInRun = (runs, path) => (runs ? path.slice(joinPath(runs === THIS ? "" : runs, "#").length + 1) : path);

function labeledSelect(id, label, options, hint = "") {
  const select = el("select", { id: "map-" + id }, options.map(([value, text]) => el("option", { value, text })));
  return { select, node: el("div", {}, el("label", { for: "map-" + id, text: label }), hint ? el("span", { class: "hint", text: " " + hint }) : null, select) };
}

const yamlOf = (map) => "map:\n" + Object.entries(map).filter(([, path]) => path).map(([member, path]) => `  ${member}: ${JSON.stringify(path)}\n`).join("");

/**
 * The lists of objects in a text by their path, with the members of their objects.
 * @param {string} text
 * @returns {Map<string, {objects: number, members: Map<string, number>}>}
 */
export function listsIn(text) {
  const lists = new Map();
  let left = MOST;
  const look = (value, path) => {
    if (left-- < 0 || typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) {
      for (const [key, v] of Object.entries(value)) look(v, joinPath(path, escapeKey(key)));
      return;
    }
    for (const v of value) {
      if (typeof v === "object" && v !== null && !Array.isArray(v)) countMembers(lists, path, v);
      look(v, joinPath(path, "#"));
    }
  };
  const value = parseJSONText(text);
  look(value, "");
  return lists;
}

function countMembers(lists, path, object) {
  const list = lists.get(path) ?? { objects: 0, members: new Map() };
  lists.set(path, list);
  list.objects++;
  const add = (member) => list.members.set(member, (list.members.get(member) ?? 0) + 1);
  for (const [key, v] of Object.entries(object)) {
    add(escapeKey(key));
    if (typeof v === "object" && v !== null && !Array.isArray(v)) for (const inner of Object.keys(v)) add(joinPath(escapeKey(key), escapeKey(inner)));
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
