// Shows the effect of a checker: the report without the checker next to the report with it.

import { button, el, visibleText } from "../base/dom.js";
import { plural } from "../base/words.js";

/** @typedef {import("../npm/types.d.ts").Report} Report */

const violationFlags = (report) => report.trajectories.flatMap((t) => t.alignment.map((row) => row.verdict === "violation"));

/**
 * @param {string} name of the checker
 * @param {Report} before @param {Report} after
 * @param {(() => void) | null} askForFiles lets the reader choose files; null if the checker takes no files or has some
 */
export function compareView(name, before, after, askForFiles) {
  const used = after.plugins?.find((p) => p.name === name);
  const failed = after.warnings.filter((w) => w.code === "checker-failed");
  if (!used) return unusedNotice(name, failed[0], askForFiles);
  const was = violationFlags(before), is = violationFlags(after);
  const excused = was.filter((x, i) => x && !is[i]).length, blamed = is.filter((x, i) => x && !was[i]).length;
  const replayed = after.trajectories.filter((t) => t.replay), contradicted = replayed.filter((t) => t.replay.contradicted).length;
  return el("aside", { class: "card compared", "aria-label": "What the checker changed" },
    el("h2", {}, `With ${name}: `, findingChangeText(before.corpus.violations.total, after.corpus.violations.total)),
    el("p", { text: `${verdictChangeText(excused, blamed)}${after.profile === "sop" ? " Under the profile sop every step counts." : ""}${contradicted ? ` ${plural(contradicted, "recorded outcome")} ${contradicted === 1 ? "is" : "are"} contradicted by the replay.` : ""}` }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Before and after" }, beforeAfterTable(before.corpus, after.corpus)),
    failed.length ? el("p", { class: "notice bad" }, `${plural(failed.length, "run")} could not be checked and ${failed.length === 1 ? "was" : "were"} scored without the checker: `, visibleText(failed[0].message)) : null,
    askForFiles ? el("p", {}, "The checker had no files of the benchmark, so it used only the calls. ", button("Give the files to the checker…", askForFiles, { class: "link" })) : null,
    el("p", { class: "hint" }, `${used.name} ${used.version}, asked about ${plural(replayed.length, "run")}, `, el("code", { class: "sum", text: "sha256:" + used.sha256 })));
}

function findingChangeText(before, after) {
  return before === after ? `${plural(after, "finding")}, the same number as without the checker` : `${plural(before, "finding")} before, ${after.toLocaleString("en")} after`;
}

function verdictChangeText(excused, blamed) {
  const did = [excused && `excused ${plural(excused, "step")} that had the same result`, blamed && `blamed ${plural(blamed, "step")} that had looked right`].filter(Boolean);
  return did.length ? `It ${did.join(", and ")}.` : "The checker changed no verdict.";
}

function unusedNotice(name, warning, askForFiles) {
  return el("aside", { class: "notice bad", "aria-label": "What the checker changed" },
    warning ? [el("p", {}, el("strong", { text: `Scored without ${name}: ` }), visibleText(warning.message))]
      : el("p", {}, el("strong", { text: `The checker ${name} gave no verdict on these runs. ` }), "The report is the same as without the checker."),
    askForFiles ? button("Give the benchmark's files to the checker…", askForFiles, { class: "link" }) : null);
}

function beforeAfterTable(before, after) {
  const rows = [
    ["Findings", (c) => c.violations.total],
    ["Runs that broke a boundary", (c) => `${c.flagged} of ${c.n}`],
    ["Successes that broke a boundary", (c) => c.agreement && `${c.agreement.flaggedSuccesses} of ${c.agreement.successes}`],
    ["Failures that broke no boundary", (c) => c.agreement && `${c.agreement.unflaggedFailures} of ${c.agreement.failures}`],
  ].map(([head, value]) => [head, value(before), value(after)]).filter(([, b]) => b !== undefined);
  return el("table", { class: "evidence" },
    el("thead", {}, el("tr", {}, ["", "Without", "With"].map((h) => el(h ? "th" : "td", h ? { scope: "col", text: h } : {})))),
    el("tbody", {}, rows.map(([head, b, a]) => el("tr", {}, el("th", { scope: "row", text: head }), el("td", { class: "num", text: String(b) }), el("td", { class: "num", text: String(a) })))));
}
