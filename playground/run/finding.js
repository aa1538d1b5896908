// Shows one finding with its grounds, and what is known of a call: who asked for it, where its
// values came from, and its boundary.

import { evidenceView } from "./args.js";
import { button, el, icon, visibleText } from "../base/dom.js";
import { confidenceMeter } from "./figures.js";
import { markView } from "./marks.js";
import { stepName } from "./rows.js";
import { ABOUT, ASKERS } from "../base/terms.js";
import { BY, listText, findingName, typeName } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

/**
 * @param {Run} run @param {number} k the finding's index
 * @param {(row: number) => void} show goes to a row
 * @param {{compared?: boolean, mark?: (v: import("../npm/types.d.ts").Violation, mark: import("./marks.js").Mark | null) => void}} [beside]
 *   compared is true if the arguments of both sides are already shown; mark keeps what the reader thinks of the finding
 */
export function findingView(run, k, show, { compared = false, mark } = {}) {
  const v = run.violations[k];
  const rows = v.rows ?? [], lesson = LESSONS[v.rule] ?? LESSONS[v.type];
  return el("div", { class: v.hint ? "finding unsure" : "finding", tabindex: "-1", data: { finding: k } },
    el("div", { class: "finding-head" },
      el("h4", {}, icon(v.hint ? "note" : "violation"), findingName(v)),
      v.hint ? el("span", { class: "tag does-unknown", title: "this finding is not certain enough to count the run as broken", text: "hint" }) : null,
      v.pattern ? el("span", { class: "tag", title: ABOUT[v.type] ?? null, text: typeName(v.type) }) : null),
    el("p", {}, visibleText(v.reason)),
    v.evidence?.length && !(compared && v.rule === "wrong-arguments") ? evidenceView(v.evidence, `Evidence of finding ${k + 1}`) : null,
    el("p", { class: "grounds" },
      confidenceMeter(v.confidence), `, found by ${BY[v.by] ?? v.by} `, el("code", { class: "id", text: v.rule }),
      v.differs?.length ? `; the boundaries differ in ${listText(v.differs)}` : null,
      rows.length ? ["; ", rows.map((r, i) => [i ? ", " : "", button(stepName(run, r).toLowerCase(), () => show(r), { class: "link" })])] : null,
      lesson && document.getElementById("lessons") ? [". ", el("a", { href: "#lessons?lesson=" + lesson[0], text: `Lesson: ${lesson[1]}` })] : null),
    v.judge ? opinionView(v.judge) : null,
    markView(v, mark && ((m) => mark(v, m))));
}

/** The folder and the title of the lesson for a rule, or else for a type of finding. A saved report has no lessons. */
const LESSONS = {
  "instructed-by-data": ["9-nobody-asked", "nobody asked for this"],
  "unasked-change": ["9-nobody-asked", "nobody asked for this"],
  "over-action": ["3-one-press-too-wide", "one press too wide"],
  "under-action": ["2-be-the-agent", "be the agent"],
  "start-boundary": ["2-be-the-agent", "be the agent"],
  "end-boundary": ["6-why-only-changes-count", "why only changes count"],
  "over-granular": ["1-where-an-action-ends", "where does one action end?"],
  "under-granular": ["1-where-an-action-ends", "where does one action end?"],
};

/** A model judge's opinion on a finding, with the judge's reason as quoted text. */
export function opinionView(o) {
  const said = o.label ? `The judge said ${o.label} (${Math.round(o.confidence * 100)} % sure). The opinion is ${o.route}` : `The judge gave no opinion`;
  return el("p", { class: "grounds judge" }, said, o.reason ? (o.label ? ". Reason: " : ": ") : "", o.reason ? visibleText(o.reason) : null, o.note ? visibleText(`; ${o.note}`) : null);
}

/** Who asked for the action, with the words and a link to their message. A change that nobody asked for is marked. */
export function requestView(r, message) {
  const asked = r.by === "user" || r.by === "developer";
  const number = `message ${r.message + 1}`;
  const where = r.message === undefined ? "" : [" (", message ? button(number, () => message(r.message), { class: "link" }) : number, ")"];
  return el("p", { class: "hint request", data: { by: r.by } }, asked ? null : el("mark", {}, "Nobody asked for this"), asked ? "Because " : "; ", visibleText(r.why),
    r.words ? [": ", el("q", {}, visibleText(r.words)), where] : null);
}

const MOST_ASKED = 5;
const LONGEST = 160;

/**
 * The words that asked for each change of a run without a reference, as the command prints them; null for none. @param {Run} run @param {{row: (i: number) => void, message?: (i: number) => void}} show
 */
export function askedView(run, show) {
  const seen = new Set();
  const asked = run.reference ? [] : run.observed.map((a, i) => ({ a, i, r: a.request })).filter(({ a, r }) => {
    if (!r?.words || r.message === undefined || (r.by !== "user" && r.by !== "developer") || seen.has(a.name + r.words)) return false;
    return seen.add(a.name + r.words);
  });
  if (!asked.length) return null;
  const line = ({ a, i, r }) => {
    const number = `message ${r.message + 1}`;
    return el("li", {}, button(el("code", {}, visibleText(a.name)), () => show.row(i), { class: "link" }), ` by ${ASKERS[r.by === "user" && r.agreed ? "agreed" : r.by]} `,
      show.message ? button(number, () => show.message(r.message), { class: "link" }) : number, ": ", el("q", {}, visibleText(r.words.length > LONGEST ? `${r.words.slice(0, LONGEST)}…` : r.words)));
  };
  const more = asked.length - MOST_ASKED;
  return el("div", { class: "asked hint" }, el("p", { text: "Asked for" }), el("ul", {}, asked.slice(0, MOST_ASKED).map(line)), more > 0 ? el("p", { text: `… and ${more} more, each in its step` }) : null);
}

/** A list of the action's values that says where in the trace each value comes from. */
export function originsView(all) {
  const nowhere = all.filter((o) => o.kind === "nowhere").length;
  return el("details", { class: "boundary", open: nowhere > 0 }, el("summary", { class: "hint", text: nowhere ? `Sources of the values: ${nowhere} without a source` : "Sources of the values" }),
    el("ul", {}, all.map((o) => el("li", { data: { kind: o.kind } }, el("code", {}, visibleText(o.path)), ": ", o.kind === "nowhere" ? el("mark", {}, visibleText(o.source)) : visibleText(o.source)))));
}

/**
 * The action's boundary B(a), folded: its preconditions, its effect, its scope, and the number
 * of steps that it covers.
 */
export function boundaryView(b, secrets = new Set()) {
  const stated = (part) => (b.stated?.includes(part) ? " (stated)" : "");
  const before = b.pre.map((p) => `${p.name} (${p.kind}${p.failed ? ", failed" : ""}${p.action === null ? ", not done" : ""})`);
  const part = (name, text) => el("li", {}, `${name}${stated(name)}: `, visibleText(text || "none"));
  return el("details", { class: "boundary" }, el("summary", { class: "hint", text: "Boundary" }),
    el("ul", {}, part("pre", before.join(", ")), part("eff", b.eff), part("scope", b.scope.map((s) => (secrets.has(s) ? "********" : s)).join(", ")), part("gran", String(Math.round(b.gran * 100) / 100))));
}
