// A report saved as one file: it is in the page itself, and this shows it.

import { reportView } from "../report.js";

/**
 * The core's own bytes. In a page "<" must not be in a script, so there it is
 * spelt \u003c, which the core itself never writes: an escape, unless its
 * backslash is itself escaped.
 */
function answer() {
  const text = document.getElementById("report").textContent;
  return text.replace(/(?<!\\)((?:\\\\)*)\\u003c/g, "$1<");
}

const text = answer();
const { node } = reportView(JSON.parse(text), new TextEncoder().encode(text), { title: document.body.dataset.source });
document.querySelector("main").append(node);
document.documentElement.dataset.ready = "";
