// Batches in a Worker of their own next to the gate's, with the deployed configurations:
// wrangler.jsonc without the settings for batches, and wrangler.batches.jsonc.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { buildCommand } from "../../test/command.mjs";
import { batchConfig, buildBatches, buildWorker, config, missing, quiet, root, scratch, send, start, wrangler } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : false;
const key = "batch-key-0123456789abcdef";
let place, entry, worker;

before(async () => {
  if (skip) return;
  place = scratch();
  entry = buildWorker(place.dir);
  const hash = createHash("sha256").update(key).digest("hex");
  // In the folder of the configurations, because both are read there; --env-file applies
  // only to the first.
  writeFileSync(join(place.dir, ".dev.vars"), `BOUNDCHECK_URL=http://localhost\nBOUNDCHECK_SECRET=${"0f".repeat(32)}\nBOUNDCHECK_KEYS='t agent bot sha256:${hash}'\n`);
  const settings = ["--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0", "--persist-to", join(place.dir, "state")];
  worker = await start(wrangler, ["dev", "-c", alone(), "-c", placed(batchConfig, buildBatches(place.dir), "batches/batchshell.mjs"), ...settings],
    { ready: /Ready on (http:\/\/[^\s]+)/, env: { ...quiet, XDG_CONFIG_HOME: join(place.dir, "config") } });
}, { timeout: 600_000 });

after(async () => {
  await worker?.stop();
  place?.remove();
});

function swap(text, from, to) {
  assert.ok(from instanceof RegExp ? from.test(text) : text.includes(from), `the configuration has no ${from}`);
  return text.replace(from, to);
}

/** A configuration with its program and its files changed to the paths here. */
function placed(file, built, program, change = (text) => text) {
  const out = join(place.dir, file.split("/").pop());
  writeFileSync(out, change(swap(readFileSync(file, "utf8"), `dist/worker/${program}`, built)));
  return out;
}

/** The main Worker's configuration, changed as docs/batches.md says. */
function alone() {
  return placed(config, entry, "shell.mjs", (text) => {
    let out = swap(text, '"dist/playground"', JSON.stringify(place.site));
    out = swap(out, /,\n[^\n]*\n *\{ "binding": "BATCH_DB"[^}]*\}/, "");
    out = swap(out, /  "r2_buckets":.*\n/, "");
    out = swap(out, /  "queues": \{[\s\S]*?\n  \},\n/, "");
    return swap(out, /  \/\/ "services": \[.*\n/, '  "services": [{ "binding": "BATCH_WORKER", "service": "boundcheck-batches" }],\n');
  });
}

const call = (path, init = {}) => send(worker.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });

test("two Workers: batches are answered at the gate's address", { skip, timeout: 600_000 }, async () => {
  const lines = JSON.parse(readFileSync(join(root, "testdata/traces/tau-bench.json"), "utf8")).map((row) => JSON.stringify(row));
  const text = Array.from({ length: 200 }, () => lines.join("\n")).join("\n");
  const made = await call("/v1/batches", { method: "POST", body: text, headers: { "content-type": "application/x-ndjson" } });
  const { id } = await made.json();
  assert.equal(made.status, 202);
  let state;
  for (let tries = 0; state?.status !== "done" && tries < 1200; tries++) {
    await new Promise((later) => setTimeout(later, 100));
    state = await (await call(`/v1/batches/${id}?limit=0`)).json();
  }
  assert.equal(state.status, "done", state.failure);
  const got = await (await call(`/v1/batches/${id}/results`)).text();
  const command = join(place.dir, "boundcheck");
  buildCommand(command);
  assert.equal(got, execFileSync(command, ["score", "--stream", "-"], { input: text, maxBuffer: 1 << 28, encoding: "utf8" }));
  assert.equal((await send(`${worker.url}/v1/batches`)).status, 401, "the Worker of batches asks for the key");
  assert.equal((await call("/openapi.json")).status, 200, "the gate is there");
});

test("two Workers: the one of batches can be deployed, and has no gate in it", { skip, timeout: 600_000 }, () => {
  const bundle = join(place.dir, "bundle");
  const out = execFileSync(wrangler, ["deploy", "-c", placed(batchConfig, join(dirname(entry), "batches/batchshell.mjs"), "batches/batchshell.mjs"), "--dry-run", "--outdir", bundle],
    { encoding: "utf8", env: { ...process.env, ...quiet, XDG_CONFIG_HOME: join(place.dir, "config") } });
  for (const name of ["BATCHES", "BATCH_DB", "TRACES"]) assert.match(out, new RegExp(`env\\.${name} `));
  assert.doesNotMatch(readFileSync(join(bundle, "batchshell.js"), "utf8"), /gate\.mjs|context: \{ gate/);
});

test("two Workers: settings that both have are the same", { skip }, () => {
  const read = (file) => JSON.parse(readFileSync(file, "utf8").replace(/^\s*\/\/.*$/gm, "").replace(/,?\s+\/\/ .*$/gm, (s) => (s.startsWith(",") ? "," : "")));
  const [main, batches] = [read(config), read(batchConfig)];
  const database = main.d1_databases.filter((d) => d.binding === "BATCH_DB");
  for (const [a, b] of [[main.queues, batches.queues], [main.r2_buckets, batches.r2_buckets], [database, batches.d1_databases], [main.limits, batches.limits], [main.triggers, batches.triggers], [main.compatibility_date, batches.compatibility_date]]) assert.deepEqual(b, a);
});
