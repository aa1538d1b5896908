// Finds words in a run: in its messages, its calls and their answers.

import { el } from "../base/dom.js";

const FEWEST = 2; // letters that are searched for

/**
 * The field, and beside it which place of how many is shown. Enter goes to the next place, and
 * Shift with Enter to the one before.
 * @param {{texts: () => Promise<string[]>, show: (at: number) => HTMLElement | null}} run
 *   texts are those of the entries in lower case; show goes to an entry
 */
export function seekView({ texts, show }) {
  const field = el("input", { type: "search", class: "seek", placeholder: "Find in this run", "aria-label": "Find in this run", autocomplete: "off", spellcheck: "false" });
  const said = el("span", { class: "hint", role: "status" });
  let sought = "";
  let places = [];
  let at = -1;
  const go = async (step) => {
    const now = field.value.trim().toLowerCase();
    if (now.length < FEWEST) return void (said.textContent = "");
    if (now !== sought) {
      [sought, at] = [now, -1];
      places = (await texts()).flatMap((text, i) => (text.includes(now) ? [i] : []));
    }
    if (!places.length) return void (said.textContent = "Nothing found.");
    at = at < 0 && step < 0 ? places.length - 1 : (at + step + places.length) % places.length;
    said.textContent = `${at + 1} of ${places.length.toLocaleString("en")}`;
    const node = show(places[at]);
    if (node) markWords(node, now);
    field.focus({ preventScroll: true });
  };
  field.addEventListener("input", () => {
    said.textContent = field.value.trim().length >= FEWEST ? "Enter shows the next place." : "";
    globalThis.CSS?.highlights?.delete("sought");
  });
  field.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    go(e.shiftKey ? -1 : 1);
  });
  return el("span", { class: "seek-box", role: "search" }, field, said);
}

/** Shows the words inside a node, and colours them in browsers that can do so without changing it. */
function markWords(node, words) {
  const ranges = [];
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.toLowerCase();
    for (let i = text.indexOf(words); i >= 0; i = text.indexOf(words, i + 1)) {
      const range = new Range();
      range.setStart(walk.currentNode, i);
      range.setEnd(walk.currentNode, i + words.length);
      ranges.push(range);
    }
  }
  const first = ranges[0]?.getBoundingClientRect();
  if (first && (first.top < 0 || first.bottom > innerHeight)) scrollBy(0, first.top - innerHeight / 2);
  if (globalThis.Highlight) CSS.highlights.set("sought", new Highlight(...ranges));
}
