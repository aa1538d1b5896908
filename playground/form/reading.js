// Says in one line what was understood of the scored trace. The line opens to what the
// command "boundcheck read" prints.

import { el, visibleText } from "../base/dom.js";
import { plural } from "../base/words.js";

/** Warnings that do not say that a part of the trace was read differently than written. */
const OTHERS = ["own-reference-not-used", "task-without-reference", "task-not-named", "outcome-contradicted", "checker-failed", "reference-by-consensus", "judge-no-opinion", "embeddings-fallback"];

const isAboutReading = (code) => !OTHERS.includes(code) && !code.endsWith("-bound"); // the bounds of the judgement

const GUESSED = /^(found-calls$|plain-)/; // the formats of texts in which a search found the calls

/**
 * The numbers of the report in one sentence, and whether all was read.
 * @param {import("../npm/types.d.ts").Report} report
 * @param {boolean} given whether the reader gave a reference; the line only counts those in the trace
 */
export function readingText(report, given) {
  const runs = report.trajectories;
  const count = (of) => runs.reduce((n, run) => n + of(run), 0);
  const references = given ? 0 : count((run) => (run.reference ? 1 : 0));
  const outcomes = count((run) => (run.success === null ? 0 : 1));
  const numbers = [
    plural(runs.length, "run"),
    plural(count((run) => run.observed.length), "call"),
    references && plural(references, "reference"),
    outcomes && plural(outcomes, "recorded outcome"),
  ];
  const doubtful = count((run) => (run.doubt ? 1 : 0));
  const failed = count((run) => (run.error ? 1 : 0));
  const unread = report.warnings.filter((w) => isAboutReading(w.code)).length;
  const guessed = [report.input, ...(report.input.files ?? [])].some((part) => GUESSED.test(part.format));
  const limits = [
    guessed && "The calls were found by their shape",
    failed && `${plural(failed, "run")} could not be scored`,
    doubtful && `${plural(doubtful, "run")} ${doubtful === 1 ? "was" : "were"} perhaps read wrongly`,
    unread && `${plural(unread, "warning")} about what was read differently than written`,
  ];
  return [`Read as ${report.input.format}: ${numbers.filter(Boolean).join(", ")}`, ...limits.filter(Boolean)].join(". ") + ".";
}

/**
 * @param {import("../npm/types.d.ts").Report} report
 * @param {boolean} given
 * @param {() => Promise<{file: string, lines: {name: string, text: string}[]}[]>} ask what boundcheck read says about each file; called when the line is first opened
 */
export function readingView(report, given, ask) {
  const inside = el("div", { role: "status" });
  const node = el("details", { class: "reading" }, el("summary", {}, visibleText(readingText(report, given))), inside);
  node.addEventListener("toggle", async () => {
    inside.textContent = "Reading…";
    try {
      const files = await ask();
      inside.replaceChildren(...files.map((f) => fileView(f, files.length > 1)));
    } catch (e) {
      inside.textContent = `Not read: ${e.message}`;
    }
  }, { once: true });
  return node;
}

/** The lines about one file. Lines with the same name are one entry with several texts. */
function fileView({ file, lines }, named) {
  const rows = [];
  for (const { name, text } of lines) {
    if (name && rows.at(-1)?.name !== name) rows.push({ name, texts: [text] });
    else rows.at(-1).texts.push(text);
  }
  return el("section", {},
    named ? el("h3", {}, visibleText(file)) : null,
    el("dl", { class: "facts" }, rows.map(({ name, texts }) => el("div", {}, el("dt", { text: name }), texts.map((text) => el("dd", {}, visibleText(text)))))));
}
