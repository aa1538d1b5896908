// Shows what a benchmark's checker found when it replayed a run and its reference.

import { el, visibleText } from "../base/dom.js";
import { listText, plural } from "../base/words.js";

const BASES = {
  database: "The run and the reference were replayed on the benchmark's own database.",
  "write-effects": "There was no database, so only the arguments of the writing calls were compared.",
  observations: "The state was derived from the run's own observations.",
  recorded: "The benchmark recorded this verdict. The verdict excuses no step.",
};

/** @param {import("../npm/types.d.ts").Replay} replay */
export function replayView(replay) {
  const said = Object.entries(replay.outputs ?? {});
  const unsaid = said.filter(([, ok]) => !ok).map(([text]) => `“${text}”`);
  const { differences = [], assertions = [], notes = [] } = replay;
  return [
    el("h3", { text: "What the checker found" }),
    el("div", { class: "card replay" },
      el("p", {}, el("strong", { text: verdictText(replay) }), replay.contradicted ? " The recorded outcome is different." : ""),
      el("p", {}, BASES[replay.basis] ?? replay.basis, " ", el("span", { class: "id" }, visibleText(replay.benchmark))),
      said.length ? el("p", {}, unsaid.length ? ["The user was not told ", visibleText(listText(unsaid)), "."] : "The user got all required information.") : null,
      differences.length ? differencesView(differences) : null,
      assertions.length ? el("p", {}, "Checks of the benchmark: ", visibleText(listText(assertions.map((a) => `${a.name} ${a.result} of ${a.total}`))), ".") : null,
      notes.length ? el("ul", { class: "hint" }, notes.map((n) => el("li", {}, visibleText(n)))) : null),
  ];
}

function verdictText({ success, stateEqual, basis, differences }) {
  if (basis === "recorded") return success ? "Recorded as passed." : "Recorded as failed.";
  if (basis === "observations") return success ? "The goal was reached." : "According to the run, the goal was not reached.";
  if (!stateEqual) return `The final states differ${differences?.length ? ` in ${plural(differences.length, "place")}` : ""}.`;
  return success ? "The final states are equal." : "The final states are equal, but the user did not get all information.";
}

function differencesView(all) {
  const value = (text) => el("td", {}, text ? el("code", {}, visibleText(text)) : el("span", { class: "hint", text: "none" }));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Differences of the final states" },
    el("table", { class: "evidence" },
      el("thead", {}, el("tr", {}, ["Where", "Agent", "Reference"].map((h) => el("th", { scope: "col", text: h })))),
      el("tbody", {}, all.map((d) => el("tr", {}, el("th", { scope: "row" }, visibleText([d.table, d.key, d.field].filter(Boolean).join(" · "))), value(d.observed), value(d.reference))))));
}
