// Runs plugins in a JavaScript engine's own WebAssembly: in browsers, Node and workerd. ABI.md is
// the contract. The native host is ../host, and both hosts refuse the same modules with the same
// codes. This host accepts only modules that plugins/meter has checked and rewritten, so that a
// counter in the module stops it.
import { findWrongClaim } from "./claims.mjs";
import { FUNCTIONS, WASI, instantiateModule } from "./wasi.mjs";

const EXPORTS = ["boundcheck_abi", "alloc", "invoke"], MOST_PLUGINS = 64, MAX_DEPTH = 512, ABI = 1;
const GLOBAL = "boundcheck.global."; // begins the names of the globals that change, which the meter exports
const DESCRIBE = new TextEncoder().encode('{"op":"describe"}');

/** A failure of a plugin. code is one of the codes in ABI.md, or one of the plugin's own codes. */
export class PluginError extends Error {
  constructor(plugin, code, why) { super(`plugin "${plugin}": ${why} (${code})`); Object.assign(this, { plugin, code, why }); }
}

/**
 * Checks a metered module, finds the plugin with the given name in it, and returns
 * {description, said, invoke(request: Uint8Array): Uint8Array}. It throws a PluginError if
 * the module is refused. Every call begins in the same state, the one after the requests of
 * setup, so that no call can see another. The options are:
 *
 *   log(fd, bytes)      receives what the plugin writes to stdout and stderr
 *   maxAnswer           largest number of bytes of an answer
 *   maxPages            limit of the memory, in pages of 64 KiB
 *   work                limit of a call, start-up included, in quanta of plugins/meter; by default
 *                       1 << 13, or so high with a timeout that the clock comes first
 *   timeout             limit of a call in ms; has no effect if the clock stands still during the call
 *   reuse               true: a call begins in the state that the previous call left, for trusted plugins
 *   setup(description)  returns requests, such as env.load, that every instance receives first
 *
 * said holds the results of these first requests. If the plugin refuses one, load throws.
 */
export function load(name, module, { log = () => {}, maxAnswer = 16 << 20, maxPages = 4096, timeout = Infinity, work = timeout < Infinity ? 1 << 18 : 1 << 13, reuse = false, setup = () => [] } = {}) {
  const fail = (code, why) => { throw new PluginError(name, code, why); };
  checkModule(module, fail);
  let live = null, begin = null, choice = 0, left = work, until = performance.now() + timeout, refused = false, requests = [], said = [];
  const meter = (reason) => {
    if (reason === 1) refused = true;
    else if (--left < 0) fail("deadline", `stopped: the plugin did more than ${work} units of work`);
    else if (performance.now() > until) fail("deadline", tooLong(timeout));
  };
  const guarded = (f) => {
    try { return f(); } catch (e) {
      if (e instanceof PluginError) throw e;
      if (refused) fail("memory-limit", `crashed: the plugin needed more than ${maxPages} pages of memory (${e.message})`);
      return fail("trap", `crashed: ${e.message}`);
    }
  };
  const made = () => {
    refused = false;
    const g = guarded(() => instantiateModule(module, log, meter));
    if (g.x.memory.buffer.byteLength > maxPages * 65536) fail("memory-limit", `the module starts with more than ${maxPages} pages of memory`);
    return g;
  };
  const start = () => {
    const g = made(), { x } = g;
    guarded(() => x._initialize?.());
    const version = guarded(() => x.boundcheck_abi() >>> 0);
    if (version !== ABI) fail("abi-version", `the plugin has ABI version ${version}, but this host has ABI version ${ABI}`);
    if (x.boundcheck_select) guarded(() => x.boundcheck_select(choice));
    return g;
  };
  const call = ({ x }, request) => {
    const outside = (p, n) => p + n > x.memory.buffer.byteLength;
    const at = guarded(() => x.alloc(request.length) >>> 0);
    if (at === 0) fail("request-too-large", `the plugin has no room for a request of ${request.length} bytes`);
    if (outside(at, request.length)) fail("out-of-range", `the function alloc returned ${request.length} bytes at offset ${at}, outside the plugin's memory of ${x.memory.buffer.byteLength} bytes`);
    new Uint8Array(x.memory.buffer, at, request.length).set(request);
    const packed = guarded(() => x.invoke(request.length));
    if (typeof packed !== "bigint") fail("missing-export", `missing export "invoke" of type (i32) -> i64`);
    const ptr = Number(BigInt.asUintN(64, packed) >> 32n), n = Number(packed & 0xffffffffn);
    if (n > maxAnswer) fail("answer-too-large", `answer has ${n} bytes, limit ${maxAnswer}`);
    if (outside(ptr, n)) fail("out-of-range", `the answer of ${n} bytes at offset ${ptr} is outside the plugin's memory of ${x.memory.buffer.byteLength} bytes`);
    const answer = new Uint8Array(x.memory.buffer, ptr, n).slice();
    parseEnvelope(answer, fail);
    return answer;
  };
  const find = () => {
    const names = [];
    for (; ; choice++) {
      const g = start(), { x } = g;
      const count = x.boundcheck_plugins ? guarded(() => x.boundcheck_plugins() >>> 0) : 1;
      if (count === 0 || count > MOST_PLUGINS) fail("invalid-answer", `the module contains ${count} plugins; want 1 to ${MOST_PLUGINS}`);
      const d = parseDescription(call(g, DESCRIBE), fail);
      if (d.name === name) return [g, d];
      names.push(JSON.stringify(d.name));
      if (choice + 1 >= count) return fail("wrong-name", count === 1 ? `the file contains plugin ${names[0]}, but the file has another name` : `the module does not contain this plugin, but only ${names.join(", ")}`);
    }
  };
  const prepared = (g) => {
    said = requests.map((request) => {
      const { ok, error } = parseEnvelope(call(g, request), fail);
      return error ? fail(error.code, error.message) : ok;
    });
    return g;
  };
  const revived = () => {
    if (!begin) return prepared(start());
    const g = made(), grow = (begin.size - g.x.memory.buffer.byteLength) / 65536;
    if (grow > 0) g.x.memory.grow(grow);
    return restoreState(g, begin) ? g : fail("internal", "the state of an instance cannot be restored");
  };
  const [first, description] = find();
  requests = setup(description);
  live = prepared(first);
  if (!reuse) {
    begin = saveState(first);
    live = begin && live;
  }
  const invoke = (request) => {
    left = work;
    until = performance.now() + timeout;
    refused = false;
    const g = live ?? revived();
    live = null;
    const answer = call(g, request);
    const wrong = findWrongClaim(request, answer);
    if (wrong) fail("invalid-answer", `the answer does not fit the request: ${wrong}`);
    if (reuse || (begin && restoreState(g, begin))) live = g;
    return answer;
  };
  return { description, said, invoke };
}

/** Returns the state of an instance. Returns null if the state cannot be restored, or if it has more than 64 MiB. */
function saveState({ x, saved }) {
  const globals = [];
  for (let g; (g = x[GLOBAL + globals.length]); ) globals.push(g.value);
  if (!globals.length) return null;
  const memory = new Uint8Array(x.memory.buffer);
  let n = memory.length;
  for (const words = new Uint32Array(x.memory.buffer); n > 0 && words[n / 4 - 1] === 0; ) n -= 4;
  return n > 64 << 20 ? null : { size: memory.length, image: memory.slice(0, n), globals, saved: saved() };
}

/** Restores the state of an instance. Returns false if the memory has grown since, because a memory cannot shrink. */
function restoreState({ x, restore }, { size, image, globals, saved }) {
  if (x.memory.buffer.byteLength !== size) return false;
  const memory = new Uint8Array(x.memory.buffer);
  memory.set(image);
  memory.fill(0, image.length);
  globals.forEach((value, i) => { x[GLOBAL + i].value = value; });
  restore(saved);
  return true;
}

/** Returns the message for a plugin that ran longer than timeout, in ms. */
export function tooLong(timeout) { return `stopped: the plugin ran longer than ${timeout / 1000}s`; }

/** Compiles a module's bytes. @returns {WebAssembly.Module} */
export function compile(name, bytes) {
  try { return new WebAssembly.Module(bytes); } catch (e) { throw new PluginError(name, "invalid-module", `invalid module: ${e.message}`); }
}

/** Checks imports and exports before any code of the module runs. A module that plugins/meter has accepted passes. */
function checkModule(module, fail) {
  let metered = false;
  for (const i of WebAssembly.Module.imports(module)) {
    const meter = i.module === "boundcheck" && i.name === "meter";
    metered ||= meter;
    if (!(meter || (i.module === WASI && FUNCTIONS.has(i.name))) || i.kind !== "function") fail("import-not-granted", `imports ${i.module}.${i.name}, which is not granted`);
  }
  if (!metered) fail("internal", "the module was not metered");
  const kinds = new Map(WebAssembly.Module.exports(module).map((e) => [e.name, e.kind]));
  if (kinds.get("memory") !== "memory") fail("missing-export", `missing export "memory"`);
  for (const e of EXPORTS) if (kinds.get(e) !== "function") fail("missing-export", `missing export "${e}"`);
}

/** Reports whether objects and lists are nested more than 512 deep, which may cost a parser too much. */
function tooDeep(bytes) {
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const c = bytes[i];
    if (c === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
    } else if (c === 0x5b || c === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}

/**
 * Returns an answer as an object. It must be an envelope: a JSON object with exactly one of ok
 * and error; otherwise parseEnvelope calls fail. Callers pass on the original bytes of an
 * answer, because JSON.parse rounds numbers above 2⁵³.
 */
function parseEnvelope(bytes, fail) {
  let a;
  if (tooDeep(bytes)) fail("invalid-answer", `invalid answer: objects and lists nested more than ${MAX_DEPTH} deep`);
  try { a = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)); } catch (e) { fail("invalid-answer", `invalid answer: ${e.message}`); }
  const ok = a?.ok ?? null, error = a?.error ?? null;
  if (a === null || typeof a !== "object" || Array.isArray(a)) fail("invalid-answer", "invalid answer: not an object");
  if (ok !== null && error !== null) fail("invalid-answer", 'invalid answer: the answer has both "ok" and "error"');
  if (ok === null && error === null) fail("invalid-answer", 'invalid answer: the answer needs "ok" or "error"');
  if (error !== null && !(typeof error.code === "string" && error.code !== "")) fail("invalid-answer", "invalid answer: error without a code");
  return a;
}

function parseDescription(bytes, fail) {
  const { ok, error } = parseEnvelope(bytes, fail);
  if (error) fail(error.code, error.message);
  if (typeof ok.name !== "string" || !Array.isArray(ok.operations ?? [])) fail("invalid-answer", "invalid answer to describe");
  if (ok.abi !== ABI) fail("abi-version", `the plugin describes ABI version ${ok.abi}, but this host has ABI version ${ABI}`);
  if (typeof ok.version !== "string" || ok.version === "") fail("invalid-answer", "invalid answer to describe: missing version");
  return ok;
}
