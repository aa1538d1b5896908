// The client of the confirmation gate for an agent's own program. A tool runs only with the
// arguments that were claimed, at most once for a claim; if anything is in doubt, nothing runs.
// It needs fetch and WebCrypto (Node 20, Deno, Bun, Cloudflare Workers) and nothing else.
import { Operations } from "./operations.js";
import { digest } from "./receipt.js";

/** Why a request to the gate failed: its code, and the HTTP status, or 0 if no whole answer came. */
export class GateError extends Error {
  /** @param {string} code @param {number} status @param {string} message @param {number} [after] */
  constructor(code, status, message, after = 0) {
    super(message);
    this.name = "GateError";
    this.code = code;
    this.status = status;
    this.after = after;
  }
}

/** A call that did not run. The message is for the model. */
export class NotRun extends Error {
  /** @param {import("./gate.js").Reason} reason @param {string} message @param {string} [id] */
  constructor(reason, message, id) {
    super(message);
    this.name = "NotRun";
    this.reason = reason;
    this.id = id;
  }
}

/** The grants that this process has used. A transport that repeats an answer runs nothing again. @type {Set<string>} */
const used = new Set();

/** Whether no answer came, or one that says that the same request may be sent again. @param {unknown} e */
const isTransient = (e) => e instanceof GateError && (e.status === 0 || e.status === 429 || e.status >= 500 || (e.status === 409 && e.code === "idempotency"));

/** @param {number} ms @param {AbortSignal} [signal] */
const sleep = (ms, signal) =>
  new Promise((done, fail) => {
    const stop = () => (clearTimeout(timer), fail(signal?.reason));
    const timer = setTimeout(() => (signal?.removeEventListener("abort", stop), done(undefined)), ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

/** A number as its digits and exponent, so that 1.50e2 and 150 are one. @param {string} text */
function plainNumber(text) {
  const [, sign, whole, part = "", power = "0"] = /** @type {RegExpMatchArray} */ (/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text));
  const digits = (whole + part).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept ? `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}` : "0";
}

/** Parses JSON, or throws if JavaScript has no number for a number in it. @param {string} text */
function parseExactly(text) {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    const n = Number(token);
    if (token[0] !== '"' && (!Number.isFinite(n) || plainNumber(String(n)) !== plainNumber(token))) throw new RangeError(`JavaScript has no number for ${token.slice(0, 40)}`);
  }
  return JSON.parse(text);
}

/** @type {Record<string, [import("./gate.js").Reason, string]>} */
const ends = {
  expired: ["expired", "Not executed: nobody approved this call in time."],
  cancelled: ["cancelled", "Not executed: the call was cancelled before anybody decided."],
  claimed: ["claimed", "Not executed again: this call was claimed before."],
  executed: ["claimed", "Not executed again: this call ran before."],
  failed: ["claimed", "Not executed again: this call was tried before, and had no effect."],
  ambiguous: ["claimed", "Not executed again: this call may have run before. Check first."],
};

/** @param {import("./operations.js").Record} r */
export function endOf(r) {
  if (r.state === "answered") return new NotRun("answered", `Not executed: an approver answered this call in place of a yes or a no. They wrote: ${r.answer ?? r.reason ?? ""}`, r.id);
  if (r.state === "cancelled" && r.stopped) return new NotRun("cancelled", `Not executed: ${r.stopped}.`, r.id);
  if (r.state === "denied") return new NotRun("denied", "Not executed: an approver denied this call." + (r.reason ? ` They wrote: ${r.reason}` : ""), r.id);
  const [reason, text] = ends[r.state] ?? ["waiting", "Not executed yet: this call waits for an approver's decision."];
  return new NotRun(reason, text, r.id);
}

/**
 * Takes a grant, once, if it is for the call of the question and has the bytes of its digest.
 * @param {import("./gate.js").Question} q @param {import("./operations.js").Grant} g
 */
const takeGrant = async (q, g) => {
  const proven = g.id === q.id && g.tool === q.tool && g.digest === q.digest && typeof g.bytes === "string" && (await digest(g.tool, g.bytes, q.directory)) === q.digest;
  if (!proven || !g.grant) throw new NotRun("doubt", "Not executed: the gate's answer is not about this call.", q.id);
  if (used.has(g.grant)) throw new NotRun("claimed", ends.claimed[1], q.id);
  used.add(g.grant);
  return g;
};

export class Gate extends Operations {
  /** @param {import("./gate.js").GateOptions} options */
  constructor({ url, key, fetch = globalThis.fetch, timeout = 15_000, retries = 5 }) {
    super();
    if (!url || !key) throw new TypeError("missing url or key");
    this.url = url.replace(/\/+$/, "");
    this.key = key;
    this.fetch = fetch;
    this.timeout = timeout;
    this.retries = retries;
  }

  /**
   * Sends one operation. It is sent again only if repeating it changes nothing.
   * @param {string} method @param {string} path
   * @param {{ body?: unknown, query?: { [name: string]: unknown }, idempotencyKey?: string, run?: string, signal?: AbortSignal }} parts
   */
  async send(method, path, parts) {
    return this.repeat(method === "GET" || parts.idempotencyKey ? this.retries : 0, parts.signal, () => this.sendOnce(method, path, parts));
  }

  /**
   * @template T @param {number} times @param {AbortSignal | undefined} signal @param {(failed: boolean) => Promise<T>} attempt
   * @returns {Promise<T>}
   */
  async repeat(times, signal, attempt) {
    for (let n = 0, failed = false; ; n++) {
      try {
        return await attempt(failed);
      } catch (e) {
        if (n >= times || !isTransient(e)) throw e;
        failed ||= /** @type {GateError} */ (e).status !== 429;
        await sleep(Math.max(/** @type {GateError} */ (e).after * 1000, 50 * 2 ** n), signal);
      }
    }
  }

  /**
   * @param {string} method @param {string} path
   * @param {{ body?: unknown, query?: { [name: string]: unknown }, idempotencyKey?: string, run?: string, signal?: AbortSignal }} parts
   */
  async sendOnce(method, path, { body, query = {}, idempotencyKey, run, signal }) {
    const address = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value));
    /** @type {Record<string, string>} */
    const headers = { authorization: `Bearer ${this.key}` };
    if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
    if (run) headers["idempotency-run"] = run;
    if (body !== undefined) headers["content-type"] = "application/json";
    const limit = AbortSignal.timeout(this.timeout + Number(query.wait ?? 0) * 1000);
    const request = { method, headers, redirect: /** @type {const} */ ("error"), signal: signal ? AbortSignal.any([signal, limit]) : limit, body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body) };
    let answer, read;
    try {
      answer = await this.fetch.call(globalThis, address, request);
      read = JSON.parse(await answer.text());
    } catch (e) {
      signal?.throwIfAborted();
      throw new GateError(limit.aborted ? "timeout" : "network", 0, `no whole answer of the gate: ${e instanceof Error ? e.message : e}`);
    }
    if (typeof read !== "object" || read === null) throw new GateError("network", 0, "the answer is not the gate's");
    if (read.error || (!answer.ok && !read.decision)) {
      throw new GateError(read.error?.code ?? "unknown", answer.status, read.error?.message ?? `status ${answer.status}`, Math.min(Number(answer.headers.get("retry-after")) || 0, 30));
    }
    return read;
  }

  /**
   * Proposes a call. The same call with the same key is the same proposal, for a day. A run names an attempt to run it: of all attempts
   * with one key, only the first may run a call that the policy allows, unless it only reads.
   * @param {import("./gate.js").Proposed} call @param {{ key?: string, run?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<import("./gate.js").Asked>}
   */
  async ask({ tool, arguments: given, ...context }, { key = crypto.randomUUID(), run, signal } = {}) {
    if (typeof (given ?? {}) !== "object" || Array.isArray(given)) throw new TypeError("want the arguments by their names in an object, saw " + (Array.isArray(given) ? "an array" : typeof given));
    const text = JSON.stringify(given ?? {});
    const body = JSON.stringify({ ...context, tool }).slice(0, -1) + `,"arguments":${text}}`;
    const idempotencyKey = (await digest(key, body)).slice("sha256:".length);
    const a = await this.send("POST", "/v1/proposals", { body, idempotencyKey, run, signal }).catch((e) => {
      if (e instanceof GateError && e.status === 409 && e.code === "conflict") throw new NotRun("claimed", `Not executed again: ${e.message}.`);
      throw e;
    });
    const own = await digest(tool, text, context.directory);
    if (a.decision === "allow" && a.run && a.run !== run) throw new NotRun("claimed", "Not executed again: this call was allowed before, and may have run. Check first.");
    if (a.decision === "allow") return { decision: "allow", tool, arguments: text };
    if (a.decision === "deny" && a.answer !== undefined) throw endOf(/** @type {any} */ (a)); // to an equal call before
    if (a.decision === "deny") throw new NotRun("denied", `Not executed: the policy denies this call${a.reason ? ": " + a.reason : "."}`);
    if (a.decision !== "confirm" || !a.id || a.digest !== own) throw new NotRun("doubt", "Not executed: the gate's answer is not about this call.");
    return this.follow({ ...a, tool, arguments: text, directory: context.directory, edited: false }, { signal });
  }

  /**
   * The question as it stands now: an approver may have put an edited call in its place.
   * @param {import("./gate.js").Question} question @param {{ wait?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<import("./gate.js").Question>}
   */
  async follow(question, { wait = 0, signal } = {}) {
    let q = question;
    for (let hop = 0; hop < 100; hop++) {
      const r = /** @type {import("./operations.js").Record} */ (await this.getProposal(q.id, { ...(wait ? { wait } : {}), signal }));
      if (r.id !== q.id || r.tool !== q.tool || r.digest !== q.digest) throw new NotRun("doubt", "Not executed: the gate's answer is not about this call.", q.id);
      q = { ...q, state: r.state, prompt: r.prompt, expires: r.expires, url: r.url, record: r };
      if (r.state !== "superseded" || !r.replacedBy) return q;
      const next = /** @type {import("./operations.js").Record} */ (await this.getProposal(r.replacedBy, { signal }));
      q = { ...q, id: r.replacedBy, digest: next.digest, arguments: JSON.stringify(next.arguments), reflection: undefined, edited: true };
    }
    throw new NotRun("doubt", "Not executed: the call was edited too often.", q.id);
  }

  /**
   * Waits until the question is decided, or for so many seconds.
   * @param {import("./gate.js").Question} question @param {{ wait?: number, signal?: AbortSignal }} [options]
   */
  async wait(question, { wait = Infinity, signal } = {}) {
    let q = question;
    for (const end = Date.now() + wait * 1000; ; ) {
      const left = Math.max(0, Math.min(25, Math.ceil((end - Date.now()) / 1000)));
      q = await this.follow(q, { wait: left, signal });
      if (q.state !== "pending" || left === 0) return q;
    }
  }

  /**
   * Decides a question as the approver whose key this is: yes or no to exactly what was shown.
   * @param {{ id: string, digest: string }} question @param {boolean} approve @param {{ reason?: string, acknowledge?: boolean, seen?: string }} [more]
   */
  decide({ id, digest }, approve, more) {
    return this.postProposalDecision(id, { approve, digest, ...more });
  }

  /**
   * Takes the approved call, at most once. The bytes are those that its digest stands for.
   * @param {import("./gate.js").Question} q @param {{ wait?: number, signal?: AbortSignal }} [options]
   */
  async claim(q, { wait = Infinity, signal } = {}) {
    const end = Date.now() + wait * 1000;
    let failed = false;
    for (;;) {
      try {
        const g = await this.repeat(this.retries, signal, async (before) => {
          failed ||= before;
          return /** @type {Promise<import("./operations.js").Grant>} */ (this.sendOnce("POST", `/v1/proposals/${encodeURIComponent(q.id)}/claim`, { body: { digest: q.digest } }));
        });
        const taken = await takeGrant(q, g);
        if (signal?.aborted) await this.report(taken, "failed", { detail: "the caller had left; nothing ran" });
        signal?.throwIfAborted();
        return taken;
      } catch (e) {
        if (!(e instanceof GateError)) throw e;
        if (e.code === "early" && Date.now() + e.after * 1000 <= end) {
          await sleep(e.after * 1000, signal);
          continue;
        }
        if (e.code === "early") throw new NotRun("waiting", `Not executed yet: this call is approved, and may run after ${q.record?.runsFrom ?? "its wait"}.`, q.id);
        if (isTransient(e) || (failed && e.status === 409)) throw new NotRun("lost", "Not executed here: the answer to the claim was lost, so nothing ran here. The claim that counts is this one or another worker's, and this call cannot be claimed again.", q.id);
        const now = await this.follow(q, { signal });
        if (now.state && ["claimed", "executed", "failed", "ambiguous"].includes(now.state)) {
          throw new NotRun("claimed", `Not executed here: another worker claimed this call first. There, its state is ${now.state} now.`, q.id);
        }
        if (now.state !== "approved") throw endOf(/** @type {any} */ (now.record));
        throw new NotRun("stopped", `Not executed: the call was approved, but it may not run now: ${e.message}`, q.id);
      }
    }
  }

  /**
   * Reports what became of a claimed call. False if the gate did not say that it was stored.
   * @param {import("./operations.js").Grant} g @param {"executed" | "failed" | "ambiguous"} status @param {{ detail?: string, result?: unknown }} [more]
   */
  async report(g, status, { detail, result } = {}) {
    let text;
    try {
      text = result === undefined ? undefined : JSON.stringify(result);
    } catch {} // the rules that look for values in it find nothing
    if (text && new TextEncoder().encode(text).length > 1 << 20) text = undefined;
    const body = { grant: g.grant, status, ...(detail ? { detail: detail.slice(0, 1000) } : {}), ...(text ? { result: text } : {}) };
    try {
      await this.repeat(this.retries, undefined, () => this.sendOnce("POST", `/v1/proposals/${encodeURIComponent(g.id)}/outcome`, { body }));
      return true;
    } catch {
      return this.getProposal(g.id).then((r) => r.state === status, () => false);
    }
  }

  /**
   * Cancels the question of a call whose key nobody knows, so nobody could run it. If the answer to the proposal
   * was cut off, the same request finds it.
   * @param {import("./gate.js").Proposed} call @param {string} key @param {import("./gate.js").Asked} [asked]
   */
  async dropQuestion(call, key, asked) {
    try {
      const q = asked ?? (await this.ask(call, { key }));
      if (q.decision === "confirm") await this.postProposalCancel(q.id);
    } catch {} // it expires
  }

  /**
   * Runs a tool: proposes the call, waits for the decision, claims, runs, and reports. It throws
   * NotRun if the tool did not run.
   * @template T @param {import("./gate.js").Proposed} call
   * @param {(args: any, how: import("./gate.js").How) => T | Promise<T>} execute
   * @param {{ key?: string, wait?: number, signal?: AbortSignal }} [options]
   * @returns {Promise<import("./gate.js").Ran<T>>}
   */
  async run(call, execute, { key, wait = Infinity, signal } = {}) {
    signal?.throwIfAborted();
    const once = key ?? crypto.randomUUID();
    let asked, grant;
    try {
      asked = await this.ask(call, { key: once, run: key && crypto.randomUUID(), signal });
      if (asked.decision === "confirm") {
        asked = await this.wait(asked, { wait, signal });
        if (asked.state !== "approved") throw endOf(/** @type {any} */ (asked.record));
        grant = await this.claim(asked, { wait, signal });
      }
    } catch (e) {
      if (signal?.aborted && !key) await this.dropQuestion(call, once, asked);
      if (e instanceof GateError) throw new NotRun("unavailable", `Not executed: the gate did not allow this call: ${e.message}`);
      throw e;
    }
    const bytes = grant ? grant.bytes : asked.arguments;
    const edited = "edited" in asked && asked.edited;
    let args;
    try {
      args = grant ? parseExactly(bytes) : JSON.parse(bytes);
    } catch (e) {
      if (grant) await this.report(grant, "failed", { detail: `nothing ran: ${/** @type {Error} */ (e).message}` });
      throw new NotRun("doubt", `Not executed: ${/** @type {Error} */ (e).message}.`, grant?.id);
    }
    let value;
    try {
      value = await execute(args, { bytes, edited, receipt: grant?.receipt });
    } catch (e) {
      if (grant) await this.report(grant, "ambiguous", { detail: e instanceof Error ? e.message : String(e) });
      throw e;
    }
    const reported = grant ? await this.report(grant, "executed", { result: value }) : true;
    return { value, bytes, edited, reported, id: grant?.id };
  }
}
