// Compares two groups of files, a baseline and a treatment. It pairs runs by task, as
// "boundcheck compare" does. It shows first what changed, then the figures with their
// intervals, what broke, and each pair of runs that changed its verdict.

import { append, button, el, fillPages, visibleText } from "./dom.js";
import { figureText, listText, plural, TYPES } from "./words.js";

/** @typedef {import("./npm/types.d.ts").Report} Report */
/** @typedef {import("./npm/types.d.ts").Trajectory} Run */

const PAGE = 20;
const signedText = (x) => (x > 0 ? "+" : x < 0 ? "−" : "±") + figureText(Math.abs(x));

/**
 * Returns the card in which the reader assigns the files to the groups, and which shows the
 * comparison.
 * @param {string[]} names of the files
 * @param {(sides: number[][]) => Promise<{comparison: object, reports: Report[]}>} compare the files of each side, by index
 */
export function versusView(names, compare) {
  const half = Math.ceil(names.length / 2);
  const choices = names.map((name, i) => {
    const id = `side-${i}`;
    const select = el("select", { id }, [["a", "baseline"], ["b", "treatment"], ["", "left out"]].map(([value, text]) => el("option", { value, text, selected: value === (i < half ? "a" : "b") })));
    return { select, row: el("li", {}, el("label", { for: id }, visibleText(name)), select) };
  });
  const said = el("p", { role: "status", class: "hint" });
  const result = el("div", { class: "versus-result" });
  const go = button("Compare", async () => {
    const sides = ["a", "b"].map((side) => choices.flatMap(({ select }, i) => (select.value === side ? [i] : [])));
    if (sides.some((s) => !s.length)) return (said.textContent = "Choose at least one file as baseline and one as treatment.");
    said.textContent = "Comparing…";
    go.disabled = true;
    try {
      const { comparison, reports } = await compare(sides);
      said.textContent = "";
      result.replaceChildren(...resultView(comparison, reports));
      result.querySelector("h3").focus();
    } catch (e) {
      said.textContent = `The groups cannot be compared: ${e.message}.`;
      result.replaceChildren();
    } finally {
      go.disabled = false;
    }
  }, { class: "primary" });
  const node = el("section", { class: "card share versus", "aria-label": "Compare files" });
  append(node, [el("h2", { text: "Compare files" }), el("p", { class: "hint", text: "Compares runs of the same task, for example with and without a prompt or a gate, or with two models." }),
    el("ul", { class: "versus-files" }, choices.map(({ row }) => row)), el("div", { class: "buttons" }, go, said), result]);
  return node;
}

/** @param {object} c a comparison, as the core writes it @param {Report[]} reports of both sides */
function resultView(c, reports) {
  const find = (side, id) => reports[side].trajectories.find((r) => r.id === id);
  const out = [
    el("h3", { tabindex: "-1", text: verdictText(c.verdict) }),
    el("p", { text: `${plural(c.tasks, "task")} and ${plural(c.runs, "pair of runs", "pairs of runs")} were compared.` }),
    el("p", { class: "hint" }, "Baseline: ", filesView(c.a), ". Treatment: ", filesView(c.b), "."),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures" }, figuresView(c)),
  ];
  if (c.success) out.push(el("p", { text: `Success: ${plural(c.success.gained, "run")} succeeded only with the treatment, ${c.success.lost.toLocaleString("en")} only with the baseline, ${c.success.both.toLocaleString("en")} with both, and ${c.success.neither.toLocaleString("en")} with none. McNemar's exact test gives p = ${figureText(c.success.p)}.` }));
  if (c.violations.length) out.push(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What broke" }, violationsView(c.violations)));
  if (c.flips.length) {
    const body = el("ul", { class: "flips" });
    const [, more] = fillPages(body, c.flips, (f) => flipView(f, find(0, f.a), find(1, f.b)), PAGE);
    out.push(el("h3", { text: plural(c.flips.length, "pair changed its verdict", "pairs changed their verdicts") }), body, more);
  }
  if (c.notes.length) out.push(el("ul", { class: "hint" }, c.notes.map((n) => el("li", {}, visibleText(n)))));
  return out.filter(Boolean);
}

const filesView = (side) => visibleText(listText(side.files));

function verdictText({ worse, better, silent, needed }) {
  if (silent) return `No verdict: a figure must differ in at least ${plural(needed, "task")} before its adjusted p can be below 0.05. The changes are shown alone.`;
  const parts = [better.length && `Better: ${listText(better)}.`, worse.length && `Worse: ${listText(worse)}.`].filter(Boolean);
  return parts.join(" ") || "No difference was shown, because no figure has an adjusted p below 0.05.";
}

function figuresView(c) {
  const value = (s) => (s.scored ? figureText(s.value) : "–");
  const change = (s) => (s.scored ? `${signedText(s.value)}${s.interval ? ` (${signedText(s.interval.low)} to ${signedText(s.interval.high)})` : ""}` : "–");
  return el("table", { class: "runs" },
    el("thead", {}, el("tr", {}, ["Figure", "Baseline", "Treatment", "Change, 95 % interval", "p, adjusted", "Verdict"].map((h) => el("th", { scope: "col", text: h })))),
    el("tbody", {}, c.figures.map((f) => el("tr", {}, el("th", { scope: "row" }, visibleText(f.name)),
      el("td", { class: "num", text: value(f.a) }), el("td", { class: "num", text: value(f.b) }), el("td", { class: "num", text: change(f.delta) }),
      el("td", { class: "num", text: f.adjusted === null ? "–" : figureText(f.adjusted) }),
      el("td", { text: c.verdict.better.includes(f.name) ? "better" : c.verdict.worse.includes(f.name) ? "worse" : "not shown" })))));
}

function violationsView(violations) {
  return el("table", { class: "runs" },
    el("thead", {}, el("tr", {}, ["What broke", "Baseline", "Treatment", "Only baseline", "Only treatment"].map((h) => el("th", { scope: "col", text: h })))),
    el("tbody", {}, violations.map((v) => el("tr", {}, el("th", { scope: "row" }, visibleText(TYPES[v.type] ?? v.type)), [v.a, v.b, v.lost, v.gained].map((n) => el("td", { class: "num", text: n.toLocaleString("en") }))))));
}

/** A pair of runs with their calls side by side. The first call that differs is marked. @param {Run} a @param {Run} b */
function flipView(f, a, b) {
  const parted = f.parted?.action ?? -1;
  const calls = (run) => run?.observed.map((x) => x.text || `${x.name}${x.arguments && x.arguments !== "{}" ? " " + x.arguments : ""}`) ?? [];
  const [left, right] = [calls(a), calls(b)];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => el("tr", { class: i === parted ? "parted" : "" }, el("th", { scope: "row", text: String(i + 1) }),
    [left[i], right[i]].map((call) => el("td", {}, call === undefined ? el("span", { class: "hint", text: "ended" }) : visibleText(call)))));
  const body = el("tbody");
  const [, more] = fillPages(body, rows, (r) => r, 100);
  return el("li", {}, el("details", {},
    el("summary", {}, `Task `, visibleText(f.task), `: ${f.what}${parted < 0 ? ", with the same calls" : `, from action ${parted + 1} on`}${f.rules.length ? ` (${listText(f.rules)})` : ""}`),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Both runs" },
      el("table", { class: "runs side-by-side" }, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Step" }), el("th", { scope: "col" }, "Baseline, ", visibleText(f.a)), el("th", { scope: "col" }, "Treatment, ", visibleText(f.b)))), body)), more));
}
