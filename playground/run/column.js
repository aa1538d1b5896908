// Shows a run as one column in time order: messages, calls as single lines, and the steps that
// should have been there at their place. A call opens to its arguments, and has its findings
// beside it. The messages are not trusted, so they are shown as text only.

import { argsView, pairView } from "./args.js";
import { append, button, el, icon, isNarrow, verdictChip, visibleText } from "../base/dom.js";
import { secretsOf } from "../base/hide.js";
import { keeps, patch, unpressed } from "../base/keep.js";
import { boundaryView, findingView, originsView, requestView } from "./finding.js";
import { callText, rowsOf, stepName } from "./rows.js";
import { seekView } from "./seek.js";
import { answerView, entriesOf, entryText, strangerView, turnView } from "./talk.js";
import { MUTATES, OPS, VERDICTS } from "../base/terms.js";
import { idText, LAYERS, plural, STAGES } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Trajectory} Run */
/** @typedef {import("../npm/types.d.ts").Transcript} Transcript */
/** @typedef {import("./talk.js").Entry} Entry */
/** @typedef {{entry: Entry} | {from: number, to: number}} Item an entry, or a fold of the entries from … to */

const PAGE = 300; // entries that are shown at once
const SLICE = 25; // entries that a browser lays out in well under 100 ms
const SHORT = [8, 2]; // a column with fewer calm entries is shown completely; the second number is that of a phone
const FOLD = [3, 2]; // the smallest number of consecutive calm entries to fold
const TALK = 1000; // with more rows, the messages are read only when the reader asks for them
const NEAR = 1000; // px from the reader's view at which the messages are read
const MARKS = 400; // marks in the strip; with more rows, several share a mark

const KEYS = "Keys: j and k go to the next and the previous step, n and p to the next and the previous broken step, / finds words.";

const isBroken = (row) => row.verdict === "violation" || row.verdict === "found";

export class Column {
  #run;
  #rows;
  #load;
  #accept;
  #mark;
  /** @type {Map<number, number[]>} the findings of each row, by their index */
  #found = new Map();
  /** @type {Entry[]} */
  #entries;
  /** @type {Item[]} */
  #items;
  /** @type {Map<string, HTMLElement>} the elements of the entries and folds, by their key */
  #nodes = new Map();
  /** @type {Set<string>} the keys of the entries that the reader unfolded or works with, which no fold takes away */
  #opened = new Set();
  #shown = 0; // items on the page
  #next = null; // the node of the list before which the next item comes
  #limit = PAGE; // items that are shown without asking
  #slice = 0; // timer of the next slice
  #list = el("ol", { class: "column" });
  #more = button("", () => this.#showMore(), { class: "more" });
  #said = el("p", { class: "hint", role: "status" });
  /** @type {Map<number, () => void>} fills the inside of each row that was not opened yet */
  #fills = new Map();
  /** @type {Map<number, HTMLElement>} the insides of the rows that lack the answer to their call, because the messages were not there */
  #unanswered = new Map();
  /** @type {Transcript | undefined} */
  #t;
  #at = -1;
  #talk; // a promise of the transcript; undefined until it is asked for
  #moved;
  node;
  seek; // the field that finds words

  /**
   * @param {Run} run
   * @param {{load?: () => Promise<Transcript>, accept?: (run: Run, row: number) => void, mark?: (v: import("../npm/types.d.ts").Violation, mark: import("./marks.js").Mark | null) => void, moved?: (row: number) => void}} [about]
   *   load reads the run's messages; accept makes a step part of the reference; mark keeps what the reader thinks of a finding; moved is told to which row the reader goes
   */
  constructor(run, { load, accept, mark, moved = () => {} } = {}) {
    this.#moved = moved;
    this.#run = run;
    this.#rows = rowsOf(run);
    this.#load = load;
    this.#accept = accept;
    this.#mark = mark;
    for (const [i, v] of run.violations.entries()) {
      const at = run.reference ? v.row : v.obs;
      if (at !== null && at !== undefined) this.#found.set(at, [...(this.#found.get(at) ?? []), i]);
    }
    this.node = el("section", { class: run.reference ? "steps" : "steps alone", "aria-label": "The run" },
      this.#rows.length ? this.#strip() : null,
      this.#rows.length ? el("p", { class: "hint keys", text: KEYS }) : null,
      this.#said, this.#list, this.#more);
    keeps(this.node, `run ${run.id}`, () => ({ t: this.#t, opened: this.#held(), at: this.#at, shown: this.#shown }), (was) => this.#resume(was));
    this.#enter(this.#rows.map((_, row) => ({ row })));
    this.seek = this.#rows.length || load ? seekView({ texts: () => this.#texts(), show: (at) => this.#open(at) }) : null;
    if (this.#rows.length) this.#listen();
    if (load && this.#rows.length <= TALK) this.#whenNear(() => this.#withMessages());
    else if (load) this.#said.append(button("Show the messages between the steps", () => this.#withMessages(), { class: "link" }));
  }

  /** Goes to a row, and unfolds it if necessary. */
  show(i) {
    const node = this.#goTo((e) => e.row === i);
    if (!node) return;
    const inside = node.querySelector("details");
    if (inside) inside.open = true;
    this.#at = i;
    this.#moved(i);
    return node;
  }

  /** The texts of the entries, in which the reader looks for words. */
  async #texts() {
    const t = this.#load ? await this.#withMessages() : undefined;
    return this.#entries.map((e) => (e.row === undefined ? entryText(e, t) : entryText(e, t, rowAction(this.#run, this.#rows[e.row]), this.#rows[e.row].obs)));
  }

  /** Goes to an entry and shows all of it. */
  #open(at) {
    const entry = this.#entries[at];
    const node = entry.row === undefined ? this.#goTo((e) => e === entry) : this.show(entry.row);
    if (entry.row !== undefined) this.#fills.get(entry.row)?.();
    for (const folded of node?.querySelectorAll("details:not([open])") ?? []) folded.open = true;
    for (const more of node?.querySelectorAll('.link[aria-expanded="false"]') ?? []) more.click();
    return node;
  }

  /** Goes to a finding, which is beside its row. @param {number} k its index */
  showFinding(k) {
    const at = [...this.#found].find(([, all]) => all.includes(k))?.[0];
    if (at === undefined) return;
    this.show(at);
    this.#fills.get(at)?.();
    this.#list.querySelector(`[data-finding="${k}"]`)?.focus();
  }

  /** Goes to a message, by its index from 0. */
  async showMessage(message) {
    await this.#withMessages();
    this.#goTo((e) => e.message === message);
  }

  /** Calls f when the column is on the page and near the reader's view, so that the verdict never waits for it. */
  #whenNear(f) {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((e) => e.isIntersecting)) return;
      watch.disconnect();
      f();
    }, { rootMargin: `${NEAR}px` });
    watch.observe(this.node);
  }

  /** Reads the messages and places them between the rows. Without them, the rows stay alone. */
  #withMessages() {
    this.#talk ??= (async () => {
      try {
        const t = await this.#load();
        await unpressed();
        this.#enter(entriesOf(t, this.#rows), t);
        return t;
      } catch (e) {
        if (e.code !== "cancelled") this.#said.textContent = `The messages of the run cannot be shown: ${e.message}`;
      }
    })();
    return this.#talk;
  }

  /** Takes the entries, now with the messages. What the reader did to the rows that are there stays. @param {Entry[]} entries @param {Transcript} [t] */
  #enter(entries, t) {
    this.#opened = this.#held();
    const [old, now] = [this.#entries ?? [], entries].map((all) => new Map(all.map((e) => [keyOf(e), e])));
    for (const [key, node] of this.#nodes) if (old.get(key) && old.get(key).row === undefined && !isSameEntry(old.get(key), now.get(key))) this.#drop(key, node);
    this.#entries = entries;
    this.#t = t;
    if (t) {
      this.#said.replaceChildren(...wholeText(t));
      for (const [i, inside] of this.#unanswered) append(inside, [this.#answer(i)]);
      this.#unanswered.clear();
    }
    this.#draw();
  }

  /** The keys of the entries that the reader unfolded, or has opened, focused or selected. */
  #held() {
    const selected = getSelection();
    const held = (node) => node.isConnected && (node.contains(document.activeElement) || (!selected.isCollapsed && selected.containsNode(node, true)) || node.querySelector("details[open], [aria-expanded=true]"));
    return new Set([...this.#opened, ...[...this.#nodes].filter(([key, node]) => !key.startsWith("fold") && held(node)).map(([key]) => key)]);
  }

  /** Goes on with what the reader did to an earlier column of this run. */
  #resume({ t, opened, at, shown }) {
    this.#opened = opened;
    this.#at = at;
    this.#enter(t ? entriesOf(t, this.#rows) : this.#entries, t);
    this.#fill(shown - this.#shown);
  }

  /** Shows the entries and folds. Elements that are on the page stay in their place, with what the reader did to them. */
  #draw() {
    this.#items = itemsOf(this.#entries, (e) => this.#isHot(e), this.#opened);
    const keys = this.#items.map((item) => this.#keyOf(item));
    const wanted = new Set(keys);
    for (const [key, node] of this.#nodes) if (!wanted.has(key)) this.#drop(key, node);
    this.#limit = Math.max(this.#limit, keys.findLastIndex((key) => this.#nodes.get(key)?.parentNode) + 1);
    this.#next = this.#list.firstChild;
    this.#shown = 0;
    this.#fill(SLICE);
  }

  /** Shows as many more items, and those up to the limit in slices, so that a long run does not freeze the browser. */
  #fill(count) {
    clearTimeout(this.#slice);
    const items = this.#items.slice(this.#shown, this.#shown + Math.max(0, count));
    this.#next = patch(this.#list, items.map((item) => this.#item(item)), this.#next);
    this.#shown += items.length;
    const left = this.#items.length - this.#shown;
    this.#more.textContent = `Show more (${left.toLocaleString("en")} left)`;
    this.#more.hidden = !left;
    if (this.#shown < Math.min(this.#limit, this.#items.length)) this.#slice = setTimeout(async () => (await unpressed(), this.#fill(Math.min(SLICE, this.#limit - this.#shown))));
  }

  #showMore() {
    this.#limit = this.#items.length > this.#shown + 10 * PAGE ? this.#shown + 10 * PAGE : this.#items.length;
    this.#fill(this.#limit - this.#shown);
  }

  /** Takes an element off the page. That of a row is kept, with its state. */
  #drop(key, node) {
    node.remove();
    if (!key.startsWith("row")) this.#nodes.delete(key);
  }

  /** The key of an item. A fold has that of its first row, so that it stays when the messages come. */
  #keyOf(item) {
    if (item.entry) return keyOf(item.entry);
    const all = this.#entries.slice(item.from, item.to + 1);
    return "fold " + keyOf(all.find((e) => e.row !== undefined) ?? all[0]);
  }

  /** Whether an entry needs attention: a row with a finding, or the words that a story quotes. */
  #isHot(entry) {
    if (entry.row === undefined) return entry.message !== undefined && Boolean(this.#run.story?.some((s) => s.because?.message === entry.message));
    return isBroken(this.#rows[entry.row]) || this.#found.has(entry.row);
  }

  /** The element of an item; that which is there, if it is. @param {Item} item */
  #item(item) {
    const key = this.#keyOf(item);
    const node = this.#nodes.get(key) ?? (item.entry ? this.#entry(item.entry) : this.#fold(key));
    this.#nodes.set(key, node);
    if (!item.entry) this.#nameFold(node, item);
    return node;
  }

  #entry(entry) {
    if (entry.turn) return turnView(entry.turn, entry.message);
    return entry.row === undefined ? strangerView(this.#t.steps[entry.step], entry.step) : this.#row(entry.row);
  }

  /** Goes to the first entry that fits, and unfolds it if necessary. @param {(e: Entry) => boolean} is */
  #goTo(is) {
    const at = this.#entries.findIndex(is);
    if (at < 0) return null;
    const item = () => this.#items.findIndex((x) => (x.entry ? x.entry === this.#entries[at] : x.from <= at && at <= x.to));
    while (!this.#items[item()].entry) this.#unfold(this.#items[item()]);
    this.#fill(item() + 1 - this.#shown);
    const node = this.#nodes.get(keyOf(this.#entries[at]));
    node.scrollIntoView({ block: "center" });
    node.focus({ preventScroll: true });
    return node;
  }

  /** One line for consecutive entries that need no attention. A press replaces the line by the entries. */
  #fold(key) {
    const node = el("li", { class: "fold" }, button("", () => {
      const { from } = this.#items.find((item) => this.#keyOf(item) === key);
      const focused = node.contains(document.activeElement);
      this.#unfold(this.#items.find((item) => item.from === from));
      if (focused) this.#nodes.get(keyOf(this.#entries[from])).focus();
    }, { class: "link" }));
    return node;
  }

  /** Shows a page of the entries of a fold. */
  #unfold({ from, to }) {
    const shown = this.#shown;
    const end = Math.min(to, from + PAGE - 1);
    for (const entry of this.#entries.slice(from, end + 1)) this.#opened.add(keyOf(entry));
    const before = this.#items.length;
    this.#draw();
    this.#fill(shown + this.#items.length - before - this.#shown);
  }

  /** Says what a fold has. */
  #nameFold(node, { from, to }) {
    const all = this.#entries.slice(from, to + 1);
    const rows = all.filter((e) => e.row !== undefined).map((e) => this.#rows[e.row]);
    const names = [...new Set(rows.slice(0, 50).map((row) => rowAction(this.#run, row).name))];
    const said = all.length - rows.length;
    const what = [said ? plural(said, "message") : "", rows.length ? `${plural(rows.length, "step")} ${this.#run.reference ? "kept" : "without a finding"}: ` : ""].filter(Boolean).join(", ");
    node.firstChild.replaceChildren(what, visibleText(names.slice(0, 3).join(", ")), names.length > 3 ? ", …" : "");
  }

  /** A call as one line, which opens to everything that is known of it. It is open if it has a finding, on a phone only one that no story tells. */
  #row(i) {
    const row = this.#rows[i];
    const found = this.#found.get(i) ?? [];
    const told = isNarrow() && this.#run.story?.some((s) => s.findings.some((k) => found.includes(k)));
    const inside = el("details", { open: (isBroken(row) || found.length > 0) && !told }, lineView(this.#run, row, i));
    const fill = () => {
      if (!this.#fills.delete(i)) return;
      const parts = el("div", { class: "inside" }, rowParts(this.#run, row, { found, mark: this.#mark, accept: this.#accept && (() => this.#accept(this.#run, i)), message: this.#load ? (m) => this.showMessage(m) : null, show: (k) => this.show(k) }), this.#answer(i));
      inside.append(parts);
      if (!this.#t) this.#unanswered.set(i, parts);
    };
    this.#fills.set(i, fill);
    if (inside.open) fill();
    else inside.addEventListener("toggle", fill);
    return el("li", { class: `row ${row.verdict} ${row.op}`, tabindex: "-1", data: { row: i } }, inside);
  }

  /** The answer to the call of a row; null as long as it is not known. */
  #answer(i) {
    const step = this.#t?.steps[this.#rows[i].obs ?? -1];
    return step ? answerView(step) : null;
  }

  /** A strip for the whole run, with a mark for each row. In a long run a mark stands for several rows and has the colour of the worst row. */
  #strip() {
    const per = Math.ceil(this.#rows.length / MARKS);
    const marks = Array.from({ length: Math.ceil(this.#rows.length / per) }, (_, m) => {
      const rows = this.#rows.slice(m * per, (m + 1) * per);
      const worst = rows.findIndex(isBroken);
      const note = rows.findIndex((r) => r.verdict === "note" || r.verdict === "uncertain");
      const at = worst >= 0 ? worst : Math.max(note, 0);
      const kind = worst >= 0 ? "violation" : note >= 0 ? "note" : rows.every((r) => r.verdict === "excused") ? "excused" : "correct";
      return el("span", { class: kind, title: stepName(this.#run, m * per + at), data: { at: m * per + at } });
    });
    const broken = this.#rows.filter(isBroken).length;
    return el("div", { class: "overview", role: "img", "aria-label": `${plural(this.#rows.length, "step")} from left to right, ${broken} with a finding. The list below has all steps.`,
      on: { click: (e) => e.target.dataset.at && this.show(Number(e.target.dataset.at)) } }, marks);
  }

  #listen() {
    const last = this.#rows.length - 1;
    const broken = this.#rows.map((r, i) => (isBroken(r) || this.#found.has(i) ? i : -1)).filter((i) => i >= 0);
    const moves = {
      j: (at) => Math.min(at + 1, last), k: (at) => Math.max(at - 1, 0),
      n: (at) => broken.find((i) => i > at), p: (at) => broken.findLast((i) => i < at),
    };
    const listen = (e) => {
      if (!this.node.isConnected) return document.removeEventListener("keydown", listen); // the page shows another run
      const typing = e.target.closest?.("input, textarea, select, [contenteditable]");
      if (typing || e.ctrlKey || e.metaKey || e.altKey || !this.node.checkVisibility()) return;
      if (e.key === "/") {
        e.preventDefault();
        return this.seek.querySelector("input").focus();
      }
      if (!Object.hasOwn(moves, e.key)) return;
      const focused = Number(document.activeElement?.closest?.("[data-row]")?.dataset.row ?? this.#at);
      const to = moves[e.key](focused);
      if (to === undefined) return;
      e.preventDefault();
      this.show(to);
    };
    document.addEventListener("keydown", listen);
  }
}

/** What the source says about the run as a whole. @param {Transcript} t */
const wholeText = (t) => [t.model ? el("span", {}, "Model: ", visibleText(t.model), ". ") : null, t.stopped ? el("span", {}, "The run was cut off: ", visibleText(t.stopped), ".") : null].filter(Boolean);

/** @param {Entry} entry */
const keyOf = ({ row, message, step }) => (row !== undefined ? `row ${row}` : message !== undefined ? `message ${message}` : `step ${step}`);

/** Whether an element of one entry shows the other one, too. */
const isSameEntry = (a, b) => Boolean(a.turn && b?.turn) && a.turn.text === b.turn.text && a.turn.role === b.turn.role;

/**
 * The entries and folds in order. The user's first words, the entries that need attention and
 * those beside them (not on a phone) are not folded, nor what the reader opened, and the words before it.
 * @param {Entry[]} entries @param {(e: Entry) => boolean} isHot @param {Set<string>} opened keys of entries @returns {Item[]}
 */
function itemsOf(entries, isHot, opened) {
  const hot = entries.map(isHot);
  const narrow = isNarrow();
  const near = entries.map((e, i) => e.first || hot[i] || (!narrow && (hot[i - 1] || hot[i + 1])));
  const [short, fold] = [SHORT, FOLD].map((n) => n[Number(narrow)]);
  if (near.filter((x) => !x).length < short) return entries.map((entry) => ({ entry }));
  for (let i = entries.length - 1; i >= 0; i--) near[i] ||= opened.has(keyOf(entries[i])) || (entries[i].row === undefined && i + 1 < entries.length && opened.has(keyOf(entries[i + 1])));
  const items = [];
  for (let i = 0; i < entries.length;) {
    let end = i;
    while (end < entries.length && !near[end]) end++;
    if (end - i >= fold) items.push({ from: i, to: end - 1 });
    else for (let k = i; k < end; k++) items.push({ entry: entries[k] });
    if (end < entries.length) items.push({ entry: entries[end] });
    i = end + 1;
  }
  return items;
}

const rowAction = (run, row) => (row.obs === null ? run.reference[row.ref] : run.observed[row.obs]);

/** The name of an action; "" if its text begins with it, as a line of a shell does. */
const shownName = (action) => (action.text?.startsWith(action.name) ? "" : action.text ? `${action.name} ` : action.name);

/** The one line of a row: its number, the call, and the verdict in words. @param {Run} run @param {number} i */
function lineView(run, row, i) {
  const ghost = row.obs === null;
  const action = rowAction(run, row);
  const op = run.reference && row.op !== "match" && !ghost ? OPS[row.op] ?? row.op : "";
  return el("summary", { class: ghost ? "line ghost" : "line" },
    el("span", { class: "no" }, ghost ? "–" : String(row.obs + 1)),
    el("span", { class: "what" },
      ghost ? el("span", { class: "hint", text: "missing: " }) : null,
      el("code", { class: "name" }, visibleText(shownName(action) || (action.text ? "" : "(no name)"))),
      el("code", { class: "with" }, visibleText(callText(action)))),
    action.error || action.proposed ? el("span", { class: "tag error", text: action.error ? "returned an error" : "not executed" }) : null,
    !ghost && action.took ? el("span", { class: "hint took" }, visibleText(action.took)) : null,
    ghost ? null : effectView(action),
    op ? el("span", { class: "op", text: op }) : null,
    row.verdict ? verdictChip(row.verdict, VERDICTS[row.verdict] ?? idText(row.verdict)) : null,
    (row.verdict === "excused" || row.verdict === "note") && row.reason && !run.violations.some((v) => v.reason === row.reason) ? el("span", { class: "hint because" }, visibleText(row.reason)) : null);
}

/** The lines around a row, for a story: two before and two after it. @param {Run} run @param {number} at @param {(row: number) => void} show */
export function aroundView(run, at, show) {
  const rows = rowsOf(run);
  const from = Math.max(0, Math.min(at - 2, rows.length - 5));
  const some = rows.slice(from, from + 5);
  if (some.length < 2) return null;
  return el("ol", { class: "around", "aria-label": "The steps around it" }, some.map((row, k) => {
    const i = from + k;
    const ghost = row.obs === null;
    const action = rowAction(run, row);
    const shown = shownName(action);
    const name = el("code", { class: "name" }, visibleText(shown || action.text));
    return el("li", { class: `near ${row.verdict}`, "aria-current": i === at ? "step" : null },
      el("button", { type: "button", class: ghost ? "line ghost" : "line", on: { click: () => show(i) } },
        el("span", { class: "no" }, ghost ? "–" : String(row.obs + 1)),
        el("span", { class: "what" }, ghost ? el("span", { class: "hint", text: "missing: " }) : null, i === at ? el("mark", {}, name) : name, shown ? el("code", { class: "with" }, visibleText(callText(action))) : null),
        icon(row.verdict || "note")));
  }));
}

/** What a row shows when it is open, without the answer to its call. */
function rowParts(run, row, { found, mark, accept, message, show }) {
  const obs = row.obs === null ? null : run.observed[row.obs];
  const ref = row.ref === null || !run.reference ? null : run.reference[row.ref];
  const compare = obs && ref && row.verdict !== "correct";
  return [
    compare ? [ref.name !== obs.name ? el("p", { class: "hint" }, "The reference has ", el("code", { class: "name" }, visibleText(ref.name || ref.text)), " here.") : null, pairView(obs, ref)] : argsView(obs ?? ref),
    row.reason && !found.length && isBroken(row) ? el("p", { class: "why" }, visibleText(row.reason)) : null,
    row.stage || row.op === "substitution" ? el("p", { class: "hint stage" }, [STAGES[row.stage], row.op === "substitution" ? `${Math.round(row.similarity * 100)} % alike` : ""].filter(Boolean).join(", ")) : null,
    found.map((k) => findingView(run, k, show, { compared: compare, mark })),
    accept && run.reference && (row.verdict === "violation" || row.verdict === "uncertain") ? button("Accept this", accept, { class: "link" }) : null,
    obs ? aboutView(obs, message) : null,
  ];
}

/** What is known of a call beside its arguments. */
function aboutView(a, message) {
  return [
    a.boundary ? boundaryView(a.boundary, secretsOf(a.arguments)) : null,
    a.request && a.request.by !== "none" ? requestView(a.request, message) : null,
    a.origins?.length ? originsView(a.origins) : null,
  ];
}

/** Whether a call changes something, as a tag. */
const effectView = (a) => el("span", { class: `tag does-${a.mutating}`, title: a.layer ? `decided by ${LAYERS[a.layer] ?? a.layer}` : null, text: MUTATES[a.control ? "control" : a.mutating] ?? a.mutating });
