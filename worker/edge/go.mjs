// Starts instances of the Go program. main_js.go describes which part an instance plays.
import "./wasm_exec.js";
import program from "./app.wasm";

// An instance's memory never shrinks. One that has grown beyond this limit gets no more
// requests, because the platform ends the isolate at 128 MB.
export const memoryLimit = 64 << 20;

// start starts an instance with its part of the context, {core: …} or {gate: …}. It
// returns that part, in which the program has then put its functions.
export function start(context) {
  const go = new Go();
  const [part] = Object.values(context);
  // Go's timers would belong to the request that happens to run, and they are forbidden
  // at module scope. The core never waits, and the gate uses the timers of its host.
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

// early calls boot at module scope, where time does not count but random values are
// forbidden. Go's runtime needs some for its hash seeds, and gets weak ones during this
// call only. The program must not use random values for anything else at start.
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

// announced returns the body's length according to the request, or -1.
export function announced(req) {
  const length = req.headers.get("content-length");
  return length === null ? -1 : Number(length);
}

// read returns the body. If the announced length is max or more, it returns no bytes,
// because such a body is refused. It stops reading a body without an announced length when
// it has max bytes or more.
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

// failed returns the answer for a program that stopped.
export function failed(name, e) {
  console.error(`${name}:`, e);
  const error = { code: "internal", message: `the ${name} stopped. Please report this error together with the request` };
  return new Response(JSON.stringify({ error }) + "\n", {
    status: 500,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
