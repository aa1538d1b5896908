// Building blocks. Data reaches the page only as text nodes and attributes that
// take no markup; nothing here parses HTML.

import { hideKeys } from "./hide.js";

/**
 * Makes an element with children. Four props are special: text is the first child, on maps events
 * to listeners, data has members of the dataset, and style has properties that are set through
 * the object model, which the CSP allows. Every other prop is an attribute. true gives it the
 * empty text as its value. Without a value (false, null or undefined) there is no attribute.
 */
export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (k === "text") e.append(v);
    else if (k === "on") for (const [type, f] of Object.entries(v)) e.addEventListener(type, f);
    else if (k === "style") for (const [p, x] of Object.entries(v)) e.style.setProperty(p, x);
    else if (k === "data") Object.assign(e.dataset, v);
    else if (v !== false && v !== null && v !== undefined) e.setAttribute(k, v === true ? "" : v);
  }
  append(e, children);
  return e;
}

export function append(parent, children) {
  for (const c of [children].flat(Infinity)) if (c !== null && c !== undefined && c !== false) parent.append(c);
  return parent;
}

export function button(text, click, props = {}) {
  return el("button", { type: "button", ...props, on: { click } }, text);
}

/**
 * A button that copies a text. @param {string} label @param {() => string} text
 * @param {Element} said shows whether it worked
 * @param {{done?: string, denied: string, select?: () => void}} words the messages; select selects the text if the browser does not allow copying
 */
export function copyButton(label, text, said, { done = "Copied.", denied, select = () => {} }, props = {}) {
  return button(label, async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = done;
    } catch {
      select();
      said.textContent = `The browser did not allow copying. Please ${denied}.`;
    }
  }, props);
}

/** Saves a file as the browser does with downloads. @param {string} name @param {Blob} blob */
export function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const PATHS = {
  correct: "m4 8.5 2.8 2.8L12 5",
  excused: "M3 9.5c2-3 3.5-3 5-1.5s3 1.5 5-1.5",
  note: "M8 7.5v4M8 4.5v.2",
  violation: "m4.5 4.5 7 7m0-7-7 7",
  found: "m4.5 4.5 7 7m0-7-7 7",
  match: "M4 6.5h8M4 10h8",
  substitution: "M4 6.5h8M4 10h8M10 4 6 12.5",
  insertion: "M8 3.5v9M3.5 8h9",
  deletion: "M3.5 8h9",
  confirm: "M8 4v5M8 11.8v.2",
  allow: "m4 8.5 2.8 2.8L12 5",
};

/** A small picture next to a text. It is hidden from screen readers, because the text has the same meaning. */
export function icon(name) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", PATHS[name] ?? PATHS.note);
  svg.append(path);
  return svg;
}

/** A verdict as an icon with a text. */
export function verdictChip(verdict, text) {
  return el("span", { class: `chip ${verdict}` }, icon(verdict), text);
}

// Matches control characters except line feed and tab, the soft hyphen, zero-width and bidi marks, tags,
// variation selectors beyond emoji, blank fillers, and halves of surrogate pairs.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

/** The names of the hidden characters in a text, without duplicates. */
export function hiddenChars(text) {
  return [...new Set(Array.from(text.matchAll(HIDDEN), (m) => codePointLabel(m[0])))];
}

/** The text as nodes for the page, with visible labels in place of hidden characters. */
export function visibleText(text) {
  const out = document.createDocumentFragment();
  let from = 0;
  text = hideKeys(text);
  for (const m of text.matchAll(HIDDEN)) {
    out.append(text.slice(from, m.index), el("span", { class: "ctl", text: codePointLabel(m[0]) }));
    from = m.index + m[0].length;
  }
  out.append(text.slice(from));
  return out;
}

function codePointLabel(char) {
  return "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** Lets the browser handle input and draw between two pieces of work. */
export const yieldToBrowser = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Fills parent with a page of size rows, and returns it with a button that adds more rows. So a
 * long trace does not freeze the browser. The function render makes the row for one of all. The
 * button knows in pages how often it was pressed.
 */
export function fillPages(parent, all, render, size) {
  let shown = 0;
  const next = (count) => {
    append(parent, all.slice(shown, shown + count).map((x, i) => render(x, shown + i)));
    shown = Math.min(all.length, shown + count);
    more.textContent = `Show more (${(all.length - shown).toLocaleString("en")} left)`;
    more.hidden = shown === all.length;
  };
  const more = button("", () => {
    more.pages++;
    next(all.length > shown + 10 * size ? 10 * size : all.length);
  }, { class: "more" });
  more.pages = 0;
  next(size);
  return [parent, more];
}

/** Whether the page is as narrow as on a phone. There it shows the beginnings of what is long, so that the whole run is within reach. */
export function isNarrow() {
  return matchMedia("(max-width: 48rem)").matches;
}
