// Plugins in Node: the bytes are those of the command, and the report names a plugin that
// fails.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, recordings, root } from "./build.mjs";
import { files, folder, trace } from "./desk.mjs";
import { CHECKED, plugins } from "./plugins.mjs";

const LIST = '{"trace":[{"name":"get_order","arguments":{"id":1}},{"name":"cancel_order","arguments":{"id":1}}],"reference":[{"name":"cancel_order","arguments":{"id":1}}]}';
const text = (bytes) => new TextDecoder().decode(bytes);
const options = { timeout: 600_000 };

let built, npm, client, quick, have;

before(async () => {
  built = build();
  have = plugins();
  npm = await import(new URL("client.js", built.url).href);
  client = await npm.open();
  quick = await npm.open({ pluginTimeout: 250 });
}, options);
after(async () => {
  await client.close();
  await quick.close();
  have.remove();
  built.remove();
});

test("the report is the command's, byte for byte, with every checker", options, async () => {
  let used = 0;
  for (const [name, file] of CHECKED) {
    const want = have.run("score", "--format", "json", "--plugin", name, "testdata/" + file).stdout;
    const got = text(await client.handleRaw("score", readFileSync(root + "testdata/" + file), { plugins: [have.source(name)] }));
    assert.equal(got, want, `${name} on ${file}`);
    used += JSON.parse(got).plugins?.length ?? 0;
  }
  assert.ok(used >= 7, `only ${used} checkers ruled`);
});

test("a replay on the user's own databases is the command's, too", options, async () => {
  const path = join(have.dir, "desk.json");
  writeFileSync(path, trace);
  const want = have.run("score", "--format", "json", "--plugin", "taubench", "--env-data", folder, path).stdout;
  const taubench = have.source("taubench", [...files(), { name: "notes.txt", data: new Uint8Array([1]) }]);
  const got = text(await client.handleRaw("score", trace, { plugins: [taubench] }));
  assert.equal(got, want);
  const { trajectories } = JSON.parse(got);
  assert.deepEqual(trajectories.map((t) => [t.flagged, t.replay.basis]), [[false, "database"], [true, "database"], [false, "database"]]);
  assert.ok((await client.load(taubench)).environment.some((line) => line.includes("retail")));
});

const recorded = join(recordings, "tau-bench");
const skip = existsSync(recorded) ? false : `no recorded runs in ${recordings}: the replay of real runs is NOT compared; docs/data.md says where they come from`;
if (skip) console.error(`SKIPPED: ${skip}`);

test("recorded runs on the benchmark's own databases: the command's bytes", { ...options, skip }, async () => {
  const all = readdirSync(join(recorded, "env"), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
  const given = all.map((e) => join(e.parentPath ?? e.path, e.name)).map((path) => ({ name: path.slice(join(recorded, "env").length + 1).replaceAll("\\", "/"), data: readFileSync(path) }));
  const taubench = have.source("taubench", given);
  for (const file of readdirSync(recorded).filter((f) => /^gpt-4o.*\.json$/.test(f))) {
    const path = join(recorded, file);
    const want = have.run("score", "--format", "json", "--plugin", "taubench", "--env-data", join(recorded, "env"), path).stdout;
    const got = text(await client.handleRaw("score", readFileSync(path), { plugins: [taubench] }));
    assert.ok(got === want, `${file}: other bytes than the command's`);
    assert.ok(JSON.parse(got).trajectories.every((t) => t.replay?.basis === "database"), file);
  }
});

test("a score tells which checkers would apply, and is the same for it", async () => {
  const found = [];
  const got = await client.handleRaw("score", trace, { known: have.all, found: (name) => found.push(name) });
  assert.deepEqual(found, ["taubench"]);
  assert.equal(text(got), text(await client.handleRaw("score", trace)));
});

test("a prompt is the command's", async () => {
  const tools = '[{"name":"cancel_order","description":"Cancels an order.","parameters":{"type":"object","properties":{"order_id":{"type":"string"}}}}]';
  writeFileSync(join(have.dir, "tools.json"), tools);
  const want = have.run("prompt", "ebp", "--variant", "checklist", "--tools", join(have.dir, "tools.json")).stdout;
  const answer = await client.ask(have.source("prompts"), "prompt.render", `{"op":"prompt.render","template":"ebp-checklist","variables":{"tools":${tools}}}`);
  assert.equal(npm.parseAnswer(answer).ok.text + "\n", want);
  await assert.rejects(async () => npm.parseAnswer(await client.ask(have.source("prompts"), "state.replay", "{}")), { code: "op-not-described" });
});

test("a module that misbehaves is named, and the run is scored without it", options, async () => {
  const plain = JSON.parse(text(await client.handleRaw("score", LIST)));
  assert.ok(have.hostile.length >= 80, `only ${have.hostile.length}`);
  for (const c of have.hostile) {
    const bad = { name: "bad", wasm: c.wasm };
    const who = c.hang ? quick : client; // only a plugin that has to be stopped may depend on a clock
    const report = JSON.parse(text(await who.handleRaw("score", LIST, { plugins: [bad] })));
    const warning = report.warnings.pop();
    assert.equal(warning.code, "checker-failed", c.name);
    assert.match(warning.message, new RegExp(`^bad could not check this run; it was scored without the plugin: plugin "bad": .*\\(${c.code}\\)$`), c.name);
    assert.deepEqual(report, plain, c.name);
  }
});

test("a checker that stops in the midst of a file leaves every run scored", options, async () => {
  const short = await npm.open({ pluginTimeout: 1500 });
  const run = (task) => `{"task":"${task}","actions":[{"name":"cancel_order","arguments":{}}],"reference":[{"name":"cancel_order","arguments":{}}]}`;
  try {
    for (const [task, code] of [["panic", "internal"], ["claim", "invalid-answer"], ["memory", "memory-limit"], ["forever", "deadline"]]) {
      const report = await (task === "forever" ? short : client).score(`{"trajectories":[${[task, "claim", task].map(run)}]}`, { plugins: [{ name: "probe", wasm: have.probe }] });
      assert.equal(report.trajectories.length, 3);
      assert.equal(report.plugins, undefined, task);
      const said = report.warnings.filter((w) => w.code === "checker-failed").map((w) => w.message);
      assert.equal(said.length, 3, task);
      assert.match(said[0], new RegExp(`plugin "probe": .*\\(${code}\\)`), task);
    }
  } finally {
    await short.close();
  }
});

test("loading says what is wrong with a module", async () => {
  const { wasm } = have.source("taubench");
  await assert.rejects(client.load({ name: "taubench", wasm, sha256: "0".repeat(64) }), { code: "hash-mismatch", message: /^plugin "taubench": the module's sha256 is [0-9a-f]{64}, but the pinned sha256 is 0{64} / });
  await assert.rejects(client.load({ name: "big", wasm: new Uint8Array((32 << 20) + 1) }), { code: "module-too-large", message: /^plugin "big": module has 33554433 bytes, limit 33554432 / });
  await assert.rejects(client.load({ name: "nobody", wasm: have.source("prompts").wasm }), { code: "wrong-name", message: /the module does not contain this plugin, but only .*"alfworld"/ });
  await assert.rejects(client.load({ name: "taubench", wasm, files: [] }), { code: "not-found", message: /Give at least one of db.json, flights.json/ });
  await assert.rejects(client.load(have.source("taubench", [{ name: "orders.json", data: new Uint8Array(3) }])), { name: "BoundcheckError", message: /plugin "taubench": / });
  await assert.rejects(client.load(have.source("prompts", files())), { code: "op-not-described" });
  await assert.rejects(client.score(LIST, { plugins: [have.source("prompts")] }), { code: "op-not-described", message: /cannot check runs/ });
  assert.equal((await client.load(have.source("webarena"))).description.name, "webarena");
});

test("a plugin is taken from its address, with its hash alone", options, async () => {
  const own = have.own, sum = createHash("sha256").update(own).digest("hex");
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const { pathname } = new URL(request.url, "http://host");
    if (pathname === "/own.wasm") return response.writeHead(200).end(own);
    if (pathname === "/big.wasm") return response.writeHead(200).end(Buffer.alloc((32 << 20) + 1));
    if (pathname === "/slow.wasm") return response.writeHead(200).write("x");
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = (file) => `http://127.0.0.1:${server.address().port}/${file}`;
  try {
    const taubench = { name: "taubench", url: url("own.wasm"), sha256: sum };
    const report = text(await client.handleRaw("score", trace, { plugins: [taubench] }));
    assert.equal(report, text(await client.handleRaw("score", trace, { plugins: [{ name: "taubench", wasm: own }] })));
    assert.equal(JSON.parse(report).plugins[0].sha256, sum);
    assert.equal((await client.load(taubench)).sha256, sum);
    assert.equal(asked, 1, "fetched once");
    const refused = async (plugin, code, message, limits) => assert.rejects(client.load({ name: "taubench", ...plugin }, limits), { code, message });
    await refused({ url: url("own.wasm"), sha256: "0".repeat(64) }, "hash-mismatch", /the module's sha256 is [0-9a-f]{64}, but the pinned sha256 is 0{64}/);
    await refused({ url: url("own.wasm") }, "hash-mismatch", /needs sha256, the hash/);
    await refused({ url: url("none.wasm"), sha256: sum }, "not-found", /cannot fetch .*none.wasm: HTTP 404/);
    await refused({ url: url("big.wasm"), sha256: sum }, "module-too-large", /more than 33554432 bytes/);
    await refused({ url: url("slow.wasm"), sha256: sum }, "not-found", /cannot fetch/, { timeout: 300 });
    await refused({}, "not-found", /needs wasm or url/);
    const gone = { name: "taubench", url: url("none.wasm"), sha256: sum };
    for (let i = 0; i < 2; i++) {
      const { warnings } = JSON.parse(text(await client.handleRaw("score", LIST, { plugins: [gone] })));
      assert.match(warnings.at(-1).message, /^taubench could not check this run; it was scored without the plugin: plugin "taubench": cannot fetch .*\(not-found\)$/);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a plugin outlives the worker that it was loaded into", async () => {
  const taubench = have.source("taubench", files());
  const first = text(await client.handleRaw("score", trace, { plugins: [taubench] }));
  const long = "[" + '{"name":"get_order","arguments":{"a":[1,2,3]}},'.repeat(100_000) + '{"name":"x"}]'; // seconds of work on any machine
  await assert.rejects(client.handleRaw("score", long, { timeout: 1 }), { code: "timeout" });
  assert.equal(text(await client.handleRaw("score", trace, { plugins: [taubench] })), first);
});
