// The plugin host over a JavaScript engine's own WebAssembly: browser, node and workerd alike. ABI.md is the contract; the
// native host is ../host, and both refuse the same things under the same codes. A module that plugins/meter has rewritten
// is stopped by its own counter. Any other runs as long as it likes: client.mjs has it in a worker, and terminates that.
import { claims } from "./claims.mjs";
import { FUNCTIONS, WASI, instantiate } from "./wasi.mjs";

const EXPORTS = ["boundcheck_abi", "alloc", "invoke"], MOST_PLUGINS = 64, ABI = 1;
const DESCRIBE = new TextEncoder().encode('{"op":"describe"}');

/** A failure of a plugin; `code` is one of the codes in ABI.md, or the plugin's own. */
export class PluginError extends Error {
  constructor(plugin, code, why) { super(`plugin "${plugin}": ${why} (${code})`); Object.assign(this, { plugin, code, why }); }
}

/** Checks a WebAssembly.Module, finds the plugin in it and gives {description, said, invoke(Uint8Array): Uint8Array}. A crashed instance is
 *  replaced at the next call. `setup(description)` gives requests that every instance is sent first, such as env.load, and said what was
 *  answered; a refusal is the load's. `work` is how many
 *  quanta of plugins/meter a call may use, start-up included, and `timeout` how many ms, where a clock goes on meanwhile; `maxPages` what a
 *  module's memory may have, in 64 KiB. */
export function load(name, module, { log = () => {}, maxAnswer = 16 << 20, maxPages = 4096, work = 4096, timeout = Infinity, setup = () => [] } = {}) {
  const fail = (code, why) => { throw new PluginError(name, code, why); };
  checkModule(module, fail);
  let live = null, choice = 0, left = work, until = performance.now() + timeout, refused = false, requests = [], said = [];
  const meter = (reason) => {
    if (reason === 1) refused = true;
    else if (--left < 0) fail("deadline", `stopped: it did more than ${work} quanta of work`);
    else if (performance.now() > until) fail("deadline", tooLong(timeout));
  };
  const guarded = (x, f) => {
    try { return f(); } catch (e) {
      if (e instanceof PluginError) throw e;
      const near = x !== null && x.memory.buffer.byteLength > maxPages * 65536 * 0.9; // all that tells where there is no meter
      if (refused || near) fail("memory-limit", `crashed: wanted more than ${maxPages} pages of memory (${e.message})`);
      return fail("trap", `crashed: ${e.message}`);
    }
  };
  const start = () => {
    refused = false;
    const x = guarded(null, () => instantiate(module, log, meter));
    if (x.memory.buffer.byteLength > maxPages * 65536) fail("memory-limit", `starts with more than ${maxPages} pages of memory`);
    const version = guarded(x, () => x.boundcheck_abi() >>> 0);
    if (version !== ABI) fail("abi-version", `speaks ABI version ${version}, this host ${ABI}`);
    if (x.boundcheck_select) guarded(x, () => x.boundcheck_select(choice));
    return x;
  };
  const call = (x, request) => {
    const outside = (p, n) => p + n > x.memory.buffer.byteLength;
    const at = guarded(x, () => x.alloc(request.length) >>> 0);
    if (at === 0) fail("request-too-large", `has no room for a request of ${request.length} bytes`);
    if (outside(at, request.length)) fail("out-of-range", `alloc gave memory outside its own at ${at}`);
    new Uint8Array(x.memory.buffer, at, request.length).set(request);
    const packed = guarded(x, () => x.invoke(request.length));
    if (typeof packed !== "bigint") fail("missing-export", `missing export "invoke" of type (i32) -> i64`);
    const ptr = Number(BigInt.asUintN(64, packed) >> 32n), n = Number(packed & 0xffffffffn);
    if (n > maxAnswer) fail("answer-too-large", `answer has ${n} bytes, limit ${maxAnswer}`);
    if (outside(ptr, n)) fail("out-of-range", `answer of ${n} bytes at ${ptr} is outside its memory`);
    if (x.memory.buffer.byteLength > maxPages * 65536) fail("memory-limit", `has more than ${maxPages} pages of memory`);
    const answer = new Uint8Array(x.memory.buffer, ptr, n).slice();
    envelope(answer, fail);
    return answer;
  };
  const find = (x) => {
    const count = x.boundcheck_plugins ? guarded(x, () => x.boundcheck_plugins() >>> 0) : 1, names = [];
    if (count === 0 || count > MOST_PLUGINS) fail("invalid-answer", `the module holds ${count} plugins; want 1 to ${MOST_PLUGINS}`);
    for (; choice < count; choice++) {
      if (x.boundcheck_select) guarded(x, () => x.boundcheck_select(choice));
      const d = described(call(x, DESCRIBE), fail);
      if (d.name === name) return d;
      names.push(JSON.stringify(d.name));
    }
    return fail("wrong-name", count === 1 ? `describes itself as ${names[0]}` : `the module holds ${names.join(", ")}`);
  };
  const prepared = (x) => {
    said = requests.map((request) => {
      const { ok, error } = envelope(call(x, request), fail);
      return error ? fail(error.code, error.message) : ok;
    });
    return x;
  };
  const first = start(), description = find(first);
  requests = setup(description);
  live = prepared(first);
  const invoke = (request) => {
    left = work;
    until = performance.now() + timeout;
    const x = live ?? prepared(start());
    live = null;
    const answer = call(x, request);
    const wrong = claims(request, answer);
    if (wrong) fail("invalid-answer", `answer is of another run: ${wrong}`);
    live = x;
    return answer;
  };
  return { description, said, invoke };
}

/** What is said of a plugin that was stopped by a clock. `timeout` is in ms. */
export function tooLong(timeout) { return `stopped: it ran longer than ${timeout / 1000}s`; }

/** Compiles a module's bytes. @returns {WebAssembly.Module} */
export function compile(name, bytes) {
  try { return new WebAssembly.Module(bytes); } catch (e) { throw new PluginError(name, "invalid-module", `invalid module: ${e.message}`); }
}

/** Looks at imports and exports, before any of the guest's code runs. */
function checkModule(module, fail) {
  for (const i of WebAssembly.Module.imports(module)) {
    const granted = i.module === WASI ? FUNCTIONS.has(i.name) : i.module === "boundcheck" && i.name === "meter";
    if (!granted || i.kind !== "function") fail("import-not-granted", `imports ${i.module}.${i.name}, which is not granted`);
  }
  const kinds = new Map(WebAssembly.Module.exports(module).map((e) => [e.name, e.kind]));
  if (kinds.get("memory") !== "memory") fail("missing-export", `missing export "memory"`);
  for (const e of EXPORTS) if (kinds.get(e) !== "function") fail("missing-export", `missing export "${e}"`);
}

/** Holds an answer to the envelope: one JSON object with exactly one of ok and error. The bytes stay what they are: numbers beyond 2⁵³
 *  would not survive JSON.parse. */
function envelope(bytes, fail) {
  let a;
  try { a = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)); } catch (e) { fail("invalid-answer", `invalid answer: ${e.message}`); }
  const ok = a?.ok ?? null, error = a?.error ?? null;
  if (a === null || typeof a !== "object" || Array.isArray(a)) fail("invalid-answer", "invalid answer: not an object");
  if (ok !== null && error !== null) fail("invalid-answer", "invalid answer: both ok and error");
  if (ok === null && error === null) fail("invalid-answer", "invalid answer: neither ok nor error");
  if (error !== null && !(typeof error.code === "string" && error.code !== "")) fail("invalid-answer", "invalid answer: error without a code");
  return a;
}

function described(bytes, fail) {
  const { ok, error } = envelope(bytes, fail);
  if (error) fail(error.code, error.message);
  if (typeof ok.name !== "string" || !Array.isArray(ok.operations ?? [])) fail("invalid-answer", "invalid answer to describe");
  if (ok.abi !== ABI) fail("abi-version", `describes ABI version ${ok.abi}, this host speaks ${ABI}`);
  if (typeof ok.version !== "string" || ok.version === "") fail("invalid-answer", "invalid answer to describe: missing version");
  return ok;
}
