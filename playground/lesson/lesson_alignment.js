// A lesson of the kind "alignment": the matrix of scores, and the path through it that
// the core chooses. The page computes the matrix to show it, but the path comes from the
// core.

import { parseAnswer } from "../npm/client.js";
import { append, el, visibleText } from "../base/dom.js";
import { OPS } from "../base/terms.js";

const SLIDERS = { alpha: ["α", "a match scores", 0.1, 3, 1], beta: ["β", "a mismatch costs", 0, 3, 1], gamma: ["γ", "a gap costs", 0, 3, 0.5] };

/** A step's tool. A step is written as its tool, a space and its object. */
const nameOf = (step) => step.split(" ")[0];
const callOf = (step) => ({ name: nameOf(step), arguments: { on: step.slice(nameOf(step).length + 1) } });

/**
 * Returns the matrix s: s[i][j] is the best score for the first i steps of the agent and the
 * first j steps of the reference. Two calls of different tools are never paired. @param {string[]} agent @param {string[]} reference
 */
export function scoreMatrix(agent, reference, { alpha, beta, gamma }) {
  const s = Array.from({ length: agent.length + 1 }, () => Array(reference.length + 1).fill(0));
  for (let i = 0; i <= agent.length; i++) {
    for (let j = 0; j <= reference.length; j++) {
      const from = [];
      if (i && j && nameOf(agent[i - 1]) === nameOf(reference[j - 1])) from.push(s[i - 1][j - 1] + (agent[i - 1] === reference[j - 1] ? alpha : -beta));
      if (i) from.push(s[i - 1][j] - gamma);
      if (j) from.push(s[i][j - 1] - gamma);
      if (from.length) s[i][j] = Math.max(...from);
    }
  }
  return s;
}

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function alignmentView(root, lesson, { client }) {
  const inputs = {}, outputs = {};
  const controls = Object.entries(SLIDERS).map(([name, [letter, what, min, max, value]]) => {
    inputs[name] = el("input", { type: "range", id: "align-" + name, min, max, step: 0.1, value });
    outputs[name] = el("output", { for: "align-" + name });
    return el("div", { class: "slider" }, el("label", { for: "align-" + name, text: letter }), inputs[name], outputs[name], el("span", { class: "hint", text: what }));
  });
  const said = el("p", { class: "lead", role: "status" });
  const place = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The matrix of scores" });
  const steps = el("ol", { class: "path" });
  append(root, [el("div", { class: "card" }, controls), said, place, el("h2", { text: "The path, step by step" }), steps,
    el("p", {}, visibleText(lesson.ties)), el("p", { class: "close" }, visibleText(lesson.close))]);
  let turn = 0;
  for (const input of Object.values(inputs)) input.addEventListener("input", updateScores);
  updateScores();

  async function updateScores() {
    const mine = ++turn;
    const values = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, Number(input.value)]));
    for (const [name, v] of Object.entries(values)) outputs[name].textContent = String(v);
    const list = (steps) => steps.map(callOf);
    try {
      const body = JSON.stringify({ trace: list(lesson.agent), reference: list(lesson.reference), profile: "sop", options: values });
      const run = parseAnswer(await client.handleRaw("score", body)).trajectories[0];
      if (mine !== turn) return;
      showMatrix(run.alignment, values);
    } catch (e) {
      place.replaceChildren(el("p", { class: "notice bad", text: e.message }));
    }
  }

  function showMatrix(rows, values) {
    said.textContent = values.beta < 2 * values.gamma ? lesson.pairs : lesson.lcs;
    const scores = scoreMatrix(lesson.agent, lesson.reference, values);
    const path = new Map([["0,0", "start"]]);
    let i = 0, j = 0;
    steps.replaceChildren(...rows.map((row) => {
      if (row.obs !== null) i++;
      if (row.ref !== null) j++;
      path.set(`${i},${j}`, row.op);
      const a = row.obs === null ? "nothing" : lesson.agent[row.obs], r = row.ref === null ? "nothing" : lesson.reference[row.ref];
      return el("li", { class: row.op }, el("strong", { text: OPS[row.op] ?? row.op }), ": ", el("code", { text: a }), " beside ", el("code", { text: r }), `, score ${roundScore(scores[i][j])}`);
    }));
    const cell = (y, x) => el("td", { class: path.has(`${y},${x}`) ? "on" : "", data: { at: `${y},${x}` } }, path.has(`${y},${x}`) ? el("mark", { text: String(roundScore(scores[y][x])) }) : String(roundScore(scores[y][x])));
    place.replaceChildren(el("table", { class: "matrix" },
      el("caption", { class: "away", text: "The rows are the agent's steps, and the columns are the reference's steps. The marked cells are the path." }),
      el("thead", {}, el("tr", {}, el("td", { text: "" }), el("th", { scope: "col", text: "–" }), lesson.reference.map((r) => el("th", { scope: "col" }, el("code", { text: r }))))),
      el("tbody", {}, scores.map((line, y) => el("tr", {}, el("th", { scope: "row" }, y ? el("code", { text: lesson.agent[y - 1] }) : "–"), line.map((_, x) => cell(y, x)))))));
  }
}

const roundScore = (n) => Math.round(n * 100) / 100 + 0;
