// Measures batches in real workerd on this machine (make bench-edge):
//
//   - lines per second, and whether the time grows in proportion to the lines;
//   - what a batch costs the gate: the latency of proposals with and without a batch, in
//     turns in the same run, because a machine's speed varies; with one Worker for
//     everything, and with a Worker for batches only.
//
//   node worker/bench/batches.mjs [ROUNDS [speed,gate [WAY]]]      (3 rounds, of the gate's latency; both; all)
//
// A long line has the size of a recorded run of τ-bench, 17 kB; a short one 600 bytes.
// Everything runs in one process with one thread: the Worker, and the simulators of D1,
// R2 and Queues. With two Workers (wrangler.batches.jsonc) there are two such processes,
// each on a core.
import { execFileSync, fork, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, dirname, join } from "node:path";
import { batchConfig, buildBatches, buildWorker, config, migrate, root, scratch, send, start } from "../test/processes.mjs";

const rounds = Number(process.argv[2] ?? 3);
const key = "bench-key-0123456789abcdef";
const hash = "sha256:" + createHash("sha256").update(key).digest("hex");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A run like the example's, as long as needed.
const example = JSON.parse(readFileSync(join(root, "testdata/traces/tau-bench.json"), "utf8"));
function long(i) {
  const run = structuredClone(example[i % example.length]);
  run.task_id = i % 200;
  run.trial = Math.floor(i / 200);
  for (let n = 0; JSON.stringify(run).length < 17_000; n++) run.traj.splice(1, 0, { role: "user", content: `${n} `.padEnd(1500, "words of a conversation ") });
  return JSON.stringify(run);
}
const short = (i) => JSON.stringify({ ...example[i % example.length], task_id: i % 200, trial: Math.floor(i / 200) });
const file = (lines, make) => Buffer.from(Array.from({ length: lines }, (_, i) => make(i) + "\n").join(""));

const place = scratch();

// Each Worker gets a path that writes to its bucket.
function withBucket(entry) {
  writeFileSync(join(dirname(entry), "bench.mjs"), `import worker from "./${basename(entry)}";
export default { ...worker, async fetch(req, env, ctx) {
  if (new URL(req.url).pathname !== "/put") return worker.fetch(req, env, ctx);
  await env.TRACES.put("t/runs.jsonl", req.body);
  return new Response("stored");
} };`);
  return join(dirname(entry), "bench.mjs");
}

const entry = withBucket(buildWorker(place.dir));
const batchEntry = withBucket(buildBatches(place.dir));
const settings = { BOUNDCHECK_URL: "http://127.0.0.1:1", BOUNDCHECK_SECRET: "0f".repeat(32), BOUNDCHECK_RATE: "100000", BOUNDCHECK_KEYS: `t agent bot ${hash}` };

// serve starts a Worker from its configuration and its entry. With the HOST:PORT of a Worker
// for batches, it forwards to that one.
async function serve(name, from, main, ...batches) {
  const args = [join(root, "worker/bench/workerd.mjs"), from, main, join(place.dir, name), ...batches];
  const worker = await start(process.execPath, args, { ready: /workerd is at (\S+)/, env: { VARS: JSON.stringify(settings) } });
  return { ...worker, host: worker.url, url: `http://${worker.url}` };
}

for (const name of ["one", "gate"]) migrate(place, join(place.dir, name));
const one = await serve("one", config, entry);
const batchesAlone = await serve("batches", batchConfig, batchEntry);
const gateAlone = await serve("gate", config, entry, batchesAlone.host);
const workers = [one, gateAlone, batchesAlone];
const ask = (worker, path, init = {}) => send(worker.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
const call = (worker, path, init) => ask(worker, path, init).catch(() => pause(100).then(() => ask(worker, path, init))); // a connection may close while it is reused

// pin restricts processes to one core, if the machine supports that. On the platform, two
// Workers do not share a core. The process that asks the gate is on the gate's core with and
// without a batch: otherwise a batch would drive it there. This process, which sends and
// watches the batch, is on the other one.
function pin(core, ...pids) {
  if (cpus().length < 2) return;
  for (const pid of pids) spawnSync("taskset", ["-apc", String(core), String(pid)], { stdio: "ignore" });
}
const pids = (worker) => processes(worker).map(({ pid }) => pid);

// post begins a batch: with a body, or with the file in the bucket.
async function post(worker, body) {
  const response = await call(worker, "/v1/batches", { method: "POST", ...(body ? { headers: { "content-type": "application/x-ndjson" }, body } : { headers: { "content-type": "application/json" }, body: '{"key":"t/runs.jsonl"}' }) });
  if (response.status !== 202) throw new Error(await response.text());
  return (await response.json()).id;
}

async function ended(worker, id, every) {
  for (;;) {
    const state = await (await call(worker, `/v1/batches/${id}?limit=0`)).json();
    if (state.status === "failed") throw new Error(state.failure);
    if (state.status === "done") return state;
    await pause(every);
  }
}

// gate sends proposals to a gate twenty times a second, until it is told to stop. Then it
// returns how long each took.
async function gate(worker) {
  const asker = fork(new URL("asker.mjs", import.meta.url), [worker.url, key]);
  const ended = new Promise((_, reject) => asker.once("error", reject).once("exit", (code) => reject(new Error(`the asker ended with ${code}`))));
  ended.catch(() => {}); // next throws it
  const next = () => Promise.race([ended, new Promise((resolve) => asker.once("message", resolve))]);
  await next();
  pin(0, asker.pid);
  return { async stop() {
    if (asker.connected) asker.send("stop");
    const took = await next();
    asker.disconnect();
    return took;
  } };
}

const at = (took, share) => took[Math.min(took.length - 1, Math.floor(took.length * share))];

const tenths = (n) => Number(n.toFixed(1));

// latencies returns a row of a table about sorted latencies in ms, without and during a batch.
const latencies = (way, without, during) => ({
  way, "without p50": tenths(at(without, 0.5)), "without p95": tenths(at(without, 0.95)), "during p50": tenths(at(during, 0.5)), "during p95": tenths(at(during, 0.95)),
  "p95 ratio": Number((at(during, 0.95) / at(without, 0.95)).toFixed(2)), calls: during.length,
});

// together returns the latencies of several rounds, sorted.
const together = (rounds, which) => rounds.flatMap((round) => round[which]).sort((a, b) => a - b);

// interval returns a bootstrap interval of the ratio of the 95th percentiles. It resamples
// the rounds, because the calls of a round are not independent.
function interval(rounds) {
  const ratios = Array.from({ length: 1000 }, () => {
    const drawn = rounds.map(() => rounds[Math.floor(Math.random() * rounds.length)]);
    return at(together(drawn, "during"), 0.95) / at(together(drawn, "without"), 0.95);
  }).sort((a, b) => a - b);
  return `${at(ratios, 0.025).toFixed(2)} to ${at(ratios, 0.975).toFixed(2)}`;
}

// processes returns the processes of a Worker: Miniflare's, and workerd.
function processes(worker) {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
      const fields = rest.split(" ");
      return Number(fields[2]) === worker.pid ? [{ pid, name, ticks: Number(fields[11]) + Number(fields[12]) }] : [];
    } catch {
      return []; // it has ended
    }
  });
}

// cpu returns the processor time that workerd has used, in ms.
const tick = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const cpu = (worker) => processes(worker).filter(({ name }) => name === "workerd").reduce((sum, { ticks }) => sum + ticks * tick, 0);

// score scores a file, and returns how long that took, in seconds. A batch is created when
// its request is answered, so the end is known to the millisecond. score asks for the state
// at an interval of every ms, because each answer takes 5 ms of the thread that scores.
async function score(worker, body, lines, size = body.length, every = 500) {
  const from = performance.now();
  const used = cpu(worker);
  const id = await post(worker, body);
  const posted = (performance.now() - from) / 1000;
  const { done, created, finished } = await ended(worker, id, every);
  if (done !== lines) throw new Error(`${done} of ${lines} lines`);
  const took = posted + (finished - created) / 1000;
  await call(worker, `/v1/batches/${id}`, { method: "DELETE" });
  return { lines, MB: Math.round(size / 1e6), "request s": Number(posted.toFixed(2)), "all s": Number(took.toFixed(2)), "lines/s": Math.round(lines / took), "cpu ms a line": Number(((cpu(worker) - used) / lines).toFixed(2)) };
}

// loop keeps the other core busy without a batch. What the gate loses then is due to the
// machine.
async function loop() {
  const child = spawn("taskset", ["-c", "1", process.execPath, "-e", "for (const end = Date.now() + 6000; Date.now() < end;);"], { stdio: "ignore" });
  await new Promise((resolve, reject) => child.on("exit", resolve).on("error", reject));
  return { "all s": 6 };
}

const wanted = new Set((process.argv[3] ?? "speed,gate").split(","));
const only = process.argv[4] ?? ""; // one of the ways below
try {
  await score(one, file(200, long), 200); // compiles
  await score(batchesAlone, file(200, long), 200);
  if (wanted.has("speed")) {
    const batches = [];
    for (const [kind, make, lines] of [["17 kB", long, 1000], ["17 kB", long, 5000], ["600 B", short, 1000], ["600 B", short, 10_000], ["600 B", short, 100_000]])
      batches.push({ kind, ...(await score(one, file(lines, make), lines)) });
    console.log(`\n${cpus().length} cores, load ${loadavg().map((n) => n.toFixed(1)).join(" ")}`);
    console.table(batches);
    // On the platform many isolates score the parts; here a process has one thread.
    const other = await serve("other", batchConfig, batchEntry);
    workers.push(other);
    await score(other, file(200, long), 200);
    const body = file(5000, long);
    const rate = async (all) => {
      const from = performance.now();
      const done = await Promise.all(all.map((worker) => score(worker, body, 5000)));
      return { processes: all.length, "lines/s": Math.round((all.length * 5000) / ((performance.now() - from) / 1000)), "cpu ms a line": done[0]["cpu ms a line"] };
    };
    console.log("only the Worker for batches: a batch of 5,000 lines of 17 kB in each process");
    console.table([await rate([batchesAlone]), await rate([batchesAlone, other])]);
  }
  if (wanted.has("gate")) {
    pin(0, ...pids(gateAlone));
    pin(1, process.pid, ...pids(batchesAlone));
    const body = file(5000, long);
    for (const worker of [one, batchesAlone]) await (await call(worker, "/put", { method: "POST", body })).text();
    const ways = [["one Worker, a file in the bucket", one, one, null], ["one Worker, a body", one, one, body], ["two Workers, a file in the bucket", gateAlone, gateAlone, null], ["two Workers, a body", gateAlone, gateAlone, body], ["two Workers, no batch: an empty loop on the other core", gateAlone, null, null]].filter(([way]) => way.startsWith(only));
    for (const worker of [one, gateAlone]) {
      const warm = await gate(worker);
      await pause(5000);
      await warm.stop();
    }
    const turns = [];
    const calls = [];
    for (let round = 0; round < rounds; round++) {
      for (const [way, asked, scores, sent] of ways) {
        const idle = await gate(asked);
        await pause(8000);
        const without = await idle.stop();
        const beside = await gate(asked);
        const from = performance.now();
        let took;
        do { // one batch after the other, until there are about as many calls as without
          ({ "all s": took } = scores ? await score(scores, sent, 5000, body.length, 250) : await loop());
        } while (performance.now() - from < 6000);
        const during = await beside.stop();
        calls.push({ way, without, during });
        turns.push({ ...latencies(way, without, during), "batch s": took });
        console.log(JSON.stringify(turns.at(-1)), loadavg()[0].toFixed(1));
      }
    }
    // A round has only some hundred calls, so its p95 is the time of one slow call. All
    // calls together give a better figure, because the rounds alternate.
    console.log("proposals, 20 a second, without a batch and during batches of 5,000 lines, in ms: all calls of the rounds together");
    console.table(ways.map(([way]) => {
      const own = calls.filter((c) => c.way === way);
      return { ...latencies(way, together(own, "without"), together(own, "during")), "95 % interval of the ratio": interval(own) };
    }));
    console.log("medians of the rounds");
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    console.table(ways.map(([way]) => ({ way, ...Object.fromEntries(Object.keys(turns[0]).slice(1).map((name) => [name, median(turns.filter((t) => t.way === way).map((t) => t[name]))])) })));
  }
} finally {
  await Promise.all(workers.map((worker) => worker.stop()));
  place.remove();
}
