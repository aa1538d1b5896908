// Hides what looks like a secret in the values that the page shows.

import { SECRETS } from "./secrets.js";
import { leafTexts, parseTree, tokenPieces } from "./json.js";

const alternatives = (words) => words.map((w) => w.replace(/[.+*?]/g, "\\$&")).join("|");
const KEY = new RegExp(`(?<![\\w-])(?:${alternatives(SECRETS.marks)})(?=[\\w.-]*\\d)[\\w.-]{8,}\\w`, "g");
const NAME = new RegExp(`(?:${alternatives(SECRETS.names)})$`, "i");
const MEMBER = new RegExp(`(?:${alternatives(SECRETS.names)})"\\s*:`, "i");

/** A text with stars for the words that begin like a well-known secret. @param {string} text */
export const hideKeys = (text) => text.replace(KEY, (word) => "*".repeat(word.length));

/** The value of an argument: stars for a text under the name of a secret, and for words that begin like one. @param {string} path @param {string} text JSON */
export const hideValue = (path, text) => (text.length > 2 && text[0] === '"' && NAME.test(path) ? "********" : hideKeys(text));

/** The text of a member of a call's arguments, with its secrets hidden at any depth, cut behind some characters. @param {string} key @param {ReturnType<typeof import("./json.js").parseTree>} node @param {number} most */
export function hideMember(key, node, most) {
  if (!node.items.length || !MEMBER.test(node.text)) return hideValue(key, node.text).slice(0, most);
  let text = "";
  for (const piece of tokenPieces(node, Infinity, key)) {
    text += hidePiece(piece);
    if (text.length > most) break;
  }
  return text.slice(0, most);
}

/** The text of a piece of a value. @param {{text: string, path?: string}} piece */
export const hidePiece = ({ text, path }) => (path === undefined ? text : hideValue(path, text));

/** The value of an argument that may be an object or a list, with its secrets hidden at any depth. @param {string} path @param {string} text JSON */
export function hideInside(path, text) {
  const node = MEMBER.test(text) ? parseTree(text) : null;
  return node ? hideMember(path, node, Infinity) : hideValue(path, text);
}

/** The texts under the names of secrets in the arguments of a call. @param {string} [text] JSON */
export function secretsOf(text = "") {
  const node = MEMBER.test(text) ? parseTree(text) : null;
  return new Set([...(node ? leafTexts(node) : [])].filter(([path, leaf]) => leaf[0] === '"' && NAME.test(path)).map(([, leaf]) => leaf));
}
