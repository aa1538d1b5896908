// The page's core in two modules: the answers are those of the whole core, whenever the second
// module arrives.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readCase } from "../../playground/form/examples.js";
import { FIRST } from "../first.mjs";
import { build, root } from "./build.mjs";

const text = (bytes) => new TextDecoder().decode(bytes);
const CHECK = '{"tool":"cancel_order","arguments":{"id":"#W1"}}';

/** @type {typeof import("../npm/client.js")} */
let npm;
let whole, built, dir, second;

before(async () => {
  built = build();
  whole = await (await import(new URL("client.js", built.url).href)).open();
  dir = mkdtempSync(join(tmpdir(), "boundcheck-split-"));
  execFileSync("sh", [join(root, "wasm/build.sh"), "--page", dir], { stdio: "inherit" });
  npm = await import(pathToFileURL(join(dir, "client.js")).href);
  second = pathToFileURL(join(dir, "seldom.wasm"));
});
after(async () => {
  await whole?.close();
  built?.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a test with a client of the split core. */
async function withClient(options, use) {
  const client = await npm.open({ second, ...options });
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const inputs = () => ["formats", "producers", "traces", "hostile"].flatMap((folder) => readdirSync(join(root, "testdata", folder)).map((file) => join(root, "testdata", folder, file)));

test("each example that the page puts first is scored without the second module", () =>
  withClient({ second: pathToFileURL(join(dir, "missing.wasm")) }, async (client) => {
    for (const file of readdirSync(join(root, "testdata/cases"))) {
      if (!FIRST.test(file)) continue;
      const { trace, reference, profile } = readCase(readFileSync(join(root, "testdata/cases", file), "utf8"));
      const body = npm.scoreBody(trace, { reference: reference || undefined, profile });
      assert.equal(text(await client.handleRaw("score", body)), text(await whole.handleRaw("score", body)), file);
    }
  }));

test("answers are those of the whole core, with both modules from the start, joined later, and joined by need", async () => {
  const requests = inputs().flatMap((file) => ["score", "run", "map", "repair", "check"].map((method) => [method, readFileSync(file)]));
  const want = [];
  for (const [method, body] of requests) want.push(text(await whole.handleRaw(method, body)));
  const compare = async (client) => {
    for (const [i, [method, body]] of requests.entries()) assert.equal(text(await client.handleRaw(method, body)), want[i], `${method} of input ${i}`);
  };
  await withClient({}, compare); // by need
  await withClient({}, async (client) => {
    await client.preload();
    await compare(client);
  });
  await withClient({}, async (client) => {
    await client.preload();
    const stop = AbortSignal.timeout(1);
    await assert.rejects(client.handleRaw("score", "[" + '{"name":"x","arguments":{}},'.repeat(200_000) + '{"name":"x"}]', { signal: stop }), /cancelled/);
    await compare(client); // a new worker gets both modules
  });
});

test("calls that wait for the second module at the same time are all answered", () =>
  withClient({}, async (client) => {
    const want = text(await whole.handleRaw("check", CHECK));
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => client.handleRaw(i % 2 ? "version" : "check", i % 2 ? "" : CHECK)));
    for (const [i, answer] of all.entries()) assert.equal(i % 2 ? JSON.parse(text(answer)).name : text(answer), i % 2 ? "boundcheck" : want);
  }));

test("without the second module a call that needs it is an error, and later calls work", async () => {
  const away = join(dir, "away.wasm");
  renameSync(join(dir, "seldom.wasm"), away);
  await withClient({}, async (client) => {
    await client.preload(); // says nothing
    await assert.rejects(client.handleRaw("check", CHECK), { code: "dead", message: /^the second module of the core cannot be loaded: (?!the core)/ });
    assert.equal(JSON.parse(text(await client.handleRaw("version", ""))).name, "boundcheck");
    renameSync(away, join(dir, "seldom.wasm"));
    assert.equal(text(await client.handleRaw("check", CHECK)), text(await whole.handleRaw("check", CHECK)));
  });
});

test("a second module of another version is an error when it is needed", () => {
  const bytes = readFileSync(join(dir, "seldom.wasm"));
  const at = bytes.indexOf("table ");
  assert.ok(at > 0);
  bytes.write(bytes[at + 6] === 0x30 ? "1" : "0", at + 6);
  return withClient({ second: bytes }, async (client) => {
    await client.preload();
    assert.equal(JSON.parse(text(await client.handleRaw("version", ""))).name, "boundcheck");
    await assert.rejects(client.handleRaw("check", CHECK), { code: "dead", message: /the page was updated after you opened it/ });
    assert.equal(JSON.parse(text(await client.handleRaw("version", ""))).name, "boundcheck", "a call that does not need it");
  });
});

test("a damaged module is an error", async () => {
  const bytes = readFileSync(join(dir, "boundcheck.wasm"));
  await assert.rejects(npm.open({ wasm: bytes.subarray(0, 5000), second }), { code: "dead" });
});

test("a worker answers while the second module is still being loaded", async () => {
  const server = createServer(() => {}); // never answers
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await withClient({ second: `http://127.0.0.1:${server.address().port}/` }, async (client) => {
      client.preload();
      const big = "[" + '{"name":"x","arguments":{}},'.repeat(200_000) + '{"name":"x"}]';
      await assert.rejects(client.handleRaw("score", big, { signal: AbortSignal.timeout(1) }), { code: "cancelled" });
      assert.equal(JSON.parse(text(await client.handleRaw("version", "", { timeout: 120_000 }))).name, "boundcheck", "in a new worker");
      await assert.rejects(client.handleRaw("check", CHECK, { timeout: 300 }), { code: "timeout" });
      assert.equal(JSON.parse(text(await client.handleRaw("version", "", { timeout: 120_000 }))).name, "boundcheck", "in the next one");
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("preload does nothing if the core cannot start", async () => {
  const client = new npm.Client({ wasm: pathToFileURL(join(dir, "missing.wasm")), second });
  await client.preload();
  await assert.rejects(client.ready(), { code: "dead" });
});

for (const when of ["before", "after"]) test(`a function that is missing in a timer starts the core again at the next call, which comes ${when} the second module`, async () => {
  const empty = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  let starts = 0;
  /** A program whose first instance traps in a timer. The timer repeats until its number is gone. */
  class Go {
    importObject = {};
    _scheduledTimeouts = new Map();
    _resume() {
      throw new WebAssembly.RuntimeError("null function");
    }
    async run() {
      if (++starts === 1) {
        this._scheduledTimeouts.set(1, setTimeout(() => {
          do this._resume();
          while (this._scheduledTimeouts.has(1));
        }, 1));
      }
      globalThis.boundcheckReady((method) => new TextEncoder().encode(method + starts), null, null);
      await new Promise(() => {});
    }
  }
  const saved = globalThis.Go;
  globalThis.Go = Go;
  globalThis.boundcheckInline = {};
  try {
    await import(pathToFileURL(join(dir, "worker.js")).href + "?" + when);
    const said = [];
    const receive = globalThis.boundcheckInline.serve((message) => said.push(message));
    await receive({ wasm: empty, split: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(said, []);
    const call = () => receive({ id: 1, method: "version", body: new Uint8Array() });
    if (when === "before") {
      const answered = call();
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(said.splice(0), [{ needs: "second" }]);
      await Promise.all([answered, receive({ second: empty })]);
    } else {
      await receive({ second: empty });
      await call();
    }
    assert.deepEqual(said.map((m) => [m.id, text(m.body)]), [[1, "version2"]]);
  } finally {
    globalThis.Go = saved;
    delete globalThis.boundcheckInline;
  }
});
