// For tests: node workerd.mjs DIR, with jobs.json in DIR: every module as a static import of a Worker in workerd. Prints a JSON array of
// arrays: each module's answers in base64, or "! code message".
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root, start } from "../../../worker/test/processes.mjs";

const dir = process.argv[2], here = fileURLToPath(new URL("..", import.meta.url));
const jobs = JSON.parse(readFileSync(join(dir, "jobs.json"), "utf8"));
const ours = ["claims.mjs", "host.mjs", "wasi.mjs"];
for (const f of ours) copyFileSync(join(here, f), join(dir, f));
const files = [...new Set(jobs.map((j) => j.file))];
writeFileSync(join(dir, "worker.mjs"), `import { PluginError, load } from "./host.mjs";
${files.map((f, i) => `import m${i} from "./${f}";`).join("\n")}
const modules = new Map([${files.map((f, i) => `["${f}", m${i}]`).join(", ")}]);
const base64 = (b) => { let s = ""; for (const c of b) s += String.fromCharCode(c); return btoa(s); };
export default { async fetch(request) {
  const { name, file, requests, work, reuse } = await request.json();
  let plugin;
  return Response.json(requests.map((r) => {
    try {
      plugin ??= load(name, modules.get(file), { maxPages: 1024, work, reuse });
      return base64(plugin.invoke(Uint8Array.from(atob(r), (c) => c.charCodeAt(0))));
    } catch (e) {
      if (!(e instanceof PluginError)) throw e;
      return "! " + e.code + " " + e.message;
    }
  }));
} };
`);
const modules = ["worker.mjs", ...ours].map((f) => `(name = "${f}", esModule = embed "${f}")`).concat(files.map((f) => `(name = "${f}", wasm = embed "${f}")`));
writeFileSync(join(dir, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${modules.join(", ")}], compatibilityDate = "2026-04-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`);
const server = await start(join(root, "node_modules/workerd/bin/workerd"), ["serve", "config.capnp", "--control-fd=1"], { cwd: dir, ready: /"port":(\d+)/ });
try {
  const out = [];
  for (const job of jobs) {
    // After an answer that took five seconds to compute, workerd closes the connection, maybe while the next request is on its way.
    const headers = { connection: "close" };
    const response = await fetch(`http://127.0.0.1:${server.url}/`, { method: "POST", headers, body: JSON.stringify(job), signal: AbortSignal.timeout(60_000) });
    if (!response.ok) throw new Error(`${job.name}: ${response.status} ${await response.text()}\n${server.log}`);
    out.push(await response.json());
  }
  console.log(JSON.stringify(out));
} finally {
  await server.stop();
}
