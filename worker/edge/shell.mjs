// The Worker's entry: a thin shell around one Go core per isolate. It reads the
// body, calls the core, and sends what the core says; it decides nothing else.
// main_js.go has the other side.
import "./wasm_exec.js";
import program from "./app.wasm";
import handler from "./worker.mjs"; // github.com/syumai/workers: a Go instance per request

const routed = new Set(["/v1/score", "/v1/check", "/healthz"]);

// A core's memory never shrinks. One that a huge trace has blown up is given
// away after the request, because the platform ends the isolate at 128 MB.
const memoryLimit = 64 << 20;

let core = null;

// boot starts a Go instance and returns once its main has set core.answer.
function boot() {
  const go = new Go();
  const made = { dead: false };
  // The core computes and never waits. Timers would belong to whichever request
  // happened to be running, and at module scope they are forbidden.
  go.importObject.gojs["runtime.scheduleTimeoutEvent"] = () => {};
  go.importObject.gojs["runtime.clearTimeoutEvent"] = () => {};
  const instance = new WebAssembly.Instance(program, { ...go.importObject, workers: { ready() {} } });
  go.run(instance, { core: made, binding: {} }).finally(() => { made.dead = true; });
  if (!made.answer) throw new Error("the core did not start");
  made.bytes = () => instance.exports.mem.buffer.byteLength;
  return made;
}

// bootEarly boots at module scope, where time is free but random values are
// forbidden. Go's runtime wants some for its hash seeds, and gets weak ones for
// this moment only: nothing else in the program may draw any at start.
function bootEarly() {
  const weak = (to) => {
    for (let i = 0; i < to.length; i++) to[i] = Math.random() * 256;
    return to;
  };
  Object.defineProperty(crypto, "getRandomValues", { value: weak, configurable: true });
  try {
    return boot();
  } finally {
    delete crypto.getRandomValues;
  }
}

// warm runs the hot path, so that the engine has compiled it before a request comes.
function warm(core) {
  const text = new TextEncoder();
  const score = text.encode('{"trace":[{"name":"a","arguments":{"b":1}}],"reference":[{"name":"a","arguments":{"b":1}}]}');
  const check = text.encode('{"tool":"delete_a","arguments":{"b":1}}');
  for (let i = 0; i < 3; i++) {
    core.answer("POST", "/v1/score", "", score.length, score);
    core.answer("POST", "/v1/check", "", check.length, check);
  }
}

try {
  core = bootEarly();
  warm(core);
} catch (e) {
  core = null; // a request may start it
  console.error("core: not started at module scope:", e);
}

const none = new Uint8Array(0);

// read gives the first max bytes of the body; one that is announced as longer is
// left alone, for the core refuses it by its length.
async function read(req, length, max) {
  if (!req.body || length >= max) return none;
  if (length >= 0) return new Uint8Array(await req.arrayBuffer());
  const chunks = [];
  let size = 0;
  for await (const chunk of req.body) {
    chunks.push(chunk);
    if ((size += chunk.length) >= max) break;
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

// ready tells whether there is a core, and makes one when there is none.
function ready() {
  try {
    core ??= boot();
  } catch (e) {
    console.error("core: not started:", e);
  }
  return core !== null;
}

// pairs reads header lines, of which there are only a few different texts.
const known = new Map();
function pairs(lines) {
  let headers = known.get(lines);
  if (!headers) {
    headers = lines.trimEnd().split("\n").map((line) => line.split(": ", 2));
    known.set(lines, headers);
  }
  return headers;
}

async function answer(req) {
  const { pathname } = new URL(req.url);
  const announced = req.headers.get("content-length");
  const length = announced === null ? -1 : Number(announced);
  const body = await read(req, length, core.limit);
  core ??= boot(); // another request may have given it away while this one read
  const mine = core;
  try {
    const [status, headers, bytes] = mine.answer(req.method, pathname, req.headers.get("content-encoding") ?? "", length, body);
    if (mine.bytes() > memoryLimit) core = null;
    return new Response(bytes, { status, headers: pairs(headers) });
  } catch (e) {
    core = null; // whatever happened inside, its state is not to be trusted
    throw e;
  }
}

function failed(e) {
  console.error("core:", e);
  const error = { code: "internal", message: "the core stopped; please report it with the request" };
  return new Response(JSON.stringify({ error }) + "\n", {
    status: 500,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

export default {
  fetch(req, env, ctx) {
    // CORE=off sends everything through the handler: for measuring and for comparing.
    if (env.CORE === "off" || !routed.has(new URL(req.url).pathname) || !ready()) return handler.fetch(req, env, ctx);
    return answer(req).catch(failed);
  },
};
