// The client: it sends calls with an id to a worker that runs the core.
//
// Go cannot be interrupted inside WebAssembly, so a time-out or an abort ends the worker.
// All calls that wait in this worker are rejected. The next call starts a new worker from
// the modules, each of which is compiled only once.

/**
 * @typedef {import("./index.d.ts").OpenOptions} OpenOptions
 * @typedef {import("./index.d.ts").CallOptions} CallOptions
 * @typedef {import("./index.d.ts").ScoreOptions} ScoreOptions
 * @typedef {import("./index.d.ts").Source} Source
 * @typedef {import("./index.d.ts").Trace} Trace
 * @typedef {import("./index.d.ts").WorkerLike} WorkerLike
 * @typedef {import("./index.d.ts").PluginSource} PluginSource
 * @typedef {import("./index.d.ts").PluginLoaded} PluginLoaded
 * @typedef {import("./index.d.ts").Proposal} Proposal
 * @typedef {import("./types.d.ts").Report} Report
 * @typedef {import("./types.d.ts").Decision} Decision
 * @typedef {import("./types.d.ts").Transcript} Transcript
 * @typedef {import("./types.d.ts").Converted} Converted
 * @typedef {import("./types.d.ts").Explained} Explained
 * @typedef {import("./types.d.ts").Mapped} Mapped
 * @typedef {import("./types.d.ts").Repaired} Repaired
 * @typedef {import("./abi.d.ts").Rendered} Rendered
 * @typedef {import("./abi.d.ts").Template} Template
 * @typedef {import("./types.d.ts").Proposed} Proposed
 * @typedef {import("./types.d.ts").Checked} Checked
 * @typedef {import("./types.d.ts").WireError} WireError
 * @typedef {import("./types.d.ts").Handshake} Handshake
 * @typedef {{id?: number, body: Uint8Array, found?: string[], module?: WebAssembly.Module, sum?: string}} Answer
 * @typedef {{timeout: number, signal?: AbortSignal}} Limits
 * @typedef {{resolve(answer: Answer): void, reject(e: unknown): void, timeout: number}} Pending
 */

/** The wire version of this client; wire.Version in Go. */
export const WIRE = 1;

const TIMEOUT = 60_000;
const PLUGIN_TIMEOUT = 10_000;
const LARGEST = 32 << 20; // bytes of a plugin's module
const CALL_OPTIONS = ["timeout", "signal"];
const SCORE_OPTIONS = [...CALL_OPTIONS, "reference", "profile", "seed", "parameters", "tools", "config", "file", "plugins", "known", "found"];
const GRACE = 1.2; // the host in the worker stops a metered plugin after the limit; for others the worker is ended a little later

/** The error of every rejection: the core's error envelope, or one of the client's own codes. */
export class BoundcheckError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Partial<WireError> & {plugin?: string}} [more]
   */
  constructor(code, message, more = {}) {
    super(message);
    this.name = "BoundcheckError";
    this.code = code;
    this.line = more.line;
    this.column = more.column;
    this.seen = more.seen;
    this.formats = more.formats;
    this.plugin = more.plugin;
  }
}

/**
 * Starts a worker with the core in it and checks the version.
 * @param {OpenOptions} [options]
 * @returns {Promise<Client>}
 */
export async function open(options = {}) {
  checkOptions(options, ["wasm", "worker", "timeout", "pluginTimeout", "second"], "open");
  const client = new Client(options);
  await client.ready();
  return client;
}

export class Client {
  /** @type {Handshake | undefined} The core's description of itself. */
  version;
  #options;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #wasm;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #second;
  /** @type {Promise<Line> | undefined} */
  #line;
  #closed = false;
  /** @type {WeakMap<object, {module: WebAssembly.Module, sum: string}>} by a plugin's bytes: compiled once for all workers */
  #modules = new WeakMap();
  /** @type {WeakMap<PluginSource, Promise<Uint8Array>>} plugins that were fetched from their address */
  #fetched = new WeakMap();
  /** @type {WeakMap<PluginSource, string>} plugins because of which a worker was ended, with the error message */
  #stopped = new WeakMap();

  /** @param {OpenOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
  }

  /**
   * Scores a trace in any supported format. Without options the client sends the trace's
   * bytes unchanged, so positions in the report refer to these bytes.
   * @param {Trace} trace
   * @param {ScoreOptions} [options]
   * @returns {Promise<Report>}
   */
  async score(trace, options = {}) {
    checkOptions(options, SCORE_OPTIONS, "score");
    return parseAnswer(await this.#raw("score", toBytes(scoreBody(trace, options)), options));
  }

  /**
   * Returns the findings about a trace that need no reference.
   * @param {Trace} trace
   * @param {CallOptions & Pick<ScoreOptions, "tools" | "config" | "file">} [options]
   * @returns {Promise<Report>}
   */
  async lint(trace, options = {}) {
    checkOptions(options, [...CALL_OPTIONS, "tools", "config", "file"], "lint");
    const { tools, config, file } = options;
    return parseAnswer(await this.#raw("lint", toBytes(scoreBody(trace, { tools, config, file })), options));
  }

  /**
   * Converts a trace to another format.
   * @param {Trace} trace
   * @param {import("./index.d.ts").ConvertOptions} options
   * @returns {Promise<Converted>}
   */
  async convert(trace, options) {
    checkOptions(options, [...CALL_OPTIONS, "to", "from"], "convert");
    return this.#ask("convert", { trace: toText(traceSource(trace)), to: options.to, from: options.from }, options);
  }

  /**
   * Returns the meanings of names in a report. Without words it returns all names.
   * @param {string | string[]} [words]
   * @param {CallOptions} [options]
   * @returns {Promise<Explained[]>}
   */
  async explain(words = [], options = {}) {
    checkOptions(options, CALL_OPTIONS, "explain");
    return this.#ask("explain", { words: typeof words === "string" ? [words] : words }, options);
  }

  /**
   * Renders a prompt. prompts() lists the templates and their variables.
   * @param {string} template
   * @param {Record<string, unknown>} [variables]
   * @param {CallOptions} [options]
   * @returns {Promise<Rendered>}
   */
  async prompt(template, variables = {}, options = {}) {
    checkOptions(options, CALL_OPTIONS, "prompt");
    return this.#ask("prompt", { template, variables }, options);
  }

  /** @param {CallOptions} [options] @returns {Promise<Template[]>} */
  async prompts(options = {}) {
    checkOptions(options, CALL_OPTIONS, "prompts");
    return this.#ask("prompt", {}, options);
  }

  /**
   * Returns a reference made from successful runs, as a text to edit and keep.
   * @param {Trace | import("./index.d.ts").Several} traces one, or several as {traces: […]}
   * @param {import("./index.d.ts").NewReferenceOptions} [options]
   * @returns {Promise<Proposed>}
   */
  async newReference(traces, options = {}) {
    checkOptions(options, [...CALL_OPTIONS, "format", "names", "config"], "newReference");
    const several = isSeveral(traces) ? traces.traces : [traces];
    return this.#ask("reference.new", { traces: several.map((t) => toText(traceSource(t))), names: options.names, format: options.format, config: sourceText(options.config) }, options);
  }

  /**
   * Checks a reference and returns its size. An invalid reference is an error.
   * @param {Trace} reference YAML, JSON, calls one a line, or a value
   * @param {CallOptions} [options]
   * @returns {Promise<Checked[]>}
   */
  async checkReference(reference, options = {}) {
    checkOptions(options, CALL_OPTIONS, "checkReference");
    return this.#ask("reference.check", { reference: toText(traceSource(reference)) }, options);
  }

  /** @param {string} method @param {object} request @param {CallOptions} options */
  async #ask(method, request, options) {
    return parseAnswer(await this.#raw(method, toBytes(JSON.stringify(request)), options));
  }

  /**
   * Returns the decision on one proposed call: allow or confirm.
   * @param {Proposal | Source} proposal
   * @param {CallOptions} [options]
   * @returns {Promise<Decision>}
   */
  async check(proposal, options = {}) {
    checkOptions(options, CALL_OPTIONS, "check");
    return parseAnswer(await this.#raw("check", toBytes(traceSource(proposal)), options));
  }

  /**
   * Returns one run as the core read it: messages, calls and results, with the step
   * numbers of the report.
   * @param {Trace} trace
   * @param {string} [id] from the report; without it the first run
   * @param {CallOptions & Pick<ScoreOptions, "config">} [options]
   * @returns {Promise<Transcript>}
   */
  async run(trace, id = "", options = {}) {
    checkOptions(options, [...CALL_OPTIONS, "config"], "run");
    const body = traceSource(trace);
    const config = sourceText(options.config);
    return parseAnswer(await this.#raw("run", toBytes(id || config !== undefined ? JSON.stringify({ trace: toText(body), run: id || undefined, config }) : body), options));
  }

  /**
   * Finds the calls in JSON of an unknown format, and returns a mapping for them, as the
   * member "map" of config.
   * @param {Trace} trace
   * @param {CallOptions} [options]
   * @returns {Promise<Mapped>}
   */
  async map(trace, options = {}) {
    checkOptions(options, CALL_OPTIONS, "map");
    return parseAnswer(await this.#raw("map", toBytes(traceSource(trace)), options));
  }

  /**
   * Repairs a text that is almost JSON (Python's literals, comments, trailing commas,
   * names without quotes) and lists the changes. It does not guess.
   * @param {string | Uint8Array} text
   * @param {CallOptions} [options]
   * @returns {Promise<Repaired>}
   */
  async repair(text, options = {}) {
    checkOptions(options, CALL_OPTIONS, "repair");
    return parseAnswer(await this.#raw("repair", toBytes(text), options));
  }

  /**
   * Returns the exact bytes of the core's answer: a result or an error envelope, with a
   * newline at the end.
   * @param {string} method
   * @param {Source} body
   * @param {CallOptions} [options]
   * @returns {Promise<Uint8Array>}
   */
  async handleRaw(method, body, options = {}) {
    checkOptions(options, [...CALL_OPTIONS, "plugins", "known", "found"], "handleRaw");
    return this.#raw(method, toBytes(body), options);
  }

  /** @param {string} method @param {Uint8Array} bytes @param {CallOptions} options */
  async #raw(method, bytes, options) {
    const { plugins = [], known = [] } = /** @type {ScoreOptions} */ (options);
    if (method === "score" && (plugins.length || known.length)) return this.#scoreRaw(bytes, options);
    const line = await this.ready();
    return (await line.call({ method, body: bytes }, this.#limits(options))).body;
  }

  /**
   * Loads a plugin into the worker before its first call, so that this call is fast. A
   * score also loads its plugins.
   * @param {PluginSource} plugin
   * @param {CallOptions} [options]
   * @returns {Promise<PluginLoaded>}
   */
  async load(plugin, options = {}) {
    return this.#watching([plugin], async () => parseAnswer((await this.#loaded(await this.ready(), plugin, options)).answer.body).ok);
  }

  /**
   * Sends one request to a plugin. The bytes of the request contain the operation.
   * @param {PluginSource} plugin
   * @param {string} op
   * @param {Source} request
   * @param {CallOptions} [options]
   * @returns {Promise<Uint8Array>} the plugin's answer, or an error envelope if the plugin gave none
   */
  async ask(plugin, op, request, options = {}) {
    const body = toBytes(request);
    return this.#watching([plugin], async () => {
      const line = await this.ready();
      const { key } = await this.#loaded(line, plugin, options);
      return (await line.call({ ask: { key, op, body } }, this.#limits(options))).body;
    });
  }

  /**
   * Scores with plugins. If a plugin cannot be loaded, or was stopped by ending its worker,
   * the runs are scored without it, and a warning of the report names it.
   * @param {Uint8Array} body
   * @param {ScoreOptions} options
   * @returns {Promise<Uint8Array>}
   */
  async #scoreRaw(body, options) {
    const { plugins = [], known = [], found } = options;
    for (let left = plugins.length; ; left--) {
      try {
        return await this.#watching(plugins, async () => {
          const line = await this.ready();
          const loaded = await Promise.all(plugins.map((p) => this.#loaded(line, p, options)));
          loaded.forEach(({ answer }, i) => mustCheck(plugins[i].name, answer));
          const call = { method: "score", body, plugins: loaded.map(({ key }) => key), known: known.map((d) => JSON.stringify(d)) };
          const answer = await line.call(call, this.#limits(options));
          answer.found?.forEach((name) => found?.(name));
          return answer.body;
        });
      } catch (e) {
        if (!(e instanceof BoundcheckError) || !e.plugin || !left) throw e;
      }
    }
  }

  /**
   * Runs f. If the worker was ended because of a plugin, records this plugin.
   * @template T
   * @param {PluginSource[]} plugins
   * @param {() => Promise<T>} f
   */
  async #watching(plugins, f) {
    try {
      return await f();
    } catch (e) {
      const plugin = e instanceof BoundcheckError && e.plugin && plugins.find((p) => p.name === e.plugin);
      if (plugin) this.#stopped.set(plugin, /** @type {Error} */ (e).message);
      throw e;
    }
  }

  /** @param {Line} line @param {PluginSource} plugin @param {CallOptions} options */
  async #loaded(line, plugin, options) {
    const { sha256, of, name, files } = plugin;
    /** @type {object | undefined} */
    let wasm;
    /** @type {{code: string, why: string} | undefined} */
    let refused;
    try {
      wasm = plugin.wasm ?? (await this.#module(plugin, this.#limits(options)));
    } catch (e) {
      if (!(e instanceof BoundcheckError) || e.code === "cancelled") throw e;
      refused = { code: e.code, why: e.message };
    }
    const made = line.plugin(plugin, (key) => {
      const has = wasm && this.#modules.get(wasm);
      const load = { key, name, sha256, of, refused, files: files?.map((f) => ({ name: f.name, data: toBytes(f.data) })), stopped: this.#stopped.get(plugin), timeout: this.#options.pluginTimeout ?? PLUGIN_TIMEOUT };
      return line.call({ load: has ? { ...load, ...has } : { ...load, wasm: wasm && toBytes(/** @type {Source} */ (wasm)) } }, this.#limits(options));
    }, refused !== undefined);
    const answer = await made.answer;
    if (wasm && answer.module && answer.sum) this.#modules.set(wasm, { module: answer.module, sum: answer.sum });
    return { key: made.key, answer };
  }

  /**
   * Fetches a plugin's module from its address, only once. Loading the plugin checks the
   * module's hash.
   * @param {PluginSource} plugin
   * @param {Limits} limits
   * @returns {Promise<Uint8Array>}
   */
  #module(plugin, limits) {
    let bytes = this.#fetched.get(plugin);
    if (!bytes) {
      bytes = fetchModule(plugin, limits);
      this.#fetched.set(plugin, bytes);
      bytes.catch(() => this.#fetched.delete(plugin)); // try again the next time
    }
    return bytes;
  }

  /** @param {CallOptions} options @returns {Limits} */
  #limits({ timeout, signal }) {
    return { timeout: timeout ?? this.#options.timeout ?? TIMEOUT, signal };
  }

  /**
   * Returns a worker that is ready for calls, and starts one if there is none.
   * @returns {Promise<Line>}
   */
  async ready() {
    if (this.#closed) throw new BoundcheckError("closed", "the client is closed");
    if (!this.#line) {
      /** @type {Promise<Line>} */
      const line = this.#start(() => {
        if (this.#line === line) this.#line = undefined; // the next call starts a new one
      });
      this.#line = line;
    }
    return this.#line;
  }

  /**
   * Loads the second module, if there is one, before a call needs it. Returns without an
   * error if that fails, because the next call that needs the module loads it again.
   */
  async preload() {
    if (this.#options.second === undefined || this.#second) return;
    const line = await this.ready().catch(() => undefined);
    if (line) await this.#sendSecond(line, false);
  }

  /**
   * Sends the second module to a worker. If it cannot be loaded and a call waits for it, ends
   * the worker with an error.
   * @param {Line} line
   * @param {boolean} [needed] a call waits for the module
   */
  async #sendSecond(line, needed = true) {
    const second = (this.#second ??= compileModule(this.#options.second));
    try {
      line.post({ second: await second });
    } catch (e) {
      if (this.#second === second) this.#second = undefined; // try a failed download again
      if (needed) line.end(new BoundcheckError("dead", `the second module of the core cannot be loaded: ${errorText(e)}`));
    }
  }

  /** Ends the worker and rejects all calls that wait there. */
  async close() {
    this.#closed = true;
    const line = await this.#line?.catch(() => undefined);
    line?.end(new BoundcheckError("closed", "the client was closed"));
  }

  /** @param {() => void} ended */
  async #start(ended) {
    try {
      const wasm = (this.#wasm ??= compileModule(this.#options.wasm));
      wasm.catch(() => (this.#wasm = undefined)); // try a failed download again
      const worker = await (this.#options.worker ?? makeWorker)();
      const line = new Line(worker, ended, this.#options.pluginTimeout ?? PLUGIN_TIMEOUT, () => this.#sendSecond(line));
      const loaded = await wasm.catch((e) => {
        line.end(e);
        throw e;
      });
      line.post({ wasm: loaded, split: this.#options.second !== undefined });
      if (this.#second) void this.#sendSecond(line, false); // a call that arrives before it is repeated
      const timeout = this.#options.timeout ?? TIMEOUT;
      this.version = checkHandshake(parseAnswer((await line.call({ method: "version", body: new Uint8Array() }, { timeout })).body), line);
      return line;
    } catch (e) {
      ended();
      throw e instanceof BoundcheckError ? e : new BoundcheckError("dead", `the core cannot start: ${errorText(e)}`);
    }
  }
}

/** One worker and the calls that wait for its answers, the oldest first. */
class Line {
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #next = 1;
  #worker;
  #ended;
  #pluginTimeout;
  #needsSecond;
  /** @type {Map<PluginSource, {key: number, answer: Promise<Answer>}>} */
  #plugins = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  /** @type {ReturnType<typeof setTimeout> | undefined} of the plugin that runs */
  #watch;
  /** @type {BoundcheckError | undefined} */
  #dead;

  /**
   * @param {WorkerLike} worker
   * @param {() => void} ended called once, after the worker was ended
   * @param {number} pluginTimeout ms
   * @param {() => void} needsSecond called when the worker needs the second module
   */
  constructor(worker, ended, pluginTimeout, needsSecond) {
    this.#worker = worker;
    this.#ended = ended;
    this.#pluginTimeout = pluginTimeout;
    this.#needsSecond = needsSecond;
    const died = (/** @type {string} */ why) => this.end(new BoundcheckError("dead", `the core's worker died: ${why}`));
    listenToWorker(worker, (message) => this.#receive(message, died), died);
    this.#idle();
  }

  /** @param {unknown} message @param {Transferable[]} [transfer] */
  post(message, transfer) {
    this.#worker.postMessage(message, transfer ?? []);
  }

  /**
   * Returns a plugin of this worker. The first time, it loads the plugin.
   * @param {PluginSource} plugin
   * @param {(key: number) => Promise<Answer>} load
   * @param {boolean} [again] load the plugin the next time, too
   */
  plugin(plugin, load, again = false) {
    const known = this.#plugins.get(plugin);
    if (known) return known;
    const key = this.#next++;
    const made = { key, answer: load(key) };
    if (!again) this.#plugins.set(plugin, made);
    return made;
  }

  /**
   * @param {object} message
   * @param {Limits} limits
   * @returns {Promise<Answer>}
   */
  call(message, { timeout, signal }) {
    return new Promise((resolve, reject) => {
      const cancelled = () => new BoundcheckError("cancelled", "the call was cancelled");
      if (this.#dead || signal?.aborted) return reject(this.#dead ?? cancelled());
      const id = this.#next++;
      const abort = () => this.end(cancelled());
      const done = () => signal?.removeEventListener("abort", abort);
      this.#pending.set(id, {
        resolve: (answer) => (done(), resolve(answer)),
        reject: (e) => (done(), reject(e)),
        timeout,
      });
      signal?.addEventListener("abort", abort, { once: true });
      this.post({ id, ...message });
      if (this.#pending.size === 1) this.#arm();
    });
  }

  /**
   * Ends the worker and rejects all calls that wait.
   * @param {BoundcheckError} e
   */
  end(e) {
    if (this.#dead) return;
    this.#dead = e;
    clearTimeout(this.#clock);
    clearTimeout(this.#watch);
    this.#ended();
    this.#worker.terminate();
    for (const p of this.#pending.values()) p.reject(e);
    this.#pending.clear();
  }

  /** @param {any} message @param {(why: string) => void} died */
  #receive(message, died) {
    if (message.dead !== undefined) return died(message.dead);
    if (message.busy !== undefined) return this.#watched(message.busy);
    if (message.needs === "second") return this.#needsSecond();
    const p = this.#pending.get(message.id);
    if (!p) return;
    this.#pending.delete(message.id);
    this.#arm();
    p.resolve(message);
  }

  /** Starts the time limit of a plugin, because the worker cannot interrupt it. @param {string | null} name of the plugin that runs; null after its end */
  #watched(name) {
    clearTimeout(this.#watch);
    if (name === null) return;
    const why = `plugin ${JSON.stringify(name)}: stopped: the plugin ran longer than ${this.#pluginTimeout / 1000}s (deadline)`;
    this.#watch = setTimeout(() => this.end(new BoundcheckError("deadline", why, { plugin: name })), this.#pluginTimeout * GRACE);
  }

  /** Starts the time limit of the oldest call. The others wait, because the worker handles one call at a time. */
  #arm() {
    clearTimeout(this.#clock);
    const oldest = this.#pending.values().next().value;
    if (!oldest) return this.#idle();
    this.#worker.ref?.();
    if (oldest.timeout === Infinity) return;
    const late = () => this.end(new BoundcheckError("timeout", `no answer within ${oldest.timeout} ms; the worker was ended`));
    this.#clock = setTimeout(late, oldest.timeout);
  }

  /** Allows a Node process to exit while no call waits. */
  #idle() {
    this.#worker.unref?.();
  }
}

/** @param {PluginSource} plugin @param {Limits} limits @returns {Promise<Uint8Array>} */
async function fetchModule({ url, sha256 }, { timeout, signal }) {
  if (!url) throw new BoundcheckError("not-found", "the plugin needs wasm or url");
  if (!sha256) throw new BoundcheckError("hash-mismatch", "a plugin with url needs sha256, the hash of the module");
  const ended = new AbortController(), end = () => ended.abort();
  const clock = timeout === Infinity ? undefined : setTimeout(end, timeout);
  signal?.addEventListener("abort", end, { once: true });
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  try {
    const answer = await fetch(url, { signal: ended.signal, credentials: "omit", referrerPolicy: "no-referrer" });
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
    for (const reader = answer.body.getReader(); ; ) {
      const { value, done } = await reader.read();
      if (done) break;
      parts.push(value);
      if ((size += value.length) > LARGEST) {
        await reader.cancel();
        throw new BoundcheckError("module-too-large", `the file at ${url} has more than ${LARGEST} bytes`);
      }
    }
  } catch (e) {
    if (e instanceof BoundcheckError) throw e;
    if (signal?.aborted) throw new BoundcheckError("cancelled", "the call was cancelled");
    throw new BoundcheckError("not-found", `cannot fetch ${url}: ${errorText(e)}`);
  } finally {
    clearTimeout(clock);
    signal?.removeEventListener("abort", end);
  }
  const all = new Uint8Array(size);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/** Throws an error if a plugin cannot check runs, because the caller chose it. A plugin that failed to load is named in the report instead. @param {string} name @param {Answer} answer */
function mustCheck(name, answer) {
  const { ok } = JSON.parse(new TextDecoder().decode(answer.body));
  if (!ok || ok.description.operations.includes("equivalence.check")) return;
  throw new BoundcheckError("op-not-described", `plugin ${JSON.stringify(name)} cannot check runs; its operations are ${ok.description.operations.join(", ")}`);
}

/** @param {Handshake} version @param {Line} line */
function checkHandshake(version, line) {
  if (version.wire === WIRE) return version;
  const e = new BoundcheckError("version", `this client has wire version ${WIRE}, but the core has version ${version.wire}. Use files of the same build`);
  line.end(e);
  throw e;
}

/**
 * @param {WorkerLike} worker
 * @param {(message: any) => void} receive
 * @param {(why: string) => void} died
 */
function listenToWorker(worker, receive, died) {
  if (worker.addEventListener) {
    worker.addEventListener("message", (e) => receive(e.data));
    worker.addEventListener("error", (e) => died(e.message || "the worker could not be loaded"));
  } else if (worker.on) {
    worker.on("message", receive);
    worker.on("error", (e) => died(errorText(e)));
    worker.on("exit", (code) => died(`exit code ${code}`));
  }
}

/** @returns {Promise<WorkerLike>} */
async function makeWorker() {
  if (typeof Worker === "function") return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const threads = "node:worker_threads"; // a variable, so that bundlers for browsers do not resolve it
  const node = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  return new node.Worker(await onDisk(new URL("./worker.js", import.meta.url), "worker.js"));
}

/**
 * Finds a file of this package in Node. A bundler for servers may have moved the code
 * without the file, or may have written an address for browsers. Then onDisk looks for the
 * file in node_modules of the current directory.
 * @param {URL} url the address in the code
 * @param {string} name
 * @returns {Promise<URL>}
 */
async function onDisk(url, name) {
  const [fs, module, addresses] = await Promise.all(["node:fs", "node:module", "node:url"].map((m) => import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ m)));
  if (url.protocol === "file:" && fs.existsSync(url) && (name !== "worker.js" || fs.existsSync(new URL("./wasm_exec.js", url)))) return url;
  try {
    return addresses.pathToFileURL(module.createRequire(realm.process.cwd() + "/").resolve("boundcheck/" + name));
  } catch {
    return url; // the error of the next step contains this address
  }
}

const realm = /** @type {any} */ (globalThis);
/** Reports whether files can be read from a disk, as in Node, Deno and Bun, but not in a browser or an edge runtime. */
const onServer = () => typeof realm.process?.versions?.node === "string" && typeof realm.window === "undefined" && !realm.EdgeRuntime && realm.navigator?.userAgent !== "Cloudflare-Workers";

const HELP = 'import the module with your bundler and pass it to open({ wasm }), or exclude the package "boundcheck" from bundling (Vite\'s server: optimizeDeps.exclude)';

/**
 * @param {OpenOptions["wasm"]} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compileModule(source) {
  if (Object.prototype.toString.call(source) === "[object WebAssembly.Module]") return /** @type {WebAssembly.Module} */ (source); // it may come from another realm
  if (source && typeof source === "object" && !(source instanceof URL)) return WebAssembly.compile(/** @type {BufferSource} */ (source));
  // Bundlers find the module and copy it only if its address is written as a plain text
  // in this form.
  let url = source ? new URL(source, import.meta.url) : new URL("./boundcheck.wasm", import.meta.url);
  if (!source && onServer()) url = await onDisk(url, "boundcheck.wasm");
  if (url.protocol === "file:") {
    const fs = "node:fs/promises";
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ fs);
    try {
      return await WebAssembly.compile(await readFile(url));
    } catch (e) {
      if (/** @type {any} */ (e).code !== "ENOENT" || source) throw e;
      throw new Error(`the file ${url.pathname} does not exist, because a bundler copied the code without the module: ${HELP}`);
    }
  }
  const response = await fetch(url);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || type.startsWith("text/html")) {
    throw new Error(`the file ${url.pathname} is not the module (HTTP ${response.status}, ${type})${source ? "" : ": " + HELP}`);
  }
  if (type === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer()); // a server that does not know the type
}

/**
 * Returns the body of a score call: the trace itself, or an envelope around it.
 * @param {Trace} trace
 * @param {Omit<ScoreOptions, "plugins" | "known" | "found" | "timeout" | "signal">} [options]
 * @returns {Source}
 */
export function scoreBody(trace, { reference, profile, seed, parameters, tools, config, file } = {}) {
  const body = traceSource(trace);
  if ([reference, profile, seed, parameters, tools, config, file].every((o) => o === undefined)) return body;
  return JSON.stringify({ trace: toText(body), reference: sourceText(reference), profile, seed, options: parameters, tools, config: sourceText(config), file });
}

/** Converts a text or bytes to a text. Returns any other value unchanged. @param {unknown} value */
function sourceText(value) {
  return isSource(value) ? toText(value) : value;
}

/**
 * Throws an error for an unknown option, because a misspelt option would have no effect.
 * @param {object} options
 * @param {string[]} known
 * @param {string} what
 */
export function checkOptions(options, known, what) {
  if (typeof options !== "object" || options === null) throw new BoundcheckError("invalid-option", `the options of ${what} must be an object; got ${options === null ? "null" : typeof options}`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const near = known.map((k) => ({ k, d: editDistance(name.toLowerCase(), k.toLowerCase()) })).sort((a, b) => a.d - b.d)[0];
    const hint = near.d <= Math.min(3, Math.ceil(name.length / 2)) ? `; did you mean ${JSON.stringify(near.k)}? The` : "; the";
    throw new BoundcheckError("invalid-option", `unknown option ${JSON.stringify(name)} of ${what}${hint} known options are ${known.join(", ")}`);
  }
}

/** Returns the number of letters to change, add or remove to make b from a. @param {string} a @param {string} b */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

/**
 * Returns a trace as text or bytes. A value is sent as JSON, so its numbers are
 * JavaScript's.
 * @param {Trace | Proposal} trace
 * @returns {Source}
 */
function traceSource(trace) {
  if (isSource(trace)) return trace;
  if (typeof trace !== "object" || trace === null) throw new TypeError("the input must be a text, bytes, an array or an object");
  return JSON.stringify(trace);
}

/** @param {unknown} v @returns {v is import("./index.d.ts").Several} */
function isSeveral(v) {
  return typeof v === "object" && v !== null && !isSource(v) && "traces" in v && Array.isArray(v.traces) && Object.keys(v).length === 1;
}

/** @param {unknown} v @returns {v is Source} */
function isSource(v) {
  return typeof v === "string" || v instanceof Uint8Array || v instanceof ArrayBuffer;
}

/** @param {Source} input @returns {Uint8Array} */
function toBytes(input) {
  if (typeof input === "string") return new TextEncoder().encode(input);
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw new TypeError("the input must be a string, a Uint8Array or an ArrayBuffer");
}

/** @param {Source} input @returns {string} */
function toText(input) {
  if (typeof input === "string") return input;
  const bytes = toBytes(input);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BoundcheckError("invalid-input", "invalid input: the bytes are not UTF-8 text. Options can be sent only with UTF-8 text");
  }
}

/**
 * Returns the value of an answer, or throws its error envelope.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function parseAnswer(bytes) {
  const value = JSON.parse(new TextDecoder().decode(bytes));
  if (value.error) throw new BoundcheckError(value.error.code, value.error.message, value.error);
  return value;
}

/** @param {unknown} e */
function errorText(e) {
  return e instanceof Error ? e.message : String(e);
}
