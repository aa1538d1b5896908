// core.mjs with a program that misbehaves: the answer is always complete or an error, and
// after an error the program gets no more requests. worker.test.mjs tests the real
// program.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./processes.mjs";

// A program that answers with the request itself, in memory of its own. The test decides
// how its next call ends.
const stub = `
const text = new TextEncoder();
export const memoryLimit = 1 << 20;
export const state = { starts: 0, next: "" };
export const announced = (req) => Number(req.headers.get("content-length") ?? -1);
export const read = async (req) => new Uint8Array(await req.arrayBuffer());
export const early = (boot) => boot();
export const failed = (name, e) => new Response(String(e), { status: 500 });
export function start() {
  state.starts++;
  const places = 16, room = 1024;
  const mem = { buffer: new ArrayBuffer(64 << 10) };
  const fields = () => new Uint32Array(mem.buffer, places, 6);
  return {
    limit: 1 << 20,
    bytes: () => (state.large ? 2 << 20 : mem.buffer.byteLength),
    exports: {
      mem,
      coreRoom() { fields().set([room, 0, 0, 0, 0, 0]); return places; },
      coreAnswer(head, body) {
        const how = state.next;
        state.next = "";
        if (how === "end") return;
        if (how === "trap") throw new WebAssembly.RuntimeError("unreachable");
        const asked = new Uint8Array(mem.buffer).slice(room, room + head + body);
        if (how === "grow") mem.buffer = structuredClone(mem.buffer, { transfer: [mem.buffer] });
        const header = text.encode("content-type: text/plain\\n");
        const to = new Uint8Array(mem.buffer);
        to.set(header, 8192);
        to.set(asked, 16384);
        fields().set([0, 201, 8192, header.length, 16384, asked.length]);
      },
    },
  };
}
`;

let dir;
let core;
let state;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), "boundcheck-core-"));
  copyFileSync(join(root, "worker", "edge", "core.mjs"), join(dir, "core.mjs"));
  writeFileSync(join(dir, "go.mjs"), stub);
  core = await import(pathToFileURL(join(dir, "core.mjs")));
  ({ state } = await import(pathToFileURL(join(dir, "go.mjs"))));
});
after(() => rmSync(dir, { recursive: true, force: true }));

function ask(body, headers = {}) {
  assert.ok(core.ready());
  return core.answer(new Request("http://x/v1/check", { method: "POST", body, headers }), "/v1/check");
}

async function whole(response, want) {
  assert.equal(response.status, 201);
  assert.equal(await response.text(), want);
}

test("a request is laid down as it is", async () => {
  await whole(await ask("{\"é\":1}"), "POST\n/v1/check\n\n-1{\"é\":1}");
  const answer = await ask("x", { "content-encoding": "gzip", "content-length": "1" });
  assert.equal(answer.headers.get("content-type"), "text/plain");
  await whole(answer, "POST\n/v1/check\ngzip\n1x");
});

test("memory that moves during the call is read where it is then", async () => {
  state.next = "grow";
  await whole(await ask("a"), "POST\n/v1/check\n\n-1a");
  await whole(await ask("b"), "POST\n/v1/check\n\n-1b");
});

for (const how of ["end", "trap"]) {
  test(`a program that does not answer (${how}) is given up`, async () => {
    const { starts } = state;
    state.next = how;
    assert.equal((await ask("a")).status, 500);
    await whole(await ask("b"), "POST\n/v1/check\n\n-1b");
    assert.equal(state.starts, starts + 1);
  });
}

test("a program that has grown is asked no more", async () => {
  const { starts } = state;
  state.large = true;
  await whole(await ask("a"), "POST\n/v1/check\n\n-1a");
  state.large = false;
  await whole(await ask("b"), "POST\n/v1/check\n\n-1b");
  assert.equal(state.starts, starts + 1);
});
