// One core, several front ends: the command, the module in Node, the page in Chromium and
// the Worker in workerd return the same bytes for every file of testdata, also for errors
// and for a compressed file.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { after, before, test } from "node:test";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { executablePath, launch, openPage, servePage } from "../playground/test/browser.mjs";
import { build } from "../wasm/test/build.mjs";
import { buildWorker, edge, missing, root, scratch, send } from "../worker/test/processes.mjs";
import { buildCommand } from "./command.mjs";

const data = join(root, "testdata");
const files = readdirSync(data, { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile())
  .map((e) => join(e.parentPath ?? e.path, e.name))
  .filter((f) => !relative(data, f).startsWith("golden" + sep) && !f.endsWith("README.md"))
  .sort();
const timeout = 900_000;
const text = (bytes) => new TextDecoder().decode(bytes);

// archive returns a zip with entries of name → text.
function archive(entries) {
  const head = (signature, fields) => {
    const b = Buffer.alloc(4 + fields.reduce((n, [size]) => n + size, 0));
    let at = b.writeUInt32LE(signature);
    for (const [size, value] of fields) at = b.writeUIntLE(value, at, size);
    return b;
  };
  const files = [];
  const index = [];
  let offset = 0;
  for (const [name, body] of Object.entries(entries)) {
    const data = deflateRawSync(body);
    const same = [[2, 20], [2, 0], [2, 8], [4, 0], [4, crc32(body)], [4, data.length], [4, Buffer.byteLength(body)], [2, name.length]];
    const local = Buffer.concat([head(0x04034b50, [...same, [2, 0]]), Buffer.from(name), data]);
    index.push(head(0x02014b50, [[2, 20], ...same, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), Buffer.from(name));
    files.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(index);
  const n = files.length;
  return Buffer.concat([...files, list, head(0x06054b50, [[2, 0], [2, 0], [2, n], [2, n], [4, list.length], [4, offset], [2, 0]])]);
}

// packed writes a log compressed as its tool does, a truncated one, and another file as
// gzip.
function packed(dir) {
  const log = JSON.parse(readFileSync(join(data, "formats", "inspect-log.json")));
  const samples = log.samples.map((sample, i) => [`samples/${i + 1}_epoch_1.json`, JSON.stringify(sample)]);
  const zip = archive({ "header.json": JSON.stringify({ ...log, samples: undefined }), ...Object.fromEntries(samples) });
  const made = { "log.eval": zip, "cut.eval": zip.subarray(0, -30), "no-log.zip": archive({ "a.txt": "a" }), "one.json.gz": gzipSync(readFileSync(join(data, "traces", "tau-bench.json"))) };
  return Object.entries(made).map(([name, bytes]) => (writeFileSync(join(dir, name), bytes), join(dir, name)));
}

let dir;
let expected; // file → output of the command

before(() => {
  dir = mkdtempSync(join(tmpdir(), "boundcheck-doors-"));
  const command = join(dir, "boundcheck");
  buildCommand(command);
  expected = new Map([...files, ...packed(dir)].map((f) => [f, spawnSync(command, ["score", "--format", "json", f], { maxBuffer: 1 << 28 }).stdout]));
}, { timeout });
after(() => rmSync(dir, { recursive: true, force: true }));

async function compare(answer) {
  assert.ok(files.length >= 20, `only ${files.length} files: the test data is missing`);
  let scored = 0;
  for (const [file, want] of expected) {
    const got = await answer(readFileSync(file));
    assert.equal(got, text(want), relative(root, file));
    if (got.startsWith('{"schema"')) scored++;
  }
  assert.ok(scored >= 6, `only ${scored} files were scored`);
}

test("the command answers every file with JSON", () => {
  for (const [file, bytes] of expected) assert.doesNotThrow(() => JSON.parse(text(bytes)), relative(root, file));
  for (const name of ["log.eval", "one.json.gz"]) assert.match(text(expected.get(join(dir, name))), /^\{"schema"/);
});

test("the module in Node", { timeout }, async () => {
  const built = build();
  const { open } = await import(new URL("client.js", built.url).href);
  const client = await open();
  try {
    await compare(async (bytes) => text(await client.handleRaw("score", bytes)));
  } finally {
    await client.close();
    built.remove();
  }
});

const noBrowser = executablePath ? false : "no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path";

test("the page in Chromium", { timeout, skip: noBrowser }, async () => {
  const site = await servePage();
  const browser = await launch();
  try {
    const { page, wrong } = await openPage(browser.context, site.url);
    await compare((bytes) =>
      page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        return new TextDecoder().decode(await globalThis.boundcheck.handleRaw("score", bytes));
      }, bytes.toString("base64")),
    );
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
    site.close();
  }
});

test("the Worker in workerd", { timeout, skip: missing() || false }, async () => {
  const place = scratch();
  let worker;
  try {
    worker = await edge(buildWorker(place.dir), place);
    await compare(async (bytes) => (await send(worker.url + "/v1/score", { method: "POST", body: bytes })).text());
  } finally {
    await worker?.stop();
    place.remove();
  }
});
