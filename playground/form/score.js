// The Score view: it scores a trace and shows the report. It has no rules; everything that
// it shows is in the report. The input and the reader's position are in the browser's
// history, so that Back, Forward and a reload show the same page.

import { parseAnswer } from "../npm/client.js";
import { parseReport } from "../base/slices.js";
import { acceptRow, referenceOf } from "../run/accept.js";
import { shellWord } from "../run/agentnote.js";
import { bodyOf, readBody, reportIn, START, tracesOf, utf8 } from "./bodies.js";
import { compareView } from "./compare.js";
import { askCore, causesAsker, consensusAsker } from "./ask.js";
import { append, yieldToBrowser, button, el } from "../base/dom.js";
import { InputForm } from "./form.js";
import { EMPTY, hasContent, Inputs, isSameInput } from "./inputs.js";
import { mapperView } from "./mapper.js";
import { Place } from "../base/place.js";
import { problemView } from "./problem.js";
import { readingView } from "./reading.js";
import { repairView } from "./repair.js";
import { LANDED } from "../run/run.js";
import { reportView } from "../report.js";
import { saveView } from "./save.js";
import { shareView, unpack } from "./share.js";
import { applyMarks, markKey, withMarks } from "../run/marks.js";
import { commandOf, snippetsView } from "./snippets.js";
import { versusView } from "../runs/versus.js";
import { follow } from "./watch.js";
import { toolsCalled, toolsIn } from "./tools.js";
import { sizeText } from "../base/words.js";
import { YAML } from "../base/yaml.js";

const FIRST = 3; // examples that are visible without unfolding
const LIVE = 5_000_000; // bytes of the largest trace that is scored again after each change
const PAUSE = 120; // least time without a change before that, in milliseconds
const TOOLS_LIMIT = 4_000_000; // bytes of the largest trace that is searched for definitions of tools
const SMALLEST = '[\n  {"name": "get_order", "arguments": {"order_id": "#W7"}},\n  {"name": "cancel_order", "arguments": {"order_id": "#W7"}}\n]';

/** @typedef {{name?: string, title?: string, description?: string, trace: string, reference: string, profile?: string}} Example */
/** @typedef {import("./inputs.js").Input} Input */

/**
 * @param {HTMLElement} root
 * @param {import("../npm/client.js").Client} client
 * @param {() => void} cure shows the form that makes a prompt from the trace's tools
 */
export function scoreView(root, client, cure) {
  const view = new ScoreView(root, client, cure);
  return {
    open: (files) => view.open(files), show: (input) => view.show(input), offer: (examples) => view.offer(examples), equip: (plugins) => view.equip(plugins), tools: () => view.tools(),
    go: (query) => view.go(query), begin: () => view.begin(),
  };
}

/** Shows a card below the head of a report and removes the earlier card. @param {HTMLElement} head @param {HTMLElement} card @param {string} focus selector of the element that gets the focus */
function showCard(head, card, focus) {
  head.parentElement.querySelectorAll(".share").forEach((other) => other.remove());
  head.after(card);
  card.querySelector(focus).focus();
}

class ScoreView {
  #client;
  #cure;
  /** @type {import("./plugins.js").Plugins | null} */
  #plugins = null;
  /** @type {import("../npm/types.d.ts").Report | null} what is on the page */
  #report = null;
  /** @type {Example[]} */
  #examples = [];
  #doing = "";
  #stop = new AbortController();
  #inputs = new Inputs();
  #took = 0; // milliseconds that the last report after a change took
  #soon = 0; // timer of the next report after a change
  #following = false; // a report after a change is being made
  #behind = false; // the input changed again meanwhile
  #id = ""; // of the input on the page
  #shown = EMPTY;
  #place = new Place();

  #form;
  #yaml;
  #samples = el("div", { class: "examples", hidden: true });
  #status = el("p", { class: "away", role: "status" });
  #followedSaid = el("p", { class: "hint", role: "status" });
  #result = el("div", { class: "result" });

  constructor(root, client, cure) {
    this.#client = client;
    this.#cure = cure;
    this.#yaml = new YAML(client, () => this.#plugins, (text) => (this.#doing = text));
    this.#form = new InputForm(client, { run: () => this.run(), live: () => this.#follow(), cancel: () => this.#stop.abort(), cleared: () => this.#cleared(), keep: this.#keeping(), fold: (on) => root.classList.toggle("folded", on) });
    append(root, [
      el("div", { class: "hero" },
        el("h1", { text: "Where did the agent break a boundary?" }),
        el("p", { class: "lead", text: "Paste a trace. Boundcheck compares each action with the expected action. You see where a boundary broke, and why." })),
      this.#samples, this.#form.node, this.#status, this.#followedSaid, this.#result,
    ]);
  }

  #keeping() {
    const said = el("span", { role: "status" });
    const box = el("input", { type: "checkbox", id: "keep", checked: this.#inputs.kept });
    box.addEventListener("change", async () => {
      const done = await this.#inputs.keep(box.checked, this.#id);
      if (!done) box.checked = false;
      said.textContent = !done ? " The text cannot be saved in this browser." : box.checked ? "" : " All saved text is deleted.";
    });
    return el("span", { class: "hint keep" }, box, el("label", { for: "keep", text: "Save pasted text in this browser, so that it is still here after a reload" }), said);
  }

  /** @param {Example[]} examples */
  offer(examples) {
    this.#examples = examples;
    this.#samples.hidden = !examples.length;
    const card = (x) => el("li", {}, el("button", { type: "button", class: "example", data: { example: x.name }, on: { click: () => this.#form.show(ofExample(x), "The example replaced the earlier text.") } }, el("strong", { text: x.title }), el("span", { text: x.description })));
    const more = examples.slice(FIRST);
    append(this.#samples, [
      el("p", { class: "examples-label", id: "examples-label", text: "Start with one of three case studies" }),
      el("ul", { "aria-labelledby": "examples-label" }, examples.slice(0, FIRST).map(card)),
      more.length ? el("details", {}, el("summary", { text: `${more.length} more: each type of violation, a run without violations, and other kinds of agents` }), el("ul", { "aria-label": "More examples" }, more.map(card))) : null,
    ]);
  }

  /** @param {import("./plugins.js").Plugins} plugins */
  equip(plugins) {
    this.#plugins = plugins;
    this.#form.checker.offer(plugins);
  }

  /** The tools of the trace as JSON text; null if there are none. */
  tools() {
    const input = this.#form.take();
    const [file] = input.files;
    const text = input.trace || (file && file.bytes.length <= TOOLS_LIMIT ? utf8(file.bytes) : null);
    return (text && toolsIn(text)) ?? (this.#report && toolsCalled(this.#report));
  }

  /** @param {Partial<Input>} input the input that a lesson opens */
  show(input) {
    this.#form.show({ ...EMPTY, ...input }, "The earlier text was replaced.");
  }

  /** @param {File[]} files */
  open(files) {
    return this.#form.open(files);
  }

  /** Shows the input that the address or the history names when the page is opened, unless the reader has already chosen one. */
  async begin() {
    if (this.#id) return;
    const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
    if (query.get("watch")) return void follow((files) => this.#followed(files), (text) => (this.#followedSaid.textContent = text));
    if (history.state?.input || query.get("example") || query.get("z")) await this.go(query.toString());
  }

  /** Scores the files that the server watches; later again in place, so that the reader's position stays. @param {import("./inputs.js").NamedBytes[]} files */
  async #followed(files) {
    this.#followedSaid.textContent = files.length ? "The runs that are followed appear here by themselves." : "Waiting for the first run…";
    if (!files.length) return;
    const input = { ...this.#form.take(), trace: "", files };
    this.#form.put(input);
    if (this.#report) await this.#again();
    else await this.run({ id: this.#inputs.add(input), query: location.hash.split("?")[1] });
  }

  /** Shows the position to which the reader went back or forward. @param {string} query of the address */
  async go(query) {
    const id = history.state?.input ?? "";
    const example = this.#examples.find((x) => x.name === new URLSearchParams(query).get("example"));
    const packed = new URLSearchParams(query).get("z");
    if (id === this.#id && (this.#report || !(id || example || packed))) return this.#place.go(query);
    const input = (id && (await this.#inputs.find(id))) || (example && ofExample(example)) || (packed && (await this.#linked(packed)));
    if (input === EMPTY) return;
    if (!input) {
      this.#form.put(EMPTY);
      this.#cleared();
      if (id) this.#status.textContent = "The earlier text was not saved.";
      return;
    }
    this.#form.put(input);
    await this.run({ id: id || this.#inputs.add(input), query });
  }

  /** Returns the input in a link. If the link is damaged, shows the error and returns EMPTY. */
  async #linked(packed) {
    try {
      return await unpack(packed);
    } catch (e) {
      this.#status.textContent = e.message;
      this.#result.replaceChildren(noticeView("Nothing was opened.", e.message));
      return EMPTY;
    }
  }

  #cleared() {
    this.#stop.abort();
    this.#stop = new AbortController(); // a run that was stopped shows nothing more
    this.#form.progress(null);
    this.#form.fold(null);
    this.#status.textContent = "";
    this.#result.replaceChildren();
    clearTimeout(this.#soon);
    this.#report = null;
    this.#id = "";
    this.#shown = EMPTY;
  }

  /** Adds the input to the history. @param {Input} input */
  #enter(input) {
    if (this.#id && isSameInput(input, this.#shown)) return;
    this.#id = this.#inputs.add(input);
    this.#shown = input;
    const query = input.example && !input.files.length ? `example=${encodeURIComponent(input.example)}` : "";
    this.#placed(query);
    history.pushState({ input: this.#id }, "", scoreAddress(query));
  }

  #placed(query) {
    const id = this.#id;
    this.#place = new Place(query, (now, step) => {
      if (step) history.pushState({ input: id }, "", scoreAddress(now));
      else history.replaceState({ input: id }, "", scoreAddress(now));
    });
  }

  /** Scores again after a change. It waits longer if the last report took longer. */
  #follow() {
    clearTimeout(this.#soon);
    if (this.#report && this.#report.input.bytes <= LIVE) this.#soon = setTimeout(() => this.#again(), Math.max(PAUSE, this.#took));
  }

  /** Scores the changed input and replaces the report. The reader's position stays the same. */
  async #again() {
    if (this.#following) return void (this.#behind = true);
    this.#following = true;
    const mine = this.#stop; // it does not stop a running call, because a new worker would have to start
    const input = this.#form.take();
    const began = performance.now();
    try {
      const { node, summary, report, reading } = await this.#scored(input, mine.signal);
      if (this.#stop !== mine) return;
      this.#inputs.replace(this.#id, (this.#shown = input));
      this.#report = report;
      this.#form.scored(input, report, reading);
      this.#status.textContent = summary;
      this.#result.replaceChildren(node);
    } catch (e) {
      if (this.#stop === mine && e.code !== "cancelled") this.#form.notYet(e.message);
    }
    this.#took = performance.now() - began;
    this.#following = false;
    if (this.#behind && this.#stop === mine) this.#again();
    this.#behind = false;
  }

  /**
   * Scores the form's content. It stops a scoring that still runs.
   * @param {{id: string, query: string}} [again] the position to which the reader went back or forward
   */
  async run(again) {
    this.#stop.abort();
    clearTimeout(this.#soon);
    const mine = (this.#stop = new AbortController());
    const input = this.#form.take();
    if (again) {
      this.#id = again.id;
      this.#shown = input;
      this.#placed(again.query);
    } else if (hasContent(input)) this.#enter(input);
    const timer = this.#clock();
    this.#status.textContent = "Scoring…";
    let node, summary;
    let report = null;
    let reading = null;
    try {
      ({ node, summary, report, reading } = await this.#scored(input, mine.signal));
    } catch (e) {
      const text = input.trace || (input.files.length === 1 ? utf8(input.files[0].bytes) : null);
      node = problemView(e, text, this.#client.version?.formats ?? [], () => this.#form.show({ ...EMPTY, trace: SMALLEST }, "The smallest trace replaced the earlier text."));
      if (e.formats) node.append(...(await this.#mapper(input, mine.signal).catch(() => [])));
      if (e.code === "invalid-input") for (const part of await this.#repair(input, text, mine.signal).catch(() => [])) node.insertBefore(part, node.querySelector(".readable"));
      summary = "Not scored: " + e.message;
    }
    clearInterval(timer);
    await yieldToBrowser();
    if (this.#stop !== mine) return; // a later scoring shows its result
    this.#report = report;
    this.#form.progress(null);
    this.#form.scored(input, report, reading);
    this.#status.textContent = summary;
    this.#result.replaceChildren(node);
    this.#form.fold(report);
    this.#land(report);
  }

  /** Shows the reader the verdict, or the problem, and puts the focus there. */
  #land(report) {
    if (report) scrollTo(0, 0);
    else this.#result.scrollIntoView({ block: "start" });
    const heads = [...this.#result.querySelectorAll(".verdict, .problem h2")];
    const head = heads.find((h) => h.checkVisibility());
    head?.focus({ preventScroll: true });
    head?.closest(".run")?.dispatchEvent(new Event(LANDED));
  }

  /** Scores the input without a checker and, if one is chosen, also with the checker. */
  async #scored(input, signal) {
    const again = this.#reopened(input);
    if (again) return again;
    const { body, left } = await bodyOf(await this.#yaml.input(input, signal));
    const found = [];
    const known = this.#plugins?.checkers ?? [];
    let bytes = await this.#client.handleRaw("score", body, { signal, known, found: (name) => found.push(name) });
    await yieldToBrowser();
    let report = await parseReport(bytes);
    await yieldToBrowser();
    const { checker } = this.#form;
    const { name } = checker;
    let beside = !name && found.length && report.profile !== "sop" ? this.#offer(found[0]) : null;
    if (name) {
      const before = report;
      const { plugin, trouble } = await this.#plugin(signal);
      if (plugin) report = await parseReport((bytes = await this.#client.handleRaw("score", body, { signal, plugins: [plugin] })));
      const files = this.#plugins.describe(name)?.environment && !checker.given ? () => this.#askForFiles(name) : null;
      beside = plugin ? compareView(name, before, report, files) : noticeView(`Scored without ${name}:`, trouble);
    }
    const about = { title: input.title, description: input.about, place: this.#place, transcript: (id) => this.#transcript(input, id), agree: consensusAsker(this.#client, bytes), causes: causesAsker(this.#client, report), align: this.#align, accept: input.reference.trim() ? (run, row) => this.#accept(input, run, row) : undefined, ...this.#marking(input, bytes), command: (run) => this.#commandFor(input, report, run), save: () => this.#save(node, about.marked(), input) };
    applyMarks(report, input.marks);
    if (beside?.matches(".offer")) about.offer = beside;
    const { node, summary } = reportView(report, bytes, about);
    const head = node.querySelector(".report-head");
    if (beside && !about.offer) head.after(beside);
    if (report.warnings.some((w) => w.code === "own-reference-not-used")) head.after(this.#overridden());
    if (report.input.format === "found-calls") head.after(...(await this.#mapper(input, signal, report)));
    // A large file is decoded when its link is asked for.
    if (input.trace || (input.files.length === 1 && utf8(input.files[0].bytes.subarray(0, START), true) !== null)) head.querySelector(".buttons").append(this.#sharing(head, input));
    if (report.trajectories.length === 1 && report.trajectories[0].observed.length) head.querySelector(".buttons").append(this.#borrowing(input, report.trajectories[0]));
    if (input.files.length > 1) head.querySelector(".buttons").append(this.#versus(head, input));
    if (report.trajectories.some((t) => t.observed.length)) head.querySelector(".buttons").append(this.#using(head, input, report));
    if (left.length) head.after(noticeView("Left out:", left.join("; ") + "."));
    if (beside?.matches(".compared")) node.querySelector(".used")?.remove(); // the comparison names the plugin, too
    if (report.corpus.flagged) node.append(this.#remedy());
    return { node, summary: name ? `${summary} ${beside.querySelector("h2, strong").textContent}` : summary, report, reading: readingView(report, input.reference.trim() !== "", () => this.#read(input)) };
  }

  /** What the command read says about the traces of the input. */
  async #read(input) {
    const { config } = await this.#yaml.input({ ...input, reference: "" });
    const body = input.files.length > 1 ? (await bodyOf({ ...input, config, reference: "", profile: "auto", parameters: {} })).body : readBody(input, config);
    return parseAnswer(await this.#client.handleRaw("read", body));
  }

  /** A form in which the reader says where the calls are in JSON of an unknown format. It returns no element for other texts. */
  async #mapper(input, signal, report) {
    const text = input.trace || (input.files.length === 1 && utf8(input.files[0].bytes));
    if (!text || input.config) return [];
    await yieldToBrowser();
    const proposed = await this.#client.map(text, { signal }).catch((e) => (e.code === "cancelled" ? Promise.reject(e) : null)); // nothing looks like calls
    const read = report?.trajectories.reduce((n, t) => n + t.observed.length, 0);
    return mapperView(text, proposed, read, (config) => this.#form.show({ ...input, config }, "The map was written into boundcheck.yaml."));
  }

  #repair(input, text, signal) {
    return repairView(this.#client, text, signal, (trace) => this.#form.show({ ...input, trace, files: [] }, "The repaired text replaced the earlier text."));
  }

  /** The button that makes the run the reference. */
  #borrowing(input, run) {
    return button("Take as reference", () => this.#form.show({ ...input, reference: referenceOf(run) }, "The run is now the reference. Edit the reference, or score another run against it."));
  }

  async #accept(input, run, row) {
    const reference = acceptRow((await this.#yaml.input(input)).reference, run, row);
    if (reference) this.#form.show({ ...input, reference }, "The step was accepted, and the reference changed.");
    else this.#form.notYet("the position of this step in the reference is unknown. Edit the reference.");
  }

  /** Keeps what the reader thinks of findings with the input. */
  #marking(input, bytes) {
    const mark = (run, v, m) => {
      const { [markKey(run, v)]: _, ...rest } = this.#form.take().marks ?? {};
      this.#form.mark(m ? { ...rest, [markKey(run, v)]: m } : rest);
      this.#inputs.replace(this.#id, (this.#shown = this.#form.take()));
    };
    return { mark, marked: () => withMarks(bytes, this.#form.take().marks ?? {}) };
  }

  /** The command that scores one run of the input again. */
  #commandFor(input, report, run) {
    const command = commandOf(input, report, input.checker !== "" && this.#form.checker.given).replace(/ --fail-on \w+$/, "");
    return `boundcheck ${command}${report.trajectories.length > 1 ? ` --run ${shellWord(run.id)}` : ""}`;
  }

  /** The button that compares two groups of the files. */
  #versus(head, input) {
    const scored = async (files) => {
      const { body } = await bodyOf(await this.#yaml.input({ ...input, files: files.map((i) => input.files[i]) }));
      const bytes = await this.#client.handleRaw("score", body);
      return { bytes, report: await parseReport(bytes) };
    };
    const compare = async (sides) => {
      const [a, b] = [await scored(sides[0]), await scored(sides[1])];
      const names = JSON.stringify(sides.map((files) => input.files[files[0]].name));
      const theta = JSON.stringify(input.parameters?.theta ?? null);
      const comparison = await askCore(this.#client, "compare", ['{"baseline":', a.bytes, ',"treatment":', b.bytes, `,"names":${names},"theta":${theta}}`]);
      return { comparison, reports: [a.report, b.report] };
    };
    return button("Compare…", () => {
      const node = versusView(input.files.map((f) => f.name), compare, this.#align);
      showCard(head, node, "select");
    });
  }

  /** Lays two runs beside each other. */
  #align = (a, b) => askCore(this.#client, "fork", ['{"a":', JSON.stringify(a), ',"b":', JSON.stringify(b), "}"]);

  /** Shows the card that saves a report in one of several formats. @param {HTMLElement} report @param {Uint8Array} bytes @param {Input} [input] none for a report that was opened */
  async #save(report, bytes, input) {
    const card = saveView(this.#client, bytes, input && { name: input.files.length === 1 ? input.files[0].name : "", traces: await tracesOf(input), config: (await this.#yaml.input(input)).config });
    showCard(report.querySelector(".report-head"), card, "button");
  }

  /** The button that shows texts for CI and a policy for the gate. */
  #using(head, input, report) {
    return button("Use it…", () => {
      showCard(head, snippetsView(input, report, input.checker !== "" && this.#form.checker.given), "button");
    });
  }

  /** The button that makes a link with the input. */
  #sharing(head, input) {
    const verdict = async (x) => {
      const { body } = await bodyOf(await this.#yaml.input(x));
      const { trajectories } = parseAnswer(await this.#client.handleRaw("score", body));
      return trajectories.map((t) => `${t.violations.length} of ${t.observed.length}`).join(", ");
    };
    const press = () => {
      const trace = input.trace || utf8(input.files[0].bytes);
      if (trace === null) return go.replaceWith("No link can be made: the file is not plain text.");
      const at = ["run", "step"].filter((name) => this.#place.get(name)).map((name) => `&${name}=${encodeURIComponent(this.#place.get(name))}`).join("");
      const { node } = shareView({ ...input, marks: this.#form.take().marks, trace, files: [] }, verdict, at);
      showCard(head, node, "input[type=text]");
    };
    const go = button("Link…", press);
    return go;
  }

  /** Returns the view of an input that is a report instead of a trace. Returns null if the input is not a complete report. */
  #reopened(input) {
    const report = reportIn(input);
    try {
      const bytes = input.files[0]?.bytes ?? new TextEncoder().encode(input.trace);
      if (!report) return null;
      const view = reportView(report, bytes, { title: "An earlier report", place: this.#place, agree: consensusAsker(this.#client, bytes), causes: causesAsker(this.#client, report), align: this.#align, save: () => this.#save(view.node, bytes) });
      return { ...view, report, reading: null };
    } catch {
      return null; // the core says what is wrong with it
    }
  }

  /** The messages and calls of one run of the input. */
  async #transcript(input, id) {
    const { body } = await bodyOf(await this.#yaml.input(input), id);
    return parseAnswer(await this.#client.handleRaw("run", body));
  }

  #overridden() {
    return el("aside", { class: "notice", "aria-label": "Which reference is used" },
      el("strong", { text: "Scored against the reference in the box. " }), "The trace has its own reference. ",
      button("Use the trace's own reference", () => this.#form.useOwnReference()));
  }

  /** The chosen plugin, or the reason why it could not be loaded. */
  async #plugin(signal) {
    const tell = (text) => (this.#doing = text);
    try {
      const plugin = await Promise.race([this.#form.checker.source(tell), new Promise((_, stop) => signal.addEventListener("abort", stop))]);
      tell("Scoring…");
      return { plugin };
    } catch (e) {
      if (!signal.aborted) return { trouble: e.message };
      throw Object.assign(new Error("the call was cancelled"), { code: "cancelled" });
    }
  }

  /** A card that offers to score again with the checker that knows the benchmark. */
  #offer(name) {
    const { checker } = this.#form;
    const { summary, environment } = this.#plugins.describe(name);
    const weight = this.#plugins.weight(name);
    const press = () => {
      checker.choose(name);
      this.run();
    };
    return el("aside", { class: "card offer", "aria-label": "A checker knows this benchmark" },
      el("p", {}, el("strong", { text: `The ${name} checker knows this benchmark. ` }), `${summary}.`),
      el("div", { class: "buttons" }, button(`Score again with the ${name} checker`, press),
        environment ? button("Give files to the checker first…", () => this.#askForFiles(name), { class: "link" }) : null,
        weight ? el("span", { class: "hint", text: `about ${sizeText(weight)}, fetched once` }) : null));
  }

  /** Opens the form where the reader gives files to a checker. */
  #askForFiles(name) {
    const { checker } = this.#form;
    checker.choose(name);
    this.#form.fold(null);
    checker.show();
  }

  #remedy() {
    return el("aside", { class: "card remedy", "aria-label": "What helps" },
      el("p", {}, el("strong", { text: "The cheap cure: " }), "let the agent state each action's boundary before it acts."),
      button("Make the prompt from these tools", this.#cure));
  }

  #clock() {
    const began = performance.now();
    this.#doing = "Scoring…";
    const tick = () => this.#form.progress(`${this.#doing} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    tick();
    return setInterval(tick, 100);
  }
}

const scoreAddress = (query) => "#score" + (query ? "?" + query : "");

/** @param {Example} x @returns {Input} */
function ofExample(x) {
  return { ...EMPTY, trace: x.trace, reference: x.reference, profile: x.profile || "auto", example: x.name, title: x.title, about: x.description };
}

function noticeView(head, text) {
  return el("aside", { class: "notice bad", "aria-label": head }, el("strong", { text: head + " " }), text);
}
