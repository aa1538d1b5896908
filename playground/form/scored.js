// Scores an input and makes the view of the report: with a checker if one is chosen, with what can
// be done with the report, or with what helps if the input cannot be scored.

import { parseAnswer } from "../npm/client.js";
import { parseReport } from "../base/slices.js";
import { acceptRow, referenceOf } from "../run/accept.js";
import { shellWord } from "../run/agentnote.js";
import { bodyOf, readBody, reportIn, START, tracesOf, utf8 } from "./bodies.js";
import { compareView } from "./compare.js";
import { askCore, causesAsker, consensusAsker } from "./ask.js";
import { yieldToBrowser, button, el } from "../base/dom.js";
import { EMPTY } from "./inputs.js";
import { mapperView } from "./mapper.js";
import { problemView } from "./problem.js";
import { readingView } from "./reading.js";
import { repairView } from "./repair.js";
import { opener, reportView, SAVE } from "../report.js";
import { saveView } from "./save.js";
import { shareView } from "./share.js";
import { applyMarks, markKey, withMarks } from "../run/marks.js";
import { commandOf, snippetsView } from "./snippets.js";
import { versusView } from "../runs/versus.js";
import { sizeText } from "../base/words.js";

const SMALLEST = '[\n  {"name": "get_order", "arguments": {"order_id": "#W7"}},\n  {"name": "cancel_order", "arguments": {"order_id": "#W7"}}\n]';

/** @typedef {import("./inputs.js").Input} Input */

/** Shows a card below the head of a report and removes the earlier card. @param {HTMLElement} head @param {string} opener says which button opens it @param {HTMLElement} card @param {string} focus selector of the element that gets the focus */
function showCard(head, opener, card, focus) {
  head.parentElement.querySelectorAll(".share").forEach((other) => other.remove());
  for (const b of head.querySelectorAll(".buttons > [aria-expanded]")) b.setAttribute("aria-expanded", String(b.textContent === opener));
  head.after(card);
  card.querySelector(focus).focus();
}

export class Scorer {
  #client;
  #form;
  #yaml;
  #page;

  /**
   * @param {import("../npm/client.js").Client} client @param {import("./form.js").InputForm} form @param {import("../base/yaml.js").YAML} yaml
   * @param {{plugins: () => import("./plugins.js").Plugins | null, place: () => import("../base/place.js").Place, run: () => void, cure: () => void, doing: (text: string) => void, kept: () => void}} page
   *   run scores the form's content; cure makes a prompt of the trace's tools; doing is told what takes time; kept is called after a change of the marks
   */
  constructor(client, form, yaml, page) {
    this.#client = client;
    this.#form = form;
    this.#yaml = yaml;
    this.#page = page;
  }

  /** Scores the input without a checker and, if one is chosen, also with the checker. */
  async score(input, signal) {
    const again = this.#reopened(input);
    if (again) return again;
    const { body, left } = await bodyOf(await this.#yaml.input(input, signal));
    const found = [];
    const known = this.#page.plugins()?.checkers ?? [];
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
      const files = this.#page.plugins().describe(name)?.environment && !checker.given ? () => this.#askForFiles(name) : null;
      beside = plugin ? compareView(name, before, report, files) : noticeView(`Scored without ${name}:`, trouble);
    }
    const about = { title: input.title, description: input.about, place: this.#page.place(), transcript: (id) => this.#transcript(input, id), agree: consensusAsker(this.#client, bytes), causes: causesAsker(this.#client, report), align: this.#align, accept: input.reference.trim() ? (run, row) => this.#accept(input, run, row) : undefined, ...this.#marking(input, bytes), command: (run) => this.#commandFor(input, report, run), save: () => this.#save(node, about.marked(), input) };
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

  /** Says why the input could not be scored, and what to do. @returns {Promise<HTMLElement>} */
  async problem(e, input, signal) {
    const text = input.trace || (input.files.length === 1 ? utf8(input.files[0].bytes) : null);
    const node = problemView(e, text, this.#client.version?.formats ?? [], () => this.#form.show({ ...EMPTY, trace: SMALLEST }, "The smallest trace replaced the earlier text."));
    if (e.formats) node.append(...(await this.#mapper(input, signal).catch(() => [])));
    if (e.code === "invalid-input") for (const part of await this.#repair(input, text, signal).catch(() => [])) node.insertBefore(part, node.querySelector(".readable"));
    return node;
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
      this.#page.kept();
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
    return opener("Compare…", () => {
      const node = versusView(input.files.map((f) => f.name), compare, this.#align);
      showCard(head, "Compare…", node, "select");
    });
  }

  /** Lays two runs beside each other. */
  #align = (a, b) => askCore(this.#client, "fork", ['{"a":', JSON.stringify(a), ',"b":', JSON.stringify(b), "}"]);

  /** Shows the card that saves a report in one of several formats. @param {HTMLElement} report @param {Uint8Array} bytes @param {Input} [input] none for a report that was opened */
  async #save(report, bytes, input) {
    const card = saveView(this.#client, bytes, input && { name: input.files.length === 1 ? input.files[0].name : "", traces: await tracesOf(input), config: (await this.#yaml.input(input)).config });
    showCard(report.querySelector(".report-head"), SAVE, card, "button");
  }

  /** The button that shows texts for CI and a policy for the gate. */
  #using(head, input, report) {
    return opener("Use it…", () => {
      showCard(head, "Use it…", snippetsView(input, report, input.checker !== "" && this.#form.checker.given), "button");
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
      const at = ["run", "step"].filter((name) => this.#page.place().get(name)).map((name) => `&${name}=${encodeURIComponent(this.#page.place().get(name))}`).join("");
      const { node } = shareView({ ...input, marks: this.#form.take().marks, trace, files: [] }, verdict, at);
      showCard(head, "Link…", node, "input[type=text]");
    };
    const go = opener("Link…", press);
    return go;
  }

  /** Returns the view of an input that is a report instead of a trace. Returns null if the input is not a complete report. */
  #reopened(input) {
    const report = reportIn(input);
    try {
      const bytes = input.files[0]?.bytes ?? new TextEncoder().encode(input.trace);
      if (!report) return null;
      const view = reportView(report, bytes, { title: "An earlier report", place: this.#page.place(), agree: consensusAsker(this.#client, bytes), causes: causesAsker(this.#client, report), align: this.#align, save: () => this.#save(view.node, bytes) });
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
    const tell = this.#page.doing;
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
    const { summary, environment } = this.#page.plugins().describe(name);
    const weight = this.#page.plugins().weight(name);
    const press = () => {
      checker.choose(name);
      this.#page.run();
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
      button("Make the prompt from these tools", this.#page.cure));
  }
}

export function noticeView(head, text) {
  return el("aside", { class: "notice bad", "aria-label": head }, el("strong", { text: head + " " }), text);
}
