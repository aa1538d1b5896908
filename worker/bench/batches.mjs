// Measures batches in real workerd on this machine (make bench-edge):
//
//   - lines a second, and whether time grows in step with the lines;
//   - what a batch costs the gate: the latency of proposals without one and during one,
//     in turns of the same run, since the machine is never the same twice; with one
//     Worker for all, and with one of batches alone.
//
//   node worker/bench/batches.mjs [ROUNDS] [speed,gate]      (3 rounds, of the gate's latency; both)
//
// A long line has the size of a recorded run of τ-bench, 17 kB; a short one 600 bytes. All
// is in one process of one thread: the Worker, and the simulators of D1, R2 and Queues.
// With two Workers (wrangler.batches.jsonc) there are two such processes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { batchConfig, buildBatches, buildWorker, edge, freePort, migrate, root, scratch, send } from "../test/processes.mjs";

const rounds = Number(process.argv[2] ?? 3);
const key = "bench-key-0123456789abcdef";
const hash = "sha256:" + createHash("sha256").update(key).digest("hex");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const place = scratch();

// A run: the example's, made as long as is wanted.
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

const entry = buildWorker(place.dir);
const batchEntry = buildBatches(place.dir);
const text = (port) => `BOUNDCHECK_URL=http://127.0.0.1:${port}\nBOUNDCHECK_SECRET=${"0f".repeat(32)}\nBOUNDCHECK_RATE=100000\nBOUNDCHECK_KEYS='t agent bot ${hash}'\n`;

// serve starts the Worker, or the one of batches alone.
async function serve(name, alone) {
  const port = await freePort();
  const vars = join(place.dir, `${name}.vars`);
  writeFileSync(vars, text(port));
  const state = join(place.dir, name);
  if (alone) return edge(batchEntry, place, ["--env-file", vars, "--test-scheduled"], { port, state, from: batchConfig });
  migrate(place, state);
  return edge(entry, place, ["--env-file", vars, "--test-scheduled"], { port, state });
}

const one = await serve("one");
const gateAlone = await serve("gate");
const batchesAlone = await serve("batches", true);
const workers = [one, gateAlone, batchesAlone];
const ask = (worker, path, init = {}) => send(worker.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
const call = (worker, path, init) => ask(worker, path, init).catch(() => pause(100).then(() => ask(worker, path, init))); // wrangler's proxy closes connections now and then

async function post(worker, body) {
  const response = await call(worker, "/v1/batches", { method: "POST", headers: { "content-type": "application/x-ndjson" }, body });
  if (response.status !== 202) throw new Error(await response.text());
  return (await response.json()).id;
}

async function ended(worker, id) {
  for (;;) {
    const state = await (await call(worker, `/v1/batches/${id}?limit=0`)).json();
    if (state.status === "failed") throw new Error(state.failure);
    if (state.status === "done") return state;
    await pause(100);
  }
}

const proposal = { method: "POST", body: '{"tool":"get_order","arguments":{"order_id":"#W1"}}' };

// gate asks twenty times a second, whether or not the call before has been answered, until
// it is told to stop.
function gate(worker) {
  const took = [];
  let on = true;
  const open = new Set();
  const over = (async () => {
    while (on) {
      const from = performance.now();
      const one = call(worker, "/v1/proposals", proposal).then(async (response) => {
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
        await response.text();
        took.push(performance.now() - from);
      }).finally(() => open.delete(one));
      open.add(one);
      await pause(50);
    }
    await Promise.all(open);
    took.sort((a, b) => a - b);
  })();
  return { took, stop: () => { on = false; return over; } };
}

const at = (took, share) => Number(took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(1));

// cpu is the processor time that workerd has used, both processes of wrangler's, in ms.
const tick = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
function cpu(worker) {
  let sum = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, comm, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
      const fields = rest.split(" ");
      if (comm === "workerd" && Number(fields[2]) === worker.pid) sum += (Number(fields[11]) + Number(fields[12])) * tick;
    } catch {
      // it has ended
    }
  }
  return sum;
}

// score scores a file, and tells how long that took, in seconds.
async function score(worker, body, lines) {
  const from = performance.now();
  const used = cpu(worker);
  const id = await post(worker, body);
  const posted = (performance.now() - from) / 1000;
  const { done } = await ended(worker, id);
  if (done !== lines) throw new Error(`${done} of ${lines} lines`);
  const took = (performance.now() - from) / 1000;
  await call(worker, `/v1/batches/${id}`, { method: "DELETE" });
  return { lines, MB: Math.round(body.length / 1e6), "request s": Number(posted.toFixed(2)), "all s": Number(took.toFixed(2)), "lines/s": Math.round(lines / took), "cpu ms a line": Number(((cpu(worker) - used) / lines).toFixed(2)) };
}

const wanted = new Set((process.argv[3] ?? "speed,gate").split(","));
try {
  await score(one, file(200, long), 200); // compiles
  await score(batchesAlone, file(200, long), 200);
  if (wanted.has("speed")) {
    const batches = [];
    for (const [kind, make, lines] of [["17 kB", long, 1000], ["17 kB", long, 5000], ["600 B", short, 1000], ["600 B", short, 10_000], ["600 B", short, 100_000]])
      batches.push({ kind, ...(await score(one, file(lines, make), lines)) });
    console.log(`\n${cpus().length} cores, load ${loadavg().map((n) => n.toFixed(1)).join(" ")}`);
    console.table(batches);
  }
  if (wanted.has("gate")) {
    const body = file(5000, long);
    const ways = [["one Worker", one, one], ["two Workers", gateAlone, batchesAlone]];
    for (const [, worker] of ways) {
      const warm = gate(worker);
      await pause(5000);
      await warm.stop();
    }
    const turns = [];
    for (let round = 0; round < rounds; round++) {
      for (const [way, asked, scores] of ways) {
        const without = gate(asked);
        await pause(8000);
        await without.stop();
        const during = gate(asked);
        const { "all s": took } = await score(scores, body, 5000);
        await during.stop();
        turns.push({ way, "without p50": at(without.took, 0.5), "without p95": at(without.took, 0.95), "during p50": at(during.took, 0.5), "during p95": at(during.took, 0.95),
          "p95 ratio": Number((at(during.took, 0.95) / at(without.took, 0.95)).toFixed(2)), calls: during.took.length, "batch s": took });
        console.log(JSON.stringify(turns.at(-1)), loadavg()[0].toFixed(1));
      }
    }
    console.log("proposals, 20 a second, without a batch and during one of 5,000 lines, in ms; medians of the rounds");
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    console.table(ways.map(([way]) => ({ way, ...Object.fromEntries(Object.keys(turns[0]).slice(1).map((name) => [name, median(turns.filter((t) => t.way === way).map((t) => t[name]))])) })));
  }
} finally {
  await Promise.all(workers.map((worker) => worker.stop()));
  place.remove();
}
