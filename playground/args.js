// Shows a call's arguments with their original JSON tokens, and marks differences.

import { el, visibleText } from "./dom.js";
import { differingPaths, memberNode, parseTree, tokenPieces } from "./json.js";

const LONG = 600; // characters; longer values scroll inside their box
const WIDTH = 56; // of one line, so that agent and reference break lines in the same way

/**
 * @param {import("./npm/types.d.ts").Action} action
 * @param {import("./npm/types.d.ts").Action} [other] the action to compare with; without it nothing is marked
 */
export function argsView(action, other) {
  if (action.text) return el("p", { class: "words" }, visibleText(action.text));
  if (!action.arguments) return null;
  const node = parseTree(action.arguments);
  if (!node || node.kind !== "object") return valueBlock(visibleText(action.arguments), action.arguments);
  if (!node.items.length) return null;
  const beside = other && parseTree(other.arguments || "{}");
  const differ = beside ? differingPaths(node, beside) : new Set();
  return el("ul", { class: "args" }, node.items.map(({ key, node: value }) =>
    el("li", {},
      el("span", { class: "key" }, visibleText(key)),
      valueBlock(markedTokens(value, key, differ), value.text, beside && !memberNode(beside, key)))));
}

function valueBlock(content, text, alone) {
  const long = text.length > LONG;
  return el("code", { class: long ? "val long" : "val", tabindex: long ? "0" : null }, content, alone ? el("span", { class: "hint", text: " only here" }) : null);
}

/** The node's tokens, with marks around the leaves that differ. */
function markedTokens(node, key, differ) {
  const out = document.createDocumentFragment();
  for (const { text, path } of tokenPieces(node, WIDTH, key)) out.append(differ.has(path) ? el("mark", {}, visibleText(text)) : visibleText(text));
  return out;
}
