// The Score view: a trace in, a report out. It keeps no rule of its own; what it
// shows stands in the report.

import { parseAnswer, scoreBody } from "./npm/client.js";
import { append, button, el, hidden, shown } from "./dom.js";
import { reportView } from "./report.js";
import { bytes as size, list, PROFILES } from "./words.js";

const SHOW_LIMIT = 200_000; // a larger file is scored from its bytes and not put into the box
const SMALLEST = '[\n  {"name": "get_order", "arguments": {"order_id": "#W7"}},\n  {"name": "cancel_order", "arguments": {"order_id": "#W7"}}\n]';

const FORMATS = {
  "tau-bench": "τ-bench results file",
  "openai-chat": "OpenAI chat messages with tool calls",
  "generic-actions": 'plain list of calls: [{"name": …, "arguments": {…}}]',
  generic: 'several runs: {"trajectories": [{"id": …, "actions": […]}]}',
};

export function scoreView(root, client) {
  const trace = el("textarea", { id: "trace", rows: "11", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "trace-help trace-note", placeholder: "Paste a trace here, or drop a file anywhere on this page." });
  const note = el("p", { id: "trace-note", class: "hint" });
  const reference = el("textarea", { id: "reference", rows: "6", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "reference-help", placeholder: 'confirm_identity()\nget_order_details(order_id="#W7")' });
  const profile = el("select", { id: "profile" }, Object.entries(PROFILES).map(([value, text]) => el("option", { value, text })));
  const picker = el("input", { type: "file", class: "away", tabindex: "-1", "aria-label": "Trace file", on: { change: () => picker.files[0] && openFile(picker.files[0]) } });
  const samples = el("div", { class: "examples", hidden: true });
  const go = el("button", { type: "submit", class: "primary", text: "Score the trace" });
  const elapsed = el("span");
  const progress = el("div", { class: "progress", hidden: true }, el("progress", { "aria-label": "Scoring" }), elapsed, button("Cancel", () => stop?.abort()));
  const status = el("p", { class: "away", role: "status" });
  const result = el("div", { class: "result" });
  const form = el("form", { class: "card input", on: { submit: (e) => (e.preventDefault(), run()) } },
    el("div", { class: "input-trace" },
      el("div", { class: "label-row" }, el("label", { for: "trace", text: "Trace" }), el("span", { class: "buttons" }, button("Open a file…", () => picker.click()), button("Clear", clear)), picker),
      trace, note,
      el("p", { id: "trace-help", class: "hint", text: "OpenAI chat messages, a τ-bench results file, or a list of {name, arguments}. The format is detected." })),
    el("div", { class: "input-side" },
      el("div", { class: "label-row" }, el("label", { for: "reference", text: "Reference" }), el("span", { class: "hint", text: "optional" })),
      reference,
      el("p", { id: "reference-help", class: "hint", text: "What should have been done: one call a line, or JSON. Without it the trace is checked against general rules." }),
      el("label", { for: "profile", text: "Profile" }), profile),
    el("div", { class: "input-foot" }, go, el("span", { class: "hint keys", text: "or Ctrl + Enter" }), progress));

  append(root, [
    el("div", { class: "hero" },
      el("h1", { text: "Where did the agent step out of bounds?" }),
      el("p", { class: "lead", text: "Paste a trace. Each action is laid beside what should have been done, and you see where a boundary broke, and why." })),
    samples, form, status, result,
  ]);

  /** @type {{name: string, bytes: Uint8Array, inBox: boolean} | null} */
  let file = null;
  let stop = null;

  trace.addEventListener("input", () => ((file = null), tell()));
  trace.addEventListener("paste", (e) => {
    const [pasted] = e.clipboardData?.files ?? [];
    if (pasted) return e.preventDefault(), openFile(pasted);
    setTimeout(run); // after the text has arrived
  });
  form.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) e.preventDefault(), run();
  });

  function tell(extra = "") {
    const odd = hidden(trace.value);
    note.textContent = extra || (odd.length ? `The text holds characters that do not show: ${list(odd.slice(0, 6))}.` : "");
  }

  function clear() {
    stop?.abort();
    file = null;
    trace.value = reference.value = picker.value = status.textContent = "";
    profile.value = "auto";
    result.replaceChildren();
    tell();
    trace.focus();
  }

  async function openFile(opened) {
    const bytes = new Uint8Array(await opened.arrayBuffer());
    const text = bytes.length <= SHOW_LIMIT ? utf8(bytes) : null;
    file = { name: opened.name, bytes };
    picker.value = "";
    trace.value = text ?? "";
    tell(`${opened.name || "Pasted data"}, ${size(bytes.length)}${text === null ? ", loaded; not shown here" : ""}.`);
    await run();
  }

  function fill(example) {
    file = null;
    trace.value = example.trace;
    reference.value = example.reference;
    profile.value = example.profile || "auto";
    tell();
    return run(example);
  }

  /** Scores what the form holds; a run that is still going is given up. */
  async function run(example) {
    stop?.abort();
    const mine = (stop = new AbortController());
    const source = file?.bytes ?? trace.value;
    const done = clock();
    status.textContent = "Scoring…";
    try {
      const bytes = await client.handleRaw("score", body(source), { signal: mine.signal });
      show(reportView(parseAnswer(bytes), bytes, example));
    } catch (e) {
      if (stop === mine) show(problem(e, typeof source === "string" ? source : utf8(source)));
    } finally {
      done();
    }

    function show({ node, summary }) {
      if (stop !== mine) return;
      status.textContent = summary;
      result.replaceChildren(node);
      result.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }
  }

  function body(source) {
    const options = { reference: reference.value.trim() ? reference.value : undefined, profile: profile.value === "auto" ? undefined : profile.value };
    const binary = typeof source !== "string" && utf8(source) === null;
    return binary ? source : scoreBody(source, options); // no text: the core says what it saw
  }

  function clock() {
    const began = performance.now();
    const tick = () => (elapsed.textContent = `Scoring… ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const timer = setInterval(tick, 100);
    tick();
    progress.hidden = false;
    const mine = (clock.latest = {});
    return () => {
      clearInterval(timer);
      if (clock.latest === mine) progress.hidden = true;
    };
  }

  function problem(e, text) {
    if (e.code === "cancelled") return { node: notice("Cancelled", "The scoring was stopped. What you pasted is still there."), summary: "Cancelled." };
    if (e.code === "timeout") return { node: notice("This took too long", `There was no answer within a minute, so it was stopped. The command has no such limit: boundcheck score FILE.`), summary: "Stopped: it took too long." };
    const input = e.code === "invalid-input";
    const node = notice(input ? "This cannot be scored as it stands" : "Something went wrong", e.message, [
      e.seen && el("p", {}, "What was seen: ", el("strong", {}, shown(e.seen))),
      e.line && excerpt(text, e.line, e.column),
      (e.seen || e.formats) && el("div", {},
        el("p", { text: "What can be read:" }),
        el("ul", {}, (e.formats?.length ? e.formats : Object.keys(FORMATS)).map((f) => el("li", {}, el("code", { text: f }), FORMATS[f] ? ": " + FORMATS[f] : ""))),
        button("Show the smallest trace", () => fill({ trace: SMALLEST, reference: "" }))),
    ]);
    return { node, summary: "Not scored: " + e.message };
  }

  return {
    openFile,
    /** @param {{title: string, description: string}[]} examples */
    offer(examples) {
      samples.hidden = !examples.length;
      append(samples, [
        el("p", { class: "examples-label", id: "examples-label", text: "Start with one of three case studies" }),
        el("ul", { "aria-labelledby": "examples-label" }, examples.map((x) =>
          el("li", {}, el("button", { type: "button", class: "example", data: { example: x.name }, on: { click: () => fill(x) } }, el("strong", { text: x.title }), el("span", { text: x.description }))))),
      ]);
    },
  };
}

function notice(title, message, more) {
  return el("div", { class: "card problem" }, el("h2", { text: title }), el("p", {}, shown(message)), more ?? []);
}

/** The place in the text, marked. Lines may be very long, so only its surroundings; columns count bytes. */
function excerpt(text, line, column = 1) {
  const where = `Line ${line}, column ${column}`;
  const whole = text?.split("\n", line)[line - 1];
  if (whole === undefined) return el("p", { text: where + "." });
  const at = new TextDecoder().decode(new TextEncoder().encode(whole).subarray(0, Math.max(column - 1, 0))).length;
  const from = Math.max(0, at - 40);
  return el("figure", { class: "excerpt" },
    el("figcaption", { text: where }),
    el("pre", { tabindex: "0", "aria-label": where }, from ? "…" : "", shown(whole.slice(from, at)), el("mark", {}, shown(whole[at] ?? " ⏎")), shown(whole.slice(at + 1, at + 41))));
}

function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
