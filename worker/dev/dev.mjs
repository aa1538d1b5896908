// Runs the Worker in real workerd on this machine, with its databases (make worker-dev).
// The settings come from .dev.vars; without that file the keys are new each time. Prints
// one JSON line when it is ready: {"url"}, and with new keys also "agentKey" and
// "approverKey". If workerd dies, it is started again.
//
//   node worker/dev/dev.mjs [PORT]
import { createHash, randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { config, migrate, missing, quiet, root, wrangler } from "../test/processes.mjs";

const trouble = missing();
if (trouble) {
  console.error(`worker-dev: ${trouble}`);
  process.exit(1);
}

const port = process.argv[2] ?? "8787";
const url = `http://localhost:${port}`;
const dir = mkdtempSync(join(tmpdir(), "boundcheck-dev-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));

const state = process.env.BOUNDCHECK_DEV_STATE ?? join(root, ".wrangler", "state");
migrate({ dir }, state);

const line = { url };
const { BOUNDCHECK_DEV_ENTRY: entry, BOUNDCHECK_DEV_ASSETS: assets } = process.env; // set by a test
const args = ["dev", ...(entry ? [entry] : []), "-c", config, ...(assets ? ["--assets", assets] : []), "--port", port, "--inspector-port", "0", "--persist-to", state, "--test-scheduled"];
if (!existsSync(join(root, ".dev.vars"))) {
  const key = (prefix) => prefix + randomBytes(32).toString("hex");
  const hash = (text) => "sha256:" + createHash("sha256").update(text).digest("hex");
  line.agentKey = key("bck_agent_");
  line.approverKey = key("bck_approver_");
  const file = join(dir, "vars");
  writeFileSync(file, `BOUNDCHECK_URL=${url}
BOUNDCHECK_SECRET=${randomBytes(32).toString("hex")}
BOUNDCHECK_KEYS="dev agent agent ${hash(line.agentKey)}; dev approver approver ${hash(line.approverKey)}"
`, { mode: 0o600 });
  args.push("--env-file", file);
}

const logMessage = (text) => console.error(`worker-dev: ${text}`);

let child = null;
let ready = false;
let ending = false;

function startWrangler() {
  ready = false;
  child = spawn(wrangler, args, { cwd: root, env: { ...process.env, ...quiet }, stdio: ["ignore", "pipe", "inherit"] });
  let last = "";
  child.stdout.on("data", (chunk) => {
    const lines = (last + chunk).split("\n");
    last = lines.pop();
    for (const text of lines) if (!text.includes("GET /healthz ")) process.stderr.write(text + "\n");
    if (ready || !lines.some((text) => text.includes("Ready on"))) return;
    ready = true;
    logMessage("batches: the queue is in the memory of workerd, so its messages are lost when workerd ends. The sweeper runs each minute and sends lost messages again");
    console.log(JSON.stringify(line));
  });
  child.on("exit", (code) => {
    if (ending || !ready) process.exit(code ?? 1);
    logMessage("starting again: the messages in the queue of batches are lost. The sweeper will send them again within two minutes");
    startWrangler();
  });
}

// stopWrangler ends wrangler, which ends its workerd. It kills wrangler if that takes too long.
function stopWrangler(signal) {
  const mine = child;
  mine.kill(signal);
  setTimeout(() => mine.exitCode === null && mine.kill("SIGKILL"), 10_000).unref();
}

// isWorkerAlive reports whether the Worker itself answers: wrangler's own proxy keeps running
// when workerd is dead.
async function isWorkerAlive() {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(20_000) });
    await response.text();
    return (response.headers.get("content-type") ?? "").startsWith("application/json");
  } catch {
    return false;
  }
}

let silent = 0;
(async () => {
  for (;;) {
    await new Promise((later) => setTimeout(later, 3_000));
    const mine = child;
    const well = !ready || await isWorkerAlive();
    silent = well || mine !== child ? 0 : silent + 1;
    if (silent < 3 || ending) continue;
    silent = 0;
    logMessage("workerd has died: it did not answer three times in a row");
    stopWrangler("SIGTERM");
  }
})();

// There is no cron on this machine.
setInterval(() => ready && fetch(`${url}/__scheduled?cron=*+*+*+*+*`).catch(() => {}), 60_000).unref();

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {
  ending = true;
  stopWrangler(signal);
});
process.on("exit", () => child?.kill("SIGKILL"));
startWrangler();
