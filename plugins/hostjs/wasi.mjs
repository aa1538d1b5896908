// The plugin host over a JavaScript engine's own WebAssembly: browser, node and workerd alike. ABI.md is the contract; the
// native host is ../host. A guest gets the same stubs for clock and randomness there and here. What this host cannot do is
// stop a guest that does not return: run it in a worker and terminate that.

const WASI = "wasi_snapshot_preview1";
const FUNCTIONS = new Set(("args_get args_sizes_get clock_res_get clock_time_get environ_get environ_sizes_get fd_advise fd_allocate fd_close " +
  "fd_datasync fd_fdstat_get fd_fdstat_set_flags fd_fdstat_set_rights fd_filestat_get fd_filestat_set_size fd_filestat_set_times " +
  "fd_pread fd_prestat_get fd_prestat_dir_name fd_pwrite fd_read fd_readdir fd_renumber fd_seek fd_sync fd_tell fd_write " +
  "path_create_directory path_filestat_get path_filestat_set_times path_link path_open path_readlink path_remove_directory " +
  "path_rename path_symlink path_unlink_file poll_oneoff proc_exit proc_raise random_get sched_yield sock_accept sock_recv " +
  "sock_send sock_shutdown").split(" "));
const BADF = 8, EXPORTS = ["boundcheck_abi", "alloc", "invoke"];

/** A failure of a plugin; `code` is one of the codes in ABI.md. */
export class PluginError extends Error {
  constructor(plugin, code, why) { super(`plugin "${plugin}": ${why} (${code})`); Object.assign(this, { plugin, code }); }
}

/** Checks a WebAssembly.Module and gives {invoke(Uint8Array): Uint8Array}. A crashed instance is replaced at the next call; `setup`
 *  are requests that every instance is sent first, such as env.load. */
export function load(name, module, { log = () => {}, maxAnswer = 16 << 20, setup = [] } = {}) {
  const fail = (code, why) => { throw new PluginError(name, code, why); };
  for (const i of WebAssembly.Module.imports(module))
    if (i.module !== WASI || i.kind !== "function" || !FUNCTIONS.has(i.name)) fail("import-not-granted", `imports ${i.module}.${i.name}, which is not granted`);
  const kinds = new Map(WebAssembly.Module.exports(module).map((e) => [e.name, e.kind]));
  if (kinds.get("memory") !== "memory") fail("missing-export", `missing export "memory"`);
  for (const e of EXPORTS) if (kinds.get(e) !== "function") fail("missing-export", `missing export "${e}"`);
  const guarded = (f) => { try { return f(); } catch (e) { return fail("trap", `crashed: ${e.message}`); } };
  let live = null;
  const start = () => {
    const x = guarded(() => instantiate(module, log));
    const version = guarded(() => x.boundcheck_abi() >>> 0);
    if (version !== 1) fail("abi-version", `speaks ABI version ${version}, this host 1`);
    for (const request of setup) call(x, request);
    return x;
  };
  const call = (x, request) => {
    const outside = (p, n) => p + n > x.memory.buffer.byteLength;
    const at = guarded(() => x.alloc(request.length) >>> 0);
    if (at === 0) fail("request-too-large", `has no room for a request of ${request.length} bytes`);
    if (outside(at, request.length)) fail("out-of-range", `alloc gave memory outside its own at ${at}`);
    new Uint8Array(x.memory.buffer, at, request.length).set(request);
    const packed = guarded(() => x.invoke(request.length));
    if (typeof packed !== "bigint") fail("missing-export", `missing export "invoke" of type (i32) -> i64`);
    const ptr = Number(BigInt.asUintN(64, packed) >> 32n), n = Number(packed & 0xffffffffn);
    if (n > maxAnswer) fail("answer-too-large", `answer has ${n} bytes, limit ${maxAnswer}`);
    if (outside(ptr, n)) fail("out-of-range", `answer of ${n} bytes at ${ptr} is outside its memory`);
    return new Uint8Array(x.memory.buffer, ptr, n).slice();
  };
  return { invoke(request) { const x = live ?? start(); live = null; const answer = call(x, request); live = x; return answer; } };
}

/** One instance with its stubs: no arguments, environment or files; time and randomness as ABI.md fixes them. */
function instantiate(module, log) {
  let memory, clock = 0n, seed = 0;
  const view = () => new DataView(memory.buffer), bytes = (p, n) => new Uint8Array(memory.buffer, p, n);
  const none = (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; };
  const known = {
    args_get: () => 0, environ_get: () => 0, args_sizes_get: none, environ_sizes_get: none, sched_yield: () => 0,
    clock_res_get: (_id, p) => { view().setBigUint64(p, 1000000n, true); return 0; },
    clock_time_get: (id, _precision, p) => { view().setBigUint64(p, id === 0 ? 0n : clock, true); if (id !== 0) clock += 1000000n; return 0; },
    random_get: (p, n) => { bytes(p, n).forEach((_, i, b) => { b[i] = (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24; }); return 0; },
    fd_write: (fd, vectors, count, written) => {
      let n = 0;
      for (let v = vectors; v < vectors + 8 * count; v += 8) { const size = view().getUint32(v + 4, true); log(fd, bytes(view().getUint32(v, true), size).slice()); n += size; }
      view().setUint32(written, n, true); return 0;
    },
    fd_fdstat_get: (fd, p) => { if (fd > 2) return BADF; bytes(p, 24).fill(0); bytes(p, 1)[0] = 2; return 0; },
    fd_fdstat_set_flags: (fd) => (fd > 2 ? BADF : 0),
    poll_oneoff: (subscriptions, events, count, ready) => { // all are ready at once; the clock moves on by the shortest sleep
      const at = [...Array(count).keys()], sleeps = at.map((i) => subscriptions + 48 * i).filter((s) => bytes(s + 8, 1)[0] === 0);
      for (const i of at) { const e = bytes(events + 32 * i, 32).fill(0); e.set(bytes(subscriptions + 48 * i, 8)); e[10] = bytes(subscriptions + 48 * i + 8, 1)[0]; }
      clock += sleeps.map((s) => view().getBigUint64(s + 24, true)).reduce((a, b) => (a < b ? a : b), sleeps.length ? 1n << 63n : 0n);
      view().setUint32(ready, count, true); return 0;
    },
    proc_exit: (status) => { throw new Error(`it called exit(${status})`); },
  };
  const imports = Object.fromEntries([...FUNCTIONS].map((f) => [f, known[f] ?? (() => BADF)]));
  const { exports } = new WebAssembly.Instance(module, { [WASI]: imports });
  memory = exports.memory;
  exports._initialize?.();
  return exports;
}
