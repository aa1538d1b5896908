// The form of the Score view: a trace or files, a reference, and the settings. The reader
// can undo every change that replaces the form's content. A new trace removes the reference
// of the earlier trace.

import { utf8 } from "./bodies.js";
import { CheckerChoice } from "./checker.js";
import { append, button, el, hiddenChars, visibleText } from "../base/dom.js";
import { EMPTY, hasContent, isSameInput } from "./inputs.js";
import { Parameters } from "./parameters.js";
import { acceptPastes } from "./paste.js";
import { encodeText } from "../base/slices.js";
import { sizeText, listText, plural, PROFILES } from "../base/words.js";
import { CONFIG, isConfig, isYAML } from "../base/yaml.js";

/** @typedef {import("./inputs.js").Input} Input */

const SHOW_LIMIT = 100_000; // a larger text is scored but not shown in the box
const PEEK = 6; // lines shown of such a text
const PEEK_WIDTH = 200;

export class InputForm {
  /** @type {import("./inputs.js").NamedBytes[]} the files' own bytes, until the text is edited */
  #files = [];
  #example = "";
  #about = {};
  /** @type {Input | null} the input that was scored last */
  #scored = null;
  #run;
  #fold;
  checker;
  #trace = textBox("trace", 11, "trace-help trace-note", "Paste a trace here, or drop files anywhere on this page.");
  #note = el("p", { id: "trace-note", class: "hint" });
  #place = el("span", { hidden: true }); // before the note in the open form
  #peek = el("pre", { class: "peek", hidden: true, tabindex: "0", role: "region", "aria-label": "The first lines" });
  #reference = textBox("reference", 6, "reference-help", 'confirm_identity()\nget_order_details(order_id="#W7")');
  #config = textBox("config", 5, "config-help", "ignore: [idempotency_key]\ntools: {archive_order: yes}");
  #parameters;
  #configured = el("details", { class: "config" });
  #profile = el("select", { id: "profile" }, Object.entries(PROFILES).map(([value, text]) => el("option", { value, text })));
  #picker = el("input", { type: "file", class: "away", tabindex: "-1", multiple: true, "aria-label": "Trace files" });
  #line = el("p", { class: "line-text" });
  #folded = el("div", { class: "input-line", hidden: true });
  #elapsed = el("span");
  #progress;
  #readAs = el("p", { class: "hint", id: "reference-note", hidden: true });
  #reading = el("div", { hidden: true });
  node;

  /**
   * @param {import("../npm/client.js").Client} client
   * @param {{run: () => void, live: () => void, cancel: () => void, cleared: () => void, keep: HTMLElement, fold: (on: boolean) => void}} parts fold is told when the form becomes one line, and when it opens again
   */
  constructor(client, parts) {
    this.checker = new CheckerChoice(client);
    this.#run = parts.run;
    this.#fold = parts.fold;
    this.#parameters = new Parameters(parts.live);
    for (const box of [this.#reference, this.#config, this.#profile]) box.addEventListener("input", parts.live);
    this.#progress = el("div", { class: "progress", hidden: true }, el("progress", { "aria-label": "Scoring" }), this.#elapsed, button("Cancel", parts.cancel));
    const submit = (e) => (e.preventDefault(), this.#run());
    const keys = (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && submit(e);
    const clear = () => {
      this.#replace(EMPTY, "Cleared.");
      this.#scored = null; // a reference that is typed now belongs to no earlier trace
      parts.cleared();
      this.#trace.focus();
    };
    append(this.#folded, [this.#line, button("Edit", () => (this.fold(null), this.#trace.focus()), { "aria-expanded": "false" })]);
    this.node = el("form", { class: "card input", on: { submit, keydown: keys } }, this.#folded,
      el("div", { class: "input-trace" },
        el("div", { class: "label-row" }, el("label", { for: "trace", text: "Trace" }),
          el("span", { class: "buttons" }, button("Open a file…", () => this.#picker.click()), button("Clear", clear)), this.#picker),
        this.#trace, this.#reading, this.#place, this.#note, this.#peek,
        el("p", { id: "trace-help", class: "hint", text: "Chat messages with tool calls, a results file of a benchmark, or a list of {name, arguments}. The format is detected." })),
      el("div", { class: "input-side" },
        el("div", { class: "label-row" }, el("label", { for: "reference", text: "Reference" }), el("span", { class: "hint", text: "optional" })),
        this.#reference, this.#readAs,
        el("p", { id: "reference-help", class: "hint", text: "The calls that the agent should have made: one call per line, or JSON, or YAML. Without a reference, the trace is checked against general rules." }),
        el("label", { for: "profile", text: "Profile" }), this.#profile, this.checker.node, this.#configured, this.#parameters.node),
      el("div", { class: "input-foot" },
        el("button", { type: "submit", class: "primary", text: "Score the trace" }), el("span", { class: "hint keys", text: "or Ctrl + Enter" }), parts.keep), this.#progress);
    this.#config.setAttribute("aria-label", CONFIG);
    append(this.#configured, [
      el("summary", { text: CONFIG }), this.#config,
      el("p", { id: "config-help", class: "hint", text: "Settings for the traces of your project: tools, aliases, ignored arguments, disabled rules, and a map for your own JSON format. These settings also apply to the next trace." })]);
    this.#listen();
  }

  #listen() {
    this.#picker.addEventListener("change", () => this.#picker.files.length && this.open([...this.#picker.files]));
    this.#trace.addEventListener("input", () => {
      const lost = this.#peek.hidden ? null : { ...this.take(), trace: "" }; // files that are not in the box
      this.#files = [];
      this.#example = "";
      this.#about = {};
      this.#understood(null);
      this.#tell(lost ? "The loaded files were removed." : "", lost ? [this.#undo(lost)] : []);
    });
    acceptPastes(this.#trace, SHOW_LIMIT, {
      open: (files) => this.open(files), load: async (text) => this.#load([{ name: "Pasted text", bytes: await encodeText(text) }]),
      before: () => this.#beforePaste(), tell: (text) => this.#tell(text),
    });
  }

  /** Returns the function that handles the form after a text was inserted into the trace. */
  #beforePaste() {
    const whole = this.#trace.selectionStart === 0 && this.#trace.selectionEnd === this.#trace.value.length;
    const before = this.take();
    return () => {
      if (whole) this.#replaced(before);
      this.#run();
    };
  }

  /** The content of the form. @returns {Input} */
  take() {
    return { trace: this.#trace.value, files: this.#files, reference: this.#reference.value, config: this.#config.value, parameters: this.#parameters.get(), profile: this.#profile.value, checker: this.checker.name, example: this.#example, ...this.#about };
  }

  /** Fills the form. @param {Input} input */
  put(input) {
    this.#files = input.files;
    this.#example = input.example;
    this.#about = { title: input.title, about: input.about, marks: input.marks };
    this.#trace.value = input.trace;
    this.#reference.value = input.reference;
    this.#configure(input.config ?? "");
    this.#parameters.set(input.parameters ?? {});
    this.#profile.value = input.profile || "auto";
    this.#picker.value = "";
    if (this.checker.name !== input.checker) {
      this.checker.reset();
      if (input.checker) this.checker.choose(input.checker);
    }
    this.#readAs.hidden = true;
    this.#understood(null);
    this.#tell();
  }

  /** Keeps what the reader thinks of findings. @param {Record<string, import("../run/marks.js").Mark>} marks */
  mark(marks) {
    this.#about = { ...this.#about, marks };
  }

  /** Replaces the form's content and scores it. @param {Input} input @param {string} said the note about the change */
  show(input, said) {
    this.#replace(input, said);
    this.#run();
  }

  #replace(input, said) {
    const before = this.take();
    this.put(input);
    if (hasContent(before) && !isSameInput(before, input)) this.#tell(said, [this.#undo(before)]);
  }

  /**
   * Handles a new trace in the form. It removes the reference if that was scored with the
   * earlier trace, and offers to restore it.
   * @param {Input} before @param {boolean} [given] a reference came with the trace
   */
  #replaced(before, given = false) {
    const ways = hasContent(before) ? [this.#undo(before)] : [];
    const stale = !given && this.#scored && this.#reference.value.trim() && this.#reference.value === this.#scored.reference;
    if (!stale) return this.#tell("", before.trace || before.files.length ? ways : []);
    const { reference, profile, checker } = before;
    this.#reference.value = "";
    this.#profile.value = "auto";
    if (checker) this.checker.reset();
    const use = button("Use the reference for the new trace", () => {
      this.#reference.value = reference;
      this.#profile.value = profile;
      this.#tell();
      this.#run();
    }, { class: "link" });
    this.#tell("The reference belonged to the earlier trace and was removed.", [use, ...ways]);
  }

  #undo(before) {
    return button("Undo", () => {
      this.put(before);
      if (before.trace || before.files.length) this.#run();
    }, { class: "link" });
  }

  /** @param {string} text */
  #configure(text) {
    this.#config.value = text;
    this.#configured.open = text !== "";
  }

  /**
   * Puts a configuration and a single YAML reference into the form. It recognises them by the
   * names of the files. It returns the other files, which are the traces.
   */
  async #aside(files) {
    const configs = files.filter((f) => isConfig(f.name));
    const references = files.filter((f) => isYAML(f.name) && !isConfig(f.name));
    if (configs.length) this.#configure(await configs.at(-1).text());
    if (references.length === 1) this.#reference.value = await references[0].text();
    return files.filter((f) => !configs.includes(f) && (references.length !== 1 || f !== references[0]));
  }

  /** Opens files. A single small file is shown in the box. Several files are scored together. @param {File[]} files */
  async open(files) {
    const before = this.take();
    const traces = await this.#aside(files);
    if (!traces.length && files.length) {
      this.#picker.value = "";
      this.#tell(`${listText(files.map((f) => f.name))} ${files.length > 1 ? "apply" : "applies"} from now on.`, [this.#undo(before)]);
      if (before.trace || before.files.length) await this.#run();
      return;
    }
    const read = await Promise.all(traces.map(async (f) => ({ name: f.name || "Pasted data", bytes: new Uint8Array(await f.arrayBuffer()) })));
    await this.#load(read, before);
  }

  /** Scores traces that have been read. @param {{name: string, bytes: Uint8Array}[]} read @param {Input} [before] the form's earlier content */
  async #load(read, before = this.take()) {
    const given = this.#reference.value !== before.reference;
    const text = read.length === 1 && read[0].bytes.length <= SHOW_LIMIT ? utf8(read[0].bytes) : null;
    this.#files = read;
    this.#example = "";
    this.#about = {};
    this.#picker.value = "";
    this.#trace.value = text ?? "";
    this.#replaced(before, given);
    await this.#run();
  }

  /**
   * Shows how the scored input was read. @param {Input} input @param {import("../npm/types.d.ts").Report | null} report
   * @param {HTMLDetailsElement | null} reading says what was understood of the trace
   */
  scored(input, report, reading) {
    this.#scored = input;
    this.#understood(reading);
    const steps = input.reference.trim() ? report?.trajectories.find((t) => t.reference)?.reference : null;
    this.#readAs.hidden = !steps;
    if (!steps) return;
    const words = steps.filter((s) => s.text);
    this.#readAs.replaceChildren(words.length
      ? `The page read ${plural(words.length, "step")} of ${steps.length} as words, not as calls. Write one call per line, for example get_order(id="W7"). For several calls in any order, write {"anyOrder": [{"name": "a"}, {"name": "b"}]}.`
      : `Read as ${plural(steps.length, "step")}.`);
  }

  /**
   * Makes the form one line that says what was scored, or opens it again. What the form had to say
   * about the trace stays visible.
   * @param {import("../npm/types.d.ts").Report | null} report null opens the form
   */
  fold(report) {
    this.#folded.hidden = !report;
    this.node.classList.toggle("folded", Boolean(report));
    if (report) this.#line.replaceChildren(visibleText(scoredText(this.take(), report)));
    (report ? this.#folded : this.#place).after(this.#note);
    this.#fold(Boolean(report));
  }

  /** Shows what was understood of the trace. It stays open. @param {HTMLDetailsElement | null} reading null if the trace is not scored */
  #understood(reading) {
    if (reading) reading.open = this.#reading.firstChild?.open ?? false;
    this.#reading.hidden = !reading;
    this.#reading.replaceChildren(...(reading ? [reading] : []));
  }

  /** Shows an error in the input while the reader still types. @param {string} text */
  notYet(text) {
    this.#readAs.hidden = false;
    this.#readAs.replaceChildren(visibleText("Not understood yet: " + text));
  }

  /** Removes the reference, so that the core uses the reference inside the trace. */
  useOwnReference() {
    this.show({ ...this.take(), reference: "", profile: "auto" }, "The reference was removed.");
  }

  #tell(said = "", ways = []) {
    const odd = hiddenChars(this.#trace.value);
    const loaded = this.#files.length && (this.#files.length > 1 || !this.#trace.value || this.#files[0].name);
    const about = !loaded ? "" : this.#files.length > 1
      ? `${plural(this.#files.length, "file")}, scored together: ${listText(this.#files.slice(0, 6).map((f) => f.name))}${this.#files.length > 6 ? ", …" : ""}.`
      : `${this.#files[0].name}, ${sizeText(this.#files[0].bytes.length)}${this.#trace.value ? "" : ", loaded; not shown here"}.`;
    const warning = odd.length && !about ? `The text has invisible characters: ${listText(odd.slice(0, 6))}.` : "";
    this.#note.replaceChildren();
    append(this.#note, [about ? el("span", { class: "about", text: about + " " }) : null, [warning, said].filter(Boolean).join(" "), ways.map((w) => [" ", w])]);
    this.#look();
  }

  /** Shows the first lines of a file whose text is not in the box. */
  #look() {
    const text = this.#files.length === 1 && !this.#trace.value ? utf8(this.#files[0].bytes.subarray(0, 4000), true) : null;
    this.#peek.hidden = !text;
    if (!text) return;
    const lines = text.split("\n", PEEK).map((l) => (l.length > PEEK_WIDTH ? l.slice(0, PEEK_WIDTH) + "…" : l));
    this.#peek.replaceChildren(visibleText(lines.join("\n")));
  }

  /** The progress line. @param {string | null} text null hides it */
  progress(text) {
    this.#progress.hidden = text === null;
    if (text !== null) this.#elapsed.textContent = text;
  }
}

/** What was scored, in a few words, such as "one.json · tau-bench · own reference". @param {Input} input @param {import("../npm/types.d.ts").Report} report */
function scoredText(input, report) {
  const name = input.title || (input.files.length > 1 ? plural(input.files.length, "file") : input.files[0]?.name || "Pasted text");
  const reference = input.reference.trim() ? "reference in the box" : report.trajectories.some((t) => t.reference) ? "own reference" : "no reference";
  const changed = Object.keys(input.parameters ?? {}).length;
  return [name, report.input.format, reference, report.trajectories.some((t) => t.reference) && `profile ${report.profile}`, input.checker && `checker ${input.checker}`, input.config && CONFIG, changed && plural(changed, "parameter")].filter(Boolean).join(" · ");
}

function textBox(id, rows, describedby, placeholder) {
  return el("textarea", { id, rows, placeholder, "aria-describedby": describedby, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
}
