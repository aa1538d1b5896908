// Runs the Worker in real workerd on this machine, with its database (make
// worker-dev). The settings are those of .dev.vars; without that file the keys are
// fresh each time. Prints one JSON line when it is ready: {"url"}, with fresh keys
// also "agentKey" and "approverKey".
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

const state = join(root, ".wrangler", "state");
migrate({ dir }, state);

const line = { url };
const args = ["dev", "-c", config, "--port", port, "--persist-to", state, "--test-scheduled"];
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

// There is no cron on this machine.
setInterval(() => fetch(`${url}/__scheduled?cron=*+*+*+*+*`).catch(() => {}), 60_000).unref();

const child = spawn(wrangler, args, { cwd: root, env: { ...process.env, ...quiet }, stdio: ["ignore", "pipe", "inherit"] });
child.stdout.on("data", (chunk) => {
  process.stderr.write(chunk);
  if (String(chunk).includes("Ready on")) console.log(JSON.stringify(line));
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
