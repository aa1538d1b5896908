// Hides what looks like a secret in the values that a table shows.

import { SECRETS } from "./secrets.js";

const alternatives = (words) => words.map((w) => w.replace(/[.+*?]/g, "\\$&")).join("|");
const KEY = new RegExp(`(?<![\\w-])(?:${alternatives(SECRETS.marks)})(?=[\\w.-]*\\d)[\\w.-]{8,}\\w`, "g");
const NAME = new RegExp(`(?:${alternatives(SECRETS.names)})$`, "i");

/** The value of an argument for a table: stars for a text under the name of a secret, and for words that begin like one. @param {string} path @param {string} text JSON */
export const hideValue = (path, text) => (text.length > 2 && text[0] === '"' && NAME.test(path) ? "********" : text.replace(KEY, (word) => "*".repeat(word.length)));
