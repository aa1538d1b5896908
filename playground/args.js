// Arguments, byte for byte as they stood, with what differs marked.

import { el, shown } from "./dom.js";
import { differences, member, parse } from "./json.js";

const LONG = 600;

/**
 * @param {import("./npm/types.d.ts").Action} action
 * @param {import("./npm/types.d.ts").Action} [other] the action beside it, where differences matter
 */
export function argsView(action, other) {
  if (action.text) return el("p", { class: "words" }, shown(action.text));
  if (!action.arguments) return null;
  const node = parse(action.arguments);
  if (!node || node.kind !== "object") return block(shown(action.arguments), action.arguments);
  if (!node.items.length) return null;
  const beside = other && parse(other.arguments || "{}");
  const differ = beside ? differences(node, beside) : new Set();
  return el("ul", { class: "args" }, node.items.map(({ key, node: value }) =>
    el("li", {},
      el("span", { class: "key" }, shown(key)),
      block(marked(value, key, differ), value.text, beside && !member(beside, key)))));
}

function block(content, text, alone) {
  const long = text.length > LONG;
  return el("code", { class: long ? "val long" : "val", tabindex: long ? "0" : null }, content, alone ? el("span", { class: "hint", text: " only here" }) : null);
}

/** The node's own text, its differing leaves in marks. */
function marked(node, path, differ) {
  if (!node.items.length) return differ.has(path) ? el("mark", {}, shown(node.text)) : shown(node.text);
  const out = document.createDocumentFragment();
  let from = 0;
  node.items.forEach((m, i) => {
    out.append(shown(node.text.slice(from, m.node.start - node.start)));
    out.append(marked(m.node, m.key === null ? `${path}[${i}]` : `${path}.${m.key}`, differ));
    from = m.node.end - node.start;
  });
  out.append(shown(node.text.slice(from)));
  return out;
}
