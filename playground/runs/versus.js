// Compares two groups of files, a baseline and a treatment, task by task, as "boundcheck compare"
// does. It shows first which tasks broke, were fixed or fail on both sides, each with two of
// its runs beside each other; then the figures with their intervals, and what broke.

import { append, button, el, fillPages, verdictChip, visibleText } from "../base/dom.js";
import { forkView } from "./fork.js";
import { figureText, listText, plural, typeName } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Report} Report */
/** @typedef {import("../npm/types.d.ts").Trajectory} Run */

const PAGE = 20;
const signedText = (x) => (x > 0 ? "+" : x < 0 ? "−" : "±") + figureText(Math.abs(x));

/**
 * Returns the card in which the reader assigns the files to the groups, and which shows the
 * comparison.
 * @param {string[]} names of the files
 * @param {(sides: number[][]) => Promise<{comparison: object, reports: Report[]}>} compare the files of each side, by index
 * @param {(a: Run, b: Run) => Promise<import("./fork.js").Pair>} align lays two runs beside each other
 */
export function versusView(names, compare, align) {
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
    const here = document.activeElement === go;
    go.disabled = true;
    try {
      const { comparison, reports } = await compare(sides);
      said.textContent = "";
      result.replaceChildren(...resultView(comparison, reports, align));
      go.setAttribute("aria-expanded", "true");
      if (here) result.querySelector("h3").focus();
    } catch (e) {
      said.textContent = `The groups cannot be compared: ${e.message}.`;
      result.replaceChildren();
    } finally {
      go.disabled = false;
    }
  }, { class: "primary", "aria-expanded": "false" });
  const node = el("section", { class: "card share versus", "aria-label": "Compare files" });
  append(node, [el("h2", { text: "Compare files" }), el("p", { class: "hint", text: "Compares runs of the same task, for example with and without a prompt or a gate, or with two models." }),
    el("ul", { class: "versus-files" }, choices.map(({ row }) => row)), el("div", { class: "buttons" }, go, said), result]);
  return node;
}

/** @param {object} c a comparison, as the core writes it @param {Report[]} reports of both sides */
function resultView(c, reports, align) {
  const out = [
    el("h3", { tabindex: "-1", text: `Of ${plural(c.rows.length, "task")}: ${c.counts}.` }),
    el("p", { text: c.verdict.text }),
    el("p", { class: "hint" }, "Baseline: ", filesView(c.a), ". Treatment: ", filesView(c.b), "."),
    ...rowsView(c.rows, reports, align),
    el("h4", { text: "Figures" }),
    el("p", { text: `${plural(c.tasks, "task")} and ${plural(c.runs, "pair of runs", "pairs of runs")} were compared.` }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures" }, figuresView(c)),
  ];
  if (c.success) out.push(el("p", { text: c.success.text }));
  if (c.violations.length) out.push(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What broke" }, violationsView(c.violations)));
  if (c.notes.length) out.push(el("ul", { class: "hint" }, c.notes.map((n) => el("li", {}, visibleText(n)))));
  return out;
}

const LOOKS = { broken: "violation", fixed: "correct", "both-fail": "note" };

/** The tasks, those that changed first. Each opens to two of its runs. */
function rowsView(rows, reports, align) {
  const list = el("ul", { class: "flips", "aria-label": "Tasks" });
  const [, more] = fillPages(list, rows, (row) => taskView(row, reports, align), PAGE);
  return [list, more];
}

function taskView(row, reports, align) {
  const inside = el("div", { role: "status" });
  const share = (half) => `${half.good} of ${half.runs}`;
  const [whose, story] = row.what === "fixed" || (row.what !== "broken" && !row.b.story) ? ["Baseline", row.a.story] : ["Treatment", row.b.story];
  const node = el("details", {},
    el("summary", {}, verdictChip(LOOKS[row.what] ?? "", row.word), " Task ", visibleText(row.task), el("span", { class: "hint", text: ` good: ${share(row.a)} → ${share(row.b)}` }),
      story ? el("span", { class: "hint task-story" }, visibleText(`${whose}: ${story[0]}`)) : null), inside);
  node.addEventListener("toggle", async () => {
    inside.textContent = "Comparing the runs…";
    try {
      const find = (side, id) => reports[side].trajectories.find((r) => r.id === id);
      inside.replaceChildren(forkView(await align(find(0, row.a.run), find(1, row.b.run)), ["Baseline", "Treatment"]));
    } catch (e) {
      inside.textContent = `The runs cannot be compared: ${e.message}`;
    }
  }, { once: true });
  return el("li", {}, node);
}

const filesView = (side) => visibleText(listText(side.files));

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
    el("tbody", {}, violations.map((v) => el("tr", {}, el("th", { scope: "row" }, visibleText(typeName(v.type))), [v.a, v.b, v.lost, v.gained].map((n) => el("td", { class: "num", text: n.toLocaleString("en") }))))));
}
