// An evaluator for LangSmith, openevals and vitest.
import { BoundcheckError, checkOptions } from "./client.js";

/**
 * @typedef {import("./index.d.ts").EvaluatorOptions} EvaluatorOptions
 * @typedef {import("./index.d.ts").Evaluation} Evaluation
 * @typedef {import("./index.d.ts").Evaluator} Evaluator
 * @typedef {import("./index.d.ts").Client} Client
 * @typedef {import("./types.d.ts").Report} Report
 */

/** Functions that return a figure of a report, by the figure's name. @type {Record<string, (r: Report) => number | boolean | null>} */
const METRICS = {
  within: (r) => r.corpus.metrics.withinBounds.value,
  "abs.max": (r) => r.corpus.metrics.abs.max.value,
  "abs.agent": (r) => r.corpus.metrics.abs.agent.value,
  gar: (r) => r.corpus.metrics.gar.value,
  svr: (r) => r.corpus.metrics.svr.value,
  passed: passedOf,
};

/** Whether every run passed: false if one did not, null if that is not known of one, or there is none. @param {Report} r */
function passedOf(r) {
  const all = r.trajectories.map((t) => t.passed);
  return all.includes(false) ? false : all.length === 0 || all.includes(null) ? null : true;
}

/**
 * Whether a fault is not in the figure: a run is recorded as failed, or a finding of the figure's
 * steps has no row.
 * @param {Report} r @param {string} metric
 */
function hasUncounted(r, metric) {
  return r.trajectories.some((t) => {
    const broken = (/** @type {number | null} */ row) => row !== null && t.alignment[row]?.verdict === "violation";
    const lone = t.violations.some((v) => !v.hint && ![...(v.rows ?? []), v.row].some(broken));
    return t.success === false || (lone && (metric === "within" || metric === "abs.max"));
  });
}

/**
 * A figure of a report, and the reason if there is none. It is the worst one if a run is recorded
 * as failed, or has a fault that the figure does not count, so that no worse run has a better
 * figure. Without a reference it is the best one if the run is probably fine, and otherwise the
 * worst.
 * @param {Report} r @param {string} metric
 * @returns {[number | boolean | null, string]}
 */
function figureOf(r, metric) {
  const passed = passedOf(r);
  const doubt = doubtOf(r);
  if (metric === "passed") return [passed, doubt];
  if (doubt || passed === null) return [null, doubt]; // also where it is flagged
  const bare = r.trajectories.filter((t) => t.reference === null);
  if (bare.length > 0 && bare.length < r.trajectories.length) return [null, `Cannot tell: run ${bare[0].id} has no reference, and others have one.`];
  const [best, worst] = metric === "svr" ? [0, 1] : [1, 0];
  if (bare.length > 0) return [passed ? best : worst, ""];
  return [hasUncounted(r, metric) ? worst : METRICS[metric](r), ""];
}

/** Why no figure counts: a run was not scored, or it was perhaps read wrongly; "" otherwise. @param {Report} r */
function doubtOf(r) {
  const t = r.trajectories.find((t) => t.error || t.doubt);
  return !t ? "" : t.error ? `Cannot tell: a run was not scored: ${t.error.message}` : `Cannot tell: ${t.doubt}.`;
}

/**
 * @param {() => Promise<Client>} open opens a client if the options have none
 * @param {EvaluatorOptions} [options]
 * @returns {Evaluator}
 */
export function makeEvaluator(open, options = {}) {
  checkOptions(options, ["key", "metric", "reference", "profile", "parameters", "tools", "config", "client"], "createEvaluator");
  const { key = "boundcheck", metric = "abs.max", reference, client, ...scoring } = options;
  if (!Object.hasOwn(METRICS, metric)) throw new BoundcheckError("invalid-option", `unknown metric ${JSON.stringify(metric)}; the known metrics are ${Object.keys(METRICS).join(", ")}`);
  /** @type {Promise<Client> | undefined} */
  let own;
  const core = () => client ?? (own ??= open());
  return Object.assign(
    async (/** @type {any} */ run) => {
      if (!run || typeof run !== "object" || run.outputs === undefined) throw new BoundcheckError("invalid-input", 'invalid run: want { outputs, referenceOutputs? }, with the trace in "outputs"');
      const c = await core();
      const held = reference ?? run.referenceOutputs;
      try {
        const { outputs } = run;
        const trace = typeof outputs === "string" || (typeof outputs === "object" && outputs !== null) ? outputs : JSON.stringify(outputs);
        const report = await c.score(trace, { ...scoring, ...(held === undefined || held === null ? {} : { reference: await asReference(c, held, scoring.config) }) });
        const [score, reason] = figureOf(report, metric);
        return { key, score, comment: reason || reportComment(report) };
      } catch (e) {
        if (!(e instanceof BoundcheckError) || e.code !== "invalid-input") throw e;
        return { key, score: null, comment: `Cannot tell: ${e.message}` };
      }
    },
    { close: async () => (await own)?.close() },
  );
}

/**
 * Returns held unchanged if it is a reference. Otherwise held must be a successful run, and
 * asReference makes a reference from it. If that is not possible, it throws the error about held
 * as a reference.
 * @param {Client} c
 * @param {any} held
 * @param {EvaluatorOptions["config"]} config
 */
async function asReference(c, held, config) {
  try {
    await c.checkReference(held);
    return held;
  } catch (e) {
    if (!(e instanceof BoundcheckError) || e.code !== "invalid-input") throw e;
    const made = await c.newReference(held, { format: "json", config }).catch(() => {
      throw e; // the error of checkReference
    });
    return made.text;
  }
}

/** The findings in words, or else why there is no score. @param {Report} report */
function reportComment(report) {
  const found = report.trajectories.flatMap((t) => t.violations.filter((v) => !v.hint).map((v) => `${v.type}: ${v.reason}`));
  if (found.length) return found.join("; ");
  if (report.trajectories.length === 0) return "Cannot tell: no run could be read.";
  const first = (/** @type {boolean | null} */ passed) => report.trajectories.find((t) => t.passed === passed && t.verdict)?.verdict;
  return first(false) ?? first(null) ?? first(true) ?? "no violation";
}
