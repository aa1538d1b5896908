// A lesson of the kind "lucky": two agents serve the same customers, some of whom give a
// false identity. The core computes success, and success within bounds, from all runs.

import { parseAnswer } from "../npm/client.js";
import { append, button, el, visibleText } from "../base/dom.js";
import { figureText } from "../base/words.js";

const MOST = 400;

/** @param {HTMLElement} root @param {any} lesson @param {import("./lessons.js").Means} means */
export function luckyView(root, lesson, { client, open }) {
  const theta = el("input", { type: "range", id: "theta", min: "0", max: "1", step: "0.05", value: "0.8" });
  const shownTheta = el("output", { for: "theta" });
  const said = el("p", { class: "lead", role: "status" });
  const sides = el("div", { class: "sides" });
  const one = button("Next customer", () => addCustomers(1), { class: "primary" });
  const many = button("Next hundred customers", () => addCustomers(100));
  const again = button("Start again", () => ((n = 0), scoreRuns()));
  let n = 0;
  let turn = 0;
  append(root, [
    el("div", { class: "buttons" }, one, many, again),
    el("div", { class: "card theta" }, el("label", { for: "theta" }, "θ: the boundary score of a success must be higher than ", shownTheta), theta),
    said, sides,
    el("p", { class: "close" }, visibleText(lesson.close)),
  ]);
  theta.addEventListener("input", scoreRuns);
  scoreRuns();

  function addCustomers(more) {
    n = Math.min(n + more, MOST);
    scoreRuns();
  }

  const kindOf = (i) => ((i + 1) % lesson.every ? "genuine" : "impostor");

  function runsOf(agent) {
    return Array.from({ length: n }, (_, i) => ({
      id: `customer-${i + 1}`, task: `customer-${i + 1}`, success: lesson.success[agent.name][kindOf(i)], actions: agent[kindOf(i)], reference: lesson.reference[kindOf(i)],
    }));
  }

  async function scoreRuns() {
    const mine = ++turn;
    shownTheta.textContent = Number(theta.value).toFixed(2);
    one.disabled = many.disabled = n >= MOST;
    const all = lesson.agents.map((agent) => ({ agent, list: runsOf(agent) }));
    try {
      const reports = n ? await Promise.all(all.map(async ({ list }) =>
        parseAnswer(await client.handleRaw("score", JSON.stringify({ trace: { trajectories: list }, profile: "sop", options: { theta: Number(theta.value) } }))))) : [];
      if (mine !== turn) return; // the slider or the number of customers has changed
      const impostors = Math.floor(n / lesson.every);
      said.textContent = !n ? "No customer yet." : `${n === 1 ? "1 customer" : n + " customers"}, ${impostors ? (impostors === 1 ? "1 of them an impostor" : impostors + " of them impostors") : "no impostor yet"}. ${impostors ? lesson.after : lesson.before}`;
      sides.replaceChildren(...all.map(({ agent, list }, i) => sideView(agent, list, reports[i]?.corpus.metrics)));
    } catch (e) {
      sides.replaceChildren(el("p", { class: "notice bad", text: e.message }));
    }
  }

  function sideView(agent, list, metrics) {
    const rows = [["Success", metrics?.sr], ["Success within bounds", metrics?.basr.max], ["Lucky success", metrics?.luckySuccess.max]];
    return el("section", { class: "card", "aria-label": agent.name },
      el("h2", {}, visibleText(agent.name)),
      el("dl", { class: "pair" }, rows.map(([name, score]) => el("div", { data: { figure: name } }, el("dt", { text: name }),
        el("dd", {}, el("span", { class: "value", text: score?.scored ? figureText(score.value) : "–" }),
          el("span", { class: name === "Lucky success" ? "bar low" : "bar", "aria-hidden": "true" }, el("span", { class: "fill", style: { width: `${(score?.scored ? score.value : 0) * 100}%` } })))))),
      el("div", { class: "strip", role: "img", "aria-label": `${list.filter((r) => r.success).length} succeeded, ${list.filter((r) => !r.success).length} failed` }, list.map((r) => el("span", { class: r.success ? "kept" : "failed" }))),
      list.length ? button("Open these runs in Score", () => open({ trace: JSON.stringify({ trajectories: list }), reference: "", title: `${lesson.title}: ${agent.name}` }), { class: "link" }) : null);
  }
}
