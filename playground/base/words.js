// The texts that the page alone shows for the core's terms. What the command says, too, is in
// terms.js, which is generated.

export const STAGES = { state: "same state afterwards", effect: "same effect", outcome: "same outcome" };

/** The name of a type of finding: "over-action" → "Over-action", "end-boundary" → "End boundary". @param {string} type */
export const typeName = (type) => type.charAt(0).toUpperCase() + type.slice(1).replace("-boundary", " boundary");

/** The names of the modes of failure; quote is the heading of the evidence. */
export const MODES = {
  "tool-selection-error": { name: "Wrong tool" },
  "boundary-violation": { name: "Broken boundary" },
  "state-tracking-failure": { name: "Lost track", quote: "What the agent had seen" },
  "reasoning-error": { name: "Argued away", quote: "The agent's own words" },
};

export const BY = { rule: "a rule", lint: "a general rule", judge: "a model judge", person: "a person" };

export const PROFILES = {
  auto: "Automatic",
  sop: "Procedure: every step is required",
  outcome: "Outcome: only the steps that change something are counted",
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
  return violation.pattern ? idText(violation.pattern) : typeName(violation.type);
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
