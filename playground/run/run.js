// Shows one run: the verdict in words, the story, the run as one column, and under "Details" the
// figures and the reasons.

import { agentNote } from "./agentnote.js";
import { causeView } from "./cause.js";
import { Column } from "./column.js";
import { copyButton, verdictChip, el, icon, visibleText } from "../base/dom.js";
import { runFigures } from "./figures.js";
import { askedView, findingView, opinionView } from "./finding.js";
import { replayView } from "./replay.js";
import { rowsOf } from "./rows.js";
import { spentView } from "./spent.js";
import { storyView } from "./story.js";
import { HEADLINES, VERDICTS } from "../base/terms.js";
import { listText, findingName, plural } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

/** The event for a run after its verdict has the focus: it then goes to the step that the address names. */
export const LANDED = "landed";

/** The verdict in one sentence, as in all reports: the counts of the run choose it from the core's list (words.Headline of the command). @param {Run} run */
export function verdictText(run) {
  if (run.verdict && !run.error) return run.verdict;
  const counts = countsOf(run);
  const [, text] = HEADLINES.find(([when]) => when.split(" ").every((name) => (name[0] === "!" ? !counts[name.slice(1)] : !name || counts[name])));
  return text.replace(/\{(\w+)(?: ([^|}]+)\|([^}]+))?\}/g, (_, name, one, many) => counts[name] + (one ? ` ${counts[name] === 1 ? one : many}` : ""));
}

/** What the headlines count of a run. @param {Run} run */
function countsOf(run) {
  if (run.error) return { error: 1 };
  const rows = rowsOf(run);
  const of = (verdict, made) => rows.filter((row) => row.verdict === verdict && (row.obs !== null) === made).length;
  const [bad, missing] = [of("violation", true), of("violation", false)];
  return {
    flagged: run.flagged, broken: bad + missing, bad, missing, findings: run.violations.length, rows: rows.length, single: rows.length === 1,
    made: rows.filter((row) => row.obs !== null).length, excused: of("excused", true) + of("excused", false),
  };
}

const TONES = { bad: "violation", ask: "note", good: "correct" };

/** Returns the class that colours the verdict: "good", "bad", or "ask" for a run that could not be checked well. @param {Run} run */
export const verdictClass = (run) => (run.flagged ? "bad" : run.passed ? "good" : "ask");

/** The reasons for the verdict. @param {Run} run */
function reasonsText(run) {
  if (run.error) return run.error.message;
  const patterns = new Map();
  for (const v of run.violations) {
    const name = findingName(v);
    patterns.set(name, (patterns.get(name) ?? 0) + 1);
  }
  const found = listText([...patterns].map(([name, n], i) => (i ? name.toLowerCase() : name) + (n > 1 ? ` (${n === 2 ? "twice" : n + " times"})` : "")));
  const steps = run.reference
    ? `The agent took ${plural(run.observed.length, "step")}; the reference has ${run.reference.length}.`
    : `No reference was given, so the ${plural(run.observed.length, "step")} ${run.observed.length === 1 ? "was" : "were"} checked against general rules. Figures need a reference.`;
  const outcome = run.success === null ? "" : run.success ? " The trace records this run as a success." : " The trace records this run as a failure.";
  return (found ? found + ". " : "") + steps + outcome;
}

/**
 * @param {Run} run
 * @param {{lead?: string, transcript?: (id: string) => Promise<import("../npm/types.d.ts").Transcript>, accept?: (run: Run, row: number) => void, mark?: (run: Run, v: import("../npm/types.d.ts").Violation, mark: import("./marks.js").Mark | null) => void, place?: import("../base/place.js").Place, beside?: {open: HTMLElement, box: HTMLElement}, command?: (run: Run) => string, tools?: HTMLElement, details?: (Node | null)[]}} [about]
 *   mark keeps what the reader thinks of a finding; place has the step that a link names; beside lays another run beside it; command scores the run again; lead describes an example; tools are the buttons of the report, and details what else it has to say
 */
export function runView(run, about = {}) {
  const mark = about.mark && ((v, m) => about.mark(run, v, m));
  const column = new Column(run, { load: about.transcript && (() => about.transcript(run.id)), accept: about.accept, mark, moved: (row) => about.place?.set({ step: String(row + 1) }) });
  const show = { row: (i) => column.show(i), finding: (k) => showFinding(node, column, run, k) };
  const node = el("div", { class: "run" },
    el("h2", { class: `verdict ${verdictClass(run)}`, tabindex: "-1" }, icon(TONES[verdictClass(run)]), el("span", { text: verdictText(run) })),
    run.story?.length ? storyView(run, show.row) : null,
    el("p", { class: "lead" }, visibleText(reasonsText(run))),
    askedView(run, { row: (i) => column.show(rowsOf(run).findIndex((row) => row.obs === i)), message: about.transcript && ((m) => column.showMessage(m)) }),
    run.violations.length || about.beside ? noteView(run, about) : null,
    about.beside?.box ?? null,
    about.tools ?? null,
    about.lead ? el("p", { class: "case" }, visibleText(about.lead)) : null,
    run.recorded?.length ? recordedView(run) : null,
    run.suspects?.length ? suspectsView(run) : null,
    wholeView(run, show.row, mark),
    el("div", { class: "run-head" }, el("h3", { text: "The run" }), column.seek),
    spentView(run, (step) => column.show(rowsOf(run).findIndex((row) => row.obs === step))),
    legendView(run),
    column.node,
    detailsView([
      ...(about.details ?? []),
      run.reference ? runFigures(run) : null,
      run.attribution ? causeView(run, show) : null,
      run.replay ? replayView(run.replay) : null,
      run.excused?.length ? excusedView(run) : null]));
  node.addEventListener(LANDED, () => {
    const step = Number(about.place?.get("step"));
    if (step > 0) column.show(step - 1);
  });
  return node;
}

/** The buttons that copy what a coding agent needs to know, and that lay another run beside this one. @param {Run} run */
function noteView(run, { command, beside }) {
  const said = el("span", { class: "hint", role: "status" });
  return el("p", { class: "buttons note-row" },
    run.violations.length ? copyButton("Copy for your coding agent", () => agentNote(run, command?.(run)), said, { denied: "save the report instead" }, { class: "link" }) : null, beside?.open ?? null, said);
}

/** What only some readers want to know, behind one line; null if there is nothing. @param {(Node | Node[] | null)[]} parts */
export function detailsView(parts) {
  const all = parts.flat(Infinity).filter(Boolean);
  if (!all.length) return null;
  const warnings = all.some((part) => part.matches?.(".warnings"));
  return el("details", { class: "details" }, el("summary", { text: warnings ? "Details: warnings, figures, reasons" : "Details: figures and reasons" }), all);
}

/** The findings that belong to no single row. @param {Run} run @param {(row: number) => void} show */
function wholeView(run, show, mark) {
  const rows = run.reference ? run.alignment : run.observed;
  const whole = run.violations.flatMap((v, k) => (rows[run.reference ? v.row : v.obs] ? [] : [k]));
  return whole.length ? [el("h3", { text: "About the whole run" }), el("div", { class: "findings" }, whole.map((k) => findingView(run, k, show, { mark })))] : null;
}

/** Goes to a finding, which is beside its row, or with those about the whole run. */
function showFinding(node, column, run, k) {
  column.showFinding(k);
  node.querySelector(`[data-finding="${k}"]`)?.focus();
}

/** What the trace tells about a failure without a known cause. @param {Run} run */
function recordedView(run) {
  return el("section", {}, el("h3", { text: "What the trace tells about the failure" }), el("ul", {}, run.recorded.map((fact) => el("li", {}, visibleText(fact)))));
}

/** The turns of a conversation between agents that should be read first. @param {Run} run */
function suspectsView(run) {
  return el("section", {}, el("h3", { text: "Where to look first" }),
    el("ol", {}, run.suspects.map((s) => el("li", {}, visibleText(`Message ${s.message + 1}, ${s.agent}: ${s.reasons.join("; ")}.`)))));
}

function legendView(run) {
  const rows = run.reference ? rowsOf(run) : [];
  const seen = Object.keys(VERDICTS).filter((v) => rows.some((row) => row.verdict === v));
  return seen.length ? el("p", { class: "legend" }, seen.map((v) => verdictChip(v, `${VERDICTS[v]}: ${rows.filter((r) => r.verdict === v).length}`))) : null;
}

function excusedView(run) {
  return [el("h3", { text: `Findings that the judge excused (not counted): ${run.excused.length}` }),
    el("ul", { class: "findings" }, run.excused.map((v) => el("li", { class: "card finding" }, el("p", {}, visibleText(v.reason)), opinionView(v.judge))))];
}
