// Batches in real workerd on local D1, R2 and Queues: every line has exactly one
// result whatever fails, and the figures are those of the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { buildWorker, edge, missing, root, scratch, send } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : false;
const keys = { t: "batch-key-0123456789abcdef", u: "other-key-0123456789abcdef" };
const hash = (key) => "sha256:" + createHash("sha256").update(key).digest("hex");

let place, worker, command;

before(async () => {
  if (skip) return;
  place = scratch();
  const entry = buildWorker(place.dir);
  const probe = join(dirname(entry), "batchprobe.mjs");
  copyFileSync(join(root, "worker", "test", "batchprobe.mjs"), probe);
  const vars = join(place.dir, "vars");
  writeFileSync(vars, `BOUNDCHECK_KEYS='t agent bot ${hash(keys.t)}; u agent bot ${hash(keys.u)}'\n`);
  worker = await edge(probe, place, ["--env-file", vars]);
  command = join(place.dir, "boundcheck");
  execFileSync("go", ["build", "-o", command, "./cmd/boundcheck"], { cwd: root });
}, { timeout: 240_000 });

after(async () => {
  await worker?.stop();
  place?.remove();
});

const call = (path, init = {}, key = keys.t) => send(worker.url + path, { ...init, headers: { ...(key && { authorization: `Bearer ${key}` }), ...init.headers } });
const post = (body, headers = {}, key) => call("/v1/batches", { method: "POST", body, headers: { "content-type": "application/x-ndjson", ...headers } }, key);
const fault = (how) => call("/probe/fault", { method: "POST", body: JSON.stringify(how) });
const put = (key, body) => call(`/probe/put?key=${encodeURIComponent(key)}`, { method: "POST", body });

async function begun(response) {
  const text = await response.text();
  assert.equal(response.status, 202, text);
  return JSON.parse(text).id;
}

/** Waits for the end of a batch. @returns {Promise<object>} its state */
async function ended(id) {
  for (let tries = 0; tries < 600; tries++) {
    const response = await call(`/v1/batches/${id}?limit=0`);
    const state = await response.json();
    assert.equal(response.status, 200, JSON.stringify(state));
    if (state.status === "done" || state.status === "failed") return state;
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.fail(`batch ${id} did not end:\n${worker.log.slice(-4000)}`);
}

/** Every result, page by page. */
async function results(id, limit = 37) {
  const all = [];
  for (let next = "0.0"; next;) {
    const page = await (await call(`/v1/batches/${id}?limit=${limit}&after=${next}`)).json();
    assert.ok(page.results.length <= limit && (page.results.length > 0 || !page.next));
    all.push(...page.results);
    next = page.next;
  }
  return all;
}

/** What the command says of the same file: its lines, and the last one's figures. */
function native(text) {
  const file = join(place.dir, "batch.jsonl");
  writeFileSync(file, text);
  let out;
  try {
    out = execFileSync(command, ["score", "--stream", file], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (e) {
    out = e.stdout; // some lines cannot be used
  }
  const lines = String(out).trimEnd().split("\n").map((line) => JSON.parse(line));
  return { figures: lines.pop(), lines };
}

const rows = () => JSON.parse(readFileSync(join(root, "testdata/traces/tau-bench.json"), "utf8")).map((row) => JSON.stringify(row));

// Lines of every kind: good ones, blank ones, ones that cannot be used, one with
// two trajectories; the last has no line break.
function mixed(copies) {
  const one = '{"trace":[{"name":"get_a"},{"name":"delete_b","arguments":{"id":1}}],"reference":["get_a"]}';
  const two = '{"simulations":[{"task_id":"s1","messages":[]},{"task_id":"s2","messages":[]}],"tasks":[]}';
  const lines = [];
  for (let i = 0; i < copies; i++) lines.push(...rows(), "", one, "nonsense", '{"broken', "   ", two);
  return lines.join("\n");
}

function compare(found, text) {
  const { figures, lines } = native(text);
  assert.equal(found.length, lines.length);
  found.forEach((result, i) => {
    const want = lines[i];
    assert.equal(result.row, want.line, `result ${i}`);
    if (want.error) return assert.ok(result.error?.message, `result ${i}`);
    const { file, line, row, warnings, ...trajectory } = want;
    assert.deepEqual({ ...result.trajectory, id: "" }, { ...trajectory, id: "" }, `result ${i}`);
  });
  return figures;
}

test("batch: results and figures are those of the command", { skip, timeout: 120_000 }, async () => {
  await fault({});
  const text = mixed(12);
  const id = await begun(await post(text));
  const state = await ended(id);
  const found = await results(id);
  const figures = compare(found, text);
  assert.deepEqual(state.corpus, figures.corpus);
  assert.equal(state.status, "done");
  assert.equal(state.errors, figures.errors);
  assert.equal(state.done, state.lines);
  assert.deepEqual(await (await call("/probe/objects")).json(), [], "the stored body is kept no longer than needed");
});

test("batch: whatever fails or comes twice, each line has one result", { skip, timeout: 240_000 }, async () => {
  await fault({ twice: true, read: 0.15, write: 0.1, lost: 0.2 });
  const text = mixed(12);
  const id = await begun(await post(text));
  const state = await ended(id);
  await fault({});
  assert.equal(state.status, "done", state.failure);
  const found = await results(id);
  const given = found.filter((r) => r.error?.code === "gave-up").map((r) => r.row);
  const seen = new Set(found.map((r) => `${r.row}.${r.n}`));
  assert.equal(seen.size, found.length, "one result twice");
  assert.equal(state.done, state.lines);
  if (given.length === 0) assert.deepEqual(state.corpus, compare(found, text).corpus);
});

test("batch: a line that cannot be scored takes no other along", { skip, timeout: 120_000 }, async () => {
  await fault({ poison: "POISON" });
  const lines = rows().concat('[{"name":"POISON"}]', rows());
  const id = await begun(await post(lines.join("\n") + "\n"));
  const state = await ended(id);
  await fault({});
  const found = await results(id);
  assert.equal(state.status, "done");
  assert.equal(state.errors, 1);
  assert.deepEqual(found.filter((r) => r.error).map((r) => [r.row, r.error.code]), [[rows().length + 1, "gave-up"]]);
  assert.equal(found.length, lines.length);
});

test("batch: a file of the bucket, with a line that is too long", { skip, timeout: 120_000 }, async () => {
  const long = `{"trace":"${"x".repeat(11 << 20)}"}`;
  const text = [...rows(), long, ...rows(), ""].join("\r\n");
  await put("t/runs/march.jsonl", text);
  const id = await begun(await post('{"key":"t/runs/march.jsonl"}', { "content-type": "application/json" }));
  const state = await ended(id);
  assert.equal(state.status, "done", state.failure);
  const found = await results(id);
  assert.deepEqual(found.filter((r) => r.error).map((r) => [r.row, r.error.code]), [[rows().length + 1, "too-large"]]);
  assert.equal(found.length, 2 * rows().length + 1);
  assert.deepEqual(await (await call("/probe/objects")).json(), ["t/runs/march.jsonl"], "a file of the user's is left alone");

  await fault({ read: 1 });
  const changed = await begun(await post('{"key":"t/runs/march.jsonl"}', { "content-type": "application/json" }));
  await put("t/runs/march.jsonl", rows().join("\n"));
  await fault({});
  const failed = await ended(changed);
  assert.equal(failed.status, "failed");
  assert.match(failed.failure, /gone, or was replaced/);
});

test("batch: refusals say what would be right", { skip, timeout: 60_000 }, async () => {
  const refused = async (response, status, part) => {
    const got = await response;
    const text = await got.text();
    assert.equal(got.status, status, text);
    assert.match(JSON.parse(text).error.message, part);
  };
  await refused(post("{}", {}, ""), 401, /Authorization: Bearer/);
  await refused(post("{}", {}, "wrong-key-0123456789abcdef"), 401, /key of the gate/);
  await refused(post(""), 400, /empty/);
  await refused(post("[\n  {}\n]"), 400, /jq -c/);
  await refused(post('{"key":"u/x"}', { "content-type": "application/json" }), 403, /under t\//);
  await refused(post('{"key":"t/../u/x"}', { "content-type": "application/json" }), 403, /under t\//);
  await refused(post('{"key":"t/none"}', { "content-type": "application/json" }), 404, /no file/);
  await refused(post("[]", { "content-type": "application/json" }), 400, /JSONL as/);
  await refused(post("{}", { "idempotency-key": "a b" }), 400, /Idempotency-Key/);
  await refused(call("/v1/batches"), 405, /takes POST/);
  await refused(call("/v1/batches/nonsense"), 404, /no batch/);
  await refused(call("/probe/bare"), 501, /TRACES and BATCHES is missing/);

  const id = await begun(await post(rows()[0], { "idempotency-key": "k1" }));
  assert.equal(await begun(await post(rows()[0], { "idempotency-key": "k1" })), id);
  assert.notEqual(await begun(await post(rows()[0], { "idempotency-key": "k1" }, keys.u)), id, "another tenant's key is another");
  await refused(post(rows()[1], { "idempotency-key": "k1" }), 422, /another body/);
  await ended(id);
  await refused(call(`/v1/batches/${id}`, {}, keys.u), 404, /no batch/);
  await refused(call(`/v1/batches/${id}?limit=1000`), 400, /limit=0 to 200/);
  await refused(call(`/v1/batches/${id}`, { method: "DELETE" }, keys.u), 404, /no batch/);
  assert.equal((await call(`/v1/batches/${id}`, { method: "DELETE" })).status, 204);
  await refused(call(`/v1/batches/${id}`), 404, /no batch/);
});
