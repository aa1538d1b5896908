// A report saved as one file: the page contains it, and this module shows it.

import { reportView } from "../report.js";

/**
 * The core's own bytes. A script in a page must not contain "<", so it is written there
 * as \u003c, which the core never writes itself. A backslash that is itself escaped
 * begins no such escape.
 */
function answer() {
  const text = document.getElementById("report").textContent;
  return text.replace(/(?<!\\)((?:\\\\)*)\\u003c/g, "$1<");
}

const text = answer();
const { node } = reportView(JSON.parse(text), new TextEncoder().encode(text), { title: document.body.dataset.source });
document.querySelector("main").append(node);
document.documentElement.dataset.ready = "";
