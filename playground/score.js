// The Score view: a trace in, a report out. It keeps no rule of its own; what it
// shows stands in the report.

import { parseAnswer, scoreBody } from "./npm/client.js";
import { CheckerChoice } from "./checker.js";
import { compareView } from "./compare.js";
import { append, button, el, hidden } from "./dom.js";
import { problemView } from "./problem.js";
import { reportView } from "./report.js";
import { toolsCalled, toolsIn } from "./tools.js";
import { bytes as size, list, PROFILES } from "./words.js";

const SHOW_LIMIT = 200_000; // a larger file is scored from its bytes and not put into the box
const TOOLS_LIMIT = 4_000_000; // a larger one is not looked through for definitions of tools
const SMALLEST = '[\n  {"name": "get_order", "arguments": {"order_id": "#W7"}},\n  {"name": "cancel_order", "arguments": {"order_id": "#W7"}}\n]';

/** @typedef {{name?: string, title?: string, description?: string, trace: string, reference: string, profile?: string}} Example */

/**
 * @param {HTMLElement} root
 * @param {import("./npm/client.js").Client} client
 * @param {() => void} cure leads to where a prompt is made of the trace's tools
 */
export function scoreView(root, client, cure) {
  const view = new ScoreView(root, client, cure);
  return { openFile: (file) => view.openFile(file), offer: (examples) => view.offer(examples), equip: (plugins) => view.equip(plugins), tools: () => view.tools() };
}

class ScoreView {
  /** @type {Uint8Array | null} the file's own bytes, until the text is edited */
  #bytes = null;
  #client;
  #cure;
  #checker;
  /** @type {import("./plugins.js").Plugins | null} */
  #plugins = null;
  /** @type {import("./npm/types.d.ts").Report | null} what is on the page */
  #report = null;
  #doing = "";
  #stop = new AbortController();

  #trace = box("trace", 11, "trace-help trace-note", "Paste a trace here, or drop a file anywhere on this page.");
  #note = el("p", { id: "trace-note", class: "hint" });
  #reference = box("reference", 6, "reference-help", 'confirm_identity()\nget_order_details(order_id="#W7")');
  #profile = el("select", { id: "profile" }, Object.entries(PROFILES).map(([value, text]) => el("option", { value, text })));
  #picker = el("input", { type: "file", class: "away", tabindex: "-1", "aria-label": "Trace file" });
  #samples = el("div", { class: "examples", hidden: true });
  #elapsed = el("span");
  #progress = el("div", { class: "progress", hidden: true }, el("progress", { "aria-label": "Scoring" }), this.#elapsed, button("Cancel", () => this.#stop.abort()));
  #status = el("p", { class: "away", role: "status" });
  #result = el("div", { class: "result" });

  constructor(root, client, cure) {
    this.#client = client;
    this.#cure = cure;
    this.#checker = new CheckerChoice(client);
    append(root, [
      el("div", { class: "hero" },
        el("h1", { text: "Where did the agent step out of bounds?" }),
        el("p", { class: "lead", text: "Paste a trace. Each action is laid beside what should have been done, and you see where a boundary broke, and why." })),
      this.#samples, this.#form(), this.#status, this.#result,
    ]);
    this.#listen();
  }

  #form() {
    const submit = (e) => (e.preventDefault(), this.run());
    const keys = (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && submit(e);
    return el("form", { class: "card input", on: { submit, keydown: keys } },
      el("div", { class: "input-trace" },
        el("div", { class: "label-row" }, el("label", { for: "trace", text: "Trace" }),
          el("span", { class: "buttons" }, button("Open a file…", () => this.#picker.click()), button("Clear", () => this.#clear())), this.#picker),
        this.#trace, this.#note,
        el("p", { id: "trace-help", class: "hint", text: "Chat messages with tool calls, a results file of a benchmark, or a list of {name, arguments}. The format is detected." })),
      el("div", { class: "input-side" },
        el("div", { class: "label-row" }, el("label", { for: "reference", text: "Reference" }), el("span", { class: "hint", text: "optional" })),
        this.#reference,
        el("p", { id: "reference-help", class: "hint", text: "What should have been done: one call a line, or JSON. Without it the trace is checked against general rules." }),
        el("label", { for: "profile", text: "Profile" }), this.#profile, this.#checker.node),
      el("div", { class: "input-foot" },
        el("button", { type: "submit", class: "primary", text: "Score the trace" }), el("span", { class: "hint keys", text: "or Ctrl + Enter" }), this.#progress));
  }

  #listen() {
    this.#picker.addEventListener("change", () => this.#picker.files[0] && this.openFile(this.#picker.files[0]));
    this.#trace.addEventListener("input", () => {
      this.#bytes = null;
      this.#tell();
    });
    this.#trace.addEventListener("paste", (e) => {
      const [file] = e.clipboardData?.files ?? [];
      if (!file) return setTimeout(() => this.run()); // after the text has arrived
      e.preventDefault();
      this.openFile(file);
    });
  }

  /** @param {Example[]} examples */
  offer(examples) {
    this.#samples.hidden = !examples.length;
    append(this.#samples, [
      el("p", { class: "examples-label", id: "examples-label", text: "Start with one of three case studies" }),
      el("ul", { "aria-labelledby": "examples-label" }, examples.map((x) =>
        el("li", {}, el("button", { type: "button", class: "example", data: { example: x.name }, on: { click: () => this.#fill(x) } }, el("strong", { text: x.title }), el("span", { text: x.description }))))),
    ]);
  }

  /** @param {import("./plugins.js").Plugins} plugins */
  equip(plugins) {
    this.#plugins = plugins;
    this.#checker.offer(plugins);
  }

  /** The tools of the trace, as text; null where there are none. */
  tools() {
    const source = this.#bytes ?? this.#trace.value;
    const text = typeof source === "string" ? source : source.length <= TOOLS_LIMIT ? utf8(source) : null;
    return (text && toolsIn(text)) ?? (this.#report && toolsCalled(this.#report));
  }

  /** @param {File} file */
  async openFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = bytes.length <= SHOW_LIMIT ? utf8(bytes) : null;
    this.#bytes = bytes;
    this.#picker.value = "";
    this.#trace.value = text ?? "";
    this.#tell(`${file.name || "Pasted data"}, ${size(bytes.length)}${text === null ? ", loaded; not shown here" : ""}.`);
    await this.run();
  }

  /** @param {Example} example */
  #fill(example) {
    this.#bytes = null;
    this.#trace.value = example.trace;
    this.#reference.value = example.reference;
    this.#profile.value = example.profile || "auto";
    this.#checker.reset();
    this.#tell();
    return this.run(example);
  }

  #clear() {
    this.#stop.abort();
    this.#stop = new AbortController(); // what was stopped has nothing more to say
    this.#bytes = null;
    this.#trace.value = this.#reference.value = this.#picker.value = this.#status.textContent = "";
    this.#profile.value = "auto";
    this.#checker.reset();
    this.#progress.hidden = true;
    this.#result.replaceChildren();
    this.#report = null;
    this.#tell();
    this.#trace.focus();
  }

  #tell(about = "") {
    const odd = hidden(this.#trace.value);
    this.#note.textContent = about || (odd.length ? `The text holds characters that do not show: ${list(odd.slice(0, 6))}.` : "");
  }

  /** Scores what the form holds; a run that is still going is given up. @param {Example} [example] */
  async run(example) {
    this.#stop.abort();
    const mine = (this.#stop = new AbortController());
    const source = this.#bytes ?? this.#trace.value;
    const timer = this.#clock();
    this.#status.textContent = "Scoring…";
    let node, summary;
    let report = null;
    try {
      ({ node, summary, report } = await this.#scored(this.#body(source), mine.signal, example));
    } catch (e) {
      node = problemView(e, typeof source === "string" ? source : utf8(source), this.#client.version?.formats ?? [], () => this.#fill({ trace: SMALLEST, reference: "" }));
      summary = "Not scored: " + e.message;
    }
    clearInterval(timer);
    if (this.#stop !== mine) return; // a later run has the page
    this.#report = report;
    this.#progress.hidden = true;
    this.#status.textContent = summary;
    this.#result.replaceChildren(node);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#result.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  }

  /** Without a checker, and where one is chosen, with it. */
  async #scored(body, signal, example) {
    const found = [];
    const known = this.#plugins?.checkers ?? [];
    let bytes = await this.#client.handleRaw("score", body, { signal, known, found: (name) => found.push(name) });
    let report = parseAnswer(bytes);
    const { name } = this.#checker;
    let beside = !name && found.length && report.profile !== "sop" ? this.#offer(found[0]) : null;
    if (name) {
      const before = report;
      const { plugin, trouble } = await this.#plugin(signal);
      if (plugin) report = parseAnswer((bytes = await this.#client.handleRaw("score", body, { signal, plugins: [plugin] })));
      const files = this.#plugins.describe(name)?.environment && !this.#checker.given ? () => this.#checker.show() : null;
      beside = plugin ? compareView(name, before, report, files) : notice(`Scored without ${name}.`, trouble);
    }
    const { node, summary } = reportView(report, bytes, example);
    if (beside) node.querySelector(".report-head").after(beside);
    if (beside?.matches(".compared")) node.querySelector(".used")?.remove(); // it says that, too
    if (report.corpus.flagged) node.append(this.#remedy());
    return { node, summary: name ? `${summary} ${beside.querySelector("h2, strong").textContent}` : summary, report };
  }

  /** The chosen plugin, or why there is none. */
  async #plugin(signal) {
    const tell = (text) => (this.#doing = text);
    try {
      const plugin = await Promise.race([this.#checker.source(tell), new Promise((_, stop) => signal.addEventListener("abort", stop))]);
      tell("Scoring…");
      return { plugin };
    } catch (e) {
      if (!signal.aborted) return { trouble: e.message };
      throw Object.assign(new Error("the call was cancelled"), { code: "cancelled" });
    }
  }

  /** One press asks the checker that knows the benchmark. */
  #offer(name) {
    const { summary, environment } = this.#plugins.describe(name);
    const weight = this.#plugins.weight(name);
    const press = () => {
      this.#checker.choose(name);
      this.run();
    };
    return el("aside", { class: "card offer", "aria-label": "A checker knows this benchmark" },
      el("p", {}, el("strong", { text: `The ${name} checker knows this benchmark. ` }), `${summary}.`),
      el("div", { class: "buttons" }, button(`Score again with the ${name} checker`, press),
        environment ? button("Give it files first…", () => (this.#checker.choose(name), this.#checker.show()), { class: "link" }) : null,
        weight ? el("span", { class: "hint", text: `about ${size(weight)}, fetched once` }) : null));
  }

  #remedy() {
    return el("aside", { class: "card remedy", "aria-label": "What helps" },
      el("p", {}, el("strong", { text: "The cheap cure: " }), "have the agent say each action's boundary before it acts."),
      button("Make the prompt from these tools", this.#cure));
  }

  #body(source) {
    const reference = this.#reference.value.trim() ? this.#reference.value : undefined;
    const profile = this.#profile.value === "auto" ? undefined : this.#profile.value;
    const binary = typeof source !== "string" && utf8(source) === null;
    return binary ? source : scoreBody(source, { reference, profile }); // no text: the core says what it saw
  }

  #clock() {
    const began = performance.now();
    this.#doing = "Scoring…";
    const tick = () => (this.#elapsed.textContent = `${this.#doing} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    tick();
    this.#progress.hidden = false;
    return setInterval(tick, 100);
  }
}

function notice(head, text) {
  return el("aside", { class: "notice bad", "aria-label": "What the checker changed" }, el("strong", { text: head + " " }), text);
}

function box(id, rows, describedby, placeholder) {
  return el("textarea", { id, rows, placeholder, "aria-describedby": describedby, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
}

function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
