// For the table of hostile modules: node table.mjs page|workerd DIR [NPM], with jobs.json in DIR. Each module has a browser or a workerd of
// its own. Prints a JSON array of {code, alive, ms, mb}: the error's code, whether the next plugin or run was answered after it, how long
// the module took, and the most memory that was resident, of the page's process or of workerd.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../../../playground/test/browser.mjs";
import { root, start } from "../../../worker/test/processes.mjs";

const [where, dir, npm] = process.argv.slice(2), here = fileURLToPath(new URL("..", import.meta.url));
const jobs = JSON.parse(readFileSync(join(dir, "jobs.json"), "utf8"));
const LIMIT = 40_000; // ms that a module may take before it counts as not stopped

/** The status of a process as the kernel gives it, by name; {} where it has ended. */
function status(pid) {
  try {
    return Object.fromEntries(readFileSync(`/proc/${pid}/status`, "utf8").split("\n").map((l) => l.split(":\t")));
  } catch {
    return {};
  }
}

const peak = (pid) => Math.round(parseInt(status(pid).VmHWM ?? "0") / 1024); // MB

/** Those that a process has started, and those that these have. */
function below(pid) {
  const all = readdirSync("/proc").filter((f) => /^\d+$/.test(f)).map((f) => [f, status(f).PPid?.trim()]);
  const of = (p) => all.filter(([, parent]) => parent === String(p)).flatMap(([child]) => [child, ...of(child)]);
  return of(pid);
}

const command = (pid) => { try { return readFileSync(`/proc/${pid}/cmdline`, "utf8"); } catch { return ""; } };

async function onPage(job) {
  const files = new Map([["/bad.wasm", join(dir, job.file)]]);
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>plugins</title>");
    try {
      const bytes = readFileSync(files.get(path) ?? join(npm, path));
      response.writeHead(200, { "content-type": { ".js": "text/javascript", ".wasm": "application/wasm" }[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  let mb = 0;
  const renderers = () => below(process.pid).filter((p) => command(p).includes("--type=renderer"));
  const watch = setInterval(() => { for (const p of renderers()) mb = Math.max(mb, peak(p)); }, 200);
  try {
    const page = await browser.context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const crashed = new Promise((resolve) => page.on("crash", () => resolve({ code: "crashed", alive: false, ms: 0 })));
    const late = new Promise((resolve) => setTimeout(() => resolve({ code: "not-stopped", alive: false, ms: LIMIT }), LIMIT));
    const out = await Promise.race([page.evaluate(inPage), crashed, late]);
    for (const p of renderers()) mb = Math.max(mb, peak(p));
    return { ...out, mb };
  } finally {
    clearInterval(watch);
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function inPage() {
  const { open } = await import("/client.js");
  const wasm = new Uint8Array(await (await fetch("/bad.wasm")).arrayBuffer());
  const client = await open();
  const began = performance.now();
  let code = "(none)";
  try { await client.load({ name: "bad", wasm }); } catch (e) { code = e.code; }
  const ms = performance.now() - began;
  const { trajectories } = await client.score('[{"name":"a","arguments":{}}]');
  return { code, ms, alive: trajectories.length === 1 };
}

async function inWorkerd(job, good) {
  const ours = ["claims.mjs", "host.mjs", "wasi.mjs"];
  for (const f of ours) copyFileSync(join(here, f), join(dir, f));
  writeFileSync(join(dir, "worker.mjs"), `import { PluginError, load } from "./host.mjs";
import bad from "./${job.file}";
import good from "./${good}";
export default { async fetch(request) {
  const { pathname } = new URL(request.url);
  try {
    load(pathname.slice(1), pathname === "/bad" ? bad : good, { maxPages: 1024, work: 2048 });
    return new Response("(none)");
  } catch (e) {
    if (!(e instanceof PluginError)) throw e;
    return new Response(e.code);
  }
} };
`);
  const modules = ["worker.mjs", ...ours].map((f) => `(name = "${f}", esModule = embed "${f}")`).concat([job.file, good].map((f) => `(name = "${f}", wasm = embed "${f}")`));
  writeFileSync(join(dir, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${modules.join(", ")}], compatibilityDate = "2026-04-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`);
  const server = await start(join(root, "node_modules/workerd/bin/workerd"), ["serve", "config.capnp", "--control-fd=1"], { cwd: dir, ready: /"port":(\d+)/ });
  const ask = async (name) => {
    const response = await fetch(`http://127.0.0.1:${server.url}/${name}`, { headers: { connection: "close" }, signal: AbortSignal.timeout(LIMIT) }); // workerd.mjs says why
    return response.ok ? response.text() : "crashed";
  };
  try {
    const began = performance.now();
    const code = await ask("bad").catch((e) => (e.name === "TimeoutError" ? "not-stopped" : "crashed"));
    const ms = performance.now() - began;
    return { code, ms, alive: (await ask("good").catch(() => "")) === "(none)", mb: Math.max(...[server.pid, ...below(server.pid)].map(peak)) }; // the program behind npm's script
  } finally {
    await server.stop();
  }
}

const out = [];
for (const job of jobs.filter((j) => j.name !== "good")) out.push(await (where === "page" ? onPage(job) : inWorkerd(job, jobs.find((j) => j.name === "good").file)));
console.log(JSON.stringify(out));
