// The Score view: it scores a trace and shows the report. It has no rules; everything that
// it shows is in the report. The input and the reader's position are in the browser's
// history, so that Back, Forward and a reload show the same page.

import { utf8 } from "./bodies.js";
import { append, yieldToBrowser, el } from "../base/dom.js";
import { InputForm } from "./form.js";
import { EMPTY, hasContent, Inputs, isSameInput } from "./inputs.js";
import { replaceKeeping, unpressed } from "../base/keep.js";
import { Place } from "../base/place.js";
import { LANDED } from "../run/run.js";
import { unpack } from "./share.js";
import { follow } from "./watch.js";
import { toolsCalled, toolsIn } from "./tools.js";
import { noticeView, Scorer } from "./scored.js";
import { plural } from "../base/words.js";
import { YAML } from "../base/yaml.js";

const FIRST = 3; // examples that are visible without unfolding
const LIVE = 5_000_000; // bytes of the largest trace that is scored again after each change
const PAUSE = 120; // least time without a change before that, in milliseconds
const TOOLS_LIMIT = 4_000_000; // bytes of the largest trace that is searched for definitions of tools

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
    go: (query) => view.go(query), begin: () => view.begin(), follow: () => view.follow(),
  };
}

class ScoreView {
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
  #equip; // says that the page is loaded
  #equipped = new Promise((resolve) => (this.#equip = resolve));

  #form;
  #scorer;
  #samples = el("div", { class: "examples", hidden: true });
  #status = el("p", { class: "away", role: "status" });
  #followedSaid = el("p", { class: "hint", role: "status" });
  #result = el("div", { class: "result" });

  constructor(root, client, cure) {
    this.#form = new InputForm(client, { run: () => this.run(), live: () => this.#follow(), cancel: () => this.#stop.abort(), cleared: () => this.#cleared(), keep: this.#keeping(), fold: (on) => root.classList.toggle("folded", on) });
    const doing = (text) => (this.#doing = text);
    this.#scorer = new Scorer(client, this.#form, new YAML(client, () => this.#plugins, doing), {
      plugins: () => this.#plugins, place: () => this.#place, run: () => this.run(), cure, doing,
      kept: () => this.#inputs.replace(this.#id, (this.#shown = this.#form.take())),
    });
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
    return el("span", { class: "hint keep" }, box, el("label", { for: "keep", text: "Save pasted text in this browser, so that it is still here after this tab is closed" }), said);
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
    this.#equip();
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
    if (history.state?.input || query.get("example") || query.get("z")) await this.go(query.toString());
  }

  /** Follows what the server watches, if the address asks for it. The list is read while the page still loads. */
  follow() {
    if (new URLSearchParams(location.hash.split("?")[1] ?? "").get("watch")) follow((files) => this.#followed(files), (text) => (this.#followedSaid.textContent = text));
  }

  /** Scores the files that the server watches; later again in place, so that the reader's position stays. @param {import("./inputs.js").NamedBytes[]} files */
  async #followed(files) {
    this.#followedSaid.textContent = files.length ? `${plural(files.length, "file")} followed. The runs appear here by themselves.` : "Waiting for the first run…";
    if (!files.length) return;
    await this.#equipped;
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
      const { node, summary, report, reading } = await this.#scorer.score(input, mine.signal);
      await unpressed();
      if (this.#stop !== mine) return;
      this.#inputs.replace(this.#id, (this.#shown = input));
      this.#report = report;
      this.#form.scored(input, report, reading);
      this.#status.textContent = summary;
      replaceKeeping(this.#result, node);
    } catch (e) {
      if (this.#stop === mine && e.code !== "cancelled") this.#form.notYet(e.message);
    } finally {
      this.#took = performance.now() - began;
      this.#following = false;
    }
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
      ({ node, summary, report, reading } = await this.#scorer.score(input, mine.signal));
    } catch (e) {
      node = await this.#scorer.problem(e, input, mine.signal);
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
