// Repairs text that is almost JSON: shows the changes that make the text valid JSON, and
// applies them on request.

import { button, el, visibleText } from "../base/dom.js";
import { plural } from "../base/words.js";

const LARGEST = 8_000_000; // longest text in characters
const LISTED = 8;

/**
 * Returns the elements that offer the repair of a text that could not be read. It returns
 * none if the text is valid JSON, or not similar to JSON.
 * @param {import("../npm/client.js").Client} client
 * @param {string | null} text
 * @param {AbortSignal} signal
 * @param {(text: string) => void} use
 */
export async function repairView(client, text, signal, use) {
  if (!text || text.length > LARGEST) return [];
  let repaired;
  try {
    repaired = await client.repair(text, { signal });
  } catch (e) {
    if (e.code === "cancelled") throw e;
    return e.message.includes("is a printed object") ? [el("p", { class: "card" }, `Line ${e.line}, column ${e.column}: `, visibleText(e.message))] : [];
  }
  if (!repaired.count) return [];
  const kinds = Object.entries(repaired.kinds).sort(([, a], [, b]) => b - a).map(([kind, n]) => `${n} × ${kind}`);
  const more = repaired.count - Math.min(LISTED, repaired.changes.length);
  return [el("section", { class: "card repair", "aria-label": "Almost JSON" },
    el("h2", { text: `The text becomes JSON after ${plural(repaired.count, "change")}` }),
    el("p", { text: `${kinds.join(", ")}. Only the syntax changes; no value is invented.` }),
    el("ol", {}, repaired.changes.slice(0, LISTED).map((c) => el("li", {},
      `Line ${c.line}, column ${c.column}: `, c.was ? el("del", {}, visibleText(c.was)) : "", c.was && c.now ? " → " : "", c.now ? el("ins", {}, visibleText(c.now)) : el("span", { class: "hint", text: " left out" })))),
    more > 0 ? el("p", { class: "hint", text: `and ${more} more` }) : null,
    el("div", { class: "buttons" }, button("Score the repaired text", () => use(repaired.text))))];
}
