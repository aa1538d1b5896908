// Starts the servers for the Worker's tests and its bench: the real "wrangler dev" and
// the native "boundcheck serve". Each runs in a process group of its own, which ends with
// this process at the latest.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCommand } from "../../test/command.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const wrangler = join(root, "node_modules", ".bin", "wrangler");
export const config = join(root, "wrangler.jsonc");
export const batchConfig = join(root, "wrangler.batches.jsonc");
export const scoreConfig = join(root, "wrangler.scores.jsonc");

// quiet keeps wrangler from using the network and from asking questions.
export const quiet = {
  CI: "true",
  NO_COLOR: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

// missing returns which tool is missing and how to install it; "" if there are all.
export function missing() {
  if (!existsSync(wrangler)) return "wrangler is not installed: run `npm ci --ignore-scripts` at the root";
  const has = (name) => process.env.PATH.split(delimiter).some((dir) => existsSync(join(dir, name)));
  if (!has("go")) return "Go is not in PATH";
  return "";
}

const groups = new Set();
process.on("exit", () => {
  for (const pid of groups) kill(pid, "SIGKILL");
});

// A signal ends the process without the event "exit", and the servers would stay.
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) process.once(signal, () => process.exit(code));

function kill(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // it has already ended
  }
}

// start runs a server and waits until its output matches ready. The first group of ready
// is the server's address.
export async function start(command, args, { ready, env = {}, cwd = root, wait = 180_000 }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  groups.add(child.pid);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const server = {
    pid: child.pid,
    log: "",
    async kill() {
      kill(child.pid, "SIGKILL");
      await ended;
      groups.delete(child.pid);
    },
    async stop() {
      kill(child.pid, "SIGTERM");
      const late = setTimeout(() => kill(child.pid, "SIGKILL"), 10_000);
      await ended;
      clearTimeout(late);
      kill(child.pid, "SIGKILL"); // its remaining children
      groups.delete(child.pid);
    },
  };
  server.url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      kill(child.pid, "SIGKILL"); // else it would keep this process alive
      reject(new Error(`${command} is not ready after ${wait} ms:\n${server.log}`));
    }, wait);
    const hear = (chunk) => {
      server.log += chunk;
      const found = server.log.match(ready);
      if (found) {
        clearTimeout(late);
        resolve(found[1]);
      }
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${command} ended with ${code}:\n${server.log}`)));
  });
  return server;
}

// scratch creates a temporary folder with a page for the Worker's static assets.
export function scratch() {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-worker-"));
  mkdirSync(join(dir, "site"));
  writeFileSync(join(dir, "site", "index.html"), "<!doctype html><title>stands for the playground</title>\n");
  return { dir, site: join(dir, "site"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

// buildWorker builds the Worker into dir and returns the path of its entry.
export function buildWorker(dir) {
  return join(built(dir, "main"), "shell.mjs");
}

// buildBatches builds the Worker for batches only, and returns the path of its entry.
export function buildBatches(dir) {
  return join(built(dir, "batches"), "batches", "batchshell.mjs");
}

function built(dir, which) {
  const out = join(dir, "worker");
  const ready = process.env.BOUNDCHECK_BUILT; // what make test has built for all suites
  if (ready) cpSync(join(ready, "worker"), out, { recursive: true });
  else execFileSync("sh", [join(root, "worker", "edge", "build.sh"), out, which], { stdio: ["ignore", "inherit", "inherit"] });
  return out;
}

// edge serves the built Worker in real workerd. It uses a free port, a new state and the
// main configuration unless others are passed. The server has answered a request: wrangler
// sometimes prints that it is ready, and then holds every request for ever. Such a server
// is started again, twice at most.
export async function edge(entry, place, extra, options) {
  for (let left = 2; ; left--) {
    const server = await startEdge(entry, place, extra, options);
    try {
      await answers(server.url, 90_000);
      return server;
    } catch (e) {
      await server.kill();
      if (!left) throw new Error(`wrangler is ready but does not answer (${e.message}):\n${server.log}`);
      console.error(`wrangler is ready but does not answer, and is started again (${e.message}):\n${server.log}`);
    }
  }
}

// answers waits until a server answers a request. It throws an error if no answer comes
// within ms. It uses a connection of its own: the pool of fetch would keep one that the
// server closes while a test builds something. The head of the answer is enough.
const answers = (url, ms) => new Promise((resolve, reject) => {
  get(url, { agent: false, signal: AbortSignal.timeout(ms) }, (response) => resolve(response.resume())).on("error", reject);
});

async function startEdge(entry, { dir, site }, extra = [], { port = 0, state = mkdtempSync(join(dir, "state-")), from = config } = {}) {
  const args = ["dev", entry, "-c", from, ...(from === config ? ["--assets", site] : []), "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", state, ...extra];
  // The port of a killed server may be in use for a moment.
  for (let left = port ? 10 : 0; ; left--) {
    try {
      return await start(wrangler, args, { ready: /Ready on (http:\/\/[^\s]+)/, env: { ...quiet, XDG_CONFIG_HOME: join(dir, "config") } });
    } catch (e) {
      if (!left || !/Address already in use/.test(e.message)) throw e;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

// configured writes the main configuration for the page of a place, and returns its path.
export function configured({ dir, site }) {
  const own = join(dir, "wrangler.jsonc");
  writeFileSync(own, readFileSync(config, "utf8").replace('"dist/playground"', JSON.stringify(site)));
  return own;
}

// direct serves the built Worker in workerd without "wrangler dev", in half of its processor
// time (worker/bench/workerd.mjs). worker.test.mjs, batchworker.test.mjs and dev.test.mjs keep "wrangler dev".
export async function direct(entry, place, vars, { state, port }) {
  const args = [join(root, "worker", "bench", "workerd.mjs"), configured(place), entry, state];
  const server = await start(process.execPath, args, { ready: /workerd is at (\S+)/, env: { ...quiet, VARS: JSON.stringify(vars), PORT: String(port), PAGE: "1" } });
  server.url = `http://${server.url}`;
  return server;
}

// migrate creates the gate's tables in a state, with which edge is then started. make test has
// created them once for all suites.
export function migrate({ dir }, state) {
  const ready = process.env.BOUNDCHECK_BUILT && join(process.env.BOUNDCHECK_BUILT, "tables");
  if (ready && existsSync(ready)) return cpSync(ready, state, { recursive: true });
  const args = ["d1", "migrations", "apply", "boundcheck", "--local", "--persist-to", state, "-c", config];
  execFileSync(wrangler, args, { cwd: root, timeout: 300_000, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, ...quiet, XDG_CONFIG_HOME: join(dir, "config") } });
}

// freePort finds a port for a server that must know its address before it starts.
export const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

// send is like fetch, but repeats a request after wrangler's own proxy has lost its
// connection to workerd. The proxy answers 503 with a plain text, never in the Worker's
// envelope. (It loses the connection when the Worker refuses a body without reading it to
// the end, and when workerd closes an idle one at that moment. Of these it may have many, so
// each repetition waits longer.) It also repeats a request whose connection was used before and
// closed meanwhile, and one whose large body was refused while it was still being sent: the answer is
// lost then. A body that is a stream cannot be sent twice.
export async function send(url, init = {}) {
  const again = !(init.body instanceof ReadableStream);
  const large = init.body?.length > 1 << 20;
  for (let tries = 0; ; tries++) {
    const last = !again || tries === 6;
    const response = await fetch(url, init).catch((e) => {
      if (last || !(e.cause?.socket?.bytesRead || large && ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(e.cause?.code))) throw e;
    });
    if (response && (response.status !== 503 || last)) return response;
    const text = await response?.text() ?? "restarted mid-request";
    if (!text.includes("restarted mid-request")) return new Response(text, response);
    await new Promise((resolve) => setTimeout(resolve, 50 << tries));
  }
}

// native builds the command and serves the same API.
export function native(dir) {
  const command = join(dir, "boundcheck");
  buildCommand(command);
  return start(command, ["serve", "--addr", "127.0.0.1:0"], { ready: /Boundcheck is at (http:\/\/[^\s]+)/ });
}
