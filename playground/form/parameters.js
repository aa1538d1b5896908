// Controls for the parameters of the papers. The page scores again after each change.

import { append, button, el } from "../base/dom.js";

/** Each slider: its letter, range, step, the papers' value, and its meaning. */
const NUMBERS = {
  alpha: ["α", 0.1, 3, 0.1, 1, "score of a match"],
  beta: ["β", 0, 3, 0.1, 1, "cost of a mismatch"],
  gamma: ["γ", 0, 3, 0.1, 0.5, "cost of a gap"],
  tau: ["τ", 0, 1, 0.01, 0.85, "minimum similarity of a match"],
  theta: ["θ", 0, 1, 0.01, 0.8, "a success with a higher boundary score does not count as luck"],
  thetaG: ["θg", 0, 5, 1, 0, "largest allowed difference between agent and reference in one step, as a number of actions"],
};
const STAGES = { state: "same state", effect: "same effect", outcome: "same outcome" };

/** @typedef {import("../npm/types.d.ts").Parameters} Values */

export class Parameters {
  #inputs = new Map();
  #outputs = new Map();
  #stages = new Map();
  #denominator;
  #summary = el("summary");
  node;

  /** @param {() => void} moved */
  constructor(moved) {
    const change = () => (this.#tell(), moved());
    const slider = ([name, [letter, min, max, step, value, what]]) => {
      const input = el("input", { type: "range", id: "p-" + name, min, max, step, value, "aria-describedby": `p-${name}-help` });
      const output = el("output", { for: "p-" + name });
      input.addEventListener("input", change);
      this.#inputs.set(name, input);
      this.#outputs.set(name, output);
      return el("div", { class: "slider" }, el("label", { for: "p-" + name, text: letter }), input, output, el("span", { class: "hint", id: `p-${name}-help`, text: what }));
    };
    const stage = ([name, text]) => {
      const box = el("input", { type: "checkbox", id: "p-" + name, checked: true });
      box.addEventListener("change", change);
      this.#stages.set(name, box);
      return el("span", {}, box, el("label", { for: "p-" + name, text }));
    };
    this.#denominator = el("select", { id: "p-denominator" }, el("option", { value: "agent", text: "the agent's number of steps" }), el("option", { value: "max", text: "the larger number of steps (agent or reference)" }));
    this.#denominator.addEventListener("change", change);
    this.node = el("details", { class: "parameters" });
    append(this.node, [this.#summary,
      Object.entries(NUMBERS).map(slider),
      el("fieldset", {}, el("legend", { text: "Reasons to excuse a step" }), Object.entries(STAGES).map(stage)),
      el("label", { for: "p-denominator", text: "For BASR, the boundary score is divided by" }), this.#denominator,
      button("Reset to the default values", () => (this.set({}), moved()), { class: "link" })]);
    this.set({});
  }

  /** The values that differ from the papers'. @returns {Values} */
  get() {
    /** @type {Record<string, any>} */
    const out = {};
    for (const [name, [, , , , value]] of Object.entries(NUMBERS)) if (Number(this.#inputs.get(name).value) !== value) out[name] = Number(this.#inputs.get(name).value);
    const without = Object.keys(STAGES).filter((s) => !this.#stages.get(s).checked);
    if (without.length) out.without = without;
    if (this.#denominator.value !== "agent") out.denominator = this.#denominator.value;
    return out;
  }

  /** @param {Values} values */
  set(values) {
    for (const [name, [, , , , value]] of Object.entries(NUMBERS)) this.#inputs.get(name).value = values[name] ?? value;
    for (const s of Object.keys(STAGES)) this.#stages.get(s).checked = !values.without?.includes(s);
    this.#denominator.value = values.denominator ?? "agent";
    this.#tell();
    if (this.#count()) this.node.open = true;
  }

  #count() {
    return Object.keys(this.get()).length;
  }

  #tell() {
    for (const [name, output] of this.#outputs) output.textContent = this.#inputs.get(name).value;
    const n = this.#count();
    this.#summary.textContent = n ? `Parameters: ${n} changed` : "Parameters: default values";
  }
}
