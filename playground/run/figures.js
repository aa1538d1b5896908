// Metrics as labelled figures, each with a small bar. The bar only repeats the number.

import { el, visibleText } from "../base/dom.js";
import { METRICS } from "../base/terms.js";
import { figureText } from "../base/words.js";

/** The figures of a run or a corpus, and how often verdict and outcome agree. */
const NAMES = { ...METRICS, agreement: { name: "Agreement", short: "", about: "recorded successes that broke no boundary, and recorded failures that broke a boundary" } };

/** @param {Record<string, import("../npm/types.d.ts").Score | undefined>} scores by METRICS key, in order */
export function figuresView(scores) {
  return el("dl", { class: "figures" }, Object.entries(scores).filter(([, s]) => s).map(([key, s]) => figureView(key, s)));
}

function figureView(key, score) {
  const m = NAMES[key];
  const value = score.scored ? el("span", { class: "value", text: figureText(score.value) }) : el("span", { class: "value none", text: "not scored" });
  const range = score.interval;
  return el("div", { class: "figure", data: { metric: key } },
    el("dt", {}, m.name, m.short ? el("span", { class: "id", text: m.short }) : null),
    el("dd", {},
      value,
      score.scored ? scoreBar(score, m.low) : null,
      range ? el("span", { class: "range", text: `${figureText(range.low)} to ${figureText(range.high)} (${Math.round(range.level * 100)} % interval)` }) : null,
      el("span", { class: "hint" }, visibleText(score.scored ? m.about : score.reason || m.about))));
}

const cssPercent = (x) => `${Math.min(Math.max(x, 0), 1) * 100}%`;

function scoreBar({ value, interval }, low) {
  return el("span", { class: low ? "bar low" : "bar", "aria-hidden": "true" },
    el("span", { class: "fill", style: { width: cssPercent(value) } }),
    interval ? el("span", { class: "whisker", style: { left: cssPercent(interval.low), right: cssPercent(1 - Math.min(interval.high, 1)) } }) : null);
}

/** A confidence as a bar and a number. */
export function confidenceMeter(confidence) {
  return [el("meter", { min: "0", max: "1", value: String(confidence), "aria-label": "Confidence" }), `${Math.round(confidence * 100)} % sure`];
}

/** The figures of one run. The first one is the number in the headline. @param {import("../npm/types.d.ts").Trajectory} run with a reference */
export function runFigures(run) {
  const { metrics } = run;
  return figuresView({ within: withinScore(run), absMax: metrics.abs.max, absAgent: metrics.abs.agent, gar: metrics.gar, svr: metrics.svr, granularityRate: metrics.granularityRate });
}

/** The headline figure of a run. A report of an earlier version does not have it. @param {import("../npm/types.d.ts").Trajectory} run */
export function withinScore({ metrics }) {
  return metrics.withinBounds ?? { scored: false, reason: "an earlier version made this report" };
}

export function corpusFigures({ metrics, agreement }) {
  const { withinBounds, abs, gar, svr, granularityRate, sr, srAll, basr, luckySuccess } = metrics;
  const agrees = agreement && { value: agreement.value, scored: true };
  return figuresView({ within: withinBounds, sr, basr: basr.max, luckySuccess: luckySuccess.max, basrAgent: basr.agent, srAll, agreement: agrees, absMax: abs.max, absAgent: abs.agent, gar, svr, granularityRate });
}
