// Shows the steps of a run as a table. Rows without findings are folded. A strip above the
// table shows the whole run, and keys move from step to step.

import { argsView } from "./args.js";
import { button, verdictChip, el, icon, Places, visibleText } from "./dom.js";
import { rowsOf, stepName } from "./rows.js";
import { aroundView } from "./talk.js";
import { LAYERS, MUTATES, OPS, plural, idText, STAGES, VERDICTS } from "./words.js";

/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

const PAGE = 300; // rows that are shown at once
const SHORT = 12; // a run with fewer rows is shown completely
const FOLD = 4; // the smallest number of consecutive kept rows to fold
const MARKS = 400; // marks in the strip; with more rows, several share a mark

const KEYS = "Keys: j and k go to the next and the previous step. n and p go to the next and the previous broken step.";

const isKept = (row) => row.verdict === "correct" || row.verdict === "excused" || row.verdict === "";

export class Steps {
  #run;
  #rows;
  #load;
  #accept;
  #message;
  #items;
  #places = new Places();
  #body = el("tbody", { role: "rowgroup" });
  #at = -1;
  node;

  /** @param {Run} run @param {(() => Promise<import("./npm/types.d.ts").Transcript>) | null} load reads the run's messages
   * @param {((run: Run, row: number) => void) | null} accept changes the reference so that a broken step becomes valid
   * @param {((message: number) => void) | null} message shows a message of the conversation */
  constructor(run, load, accept = null, message = null) {
    this.#run = run;
    this.#rows = rowsOf(run);
    this.#load = load;
    this.#accept = accept;
    this.#message = message;
    this.#items = itemsOf(this.#rows);
    if (!this.#rows.length) {
      this.node = el("p", { class: "hint", text: "There is no step to show." });
      return;
    }
    const heads = ["Step", "Agent", "Compared", "Reference", "Verdict"];
    const table = el("table", { class: run.reference ? "steps" : "steps alone", role: "table", "aria-label": "Aligned steps" },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map((h) => el("th", { role: "columnheader", scope: "col", text: h })))),
      this.#body);
    const [, more] = this.#places.fill(this.#body, this.#items, (item) => (item.to > item.from ? this.#fold(item.from, item.to) : this.#row(item.from)), PAGE);
    this.node = el("div", { class: "steps-all" },
      this.#rows.length > SHORT ? this.#strip() : null,
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Aligned steps" }, table), more,
      this.#rows.length > SHORT ? el("p", { class: "hint keys", text: KEYS }) : null);
    if (this.#rows.length > SHORT) this.#listen();
  }

  /** Unfolds a row, scrolls to it and gives it the focus. */
  show(i) {
    const item = this.#items.findIndex((x) => x.from <= i && i <= x.to);
    if (item < 0) return;
    this.#places.show(item);
    for (let fold; !this.#find(i) && (fold = [...this.#body.querySelectorAll(".fold")].find((f) => Number(f.dataset.from) <= i && i <= Number(f.dataset.to)));) fold.querySelector("button").click();
    const row = this.#find(i);
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
    this.#at = i;
  }

  #find(i) {
    return this.#body.querySelector(`[data-row="${i}"]`);
  }

  #row(i) {
    return rowView(this.#run, this.#rows[i], i, { load: this.#load, accept: this.#accept, message: this.#message });
  }

  /** One line for consecutive rows that kept their boundaries. A click replaces the line by the rows. */
  #fold(from, to) {
    const names = new Map();
    for (let i = from; i <= to && names.size < 5; i++) {
      const { obs, ref } = this.#rows[i];
      const name = (obs === null ? this.#run.reference[ref] : this.#run.observed[obs]).name;
      names.set(name, (names.get(name) ?? 0) + 1);
    }
    const some = [...names.keys()].slice(0, 4);
    const node = el("tr", { role: "row", class: "row fold", data: { from, to } }, el("td", { role: "cell", colspan: "5" },
      button("", () => {
        const end = Math.min(to, from + PAGE - 1);
        const rows = Array.from({ length: end - from + 1 }, (_, k) => this.#row(from + k));
        if (end < to) rows.push(this.#fold(end + 1, to));
        const focused = node.contains(document.activeElement);
        node.replaceWith(...rows);
        if (focused) rows[0].focus();
      }, { class: "link" })));
    node.querySelector("button").append(`${plural(to - from + 1, "step")} ${this.#run.reference ? "kept" : "without a finding"}: `, visibleText(some.join(", ")), names.size > some.length ? ", …" : "");
    return node;
  }

  /** A strip for the whole run, with a mark for each row. In a long run a mark stands for several rows and has the colour of the worst row. */
  #strip() {
    const per = Math.ceil(this.#rows.length / MARKS);
    const marks = Array.from({ length: Math.ceil(this.#rows.length / per) }, (_, m) => {
      const rows = this.#rows.slice(m * per, (m + 1) * per);
      const worst = rows.findIndex((r) => r.verdict === "violation" || r.verdict === "found");
      const note = rows.findIndex((r) => r.verdict === "note");
      const at = worst >= 0 ? worst : Math.max(note, 0);
      const kind = worst >= 0 ? "violation" : note >= 0 ? "note" : rows.every((r) => r.verdict === "excused") ? "excused" : "correct";
      return el("span", { class: kind, title: stepName(this.#run, m * per + at), data: { at: m * per + at } });
    });
    const broken = this.#rows.filter((r) => r.verdict === "violation" || r.verdict === "found").length;
    return el("div", { class: "overview", role: "img", "aria-label": `${plural(this.#rows.length, "step")} from left to right, ${broken} with a finding. The table below lists all steps.`,
      on: { click: (e) => e.target.dataset.at && this.show(Number(e.target.dataset.at)) } }, marks);
  }

  #listen() {
    const last = this.#rows.length - 1;
    const broken = this.#rows.map((r, i) => (isKept(r) ? -1 : i)).filter((i) => i >= 0);
    const moves = {
      j: (at) => Math.min(at + 1, last), k: (at) => Math.max(at - 1, 0),
      n: (at) => broken.find((i) => i > at), p: (at) => broken.findLast((i) => i < at),
    };
    const listen = (e) => {
      if (!this.node.isConnected) return document.removeEventListener("keydown", listen); // the page shows another run
      const typing = e.target.closest?.("input, textarea, select, [contenteditable]");
      if (typing || e.ctrlKey || e.metaKey || e.altKey || !this.node.checkVisibility() || !Object.hasOwn(moves, e.key)) return;
      const focused = Number(document.activeElement?.closest?.("[data-row]")?.dataset.row ?? this.#at);
      const to = moves[e.key](focused);
      if (to === undefined) return;
      e.preventDefault();
      this.show(to);
    };
    document.addEventListener("keydown", listen);
  }
}

/** The rows and folds in order. A row next to a finding is not folded. */
function itemsOf(rows) {
  if (rows.length <= SHORT) return rows.map((_, i) => ({ from: i, to: i }));
  const items = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && isKept(rows[end])) end++;
    const from = i === 0 ? 0 : i + 1, to = end === rows.length ? end - 1 : end - 2; // the neighbours stay visible
    if (end - i > FOLD && to - from + 1 >= FOLD) {
      if (from > i) items.push({ from: i, to: i });
      items.push({ from, to });
      if (to < end - 1) items.push({ from: end - 1, to: end - 1 });
    } else for (let k = i; k < end; k++) items.push({ from: k, to: k });
    if (end < rows.length) items.push({ from: end, to: end });
    i = end + 1;
  }
  return items;
}

function rowView(run, row, i, { load, accept, message }) {
  const obs = row.obs === null ? null : run.observed[row.obs];
  const ref = row.ref === null || !run.reference ? null : run.reference[row.ref];
  const compare = obs && ref && row.verdict !== "correct";
  const cell = (name, ...content) => el("td", { role: "cell", class: name }, content);
  const op = run.reference ? [icon(row.op), el("span", { text: OPS[row.op] ?? row.op })] : [];
  return el("tr", { role: "row", class: `row ${row.verdict} ${row.op}`, tabindex: "-1", data: { row: i } },
    cell("no", obs ? String(row.obs + 1) : el("span", { class: "hint", text: "–" })),
    cell("agent", el("span", { class: "side", "aria-hidden": "true", text: "Agent" }), obs ? [actionView(obs, compare && ref, message), load ? aroundView(load, row.obs) : null] : el("span", { class: "gap", text: "not done" })),
    cell("op", op),
    cell("ref", el("span", { class: "side", "aria-hidden": "true", text: "Reference" }), ref ? [el("span", { class: "refno hint", text: `Step ${row.ref + 1} of the reference` }), actionView(ref, compare && obs)] : el("span", { class: "gap", text: run.reference ? "not asked for" : "no reference" })),
    cell("why", row.verdict ? verdictChip(row.verdict, VERDICTS[row.verdict] ?? idText(row.verdict)) : el("span", { class: "hint", text: "no finding" }),
      row.stage ? el("span", { class: "stage", text: STAGES[row.stage] ?? row.stage }) : null,
      row.op === "substitution" ? el("span", { class: "stage", text: `${Math.round(row.similarity * 100)} % alike` }) : null,
      row.reason ? el("p", {}, visibleText(row.reason)) : null,
      accept && run.reference && row.verdict === "violation" ? button("Accept this", () => accept(run, i), { class: "link" }) : null));
}

function actionView(a, other, message = null) {
  return [
    el("p", { class: "call" }, el("code", { class: "name" }, visibleText(a.name || "(no name)")), a.error || a.proposed ? el("span", { class: "tag error", text: a.error ? "returned an error" : "not executed" }) : null),
    argsView(a, other || undefined),
    el("p", { class: "tags" }, el("span", { class: `tag does-${a.mutating}`, title: a.layer ? `decided by ${LAYERS[a.layer] ?? a.layer}` : null, text: a.control ? "talks or thinks" : MUTATES[a.mutating] ?? a.mutating })),
    a.boundary ? boundaryView(a.boundary) : null,
    a.request && a.request.by !== "none" ? requestView(a.request, message) : null,
    a.origins?.length ? originsView(a.origins) : null,
  ];
}

/** Who asked for the action, with the words and a link to their message. A change that nobody asked for is marked. */
function requestView(r, message) {
  const asked = r.by === "user" || r.by === "developer";
  const number = `message ${r.message + 1}`;
  const where = r.message === undefined ? "" : [" (", message ? button(number, () => message(r.message), { class: "link" }) : number, ")"];
  return el("p", { class: "hint request", data: { by: r.by } }, asked ? null : el("mark", {}, "Nobody asked for this"), asked ? "Because " : "; ", visibleText(r.why),
    r.words ? [": ", el("q", {}, visibleText(r.words)), where] : null);
}

/** A list of the action's values that says where in the trace each value comes from. */
function originsView(all) {
  const nowhere = all.filter((o) => o.kind === "nowhere").length;
  return el("details", { class: "boundary", open: nowhere > 0 }, el("summary", { class: "hint", text: nowhere ? `Sources of the values: ${nowhere} without a source` : "Sources of the values" }),
    el("ul", {}, all.map((o) => el("li", { data: { kind: o.kind } }, el("code", {}, visibleText(o.path)), ": ", o.kind === "nowhere" ? el("mark", {}, visibleText(o.source)) : visibleText(o.source)))));
}

/**
 * The action's boundary B(a), folded: its preconditions, its effect, its scope, and the number
 * of steps that it covers.
 */
function boundaryView(b) {
  const stated = (part) => (b.stated?.includes(part) ? " (stated)" : "");
  const before = b.pre.map((p) => `${p.name} (${p.kind}${p.failed ? ", failed" : ""}${p.action === null ? ", not done" : ""})`);
  const part = (name, text) => el("li", {}, `${name}${stated(name)}: `, visibleText(text || "none"));
  return el("details", { class: "boundary" }, el("summary", { class: "hint", text: "Boundary" }),
    el("ul", {}, part("pre", before.join(", ")), part("eff", b.eff), part("scope", b.scope.join(", ")), part("gran", String(Math.round(b.gran * 100) / 100))));
}
