// Starts instances of the Go program. main_js.go says which part one plays.
import "./wasm_exec.js";
import program from "./app.wasm";

// An instance's memory never shrinks. One that has grown beyond this is given no
// more requests, because the platform ends the isolate at 128 MB.
export const memoryLimit = 64 << 20;

// start starts an instance with its part of the context, {core: …} or {gate: …},
// and returns that part once the program has put its functions there and waits.
export function start(context) {
  const go = new Go();
  const [part] = Object.values(context);
  // Go's timers would belong to whichever request happened to be running, and at
  // module scope they are forbidden. The core never waits; the gate has its host's.
  go.importObject.gojs["runtime.scheduleTimeoutEvent"] = () => {};
  go.importObject.gojs["runtime.clearTimeoutEvent"] = () => {};
  const instance = new WebAssembly.Instance(program, { ...go.importObject, workers: { ready() {} } });
  go.run(instance, { ...context, binding: {} }).finally(() => {
    part.dead = true;
    part.died?.();
  });
  if (!part.limit) throw new Error("the program did not start");
  part.exports = instance.exports;
  part.bytes = () => instance.exports.mem.buffer.byteLength;
  return part;
}

// early runs a start at module scope, where time is free but random values are
// forbidden. Go's runtime wants some for its hash seeds, and gets weak ones for
// this moment only: nothing else in the program may draw any at start.
export function early(boot) {
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

const none = new Uint8Array(0);

// announced is the length that a request says its body has, -1 without.
export function announced(req) {
  const length = req.headers.get("content-length");
  return length === null ? -1 : Number(length);
}

// read gives the first max bytes of the body; one that is announced as longer is
// left alone, for it is refused by its length.
export async function read(req, length, max) {
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

// failed answers for a program that stopped.
export function failed(name, e) {
  console.error(`${name}:`, e);
  const error = { code: "internal", message: `the ${name} stopped; please report it with the request` };
  return new Response(JSON.stringify({ error }) + "\n", {
    status: 500,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
