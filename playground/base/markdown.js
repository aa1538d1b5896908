// Shows the Markdown of a message: headings, bold words, lists and code. Everything else stays as
// it is written, also links, so that no text hides where it leads.

import { el, visibleText } from "./dom.js";

const INLINE = /(?<![\w*])\*\*(?=\S)(.+?)(?<=\S)\*\*(?![\w*])|`([^`]+)`/g;

/** @param {string} text @returns {DocumentFragment} */
export function markdownText(text) {
  const out = document.createDocumentFragment();
  let fenced = null; // the lines of a block of code
  const add = (...nodes) => {
    if (out.hasChildNodes()) out.append("\n");
    out.append(...nodes);
  };
  const close = () => {
    add(el("code", { class: "block" }, visibleText(fenced.join("\n"))));
    fenced = null;
  };
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) fenced ? close() : (fenced = []);
    else if (fenced) fenced.push(line);
    else add(lineView(line));
  }
  if (fenced) close();
  return out;
}

function lineView(line) {
  const [, marks, words] = line.match(/^(#{1,6}) (.*)$/) ?? [];
  if (marks) return el("strong", { class: "head" }, inlineText(words));
  return inlineText(line.replace(/^(\s*)[-*] /, "$1• "));
}

function inlineText(line) {
  const out = document.createDocumentFragment();
  let from = 0;
  for (const m of line.matchAll(INLINE)) {
    out.append(visibleText(line.slice(from, m.index)), m[1] ? el("strong", {}, inlineText(m[1])) : el("code", {}, visibleText(m[2])));
    from = m.index + m[0].length;
  }
  out.append(visibleText(line.slice(from)));
  return out;
}
