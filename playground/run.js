// Shows one run: the verdict in words, the figures, the agent's steps next to the reference,
// and each finding with its reasons.

import { causeView } from "./cause.js";
import { button, verdictChip, el, icon, Places, visibleText } from "./dom.js";
import { runFigures, confidenceMeter } from "./figures.js";
import { replayView } from "./replay.js";
import { rowsOf, stepName } from "./rows.js";
import { Steps } from "./steps.js";
import { evidenceView, storyView } from "./story.js";
import { talkView } from "./talk.js";
import { BY, listText, findingName, plural, TYPE_HELP, TYPES, VERDICTS } from "./words.js";

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

const brokenCount = (run) => run.alignment.filter((row) => row.verdict === "violation").length;

/** The verdict in one sentence. @param {Run} run */
export function verdictText(run) {
  const rows = rowsOf(run).length;
  if (run.verdict) return run.verdict;
  if (run.flagged) {
    const n = brokenCount(run);
    return n ? `${n} of ${plural(rows, "step")} broke a boundary.` : `${plural(run.violations.length, "finding")} on the run as a whole.`;
  }
  if (!rows) return "The reference has no step, and the agent took none.";
  const excused = run.alignment.filter((row) => row.verdict === "excused").length;
  return excused ? `No boundary broke. ${excused} of ${plural(rows, "step")} used another valid way.` : rows === 1 ? "The one step kept its boundary." : `All ${rows} steps kept their boundaries.`;
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
 * @param {{lead?: string, transcript?: (id: string) => Promise<import("./npm/types.d.ts").Transcript>, accept?: (run: Run, row: number) => void}} [about]
 */
export function runView(run, about = {}) {
  let read = null;
  const load = about.transcript && (() => (read ??= about.transcript(run.id)));
  const found = new Places();
  const show = { row: (i) => steps.show(i), finding: (i) => found.show(i) };
  const talk = load && talkView(load, run, show.row);
  const steps = new Steps(run, load, about.accept ?? null, talk?.showMessage ?? null);
  return el("div", { class: "run" },
    el("h2", { class: `verdict ${verdictClass(run)}` }, icon(TONES[verdictClass(run)]), el("span", { text: verdictText(run) })),
    run.story?.length ? storyView(run, show.row) : null,
    el("p", { class: "lead" }, visibleText(reasonsText(run))),
    run.recorded?.length ? recordedView(run) : null,
    about.lead ? el("p", { class: "case" }, visibleText(about.lead)) : null,
    run.reference ? runFigures(run) : null,
    run.attribution ? causeView(run, show) : null,
    run.suspects?.length ? suspectsView(run) : null,
    el("h3", { text: run.reference ? "Agent and reference side by side" : "What the agent did" }),
    legendView(run),
    steps.node,
    talk?.node ?? null,
    run.replay ? replayView(run.replay) : null,
    run.violations.length ? findingsView(run, found, show) : null,
    run.excused?.length ? excusedView(run) : null);
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
  const seen = Object.keys(VERDICTS).filter((v) => run.alignment.some((row) => row.verdict === v));
  return seen.length ? el("p", { class: "legend" }, seen.map((v) => verdictChip(v, `${VERDICTS[v]}: ${run.alignment.filter((r) => r.verdict === v).length}`))) : null;
}

function findingsView(run, found, show) {
  const items = el("ol", { class: "findings" });
  const [, more] = found.fill(items, run.violations, (v) => findingView(run, v, show, run.reference ? v.row : v.obs), 100);
  return [el("h3", { text: `Findings: ${run.violations.length}` }), items, more];
}

function findingView(run, v, show, at) {
  return el("li", { class: v.hint ? "card finding unsure" : "card finding", tabindex: "-1" },
    el("div", { class: "finding-head" },
      el("h4", {}, icon(v.hint ? "note" : "violation"), findingName(v)),
      v.hint ? el("span", { class: "tag does-unknown", title: "this finding is not certain enough to count the run as broken", text: "hint" }) : null,
      el("span", { class: "tag", title: TYPE_HELP[v.type] ?? null, text: TYPES[v.type] ?? v.type }),
      at === null ? el("span", { class: "hint", text: "the whole run" }) : button(stepName(run, at), () => show.row(at), { class: "link" })),
    el("p", {}, visibleText(v.reason)),
    v.evidence?.length ? evidenceView(v.evidence) : null,
    el("p", { class: "grounds" },
      confidenceMeter(v.confidence), `, found by ${BY[v.by] ?? v.by} `, el("code", { class: "id", text: v.rule }),
      v.differs?.length ? `; the boundaries differ in ${listText(v.differs)}` : null,
      v.rows?.length ? `; ${listText(v.rows.map((r) => stepName(run, r).toLowerCase()))}` : null),
    v.judge ? opinionView(v.judge) : null,
    LESSONS[v.type] && document.getElementById("lessons") ? el("p", { class: "hint" }, el("a", { href: "#lessons?lesson=" + LESSONS[v.type][0], text: `Lesson: ${LESSONS[v.type][1]}` })) : null);
}

/** The folder and the title of the lesson for each type of finding. A saved report has no lessons. */
const LESSONS = {
  "over-action": ["3-one-press-too-wide", "one press too wide"],
  "under-action": ["2-be-the-agent", "be the agent"],
  "start-boundary": ["2-be-the-agent", "be the agent"],
  "end-boundary": ["6-why-only-changes-count", "why only changes count"],
  "over-granular": ["1-where-an-action-ends", "where does one action end?"],
  "under-granular": ["1-where-an-action-ends", "where does one action end?"],
};

/** A model judge's opinion on a finding, with the judge's reason as quoted text. */
function opinionView(o) {
  const said = o.label ? `The judge said ${o.label} (${Math.round(o.confidence * 100)} % sure). The opinion is ${o.route}` : `The judge gave no opinion`;
  return el("p", { class: "grounds judge" }, said, o.reason ? (o.label ? ". Reason: " : ": ") : "", o.reason ? visibleText(o.reason) : null, o.note ? visibleText(`; ${o.note}`) : null);
}

function excusedView(run) {
  return [el("h3", { text: `Findings that the judge excused (not counted): ${run.excused.length}` }),
    el("ul", { class: "findings" }, run.excused.map((v) => el("li", { class: "card finding" }, el("p", {}, visibleText(v.reason)), opinionView(v.judge))))];
}
