// The client: calls by id into a worker that holds the core.
//
// Go cannot be interrupted inside WebAssembly, so a time limit or an abort ends
// the worker. Everything that waited there is rejected and the next call makes a
// fresh worker from the module that was compiled once.

/**
 * @typedef {import("./index.d.ts").OpenOptions} OpenOptions
 * @typedef {import("./index.d.ts").CallOptions} CallOptions
 * @typedef {import("./index.d.ts").ScoreOptions} ScoreOptions
 * @typedef {import("./index.d.ts").Source} Source
 * @typedef {import("./index.d.ts").WorkerLike} WorkerLike
 * @typedef {import("./index.d.ts").Proposal} Proposal
 * @typedef {import("./types.d.ts").Report} Report
 * @typedef {import("./types.d.ts").Decision} Decision
 * @typedef {import("./types.d.ts").WireError} WireError
 * @typedef {import("./types.d.ts").Handshake} Handshake
 * @typedef {{resolve(body: Uint8Array): void, reject(e: unknown): void, timeout: number}} Pending
 */

/** The wire version this client speaks; wire.Version in Go. */
export const WIRE = 1;

const TIMEOUT = 60_000;

/** What every rejection is: the core's error envelope, or the client's own codes. */
export class BoundcheckError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Partial<WireError>} [more]
   */
  constructor(code, message, more = {}) {
    super(message);
    this.name = "BoundcheckError";
    this.code = code;
    this.line = more.line;
    this.column = more.column;
    this.seen = more.seen;
    this.formats = more.formats;
  }
}

/**
 * Starts a worker with the core in it and shakes hands.
 * @param {OpenOptions} [options]
 * @returns {Promise<Client>}
 */
export async function open(options = {}) {
  const client = new Client(options);
  await client.ready();
  return client;
}

export class Client {
  /** @type {Handshake | undefined} What the core said of itself. */
  version;
  #options;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #wasm;
  /** @type {Promise<Line> | undefined} */
  #line;
  #closed = false;

  /** @param {OpenOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
  }

  /**
   * Scores a trace in any supported format. The trace's own bytes are sent when
   * no option is given, so that the report speaks of the same bytes.
   * @param {Source} trace
   * @param {ScoreOptions} [options]
   * @returns {Promise<Report>}
   */
  async score(trace, options = {}) {
    return parseAnswer(await this.handleRaw("score", scoreBody(trace, options), options));
  }

  /**
   * Asks the gate about one proposed call.
   * @param {Proposal | Source} proposal
   * @param {CallOptions} [options]
   * @returns {Promise<Decision>}
   */
  async check(proposal, options = {}) {
    const body = isSource(proposal) ? proposal : JSON.stringify(proposal);
    return parseAnswer(await this.handleRaw("check", body, options));
  }

  /**
   * The core's exact answer, a result or an error envelope, ending in a newline.
   * @param {string} method
   * @param {Source} body
   * @param {CallOptions} [options]
   * @returns {Promise<Uint8Array>}
   */
  async handleRaw(method, body, options = {}) {
    const bytes = toBytes(body);
    const line = await this.ready();
    return line.call(method, bytes, { timeout: options.timeout ?? this.#options.timeout ?? TIMEOUT, signal: options.signal });
  }

  /**
   * Has a worker that answers; open() has done it once already.
   * @returns {Promise<Line>}
   */
  async ready() {
    if (this.#closed) throw new BoundcheckError("closed", "the client is closed");
    if (!this.#line) {
      /** @type {Promise<Line>} */
      const line = this.#start(() => {
        if (this.#line === line) this.#line = undefined; // the next call makes a fresh one
      });
      this.#line = line;
    }
    return this.#line;
  }

  /** Ends the worker; what waits there is rejected. */
  async close() {
    this.#closed = true;
    const line = await this.#line?.catch(() => undefined);
    line?.end(new BoundcheckError("closed", "the client was closed"));
  }

  /** @param {() => void} ended */
  async #start(ended) {
    try {
      const wasm = (this.#wasm ??= compile(this.#options.wasm));
      wasm.catch(() => (this.#wasm = undefined)); // a failed download is tried again
      const worker = await (this.#options.worker ?? makeWorker)();
      const line = new Line(worker, ended);
      const loaded = await wasm.catch((e) => {
        line.end(e);
        throw e;
      });
      line.post({ wasm: loaded });
      const timeout = this.#options.timeout ?? TIMEOUT;
      this.version = shake(parseAnswer(await line.call("version", new Uint8Array(), { timeout })), line);
      return line;
    } catch (e) {
      ended();
      throw e instanceof BoundcheckError ? e : new BoundcheckError("dead", `the core cannot start: ${text(e)}`);
    }
  }
}

/** One worker and the calls that wait for it, oldest first. */
class Line {
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #next = 1;
  #worker;
  #ended;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  /** @type {BoundcheckError | undefined} */
  #dead;

  /**
   * @param {WorkerLike} worker
   * @param {() => void} ended called once, when the worker is no longer of use
   */
  constructor(worker, ended) {
    this.#worker = worker;
    this.#ended = ended;
    const died = (/** @type {string} */ why) => this.end(new BoundcheckError("dead", `the core's worker died: ${why}`));
    listen(worker, (message) => this.#receive(message, died), died);
    this.#idle();
  }

  /** @param {unknown} message @param {Transferable[]} [transfer] */
  post(message, transfer) {
    this.#worker.postMessage(message, transfer ?? []);
  }

  /**
   * @param {string} method
   * @param {Uint8Array} body
   * @param {{timeout: number, signal?: AbortSignal}} limits
   * @returns {Promise<Uint8Array>}
   */
  call(method, body, { timeout, signal }) {
    return new Promise((resolve, reject) => {
      const cancelled = () => new BoundcheckError("cancelled", "the call was cancelled");
      if (this.#dead || signal?.aborted) return reject(this.#dead ?? cancelled());
      const id = this.#next++;
      const abort = () => this.end(cancelled());
      const done = () => signal?.removeEventListener("abort", abort);
      this.#pending.set(id, {
        resolve: (bytes) => (done(), resolve(bytes)),
        reject: (e) => (done(), reject(e)),
        timeout,
      });
      signal?.addEventListener("abort", abort, { once: true });
      this.post({ id, method, body });
      if (this.#pending.size === 1) this.#arm();
    });
  }

  /**
   * Ends the worker and rejects all that wait.
   * @param {BoundcheckError} e
   */
  end(e) {
    if (this.#dead) return;
    this.#dead = e;
    clearTimeout(this.#clock);
    this.#ended();
    this.#worker.terminate();
    for (const p of this.#pending.values()) p.reject(e);
    this.#pending.clear();
  }

  /** @param {any} message @param {(why: string) => void} died */
  #receive(message, died) {
    if (message.dead !== undefined) return died(message.dead);
    const p = this.#pending.get(message.id);
    if (!p) return;
    this.#pending.delete(message.id);
    this.#arm();
    p.resolve(message.body);
  }

  /** The worker takes calls in turn, so only the oldest one's time runs. */
  #arm() {
    clearTimeout(this.#clock);
    const oldest = this.#pending.values().next().value;
    if (!oldest) return this.#idle();
    this.#worker.ref?.();
    if (oldest.timeout === Infinity) return;
    const late = () => this.end(new BoundcheckError("timeout", `no answer within ${oldest.timeout} ms; the worker was ended`));
    this.#clock = setTimeout(late, oldest.timeout);
  }

  /** A Node process may exit while nothing is asked. */
  #idle() {
    this.#worker.unref?.();
  }
}

/** @param {Handshake} version @param {Line} line */
function shake(version, line) {
  if (version.wire === WIRE) return version;
  const e = new BoundcheckError("version", `this client speaks wire version ${WIRE}, the core speaks ${version.wire}: use files of one build`);
  line.end(e);
  throw e;
}

/**
 * @param {WorkerLike} worker
 * @param {(message: any) => void} receive
 * @param {(why: string) => void} died
 */
function listen(worker, receive, died) {
  if (worker.addEventListener) {
    worker.addEventListener("message", (e) => receive(e.data));
    worker.addEventListener("error", (e) => died(e.message || "it could not be loaded"));
  } else if (worker.on) {
    worker.on("message", receive);
    worker.on("error", (e) => died(text(e)));
    worker.on("exit", (code) => died(`exit code ${code}`));
  }
}

/** @returns {Promise<WorkerLike>} */
async function makeWorker() {
  if (typeof Worker === "function") return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const threads = "node:worker_threads"; // a variable, so that bundlers for browsers leave it alone
  const node = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  return new node.Worker(new URL("./worker.js", import.meta.url));
}

/**
 * @param {OpenOptions["wasm"]} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source && typeof source === "object" && !(source instanceof URL)) return WebAssembly.compile(source);
  const url = new URL(source ?? "./boundcheck.wasm", import.meta.url);
  if (url.protocol === "file:") {
    const fs = "node:fs/promises";
    return WebAssembly.compile(await (await import(/* @vite-ignore */ /* webpackIgnore: true */ fs)).readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: HTTP ${response.status}`);
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer()); // a server that does not know the type
}

/**
 * The body of a score call: the trace itself, or an envelope around it.
 * @param {Source} trace
 * @param {ScoreOptions} [options]
 * @returns {Source}
 */
export function scoreBody(trace, { reference, profile, seed } = {}) {
  if (reference === undefined && profile === undefined && seed === undefined) return trace;
  return JSON.stringify({ trace: toText(trace), reference: isSource(reference) ? toText(reference) : reference, profile, seed });
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
  throw new TypeError("want a string, Uint8Array or ArrayBuffer");
}

/** @param {Source} input @returns {string} */
function toText(input) {
  if (typeof input === "string") return input;
  const bytes = toBytes(input);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BoundcheckError("invalid-input", "invalid input: the bytes are not UTF-8 text, so no options can be sent with them");
  }
}

/**
 * An answer's value; an error envelope is thrown.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function parseAnswer(bytes) {
  const value = JSON.parse(new TextDecoder().decode(bytes));
  if (value.error) throw new BoundcheckError(value.error.code, value.error.message, value.error);
  return value;
}

/** @param {unknown} e */
function text(e) {
  return e instanceof Error ? e.message : String(e);
}
