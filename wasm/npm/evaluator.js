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
 * A figure of a report, or the worst one if a run did not pass and the figure would be the best:
 * of a run that is recorded as failed every figure, of one with a finding those of all its steps.
 * @param {Report} r @param {string} metric
 */
function figureOf(r, metric) {
  const value = METRICS[metric](r);
  const [best, worst] = metric === "svr" ? [0, 1] : [1, 0];
  const counts = (/** @type {Report["trajectories"][number]} */ t) => t.passed === false && (!t.flagged || metric === "within" || metric === "abs.max");
  return value === best && r.trajectories.some(counts) ? worst : value;
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
      const report = await c.score(run.outputs, { ...scoring, ...(held === undefined || held === null ? {} : { reference: await asReference(c, held, scoring.config) }) });
      const bare = report.trajectories.every((t) => t.reference === null);
      const doubt = doubtOf(report);
      const unknown = doubt || passedOf(report) === null; // a figure of such a run is none, also where it is flagged
      const score = metric !== "passed" && unknown ? null : bare ? METRICS.passed(report) : figureOf(report, metric);
      return { key, score: bare && metric !== "passed" && score !== null ? Number(score) : score, comment: doubt || reportComment(report) };
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
