// Shows a call's arguments with their original JSON tokens, and marks differences.

import { el, visibleText } from "../base/dom.js";
import { differingPaths, memberNode, parseTree, tokenPieces } from "../base/json.js";
import { hideInside, hidePiece, hideValue } from "../base/hide.js";
import { plural } from "../base/words.js";

const LONG = 600; // characters; longer values scroll inside their box
const WIDTH = 56; // of one line, so that agent and reference break lines in the same way

/** The arguments of a call with secrets hidden, or the words of an action in words. @param {import("../npm/types.d.ts").Action} action */
export function argsView(action) {
  if (action.text) return el("p", { class: "words" }, visibleText(action.text));
  if (!action.arguments) return null;
  const node = parseTree(action.arguments);
  if (!node || node.kind !== "object") return valueBlock(visibleText(hideValue("", action.arguments)), action.arguments);
  return node.items.length ? el("ul", { class: "args" }, node.items.map(({ key, node: value }) => argView(key, value))) : null;
}

/**
 * The arguments of two calls beside each other, a row for each argument that differs. The equal
 * arguments are folded.
 * @param {import("../npm/types.d.ts").Action} obs @param {import("../npm/types.d.ts").Action} ref
 */
export function pairView(obs, ref, names = ["Agent", "Reference"]) {
  const [left, right] = [obs, ref].map((a) => (a.text ? null : parseTree(a.arguments || "{}")));
  if (left?.kind !== "object" || right?.kind !== "object") return el("div", { class: "pair" }, sideView(names[0], argsView(obs)), sideView(names[1], argsView(ref)));
  const here = differingPaths(left, right);
  const there = differingPaths(right, left);
  const keys = [...new Set([...left.items, ...right.items].map((m) => m.key))];
  const isEqual = (key) => memberNode(left, key) && memberNode(right, key) && ![...here, ...there].some((path) => path === key || path.startsWith(key + ".") || path.startsWith(key + "["));
  const equal = keys.filter(isEqual);
  const differ = keys.filter((key) => !equal.includes(key));
  const value = (side, node, key, paths) => el("td", {}, el("span", { class: "side", text: side }), node ? valueBlock(markedTokens(node, key, paths), node.text) : el("mark", { class: "none", text: "none" }));
  return [
    differ.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Arguments that differ" }, el("table", { class: "evidence pair-table" },
      el("thead", {}, el("tr", {}, ["Argument", ...names].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, differ.map((key) => el("tr", {}, el("th", { scope: "row" }, visibleText(key)), value(names[0], memberNode(left, key), key, here), value(names[1], memberNode(right, key), key, there)))))) : null,
    equal.length ? el("details", { class: "equal" }, el("summary", { class: "hint", text: differ.length ? `${plural(equal.length, "argument")} ${equal.length === 1 ? "is" : "are"} equal` : "All arguments are equal" }), argsList(left, equal)) : null,
  ];
}

const sideView = (name, content) => el("div", {}, el("p", { class: "side", text: name }), content);

const argsList = (node, keys) => el("ul", { class: "args" }, keys.map((key) => argView(key, memberNode(node, key))));

const argView = (key, node) => el("li", {}, el("span", { class: "key" }, visibleText(key)), valueBlock(markedTokens(node, key, new Set()), node.text));

function valueBlock(content, text) {
  const long = text.length > LONG;
  return el("code", { class: long ? "val long" : "val", tabindex: long ? "0" : null }, content);
}

/** The node's tokens, with marks around the leaves that differ. */
function markedTokens(node, key, differ) {
  const out = document.createDocumentFragment();
  for (const piece of tokenPieces(node, WIDTH, key)) {
    const text = visibleText(hidePiece(piece));
    out.append(differ.has(piece.path) ? el("mark", {}, text) : text);
  }
  return out;
}

const WHOLE = 200; // characters of a value in a table; of longer ones the place where they differ is shown
const AROUND = 40;

/** The two values of a difference for a table; of long values the place where they differ. @param {string} path @param {string} a @param {string} b */
export function sidesOf(path, a = "", b = "") {
  [a, b] = [hideInside(path, a), hideInside(path, b)];
  if (Math.max(a.length, b.length) <= WHOLE) return [a, b];
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  return [a, b].map((text) => (at > AROUND ? "…" : "") + text.slice(Math.max(0, at - AROUND), at + 2 * AROUND) + (text.length > at + 2 * AROUND ? "…" : ""));
}

/** A table of places where the agent and the reference differ, with both values. @param {import("../npm/types.d.ts").Evidence[]} all @param {string} label */
export function evidenceView(all, label = "Evidence") {
  const value = (text) => el("td", {}, text ? el("code", {}, el("mark", {}, visibleText(text))) : el("span", { class: "hint", text: "none" }));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["Where", "Agent", "Reference"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, all.map((e) => el("tr", {}, el("th", { scope: "row" }, visibleText(e.path)), sidesOf(e.path, e.observed, e.reference).map(value))))));
}
