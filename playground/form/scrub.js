// Replaces data that may identify a person: mail addresses, long numbers, and names in
// members such as "first_name" or after "my name is". Equal values get the same placeholder
// in all texts, so that values that were equal stay equal. What looks like a secret is replaced too.

import { SECRETS } from "../base/secrets.js";

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const NUMBER = /(?<![\p{L}\p{N}.])\d(?:[ -]?\d){4,}(?![\p{L}\p{N}])/gu;
/** Matches a member whose value is a person's name, also in JSON inside a JSON string. */
const NAMED = /\\*"(?:\w*_)?(?:first|last|full|user|customer|guest|patient|middle)_?name\\*"\s*:\s*\\*"([\p{Lu}][\p{L}'’-]+(?: [\p{Lu}][\p{L}'’-]+)*)\\*"/giu;
/** Matches the usual ways in which people introduce themselves. */
const SAID = /\b(?:I am|I'm|my name is|this is)\s+((?:\p{Lu}[\p{L}'’-]+)(?:\s\p{Lu}[\p{L}'’-]+)+)/gu;

const alternatives = (words) => words.map((w) => w.replace(/[.+*?]/g, "\\$&")).join("|");
/** Matches a word that begins like a well-known secret. */
const KEY = new RegExp(`(?<![\\w-])(?:${alternatives(SECRETS.marks)})[\\w.-]{8,}\\w`, "g");
/** Matches a member with the name of a secret and its value, also in JSON inside a JSON string. */
const HELD = new RegExp(`(?:${alternatives(SECRETS.names)})\\\\*"\\s*:\\s*\\\\*"(?:Bearer |Basic )?([^"\\\\]{3,})\\\\*"`, "gi");
/** Matches a secret in words or in a setting: "my password is x1", TOKEN=x1. A word of letters alone may be any word. */
const TOLD = new RegExp(`(?:${alternatives(SECRETS.names)})(?: is|:|=)\\s*['\u201c]?(?=[^\\s"'\\\\,;]*[\\d!$%#@])([^\\s"'\u201d\\\\,;]{3,})`, "gi");

/** The secrets in a text, each once. @param {string} text */
function secretsIn(text) {
  const out = new Set(Array.from(text.matchAll(KEY), ([key]) => key));
  for (const pattern of [HELD, TOLD]) for (const [, value] of text.matchAll(pattern)) out.add(value.replace(/[.?!]+$/, ""));
  return out;
}

/** Matches a long word with letters and digits, which the core hides in errors too. */
const LONG = /(?<![\w/+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z_])[\w+=-]{20,}(?![\w/])/g;

/** The text in which each letter of what may be a secret is a star. @param {string} text */
export function hideSecrets(text) {
  for (const secret of [...secretsIn(text)].sort((a, b) => b.length - a.length)) text = text.replaceAll(secret, "*".repeat(secret.length));
  return text.replace(LONG, (word) => "*".repeat(word.length));
}

/**
 * @param {Record<string, string>} texts by any names; the result has the same names
 * @returns {{texts: Record<string, string>, changes: {kind: string, from: string, to: string}[]}}
 */
export function replacePersonalData(texts) {
  const changes = [];
  const made = new Map();
  const put = (kind, from, to) => {
    if (!made.has(from)) {
      made.set(from, to(changes.filter((c) => c.kind === kind).length + 1));
      changes.push({ kind, from, to: made.get(from) });
    }
    return made.get(from);
  };
  const names = new Set();
  const secrets = [...new Set(Object.values(texts).flatMap((text) => [...secretsIn(text)]))].sort((a, b) => b.length - a.length);
  const secret = secrets.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${secrets.map(escapePattern).join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  for (const text of Object.values(texts)) {
    for (const pattern of [NAMED, SAID]) for (const [, name] of text.matchAll(pattern)) for (const part of name.split(" ")) if (part.length > 1) names.add(part);
  }
  const name = names.size ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...names].sort((a, b) => b.length - a.length).map(RegExp.escape ?? escapePattern).join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  const one = (text) => {
    if (secret) text = text.replace(secret, (m) => put("secret", m, (n) => `secret${n}`));
    text = text.replace(EMAIL, (m) => put("address", m, (n) => `person${n}@example.org`));
    text = text.replace(NUMBER, (m) => put("number", m, (n) => placeholderNumber(m, n)));
    return name ? text.replace(name, (m) => put("name", m, placeholderName)) : text;
  };
  return { texts: Object.fromEntries(Object.entries(texts).map(([k, v]) => [k, one(v)])), changes };
}

/** A number of the same length that begins with 9 and keeps its separators. */
function placeholderNumber(text, n) {
  const length = text.replace(/\D/g, "").length;
  const fresh = "9" + String(n).padStart(length - 1, "0").slice(-(length - 1));
  let i = 0;
  return text.replace(/\d/g, () => fresh[i++]);
}

/** Person A, B, …, Z, AA, … as one word. */
function placeholderName(n) {
  let out = "";
  for (; n > 0; n = Math.floor((n - 1) / 26)) out = String.fromCharCode(65 + ((n - 1) % 26)) + out;
  return "Person" + out;
}

const escapePattern = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("-", "\\x2d");
