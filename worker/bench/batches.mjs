// Measures batches in real workerd on this machine (make bench-edge):
//
//   - lines a second, and whether time grows in step with the lines;
//   - what a batch costs the gate: the latency of proposals without one and during one,
//     in turns of the same run, since the machine is never the same twice.
//
//   node worker/bench/batches.mjs [ROUNDS]      (3; of the gate's latency)
//
// A long line has the size of a recorded run of τ-bench, 17 kB; a short one 600 bytes. All
// is in one process of one thread: the Worker, and the simulators of D1, R2 and Queues.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { buildWorker, edge, freePort, migrate, root, scratch, send } from "../test/processes.mjs";

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

const state = join(place.dir, "state");
migrate(place, state);
const port = await freePort();
const vars = join(place.dir, "vars");
writeFileSync(vars, `BOUNDCHECK_URL=http://127.0.0.1:${port}\nBOUNDCHECK_SECRET=${"0f".repeat(32)}\nBOUNDCHECK_RATE=100000\nBOUNDCHECK_KEYS='t agent bot ${hash}'\n`);
const entry = buildWorker(place.dir);
const worker = await edge(entry, place, ["--env-file", vars, "--test-scheduled"], { port, state });
const ask = (path, init = {}) => send(worker.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
const call = (path, init) => ask(path, init).catch(() => pause(100).then(() => ask(path, init))); // wrangler's proxy closes connections now and then


const post = async (body) => {
  const response = await call("/v1/batches", { method: "POST", headers: { "content-type": "application/x-ndjson" }, body });
  if (response.status !== 202) throw new Error(await response.text());
  return (await response.json()).id;
};

async function ended(id) {
  for (;;) {
    const state = await (await call(`/v1/batches/${id}?limit=0`)).json();
    if (state.status === "failed") throw new Error(state.failure);
    if (state.status === "done") return state;
    await pause(100);
  }
}

const proposal = { method: "POST", body: '{"tool":"get_order","arguments":{"order_id":"#W1"}}' };

// gate asks twenty times a second, whether or not the call before has been answered, until
// it is told to stop.
function gate() {
  const took = [];
  let on = true;
  const open = new Set();
  const over = (async () => {
    while (on) {
      const from = performance.now();
      const one = call("/v1/proposals", proposal).then(async (response) => {
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
function cpu() {
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
async function score(lines, make) {
  const body = file(lines, make);
  const from = performance.now();
  const used = cpu();
  const id = await post(body);
  const posted = (performance.now() - from) / 1000;
  const { done } = await ended(id);
  if (done !== lines) throw new Error(`${done} of ${lines} lines`);
  const took = (performance.now() - from) / 1000;
  await call(`/v1/batches/${id}`, { method: "DELETE" });
  return { lines, MB: Math.round(body.length / 1e6), "request s": Number(posted.toFixed(2)), "all s": Number(took.toFixed(2)), "lines/s": Math.round(lines / took), "cpu ms a line": Number(((cpu() - used) / lines).toFixed(2)) };
}

try {
  const batches = [];
  await score(200, long); // compiles
  for (const lines of [1000, 5000]) batches.push({ kind: "17 kB", ...(await score(lines, long)) });
  for (const lines of [1000, 10_000, 100_000]) batches.push({ kind: "600 B", ...(await score(lines, short)) });
  console.log(`\n${cpus().length} cores, load ${loadavg().map((n) => n.toFixed(1)).join(" ")}`);
  console.table(batches);

  const turns = [];
  const warm = gate();
  await pause(5000);
  await warm.stop();
  for (let round = 0; round < rounds; round++) {
    const without = gate();
    await pause(8000);
    await without.stop();
    const during = gate();
    const { "all s": took } = await score(5000, long);
    await during.stop();
    turns.push({ "without p50": at(without.took, 0.5), "without p95": at(without.took, 0.95), "during p50": at(during.took, 0.5), "during p95": at(during.took, 0.95),
      "p95 ratio": Number((at(during.took, 0.95) / at(without.took, 0.95)).toFixed(2)), calls: during.took.length, "batch s": took });
  }
  console.log("proposals, 20 a second, without a batch and during one of 5,000 lines, in ms");
  console.table(turns);
} finally {
  await worker.stop();
  place.remove();
}
