// Writes wasm/seldom.txt: the functions of the page's core that a first visit does not call.
// The page's build moves them to a second module, which the page loads two seconds
// after it is ready, or when a call needs it.
//
// Usage: node wasm/seldom.mjs, after make playground.
//
// A visit is imitated with the page's own requests for all traces in testdata. If a function
// is in the list and a visit calls it, the page loads the second module at that time.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readCase } from "../playground/form/examples.js";
import { FIRST } from "./first.mjs";
import { scoreBody } from "./npm/client.js";

const STARTS = 200;
const VISITS = 2;
const EXAMPLES = 10; // the order of maps is random
// What is left of these packages, and most of what the runtime does with memory, stacks and
// goroutines, is called by chance: by another trace, or when memory is collected. A sort of values in a bad order
// alone needs heaps and broken patterns, and each type that is sorted has its own.
const OFTEN = [
  /^encoding\/json\.state|setObservedActions/,
  /^(internal\/runtime\/|sort|slices\.(?!heapSort|siftDown|breakPatterns|$)|strings|bytes|unicode|maps)/,
  /\/core\/(base\/jsonval|math\/align)\./,
  /\/core\/read\/(envelope|shape|engine|format)\.(\(\*?\w+\)\.)?[iI]s[A-Z]/,
  /^runtime\.(\(\*)?(gc|m?heap|m?span|mcache|mcentral|page|timer|scav|sweep|work|stack|l?fstack|fix|linear|grey|scan|mark|sys|systemstack|persist|park|gopark|goready|ready|sched|find|wake|alloc|free|mem|bulk|type|heapBits|map|note|add|unlock)/,
];
// Of the runtime, what only a crash, a debug variable, a plugin of Go or a user's arena calls.
const NEVER = /^runtime\.(schedtrace|gcDumpObject|typesEqual|findGoroutineLeaks|findMaybeRunnableGoroutines|\(\*mspan\)\.(reportZombies|setUserArenaChunkToFault))/;
// What stays in the first module only if the page's first examples call it: all of Boundcheck, and the
// libraries that it uses. A pasted trace may need the second module, which the page fetches behind the first report.
const RARE = /^(?!type:).*\/boundcheck\/|^(archive\/tar|archive\/zip|bufio|bytes|compress\/flate|compress\/gzip|crypto(\/.+)?|encoding\/(base64|binary|csv|hex|json)|errors|fmt|github\.com\/.+|hash(\/.+)?|internal\/(fmtsort|strconv)|io(\/fs)?|maps|math(\/.+)?|net\/.+|path(\/filepath)?|reflect|slices|sort|strconv|strings|time|unicode(\/.+)?)\./;
const root = fileURLToPath(new URL("..", import.meta.url));

const dir = mkdtempSync(join(tmpdir(), "boundcheck-traced-"));
execFileSync("sh", [join(root, "wasm/build.sh"), "--trace", dir], { stdio: "inherit" });
await import(pathToFileURL(join(dir, "wasm_exec.js")));
const module = await WebAssembly.compile(readFileSync(join(dir, "traced.wasm")));
rmSync(dir, { recursive: true });
// By name, because generic functions with different types have one name: whether a visit called
// the function, and the functions that only traces of other formats call.
const ran = new Map();
const others = new Set();

const toBytes = (text) => new TextEncoder().encode(text);
const known = JSON.parse(readFileSync(join(root, "dist/playground/plugins/catalog.json"), "utf8")).plugins.map((p) => JSON.stringify(p.description)).filter((text) => text.includes("equivalence.check"));

const json = (answer) => JSON.parse(new TextDecoder().decode(answer));

/** Starts a core, calls use with its function handle, and calls note with the name of each function of the core and whether it was called. */
async function record(use, note) {
  const go = new globalThis.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const handle = await new Promise((resolve) => {
    globalThis.boundcheckReady = resolve;
    go.run(instance);
  });
  use(handle);
  for (const [name, value] of Object.entries(instance.exports)) {
    const [, short] = /^ran \d+ (.*)$/.exec(name) ?? [];
    if (short) note(short, value.value === 1);
  }
}

// What a reader may type as the reference of a pasted trace.
const REFERENCES = ["get_order\ncancel_order", 'get_order(order_id="W1")\ncancel_order', '[{"name": "get_order", "arguments": {"order_id": "W1"}, "optional": true}, {"oneOf": [[{"name": "a"}], [{"name": "b"}]]}]', '{"tasks": {"1": [{"name": "get_order"}]}}', "Look up the order, and then cancel it."];

// The formats that most traces have. The readers of the others are in the second module.
const USUAL = ["anthropic-messages.json", "claude-code-jsonl.jsonl", "generic-actions.json", "generic.json", "langchain-messages.json", "openai-chat.json", "openai-responses.json", "plain-calls.txt", "plain-names.txt", "tau-bench.json", "tau2.json"];

// Calls that many agents make, besides those in the files.
const call = (name, args, i) => ({ role: "assistant", tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: JSON.stringify(args) } }] });
const EVERYDAY = [["calculate", { expression: "2 * (3 + 4.5)" }], ["run_speed_test", {}], ["check_network_status", { line: "L1" }], ["grant_app_permission", { app: "mail" }],
  ["transfer_to_human_agents", { summary: "The user asks for a person." }], ["Bash", { command: "cd src && grep -rn 'def main' . | head -5" }], ["read_file", { path: "a.txt" }], ["search", { query: "opening hours" }]];
const everyday = JSON.stringify({ messages: [{ role: "user", content: "How much is it? Not the red one." }, ...EVERYDAY.flatMap(([name, args], i) => [call(name, args, i), { role: "tool", tool_call_id: `c${i}`, content: '{"ok": false, "left": null, "n": 1}' }]), { role: "assistant", content: "It is 15." }] });

const usual = USUAL.map((file) => readFileSync(join(root, "testdata/formats", file), "utf8"));
const read = (folder) => readdirSync(join(root, "testdata", folder)).map((file) => readFileSync(join(root, "testdata", folder, file), "utf8"));

function visit(handle, formats) {
  const score = (trace, options = {}) => {
    const body = toBytes(scoreBody(trace, options));
    handle("score", body);
    const { error, trajectories = [] } = json(handle("score", body, { plugins: [], known, found: () => {} }));
    if (!error) for (const { id } of trajectories.slice(0, 2)) handle("run", toBytes(JSON.stringify({ trace, run: id })));
  };
  const parameters = { alpha: 0.9, beta: 1, gamma: 1, tau: 0.8, theta: 0.9 };
  handle("version", toBytes(""));
  const [one, two] = read("traces");
  handle("score", toBytes(JSON.stringify({ traces: [{ name: "1.json", trace: one }, { name: "2.json", trace: two }] })));
  for (const text of read("cases")) {
    score(text);
    if (text[0] !== "{" || text.includes("}\n{")) continue;
    const { trace, reference, profile } = readCase(text);
    for (const chosen of [profile, "sop", "outcome"]) score(trace, { reference: reference || undefined, profile: chosen, parameters: chosen === "sop" ? parameters : undefined });
  }
  for (const text of [everyday, ...formats, ...["traces", "lint"].flatMap(read)]) {
    score(text);
    if (text.includes("}\n{")) for (const line of text.split("\n")) score(line);
    for (const reference of REFERENCES) score(text, { reference, profile: "sop" });
  }
  // Long runs, which are aligned in another way, and long values.
  const steps = (n, more) => Array.from({ length: n }, (_, i) => ({ name: ["get_order", "update_order", "search"][i % 3], arguments: { id: "#W" + i, ...more } }));
  score(JSON.stringify({ trajectories: [{ id: "long", actions: steps(5000), reference: steps(4977, { by: "reference" }) }] }));
  score(JSON.stringify({ trajectories: [0, 1].map((trial) => ({ id: "run-" + trial, task: "1", trial, actions: steps(12, { run: 2027, note: "x".repeat(1200) }), reference: steps(10, { run: 7, note: "x".repeat(100) }) })) }));
  // Many runs, so that memory grows and is collected.
  const [few] = JSON.parse(readFileSync(join(root, "testdata/formats/tau-bench.json"), "utf8"));
  score(JSON.stringify(Array.from({ length: 1000 }, (_, i) => ({ ...few, task_id: i >> 2, trial: i & 3 }))));
}

// Some functions of the runtime are called by chance, because maps have random seeds.
const note = (name, did) => ran.set(name, ran.get(name) || did);
for (let i = 0; i < STARTS; i++) await record((handle) => handle("version", toBytes("")), note);
for (let i = 0; i < VISITS; i++) await record((handle) => visit(handle, usual), note);
await record((handle) => visit(handle, ["formats", "producers"].flatMap(read)), (name, did) => {
  if (!/\/core\/(trajectory|read\/(envelope|shape|engine|format))\./.test(name)) note(name, did);
  else if (did && !ran.get(name) && !/\.[iI]s[A-Z]/.test(name)) others.add(name); // "is" functions also look at traces of other formats
});

const needed = new Set();
for (let i = 0; i < EXAMPLES; i++) await record((handle) => {
  handle("version", toBytes(""));
  for (const file of readdirSync(join(root, "testdata/cases")).filter((name) => FIRST.test(name))) {
    const { trace, reference, profile } = readCase(readFileSync(join(root, "testdata/cases", file), "utf8"));
    const body = toBytes(scoreBody(trace, { reference: reference || undefined, profile }));
    handle("score", body);
    const { trajectories } = json(handle("score", body, { plugins: [], known, found: () => {} }));
    handle("run", toBytes(JSON.stringify({ trace, run: trajectories[0].id })));
  }
}, (name, did) => did && needed.add(name));

const groups = new Map();
for (const [name, did] of [...ran].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [, start, rest] = /^((?:.*\/)?[^./]*\.)(.+)$/.exec(name) ?? [];
  if ((RARE.test(name) && !needed.has(name)) || !did && rest && (others.has(name) || NEVER.test(name) || !OFTEN.some((often) => often.test(start) || often.test(name)))) groups.set(start, [...(groups.get(start) ?? []), rest]);
}
let text = "# Functions that a first visit of the page does not call. Written by wasm/seldom.mjs.\n";
for (const [start, names] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) text += [start, ...names.map((n) => "\t" + n)].join("\n") + "\n";
writeFileSync(join(root, "wasm/seldom.txt"), text);
console.log(`${[...ran.values()].filter((did) => !did).length} of ${ran.size} functions are seldom called`);
process.exit(0);
