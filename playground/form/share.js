// Makes a link that contains the input, compressed in the part of the address that browsers
// do not send to a server. The reader sees what the link contains, and can replace personal
// data first.

import { append, copyButton, el, visibleText } from "../base/dom.js";
import { EMPTY } from "./inputs.js";
import { readMarks } from "../run/marks.js";
import { replacePersonalData } from "./scrub.js";
import { sizeText, listText, plural } from "../base/words.js";

const LONGEST = 64_000; // characters of a link; mail and chat programs cut longer ones
const LARGEST = 8 << 20; // bytes of a link's content after it is unpacked
const SHOWN = 12; // changes that are listed
const MEMBERS = { trace: "t", reference: "r", config: "c", profile: "p", checker: "k", title: "h" };

/** @typedef {import("./inputs.js").Input} Input */

/** Returns the text of a link that contains the input. unpack reads it. @param {Input} input */
export async function pack(input) {
  const held = { ...Object.fromEntries(Object.entries(MEMBERS).map(([member, short]) => [short, input[member] || undefined])), m: Object.keys(input.parameters ?? {}).length ? input.parameters : undefined, j: Object.keys(input.marks ?? {}).length ? input.marks : undefined };
  const stream = new Blob([JSON.stringify(held)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let i = 0; i < packed.length; i += 8192) text += String.fromCharCode(...packed.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the input in a link's text. It throws an error if the link is damaged. @param {string} text @returns {Promise<Input>} */
export async function unpack(text) {
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const held = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await inflateBytes(packed)));
    const input = { ...EMPTY };
    for (const [member, short] of Object.entries(MEMBERS)) if (typeof held[short] === "string") input[member] = held[short];
    if (held.m && typeof held.m === "object") input.parameters = held.m;
    if (held.j) input.marks = readMarks(held.j);
    if (!input.trace) throw new Error("no trace");
    return input;
  } catch {
    throw new Error("The link is damaged or incomplete. The trace in the link cannot be unpacked.");
  }
}

async function inflateBytes(packed) {
  const parts = [];
  let total = 0;
  for (const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    if ((total += value.length) > LARGEST) throw new Error("too large");
    parts.push(value);
  }
  return new Blob(parts).arrayBuffer();
}

/**
 * Returns the card that makes a link.
 * @param {Input} input its trace as text
 * @param {(input: Input) => Promise<string>} verdict returns one line with the result for an input
 * @param {string} [at] the place in the report, as the end of an address
 */
export function shareView(input, verdict, at = "") {
  const clean = replacePersonalData({ trace: input.trace, reference: input.reference, config: input.config, marks: JSON.stringify(input.marks ?? {}) });
  const box = el("input", { type: "checkbox", id: "scrub", checked: clean.changes.length > 0 });
  const status = el("p", { role: "status", class: "hint" });
  const link = el("input", { type: "text", readonly: true, "aria-label": "The link", class: "link-text" });
  const chosen = () => (box.checked ? { ...input, ...clean.texts, marks: readMarks(JSON.parse(clean.texts.marks)) } : input);
  const holds = el("p");
  const make = async () => {
    const given = chosen();
    const address = new URL(`#score?z=${await pack(given)}${at}`, location.href).href;
    const fits = address.length <= LONGEST;
    link.value = fits ? address : "";
    copy.disabled = !fits;
    holds.textContent = `The link contains ${listText([`the trace (${sizeText(new Blob([given.trace]).size)})`, given.reference && "the reference", given.config && "boundcheck.yaml", Object.keys(given.marks ?? {}).length > 0 && "your judgement of the findings"].filter(Boolean))}. The link has ${plural(address.length, "character")}. Anyone who has the link can read this content. Nothing is sent to a server.`;
    status.textContent = fits ? "" : `The link is too long. A link can have at most ${LONGEST.toLocaleString("en")} characters. Send the file or the saved report instead.`;
    if (!fits || !box.checked) return;
    const [before, after] = [await verdict(input), await verdict(given)];
    status.textContent = before === after ? "The verdict is the same with the placeholders." : `With the placeholders the verdict differs: ${after}`;
  };
  const copy = copyButton("Copy the link", () => link.value, status, { denied: "copy the link from the field", select: () => link.select() }, { class: "primary" });
  box.addEventListener("change", make);
  const node = el("section", { class: "card share", "aria-label": "A link to this" });
  append(node, [
    el("h2", { text: "A link to this" }), holds,
    clean.changes.length ? [
      el("p", {}, box, el("label", { for: "scrub", text: `Put placeholders for ${countsText(clean.changes)}` })),
      el("details", {}, el("summary", { text: "What is replaced" }), el("ul", { class: "replaced" },
        clean.changes.slice(0, SHOWN).map((c) => el("li", {}, el("del", {}, visibleText(c.kind === "secret" ? "*".repeat(Math.min(c.from.length, 12)) : c.from)), " → ", el("ins", {}, visibleText(c.to)))),
        clean.changes.length > SHOWN ? el("li", { text: `and ${(clean.changes.length - SHOWN).toLocaleString("en")} more` }) : null)),
      el("p", { class: "hint", text: "These data were found only by patterns. Before you send the link, look for other personal data and secrets." })] : el("p", { class: "hint", text: "A search by patterns found no address, long number, name or secret. Before you send the link, look for other personal data and secrets." }),
    el("div", { class: "buttons" }, link, copy), status]);
  const made = make();
  return { node, made };
}

function countsText(changes) {
  const kinds = { address: ["address", "addresses"], number: ["number", "numbers"], name: ["name", "names"], secret: ["secret", "secrets"] };
  return listText(Object.entries(kinds).map(([kind, words]) => [changes.filter((c) => c.kind === kind).length, words]).filter(([n]) => n).map(([n, words]) => plural(n, ...words)));
}
