// Measures the Worker in plain workerd (no wrangler in between) on this machine:
//
//   node worker/bench/bench.mjs [SECONDS]
//
// Processor time is the reliable figure: ticks of the workerd process over the
// number of requests (Linux only). Latencies include this script's own share.
import http from "node:http";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildWorker, root, scratch, start } from "../test/processes.mjs";

const seconds = Number(process.argv[2] ?? 4);
const connections = [1, 16, 64];
const tick = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

// workerd is the platform's binary; the package's own path is only a link to it
// when install scripts may run.
function workerd() {
  const scope = join(root, "node_modules", "@cloudflare");
  const found = readdirSync(scope).map((name) => join(scope, name, "bin", "workerd")).find(existsSync);
  if (!found) throw new Error(`no workerd in ${scope}: run npm ci --ignore-scripts`);
  return found;
}

const glue = ["go.mjs", "core.mjs", "gate.mjs", "worker.mjs", "runtime.mjs", "wasm_exec.js", "app.wasm"];
const hello = `export default { fetch: () => new Response('{"ok":true}\\n', { headers: { "content-type": "application/json" } }) };\n`;

function configure(dir, name, port, { entry, modules = [], bindings = "" }) {
  const embed = (file) => `(name = "${file}", ${file.endsWith(".wasm") ? "wasm" : "esModule"} = embed "${file}")`;
  const file = join(dir, `${name}.capnp`);
  writeFileSync(file, `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ],
);
const main :Workerd.Worker = (
  modules = [ ${[entry, ...modules].map(embed).join(", ")} ],
  bindings = [ ${bindings} ],
  compatibilityDate = "2026-04-01",
);
`);
  return file;
}

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

// cpu is the processor time that a process has used, in milliseconds.
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

const rss = (pid) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) >> 10;

function ask(agent, port, { method, path, body }) {
  return new Promise((resolve, reject) => {
    const headers = body ? { "content-length": Buffer.byteLength(body) } : {};
    const request = http.request({ agent, port, host: "127.0.0.1", method, path, headers }, (response) => {
      response.resume();
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))));
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
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(2);
  return { "req/s": Math.round(took.length / wall), "cpu ms/req": perRequest.toFixed(3), "p50 ms": at(0.5), "p99 ms": at(0.99) };
}

async function measure(dir, name, way, requests) {
  const port = await freePort();
  const file = configure(dir, name, port, way);
  const begun = performance.now();
  const server = await start(workerd(), ["serve", file, "--control-fd=1"], { ready: /"event":"(listen)"/, wait: 20_000 });
  const up = performance.now() - begun;
  const rows = [];
  try {
    const first = [];
    for (const what of requests) {
      const used = cpu(server.pid);
      const t = performance.now();
      await ask(undefined, port, what);
      first.push(`${what.path} ${(performance.now() - t).toFixed(1)} ms (cpu ${(cpu(server.pid) - used).toFixed(0)})`);
    }
    console.log(`${name}: up after ${up.toFixed(0)} ms; first requests: ${first.join(", ")}`);
    for (const what of requests) {
      await load(server.pid, port, what, 1, 1); // warm
      for (const n of connections) {
        rows.push({ way: name, path: what.path, c: n, ...(await load(server.pid, port, what, n, seconds)), "rss MB": rss(server.pid) });
      }
    }
  } finally {
    await server.stop();
  }
  return rows;
}

const example = join(root, "testdata", "cases", "abb-missing-verification.json");
const requests = [
  { method: "GET", path: "/healthz" },
  { method: "POST", path: "/v1/check", body: '{"tool":"cancel_order","arguments":{"order_id":"#W1","reason":"no longer needed"}}' },
  { method: "POST", path: "/v1/score", body: readFileSync(example) },
];

const tmp = scratch();
try {
  const dir = join(buildWorker(tmp.dir), "..");
  writeFileSync(join(dir, "hello.mjs"), hello);
  console.log(`app.wasm: ${(gzipSync(readFileSync(join(dir, "app.wasm")), { level: 9 }).length / 1024).toFixed(0)} KiB gzip`);
  const go = { entry: "shell.mjs", modules: glue };
  console.table([
    ...(await measure(dir, "js-hello", { entry: "hello.mjs" }, requests.slice(0, 1))),
    ...(await measure(dir, "handler", { ...go, bindings: '(name = "CORE", text = "off")' }, requests)),
    ...(await measure(dir, "core", go, requests)),
  ]);
} finally {
  tmp.remove();
}
