// The functions of WASI that a plugin can call. ABI.md defines their results, so that every host
// returns the same. This is not a library for browsers, because such a library provides clocks,
// sleep, randomness and files, which a plugin must not get.
export const WASI = "wasi_snapshot_preview1";
export const FUNCTIONS = new Set(("args_get args_sizes_get clock_res_get clock_time_get environ_get environ_sizes_get fd_advise fd_allocate fd_close " +
  "fd_datasync fd_fdstat_get fd_fdstat_set_flags fd_fdstat_set_rights fd_filestat_get fd_filestat_set_size fd_filestat_set_times " +
  "fd_pread fd_prestat_get fd_prestat_dir_name fd_pwrite fd_read fd_readdir fd_renumber fd_seek fd_sync fd_tell fd_write " +
  "path_create_directory path_filestat_get path_filestat_set_times path_link path_open path_readlink path_remove_directory " +
  "path_rename path_symlink path_unlink_file poll_oneoff proc_exit proc_raise random_get sched_yield sock_accept sock_recv " +
  "sock_send sock_shutdown").split(" "));
const BADF = 8, FAULT = 21;
const QUANTUM = 1 << 22; // ticks, as plugins/meter counts them
const MOST_VECTORS = 1024, MOST_RANDOM = 1 << 20; // that one call may ask for
const VECTORED = new Set(["fd_write", "fd_read", "fd_pread", "fd_pwrite", "sock_recv", "sock_send", "poll_oneoff"]); // their third argument is a number of things

/**
 * Returns {x, saved, restore} for a new instance of a module. x holds its exports. Of the module,
 * only a start section has run. The functions of WASI offer no arguments, environment or files;
 * ABI.md defines their time and randomness. saved() returns the state of these functions, and
 * restore(state) sets it again.
 * @param {WebAssembly.Module} module
 * @param {(fd: number, bytes: Uint8Array) => void} log receives what the module writes to stdout and stderr
 * @param {(reason: number) => void} meter is called by the metered module, and by the functions of WASI for their own work
 */
export function instantiateModule(module, log, meter) {
  let memory, clock = 0n, seed = 0, owed = 0;
  const view = () => new DataView(memory.buffer), bytes = (p, n) => new Uint8Array(memory.buffer, p >>> 0, n >>> 0);
  const charge = (ticks) => { for (owed += ticks; owed >= QUANTUM; owed -= QUANTUM) meter(0); };
  const none = (count, size) => { view().setUint32(count >>> 0, 0, true); view().setUint32(size >>> 0, 0, true); return 0; };
  const known = {
    args_get: () => 0, environ_get: () => 0, args_sizes_get: none, environ_sizes_get: none, sched_yield: () => 0,
    clock_res_get: (_id, p) => { view().setBigUint64(p >>> 0, 1000000n, true); return 0; },
    clock_time_get: (id, _precision, p) => { view().setBigUint64(p >>> 0, id === 0 ? 0n : clock, true); if (id !== 0) clock += 1000000n; return 0; },
    random_get: (p, n) => { charge(32 * (n >>> 0)); bytes(p, n).forEach((_, i, b) => { b[i] = (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24; }); return 0; },
    fd_write: (fd, vectors, count, written) => {
      if (fd !== 1 && fd !== 2) return BADF;
      let n = 0;
      for (let v = vectors >>> 0, i = 0; i < count; i++, v += 8) {
        const size = view().getUint32(v + 4, true);
        charge(2048 + size / 8);
        const text = bytes(view().getUint32(v, true), size);
        log(fd, text.slice(0, 1024));
        n += size;
      }
      view().setUint32(written >>> 0, n, true); return 0;
    },
    fd_fdstat_get: (fd, p) => { if (fd > 2) return BADF; bytes(p, 24).fill(0); bytes(p, 1)[0] = 2; return 0; },
    fd_fdstat_set_flags: (fd) => (fd > 2 ? BADF : 0),
    poll_oneoff: (subscriptions, events, count, ready) => { // all are ready at once; the clock moves on by the shortest sleep
      charge(1024 * count);
      const at = [...Array(count).keys()], sleeps = at.map((i) => subscriptions + 48 * i).filter((s) => bytes(s + 8, 1)[0] === 0);
      for (const i of at) { const e = bytes(events + 32 * i, 32).fill(0); e.set(bytes(subscriptions + 48 * i, 8)); e[10] = bytes(subscriptions + 48 * i + 8, 1)[0]; }
      clock += sleeps.map((s) => view().getBigUint64(s + 24, true)).reduce((a, b) => (a < b ? a : b), sleeps.length ? 1n << 63n : 0n);
      view().setUint32(ready >>> 0, count, true); return 0;
    },
    proc_exit: (status) => { throw new Error(`the plugin called exit(${status})`); },
  };
  const guarded = (name) => (...args) => {
    const f = known[name] ?? (() => BADF);
    const [n, most] = name === "random_get" ? [args[1] >>> 0, MOST_RANDOM] : VECTORED.has(name) ? [args[2] >>> 0, MOST_VECTORS] : [0, 0];
    if (n > most) throw new Error(`the plugin asked function ${name} for ${n} items at once, but the limit is ${most}`);
    charge(256);
    try { return f(...args); } catch (e) {
      if (e instanceof RangeError) return FAULT; // an address outside its memory
      throw e;
    }
  };
  const imports = Object.fromEntries([...FUNCTIONS].map((f) => [f, guarded(f)]));
  const { exports } = new WebAssembly.Instance(module, { [WASI]: imports, boundcheck: { meter } });
  memory = exports.memory;
  return { x: exports, saved: () => ({ clock, seed }), restore: (s) => { ({ clock, seed } = s); } };
}
