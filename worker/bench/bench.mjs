// Measures the Worker in real workerd on this machine, in the same run as a hello world
// in JavaScript and one in Go on the unmodified shim:
//
//   node worker/bench/bench.mjs [SECONDS]      (make bench-edge)
//   node worker/bench/bench.mjs statements     (make bench-edge STATEMENTS=1: what calls cost beside one statement)
//
// Processor time is the reliable figure: ticks of the workerd process divided by the
// number of requests (Linux only). Latencies include this script's own share and whatever
// else the machine does. Requests that need D1 run in Miniflare, whose D1 is a simulator
// in the same process, so its time is included.
import http from "node:http";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { withProbe } from "../test/gated.mjs";
import { buildWorker, config, freePort, migrate, root, scratch, start } from "../test/processes.mjs";
import { serve } from "./workerd.mjs";

const only = process.argv[2] === "statements";
const seconds = only ? 0 : Number(process.argv[2] ?? 4);
const connections = [1, 16, 64];
const streams = 100;
const tick = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// workerd returns the platform's binary. The package's own path is only a link to it if
// install scripts may run.
function workerd() {
  const scope = join(root, "node_modules", "@cloudflare");
  const found = readdirSync(scope).map((name) => join(scope, name, "bin", "workerd")).find(existsSync);
  if (!found) throw new Error(`no workerd in ${scope}: run npm ci --ignore-scripts`);
  return found;
}

const shim = ["worker.mjs", "runtime.mjs", "wasm_exec.js", "app.wasm"];
const others = (dir, entry) => readdirSync(dir).filter((file) => /\.(mjs|js|wasm)$/.test(file) && file !== entry);
const hello = `const line = new TextEncoder().encode("data: x\\n\\n");
export default { fetch(req) {
  if (!req.url.endsWith("/stream")) return new Response('{"ok":true}\\n', { headers: { "content-type": "application/json" } });
  const { readable, writable } = new IdentityTransformStream();
  const to = writable.getWriter();
  (async () => { for (let i = 0; i < 60; i++) { await to.write(line); await new Promise((r) => setTimeout(r, 1000)); } await to.close(); })().catch(() => {});
  return new Response(readable, { headers: { "content-type": "text/event-stream" } });
} };
`;

const agentKey = "agent-key-0123456789abcdef";
const approverKey = "alice-key-0123456789abcdef";
const hash = (key) => "sha256:" + createHash("sha256").update(key).digest("hex");
const settings = {
  BOUNDCHECK_URL: "http://127.0.0.1:1", BOUNDCHECK_SECRET: "0f".repeat(32), BOUNDCHECK_RATE: "100000",
  BOUNDCHECK_KEYS: `t agent bot ${hash(agentKey)}\nt approver alice ${hash(approverKey)}`,
};

function configure(dir, name, port, { entry, modules = [], vars = {} }) {
  const embed = (file) => `(name = "${file}", ${file.endsWith(".wasm") ? "wasm" : "esModule"} = embed "${file}")`;
  const bindings = Object.entries(vars).map(([key, value]) => `(name = "${key}", text = ${JSON.stringify(value)})`);
  const file = join(dir, `${name.replaceAll(/\W/g, "-")}.capnp`);
  writeFileSync(file, `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ],
);
const main :Workerd.Worker = (
  modules = [ ${[entry, ...modules].map(embed).join(", ")} ],
  bindings = [ ${bindings.join(", ")} ],
  compatibilityDate = "2026-04-01", compatibilityFlags = ["enable_request_signal"],
);
`);
  return file;
}

// cpu returns the processor time that a process has used, in milliseconds.
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

const rss = (pid) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;

function ask(agent, port, { method = "GET", path, body, key, status = 200 }) {
  return new Promise((resolve, reject) => {
    const headers = { ...(body && { "content-length": Buffer.byteLength(body) }), ...(key && { authorization: `Bearer ${key}` }) };
    const request = http.request({ agent, port, host: "127.0.0.1", method, path, headers }, (response) => {
      let said = "";
      response.on("data", (part) => { if (response.statusCode !== status) said += part; });
      response.on("end", () => (response.statusCode === status ? resolve() : reject(new Error(`${path}: ${response.statusCode} ${said.slice(0, 300)}`))));
    });
    request.on("error", reject);
    request.end(body);
  });
}

// load keeps n connections busy for some time.
async function load(pid, port, what, n, time) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: n });
  const took = [];
  const used = cpu(pid);
  const from = performance.now();
  const client = async () => {
    while (performance.now() - from < time * 1000) {
      const t = performance.now();
      await ask(agent, port, what);
      took.push(performance.now() - t);
    }
  };
  await Promise.all(Array.from({ length: n }, client));
  const wall = (performance.now() - from) / 1000;
  const perRequest = (cpu(pid) - used) / took.length;
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share) => Number(took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(2));
  return { "req/s": Math.round(took.length / wall), "cpu ms": Number(perRequest.toFixed(3)), "p50 ms": at(0.5), "p99 ms": at(0.99) };
}

// hold opens many streams, waits until each has begun, and returns by how much the
// process has grown, in MB.
async function hold(pid, port, { path, key }) {
  const agent = new http.Agent({ maxSockets: Infinity });
  const before = rss(pid);
  const open = [];
  const begun = Array.from({ length: streams }, () => new Promise((resolve, reject) => {
    const request = http.get({ agent, port, host: "127.0.0.1", path, headers: key ? { authorization: `Bearer ${key}` } : {} }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.once("data", resolve);
      response.on("error", () => {});
    });
    request.on("error", () => {});
    open.push(request);
  }));
  await Promise.all(begun);
  await pause(3000);
  const after = rss(pid);
  for (const request of open) request.destroy();
  return { "rss before": Math.round(before), "rss with 100": Math.round(after), "MB a stream": Number(((after - before) / streams).toFixed(2)) };
}

// warm sends requests until the engine has compiled the frequent paths.
async function warm(pid, port, what) {
  for (let asked = 0, end = performance.now() + 15_000; asked < 3000 && performance.now() < end;) asked += (await load(pid, port, what, 16, 1))["req/s"];
}

const rows = [];
const cold = [];
const memory = [];

async function bench(name, pid, port, requests) {
  for (const what of requests) {
    await warm(pid, port, what);
    for (const n of connections) rows.push({ way: name, request: what.name ?? what.path, c: n, ...(await load(pid, port, what, n, seconds)), "rss MB": Math.round(rss(pid)) });
  }
}

// first sends one request to a process that has just started.
async function first(name, pid, port, what, up) {
  const used = cpu(pid);
  const t = performance.now();
  await ask(undefined, port, what);
  cold.push({ way: name, request: what.name ?? what.path, "process up ms": Math.round(up), "first ms": Number((performance.now() - t).toFixed(1)), "first cpu ms": cpu(pid) - used });
}

async function measure(dir, name, way, requests, stream) {
  const port = await freePort();
  const file = configure(dir, name, port, way);
  const begun = performance.now();
  const server = await start(workerd(), ["serve", file, "--control-fd=1"], { ready: /"event":"(listen)"/, wait: 60_000 });
  try {
    await first(name, server.pid, port, requests[0], performance.now() - begun);
    if (stream) memory.push({ way: name, ...(await hold(server.pid, port, stream)) });
    await bench(name, server.pid, port, requests);
  } finally {
    await server.stop();
  }
}

// child returns the workerd process that this process has started through Miniflare.
function child() {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, , rest] = readFileSync(`/proc/${pid}/stat`, "utf8").match(/^(\d+) \((.*)\) ./) ?? [];
      const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]);
      if (parent === process.pid && rest.startsWith("workerd")) return Number(pid);
    } catch {
      // it has ended
    }
  }
  throw new Error("no workerd process that Miniflare started");
}

// pairs is how many requests of each sort compare sends.
const pairs = 500;

// compare sends requests of several sorts in turns, one at a time, and returns the median time
// of each sort beside that of the first one. What else the machine does meets all of them.
async function compare(port, requests) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const took = requests.map(() => []);
  for (let n = 0; n < pairs; n++) {
    for (let i = 0; i < requests.length; i++) {
      const t = performance.now();
      await ask(agent, port, typeof requests[i] === "function" ? requests[i](n) : requests[i]);
      took[i].push(performance.now() - t);
    }
  }
  agent.destroy();
  const medians = took.map((list) => list.sort((a, b) => a - b)[pairs >> 1]);
  return requests.map((what, i) => ({ request: (typeof what === "function" ? what(0) : what).name, "median ms": Number(medians[i].toFixed(2)), ratio: Number((medians[i] / medians[0]).toFixed(2)) }));
}

// measureStatements measures calls beside requests of the gate with one statement each, and
// beside the statement alone.
async function measureStatements(place, dir) {
  const state = join(place.dir, "statements");
  migrate(place, state);
  const server = serve(config, withProbe(join(dir, "shell.mjs")), state, settings);
  try {
    return await compare(Number((await server.ready).port), [listed, allowed, one, held]);
  } finally {
    await server.dispose();
  }
}

// measureOnD1 runs the gate with its database.
async function measureOnD1(place, dir, name, entry, requests, stream) {
  const state = join(place.dir, "d1");
  migrate(place, state);
  const begun = performance.now();
  const server = serve(config, join(dir, entry), state, settings);
  try {
    const port = Number((await server.ready).port);
    const pid = child();
    await first(name, pid, port, requests[0], performance.now() - begun);
    memory.push({ way: name, ...(await hold(pid, port, stream)) });
    await bench(name, pid, port, requests);
  } finally {
    await server.dispose();
  }
}

const example = join(root, "testdata", "cases", "abb-missing-verification.json");
const check = { method: "POST", path: "/v1/check", body: '{"tool":"cancel_order","arguments":{"order_id":"#W1","reason":"no longer needed"}}' };
const score = { method: "POST", path: "/v1/score", body: readFileSync(example) };
// An allowed call is written to the audit log, so it includes the database.
const allowed = { name: "propose, allowed (audited)", method: "POST", path: "/v1/proposals", key: agentKey, body: '{"tool":"get_order","arguments":{"order_id":"#W1"}}' };
const listed = { name: "list (1 statement)", path: "/v1/proposals?digest=none", key: agentKey };

const held = (n) => ({ name: "propose, held", method: "POST", path: "/v1/proposals", key: agentKey, status: 202, body: `{"tool":"cancel_order","arguments":{"order_id":"#W${n}"}}` });
const one = { name: "one INSERT, without the gate", method: "POST", path: "/probe/one", body: '{"event":"propose"}' };

const place = scratch();
try {
  const dir = join(buildWorker(place.dir), "..");
  if (!only) await measureAll(dir);
  const statements = await measureStatements(place, dir);
  console.log(`${cpus().length} cores, load ${loadavg().map((n) => n.toFixed(1)).join(" ")}`);
  console.log(`${pairs} requests of each sort in turns: the ratio is to a request of the gate with one statement`);
  console.table(statements);
} finally {
  place.remove();
}

// measureAll measures the Worker beside the two hello worlds.
async function measureAll(dir) {
  const go = { entry: "shell.mjs", modules: others(dir, "shell.mjs") };
  writeFileSync(join(dir, "hello.mjs"), hello);
  const plain = join(place.dir, "hello");
  mkdirSync(plain);
  for (const file of shim) copyFileSync(join(dir, file), join(plain, file));
  execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", join(plain, "app.wasm"), "./worker/edge/hello"], { cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm" }, stdio: "inherit" });

  await measure(dir, "js hello", { entry: "hello.mjs" }, [{ path: "/" }], { path: "/stream" });
  await measure(plain, "go hello, stock shim", { entry: "worker.mjs", modules: shim.slice(1) }, [{ path: "/" }], { path: "/stream" });
  await measure(dir, "boundcheck, stock shim", { ...go, vars: { CORE: "off" } }, [check]);
  await measure(dir, "boundcheck, core", go, [check, score]);
  await measureOnD1(place, dir, "boundcheck, gate on D1", go.entry, [allowed, listed], { path: "/v1/events", key: approverKey });

  console.log(`\n${cpus().length} cores, load ${loadavg().map((n) => n.toFixed(1)).join(" ")}; ${seconds} s each`);
  console.log(`app.wasm: ${(gzipSync(readFileSync(join(dir, "app.wasm")), { level: 9 }).length / 1024).toFixed(0)} KiB gzip`);
  console.table(cold);
  console.table(rows);
  console.log(`memory of the process with ${streams} open streams, in MB`);
  console.table(memory);
}
