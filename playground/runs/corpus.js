// Shows many runs: the figures, a picture of all runs, and a list from which the reader can
// open a run.

import { agreementView } from "./agree.js";
import { causesView } from "./causes.js";
import { forkView } from "./fork.js";
import { append, button, el, icon, fillPages, visibleText } from "../base/dom.js";
import { corpusFigures, withinScore } from "../run/figures.js";
import { heatMap } from "./heat.js";
import { picturesView } from "./pictures.js";
import { keeps } from "../base/keep.js";
import { Place } from "../base/place.js";
import { detailsView, LANDED, verdictText, runView, verdictClass } from "../run/run.js";
import { figureText, listText, plural, idText, typeName } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

const OUTCOMES = [
  ["unscored", "Not scored", (r) => Boolean(r.error)],
  ["kept", "Succeeded, nothing broke", (r) => r.success === true && !r.flagged],
  ["lucky", "Succeeded, boundary broke", (r) => r.success === true && r.flagged],
  ["failed", "Failed, boundary broke", (r) => r.success === false && r.flagged],
  ["other", "Failed, nothing broke", (r) => r.success === false && !r.flagged],
  ["clean", "No verdict, nothing broke", (r) => r.success === null && !r.flagged],
  ["flagged", "No verdict, boundary broke", (r) => r.success === null && r.flagged],
];

const outcomeKind = (run) => OUTCOMES.find(([, , is]) => is(run))[0];

/**
 * @param {import("../npm/types.d.ts").Report} report
 * @param {{tools?: HTMLElement, details?: (Node | null)[], place?: Place, transcript?: (id: string) => Promise<import("../npm/types.d.ts").Transcript>, agree?: () => Promise<import("./agree.js").Task[]>, causes?: () => Promise<import("./causes.js").Causes>, align?: (a: Run, b: Run) => Promise<import("./fork.js").Pair>}} [about]
 *   align lays two runs beside each other
 */
export function corpusView(report, { place = new Place(), transcript, agree, causes, align, mark, command, tools, details = [] } = {}) {
  const { corpus, trajectories: runs } = report;
  const all = el("div");
  const one = el("div", { hidden: true });
  const heat = heatMap(report, (i) => go(i));
  const list = new RunList(runs, place, (i) => go(i), heat);
  const go = (i) => {
    place.set({ run: i === null ? "" : runs[i].id, step: "" }, true);
    draw();
  };
  let open = null;
  const draw = () => {
    const at = place.get("run") ? runs.findIndex((r) => r.id === place.get("run")) : -1;
    const before = open;
    open = at < 0 ? null : at;
    all.hidden = open !== null;
    one.hidden = open === null;
    if (open === null) {
      list.draw();
      if (before !== null) setTimeout(() => all.querySelector(`[data-run="${before}"] button`)?.focus()); // Back moves the focus itself, before this
      return;
    }
    one.replaceChildren(pagerView(runs, list.chosen(), open, go), runView(runs[open], { transcript, mark, command, place, beside: align && besideView(runs, open, align, go) }));
    if (!one.isConnected) return; // the report is not on the page yet
    one.querySelector(".verdict").focus({ preventScroll: true });
    scrollTo(0, 0);
    one.querySelector(".run").dispatchEvent(new Event(LANDED));
  };
  place.onMove(draw);
  const calls = runs.some((r) => r.observed.length || r.reference);
  const look = corpus.flagged ? "bad" : runs.every((r) => verdictClass(r) === "good") ? "good" : "ask";
  const verdict = el("span", { text: calls ? headText(report) : `No call was read in ${plural(corpus.n, "run")}, so nothing was checked.` });
  append(all, [
    el("h2", { class: `verdict ${look}`, tabindex: "-1" }, icon({ bad: "violation", good: "correct", ask: "note" }[look]), verdict),
    el("p", { class: "lead", text: summaryText(corpus, runs) }),
    causes ? causesView(causes, { open: (id) => go(runs.findIndex((r) => r.id === id)), list: (group) => list.showOnly(group), say: (head) => calls && (verdict.textContent = `${head}.`) }) : null,
    tools,
    corpus.groups ? groupsView(corpus.groups) : null,
    el("h3", { text: "All runs" }),
    list.node,
    heat?.node,
    agree ? agreementView(runs, agree, go) : null,
    detailsView([...details, corpusFigures(corpus), countsView(corpus.violations), corpus.passHatK ? trialsView(corpus.passHatK) : null, corpus.trialsNote ? el("p", { class: "counts", text: `Note on trials: ${corpus.trialsNote}.` }) : null, picturesView(report)]),
  ]);
  draw();
  return [all, one];
}

/** How many runs broke a boundary, until the core has said more. @param {import("../npm/types.d.ts").Report} report */
export const headText = ({ corpus, trajectories }) => corpus.flagged || trajectories.some((r) => r.reference) ? `${corpus.flagged.toLocaleString("en")} of ${plural(corpus.n, "run")} broke a boundary.` : "Nothing was compared: no run has a reference.";

const meanText = (n) => String(Math.round(n * 100) / 100);

function summaryText(corpus, runs) {
  const { agreement: a, lengths, tasks, groups } = corpus;
  const names = new Set(runs.map((r) => r.task || r.id)).size;
  const without = runs.filter((r) => !r.reference).length;
  const steps = `on average the agent took ${meanText(lengths.observed)} ${meanText(lengths.observed) === "1" ? "step" : "steps"}`;
  const text = `${groups && names < tasks ? `${plural(names, "task")} in ${plural(groups.length, "file")}` : plural(tasks, "task")}; ` + (without === runs.length ? `${steps}. No reference was given, so the runs were checked against general rules.`
    : `${steps}, and the reference has ${meanText(lengths.reference)}.${without ? ` ${plural(without, "run")} without a reference ${without === 1 ? "was" : "were"} checked against general rules.` : ""}`);
  if (!a) return text;
  return `${text} Of ${plural(a.successes, "success", "successes")}, ${a.flaggedSuccesses} broke a boundary. Of ${plural(a.failures, "failure")}, ${a.unflaggedFailures} broke none.`;
}

function countsView(violations) {
  const named = Object.entries(violations.byPattern ?? {}).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!violations.total) return null;
  const most = listText(named.slice(0, 3).map(([p, n], i) => `${i ? idText(p).toLowerCase() : idText(p)} (${n})`));
  return el("p", { class: "counts", text: `${plural(violations.total, "finding")}.${most ? ` Most often: ${most}.` : ""}` });
}

/** How often all, and at least one, of k trials of a task succeed. */
function trialsView(all) {
  const range = (s) => (s.interval ? ` (${figureText(s.interval.low)} to ${figureText(s.interval.high)})` : "");
  const said = (name) => all.filter((p) => p[name]?.scored).map((p) => `${p.k}: ${figureText(p[name].value)}${range(p[name])}`).join(", ");
  const any = said("any"); // reports of older versions have none
  return said("score") ? el("p", { class: "counts", text: `Chance that all k trials of a task succeed, for each k: ${said("score")}.${any ? ` Chance that at least one does: ${any}.` : ""}` }) : null;
}

function groupsView(groups) {
  const value = (score) => el("td", { class: "num", text: score?.scored ? figureText(score.value) : "not scored" });
  const heads = ["File", "Runs", "Broke a boundary", "Steps within bounds", "Scope violations", "Success"];
  const row = (g) => el("tr", {}, el("th", { scope: "row" }, visibleText(g.name), " ", el("span", { class: "id", text: g.format })),
    el("td", { class: "num", text: g.n }), el("td", { class: "num", text: g.flagged }), value(g.metrics.withinBounds), value(g.metrics.svr), value(g.metrics.sr));
  const body = el("tbody");
  const [, more] = fillPages(body, groups, row, 100);
  return [
    el("h3", { text: "By file" }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Files" },
      el("table", { class: "runs" }, el("thead", {}, el("tr", {}, heads.map((h) => el("th", { scope: "col", text: h })))), body)),
    more,
  ];
}

/**
 * Returns buttons for all runs, the previous run and the next run. Run i is open. The buttons go
 * through the runs in chosen, which match the filter. If run i is not one of them, the buttons
 * go through all runs.
 */
function pagerView(runs, chosen, i, go) {
  const order = chosen.includes(i) ? chosen : runs.map((_, k) => k);
  const at = order.indexOf(i);
  const among = order.length === runs.length ? `${at + 1} of ${runs.length}` : `${at + 1} of ${order.length} runs that match the filter`;
  return el("div", { class: "pager" },
    button("← All runs", () => go(null)),
    el("span", {}, "Run ", visibleText(runs[i].id), ` (${among})`),
    button("Previous", () => go(order[at - 1]), { disabled: at === 0 }),
    button("Next", () => go(order[at + 1]), { disabled: at === order.length - 1 }));
}

const HEADS = [
  ["run", "Run", (r, i) => i],
  ["verdict", "Verdict", (r) => -r.violations.length],
  ["outcome", "Outcome", (r) => (r.success === null ? 1 : r.success ? 2 : 0)],
  ["steps", "Steps", (r) => r.observed.length],
  ["within", "Steps within bounds", (r) => withinScore(r).value ?? 2],
];

/** The filters (which are also the legend), the picture and the list of runs. Their state is in the address. */
const MOST = 200; // runs that are offered beside a run

/** A button, and the box that it opens: a choice of the other runs, those of the same task first. The chosen one is laid beside the run. */
function besideView(runs, i, align, go) {
  const others = runs.map((_, k) => k).filter((k) => k !== i);
  const same = others.filter((k) => runs[k].task && runs[k].task === runs[i].task);
  const rest = others.filter((k) => !same.includes(k)).slice(0, Math.max(0, MOST - same.length));
  const options = (all) => all.map((k) => el("option", { value: k }, runs[k].id, runs[k].success === null ? "" : runs[k].success ? " (succeeded)" : " (failed)"));
  const select = el("select", { id: "beside" }, el("option", { value: "", text: "no other run" }), same.length ? el("optgroup", { label: "Of the same task" }, options(same)) : null, rest.length ? el("optgroup", { label: "Of other tasks" }, options(rest)) : null);
  const said = el("div", { role: "status" });
  const box = el("div", { class: "beside", hidden: true }, el("label", { for: "beside" }, "Beside it ", select), said);
  const open = button("Beside another run…", () => {
    box.hidden = !box.hidden;
    open.setAttribute("aria-expanded", String(!box.hidden));
    if (!box.hidden) select.focus();
  }, { class: "link", "aria-expanded": "false" });
  select.addEventListener("change", async () => {
    const k = select.value;
    said.textContent = k ? "Comparing the runs…" : "";
    if (!k) return;
    try {
      const pair = await align(runs[i], runs[k]);
      if (select.value === k) said.replaceChildren(forkView(pair, ["This run", "The other run"], (side) => go(side ? Number(k) : i)));
    } catch (e) {
      said.textContent = `The runs cannot be compared: ${e.message}`;
    }
  });
  return { open, box };
}

class RunList {
  #runs;
  #place;
  #open;
  #kinds;
  #words;
  #listing = el("div");
  #strip;
  #said = el("p", { class: "hint", role: "status" });
  #filters;
  #find = el("input", { type: "search", id: "find-run", placeholder: "a task, a tool, a rule", autocomplete: "off", spellcheck: "false" });
  #type = el("select", { id: "find-type" });
  #differs = el("input", { type: "checkbox", id: "find-differs" });
  #only = null; // the ids of the runs of a cause, or null
  #uneven;
  #heat;
  node;

  constructor(runs, place, open, heat = null) {
    this.#heat = heat;
    this.#runs = runs;
    this.#place = place;
    this.#open = open;
    this.#kinds = runs.map(outcomeKind);
    this.#words = runs.map(searchText);
    this.#uneven = unevenTasks(runs);
    const present = OUTCOMES.map(([k, text]) => [k, text, this.#kinds.filter((x) => x === k).length]).filter(([, , n]) => n);
    this.#filters = present.map(([k, text, n]) => el("button", { type: "button", class: `filter ${k}`, data: { kind: k }, on: { click: () => this.#toggle(k) } }, el("span", { class: "swatch", "aria-hidden": "true" }), `${text}: ${n}`));
    this.#strip = stripView(runs, this.#kinds, present, open);
    const types = [...new Set(runs.flatMap((r) => r.violations.map((v) => v.type)))].sort();
    append(this.#type, [el("option", { value: "", text: "any finding or none" }), types.map((t) => el("option", { value: t, text: typeName(t) }))]);
    this.#find.addEventListener("input", () => this.#change({ find: this.#find.value.trim() }));
    this.#type.addEventListener("change", () => this.#change({ finding: this.#type.value }));
    this.#differs.addEventListener("change", () => this.#change({ differs: this.#differs.checked ? "yes" : "" }));
    this.node = el("div", { class: "run-list-all" },
      this.#strip,
      el("div", { class: "filters", role: "group", "aria-label": "Show runs" }, this.#filters),
      el("div", { class: "finders" },
        el("label", { for: "find-run" }, "Find ", this.#find), types.length ? el("label", { for: "find-type" }, "With ", this.#type) : null,
        this.#uneven.size ? el("label", { for: "find-differs", class: "check" }, this.#differs, "Tasks whose trials differ") : null,
        this.#said),
      this.#listing);
    keeps(this.node, "runs", () => this.#only, (only) => {
      this.#only = only;
      this.draw();
    });
  }

  #change(what) {
    this.#place.set(what);
    this.draw();
  }

  #hidden() {
    return new Set(this.#place.get("hide").split(",").filter(Boolean));
  }

  #toggle(k) {
    const hidden = this.#hidden();
    if (!hidden.delete(k)) hidden.add(k);
    this.#change({ hide: [...hidden].sort().join(",") });
  }

  #sort(name) {
    const now = this.#place.get("sort");
    this.#change({ sort: now === name ? "-" + name : now === "-" + name ? "" : name });
    this.#listing.querySelector(`[data-sort="${name}"]`)?.focus();
  }

  /** Shows only the runs of a cause. @param {import("./causes.js").Group} group */
  showOnly(group) {
    this.#only = group && { text: group.text, ids: new Set(group.runs) };
    this.draw();
    this.node.scrollIntoView({ block: "start" });
    this.#listing.querySelector("button")?.focus({ preventScroll: true });
  }

  /** The indices of the runs to show, in order. */
  chosen() {
    const hidden = this.#hidden();
    const find = this.#place.get("find").toLowerCase();
    const type = this.#place.get("finding");
    const fits = (r, i) => (!this.#only || this.#only.ids.has(r.id)) && !hidden.has(this.#kinds[i]) && (!find || this.#words[i].includes(find)) && (!type || r.violations.some((v) => v.type === type))
      && (!this.#place.get("differs") || this.#uneven.has(r.task));
    const all = this.#runs.map((r, i) => i).filter((i) => fits(this.#runs[i], i));
    const sort = this.#place.get("sort");
    const head = HEADS.find(([name]) => name === sort.replace("-", ""));
    if (!head) return all;
    const value = (i) => head[2](this.#runs[i], i);
    const turn = sort[0] === "-" ? -1 : 1;
    return all.sort((a, b) => turn * (value(a) - value(b)) || a - b);
  }

  draw() {
    const hidden = this.#hidden();
    for (const f of this.#filters) f.setAttribute("aria-pressed", String(!hidden.has(f.dataset.kind)));
    if (this.#find.value.trim() !== this.#place.get("find")) this.#find.value = this.#place.get("find");
    this.#type.value = this.#place.get("finding");
    this.#differs.checked = Boolean(this.#place.get("differs"));
    const chosen = this.chosen();
    const fits = new Set(chosen);
    for (const mark of this.#strip?.children ?? []) mark.classList.toggle("dim", !fits.has(Number(mark.dataset.run)));
    this.#heat?.dim(fits);
    this.#said.textContent = chosen.length === this.#runs.length ? "" : `${chosen.length.toLocaleString("en")} of ${plural(this.#runs.length, "run")} fit. `;
    if (this.#only) append(this.#said, ["Only those that ", visibleText(this.#only.text), ". ", button("Show all again", () => this.showOnly(null), { class: "link" })]);
    this.#listing.replaceChildren(...this.#table(chosen));
  }

  #table(chosen) {
    if (!chosen.length) return [el("p", { class: "hint", text: "No run fits the filter." })];
    const body = el("tbody");
    const [, more] = fillPages(body, chosen, (i) => runRow(this.#runs[i], i, this.#open), 100);
    const sort = this.#place.get("sort");
    const head = ([name, text]) => el("th", { scope: "col", "aria-sort": sort === name ? "ascending" : sort === "-" + name ? "descending" : null },
      el("button", { type: "button", class: "sort", data: { sort: name }, on: { click: () => this.#sort(name) } }, text, el("span", { class: "arrow", "aria-hidden": "true", text: sort === name ? " ↑" : sort === "-" + name ? " ↓" : "" })));
    return [
      el("div", { class: "scroll run-list", tabindex: "0", role: "region", "aria-label": "Runs" },
        el("table", { class: "runs" }, el("thead", {}, el("tr", {}, HEADS.map(head))), body)),
      more,
    ];
  }
}

/** The text in which the search looks for a run: its id, task, tools, and the names of its findings. */
function searchText(run) {
  const words = [run.id, run.task, ...run.observed.map((a) => a.name), ...run.violations.flatMap((v) => [v.rule, v.pattern, typeName(v.type)]), ...(run.story ?? []).flatMap((s) => s.text)];
  return words.filter(Boolean).join("\n").toLowerCase();
}

/** The tasks whose trials differ in outcome or in findings. */
function unevenTasks(runs) {
  const seen = new Map();
  for (const r of runs) if (r.task) seen.set(r.task, (seen.get(r.task) ?? new Set()).add(outcomeKind(r)));
  return new Set([...seen].filter(([, kinds]) => kinds.size > 1).map(([task]) => task));
}

/**
 * One mark per run, in file order: up for success, down for failure, filled if a boundary
 * was broken. A press opens the run.
 */
function stripView(runs, kinds, present, open) {
  if (runs.length > 2000) return null;
  const words = listText(present.map(([, text, n]) => `${text.toLowerCase()}: ${n}`));
  const click = (e) => e.target.dataset.run && open(Number(e.target.dataset.run));
  return el("div", { class: "strip", role: "img", "aria-label": `One mark for each run. ${words}. The table below lists the runs.`, on: { click } },
    runs.map((r, i) => el("span", { class: kinds[i], title: r.id, data: { run: i } })));
}

function runRow(run, i, open) {
  const share = withinScore(run);
  const outcome = run.success === null ? "unknown" : run.success ? "succeeded" : "failed";
  return el("tr", { data: { run: i } },
    el("th", { scope: "row" }, el("button", { type: "button", class: "link", on: { click: () => open(i) } }, visibleText(run.id))),
    el("td", {}, runVerdictChip(run), run.story?.length ? el("p", { class: "hint what-broke" }, visibleText(run.story[0].text[0])) : null),
    el("td", { text: outcome }),
    el("td", { class: "num", text: `${run.observed.length} / ${run.reference ? run.reference.length : "–"}` }),
    el("td", { class: "num", text: share.scored ? figureText(share.value) : "not scored" }));
}

function runVerdictChip(run) {
  const look = { bad: "violation", good: "correct", ask: "note" }[verdictClass(run)];
  return el("span", { class: `chip ${look}` }, icon(look), verdictText(run));
}
