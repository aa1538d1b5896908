// Shows a report: the warnings, then the run or the runs, then the plugins. Its buttons copy
// or save the exact bytes of the report.

import { button, copyButton, el, fillPages, saveFile, visibleText } from "./base/dom.js";
import { corpusView, headText } from "./runs/corpus.js";
import { verdictText, runView } from "./run/run.js";
import { sizeText, plural } from "./base/words.js";

/**
 * @param {import("./npm/types.d.ts").Report} report
 * @param {Uint8Array} bytes the core's own answer
 * @param {{title?: string, description?: string, place?: import("./base/place.js").Place, transcript?: (id: string) => Promise<import("./npm/types.d.ts").Transcript>, agree?: () => Promise<import("./runs/agree.js").Task[]>, causes?: () => Promise<import("./runs/causes.js").Causes>, accept?: (run: import("./npm/types.d.ts").Trajectory, row: number) => void, mark?: (run: import("./npm/types.d.ts").Trajectory, v: import("./npm/types.d.ts").Violation, mark: import("./run/marks.js").Mark | null) => void, marked?: () => Uint8Array, command?: (run: import("./npm/types.d.ts").Trajectory) => string, save?: () => void, offer?: HTMLElement}} [about]
 *   marked returns the report with the reader's marks; offer names a checker that knows the benchmark; save shows the formats in which the report can be saved; without it, only JSON is offered
 * @returns {{node: HTMLElement, summary: string}}
 */
export function reportView(report, bytes, about = {}) {
  const runs = report.trajectories;
  const one = runs.length === 1;
  const tools = el("header", { class: "report-head" },
    el("p", { class: "eyebrow" }, visibleText(about.title || sourceText(report.input)), runs.some((r) => r.reference) ? " · " + profileText(report.profile) : null),
    reportButtons(about.marked ?? (() => bytes), about.save, report.warnings?.length ? warnedView(report.warnings) : null));
  const details = [
    about.offer ?? null,
    report.warnings?.length ? warningsView(report.warnings) : null,
    report.plugins?.length ? el("p", { class: "hint used" }, "Checked with ", report.plugins.map((p, i) => [i ? ", " : "", visibleText(`${p.name} ${p.version}`), " (", el("code", { class: "sum", text: "sha256:" + p.sha256 }), ")"]), ".") : null];
  const body = runs.length === 0 ? [tools, noRunView(), ...details]
    : one ? runView(runs[0], { lead: about.description, transcript: about.transcript, accept: about.accept, mark: about.mark, place: about.place, command: about.command, tools, details }) : corpusView(report, { ...about, tools, details });
  const node = el("article", { class: "report", "aria-label": "Report" }, body);
  return { node, summary: "Scored. " + (one ? verdictText(runs[0]) : headText(report)) };
}

export const SAVE = "Save as…";

/** A button in the head of a report that opens a card. @param {string} text @param {() => void} open */
export const opener = (text, open) => button(text, open, { "aria-expanded": "false" });

function noRunView() {
  return el("div", { class: "card" }, el("h2", { text: "There is no run in this trace" }), el("p", { text: "The trace is readable, but has nothing to score." }));
}

function sourceText(input) {
  return `${input.format}, ${sizeText(input.bytes)}`;
}

function profileText(name) {
  const means = { sop: "every reference step is required", outcome: "only the steps that change something are counted", mixed: "differs from run to run" }[name];
  return `profile ${name}${means ? ": " + means : ""}`;
}

/** A line that says that there are warnings, and opens them. */
function warnedView(all) {
  return button(`${plural(all.length, "warning")}`, (e) => {
    const warnings = e.target.closest(".report").querySelector(".warnings");
    warnings.closest("details").open = true;
    warnings.scrollIntoView({ block: "center" });
    warnings.focus({ preventScroll: true });
  }, { class: "link warned" });
}

/** The warnings, grouped by code. A group shows its first warning; a click unfolds the others. */
function warningsView(all) {
  const groups = new Map();
  for (const w of all) groups.set(w.code, [...(groups.get(w.code) ?? []), w]);
  const group = ([code, [first, ...rest]]) => el("li", {}, warningView(first), " ", el("code", { class: "id", text: code }),
    rest.length ? el("details", {}, el("summary", { text: `More warnings of this kind: ${rest.length.toLocaleString("en")}` }), fillPages(el("ul"), rest, (w) => el("li", {}, warningView(w)), 100)) : null);
  return el("aside", { class: "card warnings", "aria-label": "Warnings", tabindex: "-1" },
    el("h2", { text: plural(all.length, "warning") }),
    el("ul", {}, [...groups].map(group)));
}

function warningView(w) {
  const where = [w.trajectory && `run ${w.trajectory}`, w.line && `line ${w.line}`, w.column && `column ${w.column}`].filter(Boolean).join(", ");
  return [visibleText(w.message), where ? el("span", { class: "hint" }, " (", visibleText(where), ")") : null];
}

function reportButtons(bytes, others, warned) {
  const text = () => new TextDecoder().decode(bytes());
  const said = el("span", { class: "hint", role: "status" });
  const copy = copyButton("Copy JSON", text, said, { denied: "download the file instead" });
  return el("div", { class: "buttons" }, said, warned, copy,
    others ? opener(SAVE, others) : button("Download JSON", () => saveFile("boundcheck-report.json", new Blob([bytes()], { type: "application/json" }))));
}
