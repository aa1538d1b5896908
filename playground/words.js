// The texts that the page shows for the core's terms.

export const OPS = { match: "Match", substitution: "Differs", insertion: "Extra", deletion: "Missing" };

export const VERDICTS = { correct: "Kept", excused: "Excused", note: "Note", uncertain: "Uncertain", violation: "Broken", found: "Finding" };

export const STAGES = { state: "same state afterwards", effect: "same effect", outcome: "same outcome" };

export const TYPES = {
  "over-action": "Over-action",
  "under-action": "Under-action",
  "over-granular": "Over-granular",
  "under-granular": "Under-granular",
  "start-boundary": "Start boundary",
  "end-boundary": "End boundary",
};

export const TYPE_HELP = {
  "over-action": "did more than was asked",
  "under-action": "did less than was asked",
  "over-granular": "cut one action into many",
  "under-granular": "did several actions as one",
  "start-boundary": "started before its conditions were met",
  "end-boundary": "ended too early or too late",
};

/** The modes of failure in plain words; quote is the heading of the evidence. */
export const MODES = {
  "tool-selection-error": { name: "Wrong tool", about: "the reference has another kind of action here" },
  "boundary-violation": { name: "Broken boundary", about: "the right kind of action, but with the wrong scope, with the wrong steps or at the wrong time" },
  "state-tracking-failure": { name: "Lost track", about: "the agent used a value that contradicts its observations", quote: "What the agent had seen" },
  "reasoning-error": { name: "Argued away", about: "the agent gave a reason for skipping something", quote: "The agent's own words" },
};

export const MUTATES = { yes: "changes state", no: "reads only", unknown: "may change state" };

export const BY = { rule: "a rule", lint: "a general rule", judge: "a model judge", person: "a person" };

export const PROFILES = {
  auto: "Automatic",
  sop: "Procedure: every step is required",
  outcome: "Outcome: only the steps that change something are counted",
};

export const METRICS = {
  within: { name: "Steps within bounds", short: "", about: "rows of the run that are no violation, divided by all rows. Extra reads and missing steps are rows" },
  absAgent: { name: "Boundary score without missing steps", short: "ABS agent", about: "steps with the right boundary, divided by the agent's steps. Missing steps do not count" },
  absMax: { name: "Boundary score", short: "ABS max", about: "steps with the right boundary, divided by the larger number of steps (agent or reference). Missing steps lower it, and excused extra actions do not raise it" },
  gar: { name: "Length match", short: "GAR", about: "how close the agent's number of steps is to the reference's number of steps" },
  svr: { name: "Scope violations", short: "SVR", about: "over-actions and under-actions per step of the agent (lower is better)", low: true },
  granularityRate: { name: "Granularity violations", short: "", about: "split or merged actions per step of the agent (lower is better)", low: true },
  sr: { name: "Success", short: "SR", about: "runs that the trace records as successful, out of all runs with a reference" },
  srAll: { name: "Success, all runs", short: "SR all", about: "runs that the trace records as successful, out of all runs" },
  basr: { name: "Success within bounds", short: "BASR max", about: "runs that succeeded with a boundary score above θ (default 0.8). Missing steps count" },
  basrAgent: { name: "Success within bounds, without missing steps", short: "BASR agent", about: "success within bounds by the paper's equation. Missing steps do not count" },
  luckySuccess: { name: "Lucky success", short: "SR − BASR", about: "runs that succeeded with a boundary score of at most θ (default 0.8). Lower is better", low: true },
  agreement: { name: "Agreement", short: "", about: "recorded successes that broke no boundary, and recorded failures that broke a boundary" },
};

/** What the gate's decision is based on: the layers of core/action/mutation. */
export const LAYERS = {
  table: "the table of the gate's operator",
  annotation: "the tool's annotations",
  http: "the HTTP method",
  sql: "the SQL statement",
  shell: "the shell command",
  argument: "the arguments",
  name: "the tool's name",
  description: "the tool's description",
  none: "nothing known about the tool",
};

/** Returns an id of the core as words: "missing-verification" → "Missing verification". */
export function idText(id) {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a finding: its pattern, or else its type. */
export function findingName(violation) {
  return violation.pattern ? idText(violation.pattern) : TYPES[violation.type] ?? idText(violation.type);
}

export function plural(n, one, many = one + "s") {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Joins words to one text: ["a", "b", "c"] → "a, b and c". */
export function listText(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function figureText(value) {
  return value.toFixed(value !== 0 && Math.abs(value) < 0.0095 ? 3 : 2);
}

export function sizeText(n) {
  return n < 1024 ? plural(n, "byte") : n < 1 << 20 ? `${(n / 1024).toFixed(1)} KB` : `${(n / (1 << 20)).toFixed(1)} MB`;
}
