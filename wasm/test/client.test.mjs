import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { build } from "./build.mjs";

const LIST = '[{"name":"get_order","arguments":{"id":9007199254740993}},{"name":"cancel_order","arguments":{"id":"#W1"}}]';
const BIG = "[" + '{"name":"x","arguments":{}},'.repeat(400_000) + '{"name":"x","arguments":{}}]'; // takes more than a few ms on any machine
const text = (bytes) => new TextDecoder().decode(bytes);

/** @type {typeof import("../npm/client.js")} */
let npm;
/** @type {import("../npm/client.js").Client} */
let client;
let built;

before(async () => {
  built = build();
  npm = await import(new URL("client.js", built.url).href);
  client = await npm.open();
});
after(async () => {
  await client.close();
  built.remove();
});

test("the handshake names the core", () => {
  assert.equal(client.version.name, "boundcheck");
  assert.equal(client.version.wire, npm.WIRE);
  assert.ok(client.version.methods.includes("score"));
});

test("score: a text, its bytes and its buffer have the same answer", async () => {
  const bytes = new TextEncoder().encode(LIST);
  const [a, b, c] = await Promise.all([LIST, bytes, bytes.buffer].map((x) => client.handleRaw("score", x)));
  assert.equal(text(a), text(b));
  assert.equal(text(a), text(c));
  assert.ok(text(a).endsWith("}\n"));
  assert.equal(bytes.length, LIST.length, "the caller's bytes are still the caller's");
});

test("score: bytes come back as they went in", async () => {
  const report = await client.score(LIST);
  const [get, cancel] = report.trajectories[0].observed;
  assert.equal(get.arguments, '{"id":9007199254740993}');
  assert.equal(cancel.mutating, "yes");
});

test("score: reference and profile travel in the envelope", async () => {
  const report = await client.score(LIST, { reference: [{ name: "cancel_order", arguments: { id: "#W1" } }], profile: "sop" });
  assert.equal(report.profile, "sop");
  assert.equal(report.trajectories[0].reference.length, 1);
  assert.equal(report.trajectories[0].observed[0].arguments, '{"id":9007199254740993}');
});

test("many calls at once are answered each by its own", async () => {
  const names = Array.from({ length: 50 }, (_, i) => `no-such-method-${i}`);
  const answers = await Promise.all(names.map((n) => client.handleRaw(n, "")));
  answers.forEach((a, i) => assert.match(JSON.parse(text(a)).error.message, new RegExp(`"${names[i]}"`)));
});

test("an error envelope arrives as an error", async () => {
  await assert.rejects(client.score("this is no trace"), (e) => {
    assert.ok(e instanceof npm.BoundcheckError);
    assert.equal(e.code, "invalid-input");
    assert.ok(e.formats.length > 0);
    return true;
  });
});

test("bytes that are not text are refused before an envelope is made of them", async () => {
  await assert.rejects(client.score(new Uint8Array([0xff, 0xfe, 0x00]), { profile: "sop" }), { code: "invalid-input" });
  await assert.rejects(client.handleRaw("score", 42), TypeError);
});

test("a time-out ends the worker, rejects what waits, and the next call works", async () => {
  const slow = client.handleRaw("score", BIG, { timeout: 1 });
  const waiting = client.handleRaw("version", "");
  await assert.rejects(slow, { code: "timeout", message: /1 ms/ });
  await assert.rejects(waiting, { code: "timeout" });
  assert.equal(JSON.parse(text(await client.handleRaw("version", ""))).name, "boundcheck");
});

test("an abort cancels, before and during the call", async () => {
  await assert.rejects(client.score(LIST, { signal: AbortSignal.abort() }), { code: "cancelled" });
  const stop = new AbortController();
  const call = client.score(BIG, { signal: stop.signal });
  setTimeout(() => stop.abort(), 1);
  await assert.rejects(call, { code: "cancelled" });
  assert.ok(await client.score(LIST));
});

test("a closed client says so", async () => {
  const other = await npm.open();
  const call = other.handleRaw("version", "");
  await other.close();
  await assert.rejects(other.handleRaw("version", ""), { code: "closed" });
  await call.catch((e) => assert.equal(e.code, "closed"));
});

/** A worker that returns the given answer; null means that it dies. */
function fake(answer) {
  const worker = Object.assign(new EventEmitter(), {
    terminated: 0,
    terminate: () => worker.terminated++,
    postMessage: ({ id, method }) => {
      if (id === undefined) return;
      const body = answer(method);
      setImmediate(() => (body === null ? worker.emit("exit", 2) : worker.emit("message", { id, body: new TextEncoder().encode(body) })));
    },
  });
  return worker;
}

const hello = (wire) => JSON.stringify({ name: "boundcheck", wire, schema: "x", methods: [], formats: [] });

test("a core of another wire version is refused, and both are named", async () => {
  const worker = fake(() => hello(npm.WIRE + 1));
  await assert.rejects(npm.open({ worker: () => worker }), (e) => {
    assert.equal(e.code, "version");
    assert.match(e.message, new RegExp(`version ${npm.WIRE}, but the core has version ${npm.WIRE + 1}`));
    return true;
  });
  assert.equal(worker.terminated, 1);
});

test("a dead instance rejects every pending call and is made again", async () => {
  const made = [];
  const worker = () => (made.push(fake((m) => (m === "version" ? hello(npm.WIRE) : m === "die" ? null : "{}\n"))), made.at(-1));
  const c = await npm.open({ worker });
  const calls = await Promise.allSettled([c.handleRaw("die", ""), c.handleRaw("die", "")]);
  assert.deepEqual(calls.map((r) => r.reason.code), ["dead", "dead"]);
  assert.equal(text(await c.handleRaw("other", "")), "{}\n");
  assert.equal(made.length, 2);
});

test("a core that ends by itself is reported, not waited for", async () => {
  const empty = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  await assert.rejects(npm.open({ wasm: empty }), { code: "dead" });
  await assert.rejects(npm.open({ wasm: new URL("no-such-file.wasm", built.url) }), { code: "dead", message: /cannot start/ });
});

test("a module given as bytes or compiled works too", async () => {
  const bytes = await readFile(new URL("boundcheck.wasm", built.url));
  for (const wasm of [bytes, await WebAssembly.compile(bytes)]) {
    const c = await npm.open({ wasm });
    assert.equal(c.version.wire, npm.WIRE);
    await c.close();
  }
});

// Vite, webpack and esbuild copy a file and write its address only for this form with a
// plain text. With a variable in it they left the module out, and the page got HTML
// instead.
test("bundlers find the module and the worker by their static addresses", async () => {
  const source = await readFile(new URL("../npm/client.js", import.meta.url), "utf8");
  for (const file of ["boundcheck.wasm", "worker.js"]) {
    assert.ok(source.includes(`new URL("./${file}", import.meta.url)`), file);
  }
});
