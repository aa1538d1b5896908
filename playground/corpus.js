// Many runs: the figures, a picture of all of them, and a list to open one from.

import { append, button, el, icon, paged, shown } from "./dom.js";
import { corpusFigures } from "./figures.js";
import { headline, runView } from "./run.js";
import { figure, list, plural, sentence } from "./words.js";

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

const OUTCOMES = [
  ["kept", "Succeeded, nothing broke", (r) => r.success === true && !r.flagged],
  ["lucky", "Succeeded, boundary broke", (r) => r.success === true && r.flagged],
  ["failed", "Failed, boundary broke", (r) => r.success === false && r.flagged],
  ["other", "Failed, nothing broke", (r) => r.success === false && !r.flagged],
  ["clean", "No verdict, nothing broke", (r) => r.success === null && !r.flagged],
  ["flagged", "No verdict, boundary broke", (r) => r.success === null && r.flagged],
];

const kind = (run) => OUTCOMES.find(([, , is]) => is(run))[0];

/** @param {import("./npm/types.d.ts").Report} report */
export function corpusView(report) {
  const { corpus, trajectories: runs } = report;
  const all = el("div");
  const one = el("div", { hidden: true });
  const open = (i) => {
    one.replaceChildren(pager(runs, i, open, close), runView(runs[i]));
    all.hidden = true;
    one.hidden = false;
    one.querySelector("button").focus();
  };
  const close = (i) => {
    one.hidden = true;
    all.hidden = false;
    all.querySelector(`[data-run="${i}"] button`)?.focus();
  };
  append(all, [
    el("h2", { class: corpus.flagged ? "verdict bad" : "verdict good" }, icon(corpus.flagged ? "violation" : "correct"),
      el("span", { text: `${corpus.flagged.toLocaleString("en")} of ${plural(corpus.n, "run")} broke a boundary.` })),
    el("p", { class: "lead", text: summary(corpus) }),
    corpusFigures(corpus),
    counts(corpus.violations),
    corpus.passHatK ? trials(corpus.passHatK) : null,
    corpus.groups ? groupsView(corpus.groups) : null,
    el("h3", { text: "All runs" }),
    runsView(runs, open),
  ]);
  return [all, one];
}

const mean = (n) => String(Math.round(n * 100) / 100);

function summary(corpus) {
  const { agreement: a, lengths, tasks } = corpus;
  const text = `${plural(tasks, "task")}; on average the agent took ${mean(lengths.observed)} steps where the reference has ${mean(lengths.reference)}.`;
  if (!a) return text;
  return `${text} Of ${plural(a.successes, "success", "successes")} ${a.flaggedSuccesses} broke a boundary, of ${plural(a.failures, "failure")} ${a.unflaggedFailures} broke none.`;
}

function counts(violations) {
  const named = Object.entries(violations.byPattern ?? {}).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!violations.total) return null;
  const most = list(named.slice(0, 3).map(([p, n], i) => `${i ? sentence(p).toLowerCase() : sentence(p)} (${n})`));
  return el("p", { class: "counts", text: `${plural(violations.total, "finding")}.${most ? ` Most often: ${most}.` : ""}` });
}

/** How often a task succeeds every time, by the number of times. */
function trials(all) {
  const said = all.filter(({ score }) => score.scored).map(({ k, score }) => `${k}: ${figure(score.value)}`);
  return said.length ? el("p", { class: "counts", text: `Chance that a task succeeds in each of k trials: ${said.join(", ")}.` }) : null;
}

function groupsView(groups) {
  const value = (score) => el("td", { class: "num", text: score?.scored ? figure(score.value) : "not scored" });
  const heads = ["File", "Runs", "Broke a boundary", "Boundary score", "Scope violations", "Success"];
  const row = (g) => el("tr", {}, el("th", { scope: "row" }, shown(g.name), " ", el("span", { class: "id", text: g.format })),
    el("td", { class: "num", text: g.n }), el("td", { class: "num", text: g.flagged }), value(g.metrics.abs.agent), value(g.metrics.svr), value(g.metrics.sr));
  const body = el("tbody");
  const [, more] = paged(body, groups, row, 100);
  return [
    el("h3", { text: "By file" }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Files" },
      el("table", { class: "runs" }, el("thead", {}, el("tr", {}, heads.map((h) => el("th", { scope: "col", text: h })))), body)),
    more,
  ];
}

function pager(runs, i, open, close) {
  return el("div", { class: "pager" },
    button("← All runs", () => close(i)),
    el("span", {}, "Run ", shown(runs[i].id), ` (${i + 1} of ${runs.length})`),
    button("Previous", () => open(i - 1), { disabled: i === 0 }),
    button("Next", () => open(i + 1), { disabled: i === runs.length - 1 }));
}

/** Filters that are also the legend, the picture, and the list. */
function runsView(runs, open) {
  const on = new Set(OUTCOMES.map(([k]) => k));
  const present = OUTCOMES.map(([k, text, is]) => [k, text, runs.filter(is).length]).filter(([, , n]) => n);
  const listing = el("div");
  const draw = () => listing.replaceChildren(...table(runs, (r) => on.has(kind(r)), open));
  const toggle = (k) => (e) => {
    if (!on.delete(k)) on.add(k);
    e.currentTarget.setAttribute("aria-pressed", String(on.has(k)));
    draw();
  };
  draw();
  return [
    picture(runs, present),
    el("div", { class: "filters", role: "group", "aria-label": "Show runs" }, present.map(([k, text, n]) =>
      el("button", { type: "button", class: `filter ${k}`, "aria-pressed": "true", on: { click: toggle(k) } }, el("span", { class: "swatch", "aria-hidden": "true" }), `${text}: ${n}`))),
    listing,
  ];
}

/** One mark a run, in file order: up for success, down for failure, filled where a boundary broke. */
function picture(runs, present) {
  if (runs.length > 2000) return null;
  const words = list(present.map(([, text, n]) => `${text.toLowerCase()}: ${n}`));
  return el("div", { class: "strip", role: "img", "aria-label": `One mark for each run. ${words}.` }, runs.map((r) => el("span", { class: kind(r) })));
}

function table(runs, wanted, open) {
  const chosen = runs.map((run, i) => ({ run, i })).filter(({ run }) => wanted(run));
  if (!chosen.length) return [el("p", { class: "hint", text: "No run fits the filter." })];
  const heads = ["Run", "Verdict", "Outcome", "Steps", "Boundary score"];
  const body = el("tbody");
  const [, more] = paged(body, chosen, (c) => line(c, open), 100);
  return [
    el("div", { class: "scroll run-list", tabindex: "0", role: "region", "aria-label": "Runs" },
      el("table", { class: "runs" }, el("thead", {}, el("tr", {}, heads.map((h) => el("th", { scope: "col", text: h })))), body)),
    more,
  ];
}

function line({ run, i }, open) {
  const abs = run.metrics.abs.agent;
  const outcome = run.success === null ? "unknown" : run.success ? "succeeded" : "failed";
  return el("tr", { data: { run: i } },
    el("th", { scope: "row" }, el("button", { type: "button", class: "link", on: { click: () => open(i) } }, shown(run.id))),
    el("td", {}, el("span", { class: run.flagged ? "chip violation" : "chip correct" }, icon(run.flagged ? "violation" : "correct"), headline(run))),
    el("td", { text: outcome }),
    el("td", { class: "num", text: `${run.observed.length} / ${run.reference ? run.reference.length : "–"}` }),
    el("td", { class: "num", text: abs.scored ? figure(abs.value) : "not scored" }));
}
