// Batches in real workerd with local D1, R2 and Queues. Whatever fails, is late, comes
// twice or never: every line has exactly one row, the batch ends once, and the bytes are
// those of the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildCommand } from "../../test/command.mjs";
import { buildWorker, direct, missing, root, scratch, send } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : false;
const keys = { t: "batch-key-0123456789abcdef", u: "other-key-0123456789abcdef" };
const hash = (key) => "sha256:" + createHash("sha256").update(key).digest("hex");

let place, worker, command, serve;

before(async () => {
  if (skip) return;
  place = scratch();
  const entry = buildWorker(place.dir);
  const probe = join(dirname(entry), "batchprobe.mjs");
  copyFileSync(join(root, "worker", "test", "batchprobe.mjs"), probe);
  const vars = { BOUNDCHECK_URL: "http://localhost", BOUNDCHECK_SECRET: "0f".repeat(32), BOUNDCHECK_KEYS: `t agent bot ${hash(keys.t)}; u agent bot ${hash(keys.u)}` };
  serve = () => direct(probe, place, vars, { state: join(place.dir, "state"), port: 0 });
  worker = await serve();
  command = join(place.dir, "boundcheck");
  buildCommand(command);
}, { timeout: 600_000 });

after(async () => {
  await worker?.stop();
  place?.remove();
});

// The operations that were answered, with their statuses and bodies.
const seen = new Map();

async function call(path, init = {}, key = keys.t) {
  // A request without an answer fails, so that it ends its own test only. The body of the
  // answer is not limited, because it may be read later.
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(new Error(`no answer to ${init.method ?? "GET"} ${path} after 180 s`)), 180_000);
  // Each request has a connection of its own: while this process waits for the command, the
  // server closes a connection that is kept, and the next request would fail.
  const response = await send(worker.url + path, { signal: limit.signal, ...init, headers: { connection: "close", ...(key && { authorization: `Bearer ${key}` }), ...init.headers } })
    .finally(() => clearTimeout(late));
  const [, id, rest] = /^\/v1\/batches(?:\/([^/?]*))?(\/results|\/partial)?(?:\?|$)/.exec(path) ?? [, null];
  if (id !== null && response.status !== 405) {
    const what = `${init.method ?? "GET"} /v1/batches${id === undefined ? "" : "/{id}"}${rest ?? ""} ${response.status}`;
    if (!seen.has(what)) seen.set(what, response.clone());
  }
  return response;
}
const post = (body, headers = {}, key) => call("/v1/batches", { method: "POST", body, headers: { "content-type": "application/x-ndjson", ...headers } }, key);
const fault = (how) => call("/probe/fault", { method: "POST", body: JSON.stringify(how) });
const put = (key, body) => call(`/probe/put?key=${encodeURIComponent(key)}`, { method: "POST", body });

async function begun(response, again = false) {
  const text = await response.text();
  assert.ok(response.status === 202 || again && response.status === 200, text); // 200: it has ended already

  return JSON.parse(text).id;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// There is no cron on this machine.
const sweep = () => call("/probe/cron");

/** Waits for the end of a batch. @returns {Promise<object>} its state */
async function ended(id) {
  const end = Date.now() + 600_000;
  for (let tries = 0; Date.now() < end; tries++) {
    const response = await call(`/v1/batches/${id}?limit=0`);
    const state = await response.json();
    assert.equal(response.status, 200, JSON.stringify(state));
    if (state.status === "done" || state.status === "failed") return state;
    if (tries % 10 === 9) await sweep();
    await pause(100);
  }
  assert.fail(`batch ${id} did not end:\n${worker.log.slice(-4000)}`);
}

/** Every row, page by page. */
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

/** All rows and the last line, as one text. */
async function whole(id) {
  const response = await call(`/v1/batches/${id}/results`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

/** Returns the output of the command. */
function run(args, input = "") {
  try {
    return execFileSync(command, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"], encoding: "utf8" });
  } catch (e) {
    return e.stdout; // some lines cannot be used
  }
}

/** The command's output for the same text on standard input. */
const native = (text) => run(["score", "--stream", "-"], text);

const rows = () => JSON.parse(readFileSync(join(root, "testdata/traces/tau-bench.json"), "utf8")).map((row) => JSON.stringify(row));

// Lines of every kind: good ones, blank ones, unusable ones, and one with two
// trajectories. The last one has no line break.
function mixed(copies) {
  const one = '{"trace":[{"name":"get_a"},{"name":"delete_b","arguments":{"id":1}}],"reference":["get_a"]}';
  const two = '{"simulations":[{"task_id":"s1","messages":[]},{"task_id":"s2","messages":[]}],"tasks":[]}';
  const lines = [];
  for (let i = 0; i < copies; i++) lines.push(...rows(), "", one, "nonsense", '{"broken', "   ", two);
  return lines.join("\n");
}

/** Enough lines for several parts. */
const several = (parts) => mixed(Math.ceil((parts * 256 * 1024) / mixed(1).length));

/** The rows of a text and its last line. */
const split = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));

/** Compares a batch with the command: all bytes, and what remains in the bucket and the tables. */
async function same(id, text) {
  const got = await whole(id);
  const want = native(text);
  const at = [...got].findIndex((c, i) => c !== want[i]);
  if (got !== want) assert.fail(`at ${at} of ${got.length}, ${want.length}: ${got.slice(Math.max(0, at - 200), at + 100)}\nwant ${want.slice(Math.max(0, at - 200), at + 100)}`);
  const state = await (await call(`/v1/batches/${id}?limit=0`)).json();
  const all = split(want);
  const { corpus, errors, elements } = all.pop();
  assert.equal(state.status, "done");
  assert.deepEqual([state.corpus, state.errors, state.done, state.lines], [corpus, errors, elements, elements]);
  assert.deepEqual(state.parts, { all: state.parts.all, scored: state.parts.all, written: state.parts.all });
  const left = await (await call("/probe/objects")).json();
  assert.deepEqual(left.filter((key) => key.includes(id) && !/\/(rows\/\d+\.jsonl|summary\.json|partial\.tally)$/.test(key)), [], "what was needed for a while is gone");
  assert.equal(state.stored, Buffer.byteLength(got) - Buffer.byteLength(got.trimEnd().split("\n").pop()) - 1);
  return all;
}

/** Compares the tally of a batch with the command's: merged, and as each study reads it. */
async function studied(id, text, studies) {
  const tally = join(place.dir, "batch.tally");
  writeFileSync(tally, Buffer.from(await (await call(`/v1/batches/${id}/partial`)).arrayBuffer()));
  assert.equal(run(["merge", tally]), (await whole(id)).trimEnd().split("\n").pop() + "\n");
  const native = join(place.dir, "native.tally");
  run(["score", "--stream", "--partial", native, "-"], text);
  for (const args of studies) {
    const said = run(["study", ...args, native]);
    assert.ok(said.length > 100, `study ${args.join(" ")}: ${said}`);
    assert.equal(run(["study", ...args, tally]), said);
  }
}

test("batch: the bytes are those of the command", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const text = several(3);
  const id = await begun(await post(text));
  await ended(id);
  const want = await same(id, text);
  assert.deepEqual(await results(id), want);
  assert.ok(want.some((row) => row.id?.endsWith("#2")), "no id comes twice");
  const tables = [["tables", "--format", "json"], ["tables", "--by", "benchmark", "--fpr", "over-action=0.2"]];
  const deviations = ["deviations", "--format", "json"]; // take seconds for a few hundred runs
  await studied(id, text, process.env.BOUNDCHECK_LONG ? [...tables, deviations] : tables);
  const small = mixed(20);
  const other = await begun(await post(small));
  await ended(other);
  await studied(other, small, [deviations]);
  const gate = await (await call("/probe/sql", { method: "POST", body: JSON.stringify({ db: "DB", sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'" }) })).json();
  assert.deepEqual(gate, [], "nothing stands in the gate's database");
});

// Each entry is a way in which the platform can fail.
const faults = {
  "each message comes twice": { twice: true },
  "messages come in any order": { shuffle: true, twice: true },
  "statements and reads fail, and answers are lost": { read: 0.1, write: 0.1, lost: 0.1 },
  "a third of the messages is never delivered": { mislaid: 0.33 },
  "all of it": { twice: true, shuffle: true, read: 0.05, write: 0.05, lost: 0.1, mislaid: 0.1 },
};
for (const [name, how] of Object.entries(faults)) {
  test(`batch: ${name}`, { skip, timeout: 900_000 }, async () => {
    await fault(how);
    const text = several(2);
    const id = await begun(await post(text));
    await ended(id);
    await fault({});
    await same(id, text);
  });
}

// With BOUNDCHECK_LONG=1 a consumer dies at each of its calls, otherwise at every nineteenth,
// in turns before and after it.
test("batch: a consumer that dies at any statement", { skip, timeout: 900_000 }, async () => {
  const text = several(2);
  await ended(await begun(await post(text)));
  const calls = await (await call("/probe/calls")).json();
  assert.ok(calls > 20, `${calls} calls`);
  const step = process.env.BOUNDCHECK_LONG ? 1 : 19;
  for (let dies = 1; dies <= calls; dies += step) {
    const how = { dies, after: dies % 2 === 0 };
    await fault(how);
    const id = await begun(await post(text));
    await ended(id);
    await fault({});
    await same(id, text).catch((e) => { throw new Error(`dies at ${dies} of ${calls}: ${e.message}`); });
  }
});

test("batch: what comes late or again changes nothing, after the end too", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const text = several(2);
  const id = await begun(await post(text));
  const first = await ended(id);
  await same(id, text);
  const messages = await (await call("/probe/messages")).json();
  assert.ok(["score", "order", "write"].every((does) => messages.some((m) => m.does === does)));
  messages.push({ batch: id, part: "split", at: 0, row: 1 }, { batch: id, part: -1, does: "close" }, { batch: "b_none", part: 0, does: "score" }, {}, null);
  await call("/probe/send", { method: "POST", body: JSON.stringify([...messages, ...messages.reverse()]) });
  await pause(1500);
  await sweep();
  assert.deepEqual(await (await call(`/v1/batches/${id}?limit=0`)).json(), first);
  await same(id, text);

  await call(`/v1/batches/${id}`, { method: "DELETE" });
  await call("/probe/send", { method: "POST", body: JSON.stringify(messages) });
  await pause(1500);
  await sweep();
  assert.equal((await call(`/v1/batches/${id}`)).status, 404);
  assert.deepEqual((await (await call("/probe/objects")).json()).filter((key) => key.includes(id)), [], "a deleted batch leaves nothing");
  const count = async () => (await (await call("/probe/sql", { method: "POST", body: JSON.stringify({ db: "BATCH_DB", sql: "SELECT (SELECT count(*) FROM batches WHERE id = ?1) + (SELECT count(*) FROM parts WHERE batch = ?1) AS n", params: [id] }) })).json())[0].n;
  for (let tries = 0; tries < 400 && await count() > 0; tries++) { // its rows stay for two leases
    await pause(500);
    await sweep();
  }
  assert.equal(await count(), 0);
});

test("batch: messages that are lost are sent again, by the sweeper or by the same POST", { skip, timeout: 900_000 }, async () => {
  const text = several(2);
  for (const again of [false, true]) {
    await fault({ hold: true });
    const key = { "idempotency-key": `lost-${again}` };
    const id = await begun(await post(text, key));
    await pause(800);
    assert.equal((await (await call(`/v1/batches/${id}?limit=0`)).json()).status, "queued");
    await fault({});
    if (!again) {
      await sweep();
    } else {
      const response = await post(text, key);
      assert.deepEqual([response.status, (await response.json()).status], [202, "queued"]);
    }
    for (let i = 0; i < 1200 && (await (await call(`/v1/batches/${id}?limit=0`)).json()).status !== "done"; i++) await pause(100);
    await same(id, text);
    const response = await post(text, key);
    assert.deepEqual([response.status, (await response.json()).status], [200, "done"], "the same POST tells what is");
  }
  await fault({ refuse: true });
  const id = await begun(await post(text));
  await fault({});
  await ended(id);
  await same(id, text);
});

test("batch: a killed workerd", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const text = several(8);
  const begins = [];
  for (const parts of [2, 5]) {
    const id = await begun(await post(text));
    const scored = async () => (await (await call(`/v1/batches/${id}?limit=0`)).json()).parts.scored;
    for (let tries = 1; await scored() < parts; tries++) {
      if (tries % 100 === 0) await sweep(); // sends messages again that are lost
      await pause(20);
    }
    begins.push([id, await scored()]);
    await worker.kill(); // together with its queue
    worker = await serve();
  }
  assert.ok(begins.some(([, scored]) => scored > 0 && scored < 8), `${begins}: not in the middle`);
  for (const [id] of begins) {
    await ended(id);
    await same(id, text);
  }
});

test("batch: a line that ends its consumer takes no other along", { skip, timeout: 900_000 }, async () => {
  // The consumer that reaches line 3 of the first part dies each time. The first attempt
  // has no marks, so another fault has to end it. The lease is long, so that a consumer that is
  // only slow is not taken for one that died.
  await fault({ poison: 3, dies: 6, pace: { lease: 8000, idle: 300, stale: 280_000 } });
  const lines = [];
  while (lines.join("\n").length < 300_000) lines.push(...rows());
  const id = await begun(await post(lines.join("\n") + "\n"));
  await ended(id);
  await fault({});
  const found = await results(id);
  assert.deepEqual(found.filter((r) => r.error).map((r) => [r.line, r.error.code]), [[4, "gave-up"]]);
  assert.equal(found.length, lines.length);
  const want = split(native(lines.toSpliced(3, 1, "").join("\n") + "\n"));
  assert.deepEqual(found.filter((r) => !r.error), want.slice(0, -1));
});

test("batch: a file of the bucket, with lines that are too long, across parts", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const long = `{"trace":"${"x".repeat(5 << 20)}"}`;
  const big = `{"trace":[{"name":"get_a","arguments":{"x":"${"y".repeat(3 << 20)}"}}]}`;
  const lines = [...rows(), long, ...rows(), big, "", long, long, ...rows(), ""];
  const text = lines.join("\r\n");
  await put("t/runs/march.jsonl", text);
  const id = await begun(await post('{"key":"t/runs/march.jsonl"}', { "content-type": "application/json" }));
  const state = await ended(id);
  assert.equal(state.status, "done", state.failure);
  const found = await results(id, 3);
  const places = lines.flatMap((line, i) => (line === long ? [i + 1] : []));
  assert.deepEqual(found.filter((r) => r.error).map((r) => [r.line, r.error.code]), places.map((at) => [at, "too-large"]));
  const want = split(native(lines.map((line) => (line === long ? "" : line)).join("\r\n"))).slice(0, -1);
  assert.deepEqual(found.filter((r) => !r.error), want.map((r) => ({ ...r, file: "t/runs/march.jsonl" })));
  assert.ok((await (await call("/probe/objects")).json()).includes("t/runs/march.jsonl"), "a file of the user's is left alone");

  await fault({ hold: true });
  const changed = await begun(await post('{"key":"t/runs/march.jsonl"}', { "content-type": "application/json" }));
  await put("t/runs/march.jsonl", rows().join("\n"));
  await fault({});
  const failed = await ended(changed);
  assert.equal(failed.status, "failed");
  assert.match(failed.failure, /deleted or replaced before it was read to its end/);
});

test("batch: blank lines alone are one row, as the command has it", { skip, timeout: 900_000 }, async () => {
  await fault({});
  for (const text of ["\n", "  ", "\n  \r\n\n \t", "\ufeff\n", " \n".repeat(300_000)]) {
    const id = await begun(await post(text));
    await ended(id);
    await same(id, text);
    const tally = join(place.dir, "blank.tally");
    writeFileSync(tally, Buffer.from(await (await call(`/v1/batches/${id}/partial`)).arrayBuffer()));
    assert.equal(run(["merge", tally]), (await whole(id)).trimEnd().split("\n").pop() + "\n");
  }
});

test("batch: what the command refuses fails", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const events = ['{"role":"user","content":"cancel it"}', '{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_order","arguments":"{}"}}]}', '{"role":"tool","tool_call_id":"1","content":"done"}'];
  const state = await ended(await begun(await post(events.join("\n"))));
  assert.deepEqual([state.status, state.failure.includes("an event of one run")], ["failed", true]);
  // A file of more lines than a batch may have. The lines are only counted here, not
  // created.
  await fault({ hold: true });
  const many = await begun(await post(rows()[0]));
  await call("/probe/sql", { method: "POST", body: JSON.stringify({ db: "BATCH_DB", sql: "UPDATE batches SET elements = 400000 WHERE id = ?", params: [many] }) });
  await fault({});
  const refused = await ended(many);
  assert.deepEqual([refused.status, /^the batch has 400001 lines, but the limit is 400000\. Split .*"boundcheck merge"$/.test(refused.failure)], ["failed", true], refused.failure);
});

test("batch: quotas, sizes, expiry and deletion", { skip, timeout: 900_000 }, async () => {
  await fault({});
  assert.equal((await call("/v1/batches", { method: "DELETE" }, keys.u)).status, 204);
  const one = await begun(await post(rows().join("\n"), {}, keys.u));
  const text = rows().join("\n");
  const until = async (id) => { while ((await (await call(`/v1/batches/${id}?limit=0`, {}, keys.u)).json()).status !== "done") { await pause(200); await sweep(); } };
  await until(one);
  const list = await (await call("/v1/batches", {}, keys.u)).json();
  assert.deepEqual([list.running, list.batches.map((b) => b.id), list.stored, list.quota], [0, [one], list.batches[0].stored, { bytes: 20 * 2 ** 30, running: 8, days: 30 }]);
  assert.ok(list.stored > 1000 && list.batches[0].expires - list.batches[0].finished === 30 * 86_400_000);

  await fault({ quota: `bytes=${list.stored + 10}` });
  assert.equal((await post(text, {}, keys.u)).status, 507);
  await fault({ quota: "bytes=many" });
  const bad = await post(text, {}, keys.u);
  assert.deepEqual([bad.status, (await bad.json()).error.message.includes("BOUNDCHECK_BATCHES")], [503, true]);
  await fault({ quota: "running=1", hold: true });
  const two = await begun(await post(text, {}, keys.u));
  const refused = await post(text, {}, keys.u);
  assert.deepEqual([refused.status, (await refused.json()).error.code], [429, "too-many-batches"]);
  const { running, stored } = await (await call("/v1/batches", {}, keys.u)).json();
  assert.deepEqual([running, stored], [1, list.stored + Buffer.byteLength(text)], "a body that waits is counted");
  await fault({});
  await until(two);
  await call("/probe/sql", { method: "POST", body: JSON.stringify({ db: "BATCH_DB", sql: "UPDATE batches SET expires = 1 WHERE id = ?", params: [one] }) });
  await sweep();
  assert.equal((await call(`/v1/batches/${one}`, {}, keys.u)).status, 404, "expired");
  assert.equal((await call("/v1/batches", { method: "DELETE" }, keys.u)).status, 204);
  const left = await (await call("/probe/objects")).json();
  assert.deepEqual(left.filter((key) => key.startsWith("u/")), []);
  assert.deepEqual((await (await call("/v1/batches", {}, keys.u)).json()).batches, []);
});

test("batch: refusals say what would be right", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const refused = async (response, status, part) => {
    const got = await response;
    const text = await got.text();
    assert.equal(got.status, status, text);
    assert.match(JSON.parse(text).error.message, part);
  };
  await refused(post("{}", {}, ""), 401, /Authorization: Bearer/);
  await refused(post("{}", {}, "wrong-key-0123456789abcdef"), 401, /key of this gate/);
  await refused(post(""), 400, /empty/);
  await refused(post("[\n  {}\n]"), 400, /jq -c/);
  await refused(post("{\n  \"trace\": []\n}"), 400, /jq -c/);
  await refused(post(gzipSync(rows()[0])), 400, /gzip/);
  await refused(post('{"key":"u/x"}', { "content-type": "application/json" }), 403, /in the folder t\//);
  await refused(post('{"key":"t/../u/x"}', { "content-type": "application/json" }), 403, /in the folder t\//);
  await refused(post('{"key":"t/none"}', { "content-type": "application/json" }), 404, /no file/);
  await refused(post("[]", { "content-type": "application/json" }), 400, /JSONL as/);
  await refused(post("{}", { "idempotency-key": "a b" }), 400, /Idempotency-Key/);
  await refused(post('{"key":"t/batches/x"}', { "content-type": "application/json" }), 403, /but not in t\/batches\//);
  await refused(call("/v1/batches", { method: "PUT", body: "x" }), 405, /takes POST/);
  await refused(call(`/v1/batches/b_${"0".repeat(32)}/results`), 404, /no batch/);
  await refused(call(`/v1/batches/b_${"0".repeat(32)}/other`), 404, /no batch/);
  await refused(call("/v1/batches/nonsense"), 404, /no batch/);
  await refused(call("/probe/bare"), 501, /BATCH_DB and TRACES and BATCHES is missing/);

  const id = await begun(await post(rows()[0], { "idempotency-key": "k1" }));
  assert.equal(await begun(await post(rows()[0], { "idempotency-key": "k1" }), true), id);
  assert.notEqual(await begun(await post(rows()[0], { "idempotency-key": "k1" }, keys.u)), id, "another tenant's key is another");
  await refused(post(rows()[1], { "idempotency-key": "k1" }), 422, /another body/);
  await ended(id);
  await refused(call(`/v1/batches/${id}`, {}, keys.u), 404, /no batch/);
  await refused(call(`/v1/batches/${id}?limit=1000`), 400, /limit must be a number from 0 to 200/);
  await refused(call(`/v1/batches/${id}`, { method: "DELETE" }, keys.u), 404, /no batch/);
  assert.equal((await call(`/v1/batches/${id}`, { method: "DELETE" })).status, 204);
  await refused(call(`/v1/batches/${id}`), 404, /no batch/);
  await refused(post(rows()[0], { "idempotency-key": "k1" }), 409, /was deleted/);
});

test("batch: every answer that is described happens, and no other", { skip, timeout: 900_000 }, async () => {
  await fault({});
  const body = (text, chunked) => ({ method: "POST", headers: { "content-type": "application/x-ndjson" }, ...(chunked ? { body: new Blob([text]).stream(), duplex: "half" } : { body: text }) });
  const none = `b_${"0".repeat(32)}`;
  const operations = [["GET", ""], ["POST", ""], ["DELETE", ""], ["GET", `/${none}`], ["DELETE", `/${none}`], ["GET", `/${none}/results`], ["GET", `/${none}/partial`]];
  for (const [method, path] of operations) {
    await call(`/v1/batches${path}`, { method }, "");
    if (path) await call(`/v1/batches${path}`, { method });
  }
  assert.equal((await call("/v1/batches", body("{}", true))).status, 411);
  assert.equal((await call("/v1/batches", body(Buffer.alloc((90 << 20) + 1)))).status, 413);
  await fault({ hold: true });
  const id = await begun(await post(rows()[0]));
  for (const end of ["results", "partial"]) assert.equal((await call(`/v1/batches/${id}/${end}`)).status, 409);
  await fault({});
  await ended(id);
  await call(`/v1/batches/${id}/partial`);
  // More batches than are deleted at once.
  const many = `INSERT INTO batches (id, tenant, source, owned, name, bytes, etag, size, parts, created, moved, phase)
    WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 70) SELECT 'b_' || i || substr('${none}', 5), 't', 't/none', 0, '-', 1, '', 1, 1, 0, 0, 4 FROM n`;
  await call("/probe/sql", { method: "POST", body: JSON.stringify({ db: "BATCH_DB", sql: many }) });
  const deleted = await call("/v1/batches", { method: "DELETE" });
  assert.deepEqual([deleted.status, (await deleted.json()).left > 0], [202, true]);
  while ((await call("/v1/batches", { method: "DELETE" })).status === 202);
  for (const how of [{ away: true }, { bare: true }]) {
    await fault(how);
    for (const [method, path] of operations) assert.equal((await call(`/v1/batches${path}`, { method, ...(method === "POST" && { body: "{}" }) })).status, how.away ? 503 : 501);
  }
  await fault({});

  const doc = await (await call("/openapi.json")).json();
  const { schemas } = doc.components;
  const described = new Map(Object.entries(doc.paths).filter(([path]) => path.startsWith("/v1/batches")).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, op]) => Object.entries(op.responses).map(([status, r]) => [`${method.toUpperCase()} ${path} ${status}`, r]))));
  assert.deepEqual([...seen.keys()].sort(), [...described.keys()].sort());
  for (const [what, response] of seen) {
    const [[kind, { schema }] = ["", {}]] = Object.entries(described.get(what).content ?? {});
    assert.equal((response.headers.get("content-type") ?? "").split(";")[0], kind === "" && response.status === 204 ? "application/json" : kind, what);
    if (schema?.$ref) holds(await response.json(), schema, schemas, what);
  }
});

/** Checks a value against a schema of the description: types, and all members. */
function holds(value, schema, schemas, where) {
  if (schema.$ref) return holds(value, schemas[schema.$ref.split("/").pop()], schemas, where);
  const types = [schema.type ?? []].flat();
  const type = value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  assert.ok(!types.length || types.includes(type), `${where} is ${type}, not ${types}`);
  if (schema.enum) assert.ok(schema.enum.includes(value), `${where}: ${value}`);
  if (type === "array") for (const one of value) holds(one, schema.items, schemas, `${where}[]`);
  if (type !== "object" || !schema.properties) return;
  for (const name of schema.required ?? []) assert.ok(name in value, `${where} has no ${name}`);
  for (const [name, one] of Object.entries(value)) {
    assert.ok(schema.properties[name], `${where}: ${name} is not described`);
    holds(one, schema.properties[name], schemas, `${where}.${name}`);
  }
}
