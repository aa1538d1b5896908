// The gate: one Go instance per isolate runs the gate's http.Handler, with a goroutine
// for each request. The platform ties I/O and timers to the request that started them.
// Therefore the Host of a request starts everything that the request's handler waits for.
// serve_js.go is the Go side of this file.
import { open } from "./busy.mjs"; // number → Host
import { zoneOffset } from "./zones.mjs";
import { announced, early, failed, memoryLimit, read, start } from "./go.mjs";

// The time limit for everything but people, in milliseconds.
const patience = 10_000;

// The longest time that a request waits for a person. The platform has dropped older
// requests; the next request ends them here too.
const longest = 15 * 60_000;

// The longest pause of a model or a tool in the middle of its answer.
const quiet = 300_000;

const isProxied = (path) => path === "/v1/chat/completions" || path === "/v1/responses" || path === "/v1/messages" || path.startsWith("/v1/messages/") || path.startsWith("/v1/models") || path.startsWith("/mcp/");

let gate = null;
let last = 0;

const startGate = () => {
  const made = start({ gate: { zoneOffset } });
  made.died = () => {
    if (gate === made) gate = null;
    for (const host of [...open.values()]) if (host.gate === made) host.lose();
  };
  return made;
};

try {
  gate = early(startGate);
} catch (e) {
  console.error("gate: could not start while the module was loaded; the next request tries again:", e);
}

// configured reports whether this Worker is set up as a gate.
export const configured = (env) => Object.keys(env).some((name) => name.startsWith("BOUNDCHECK_KEYS"));

// size returns the size of the program's memory in bytes. It never shrinks.
export const size = () => gate?.bytes() ?? 0;

function ensureGate(env) {
  gate ??= startGate();
  if (gate.hooks === undefined) {
    const vars = Object.entries(env).filter(([name, value]) => name.startsWith("BOUNDCHECK_") && typeof value === "string");
    gate.hooks = gate.setup(JSON.stringify(Object.fromEntries(vars)));
  }
  const now = Date.now();
  for (const host of open.values()) {
    if (now - host.begun < longest) break; // the requests are in the order of their beginning
    host.abort();
  }
  return gate;
}

// A Host calls the platform for one request: it does what the Go goroutine of the request
// asks for. Go calls its methods; a method with the parameter n answers later through
// settle(n, …).
class Host {
  constructor(gate, env) {
    this.leaving = new AbortController();
    this.bodies = new Set();
    this.gate = gate;
    this.env = env;
    this.number = ++last;
    this.begun = Date.now();
    this.waits = new Set();
    this.response = new Promise((resolve) => { this.reply = resolve; });
    this.ended = new Promise((resolve) => { this.over = resolve; });
    open.set(this.number, this);
  }

  // await calls work, and settles the goroutine's wait n with the result or the error. If
  // there is none after limit ms, it settles the wait with an error.
  await(n, work, limit = patience) {
    this.waits.add(n);
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`no answer within ${limit} ms`)), limit); });
    Promise.race([work(), late])
      .then((value) => this.settle(n, "", value), (e) => this.settle(n, String(e?.message || e || "unknown error")))
      .finally(() => clearTimeout(timer));
  }

  settle(n, error, value) {
    if (this.waits.delete(n) && !this.gate.dead) this.gate.settle(n, error, value);
  }

  // query runs one statement and returns its rows as one text.
  query(n, sql, params) {
    this.await(n, async () => JSON.stringify(await this.env.DB.prepare(sql).bind(...JSON.parse(params)).raw()));
  }

  sleep(n, ms) {
    this.await(n, () => new Promise((resolve) => setTimeout(resolve, ms)), ms + patience);
  }

  // open sends a request. The body of the answer is read with pull and released with
  // drop.
  open(n, method, url, headers, body, limit) {
    this.await(n, async () => {
      const leaving = new AbortController();
      const late = setTimeout(() => leaving.abort(), limit);
      try {
        const init = { method, headers: headerPairs(headers), redirect: "manual", signal: AbortSignal.any([this.leaving.signal, leaving.signal]) };
        const response = await fetch(url, body.length ? { ...init, body } : init);
        const head = new Headers(response.headers);
        for (const name of ["content-encoding", "content-length", "transfer-encoding"]) head.delete(name); // the platform has already decoded the body
        const reader = response.body?.getReader();
        if (reader) this.bodies.add(reader);
        return { status: response.status, headers: headerLines(head), body: reader ?? null };
      } finally {
        clearTimeout(late);
      }
    }, limit + 1000);
  }

  // pull returns the next piece of a body; null at the end.
  pull(n, reader) {
    this.await(n, async () => {
      const { done, value } = (await reader?.read()) ?? { done: true };
      return done ? null : value;
    }, quiet);
  }

  drop(reader) {
    if (this.bodies.delete(reader)) reader.cancel().catch(() => {});
  }

  respond(status, headers, bytes) {
    const empty = status === 204 || status === 304;
    this.reply(new Response(empty ? null : bytes, { status, headers: headerPairs(headers) }));
    this.close();
  }

  // head begins an answer whose body is sent in pieces: call write for each, then end.
  head(status, headers) {
    const { readable, writable } = new IdentityTransformStream();
    this.writer = writable.getWriter();
    this.writer.closed.catch(() => this.abort());
    this.reply(new Response(readable, { status, headers: headerPairs(headers) }));
  }

  write(n, bytes) {
    this.await(n, () => this.writer.write(bytes));
  }

  end() {
    this.writer.close().catch(() => {});
    this.close();
  }

  // done ends background work. error is its error as a text, "" for none.
  done(error) {
    this.reply(error);
    this.close();
  }

  close() {
    open.delete(this.number);
    for (const reader of this.bodies) this.drop(reader);
    for (const n of [...this.waits]) this.settle(n, "the request has ended"); // waits that the handler did not finish
    this.over();
  }

  // abort is called when the client has gone. Everything that the request's goroutine
  // waits for fails.
  abort() {
    if (!open.has(this.number) || this.gate.dead) return;
    this.leaving.abort();
    this.gate.cancel(this.number);
    for (const n of [...this.waits]) this.settle(n, "the client has gone");
  }

  // lose is called when the program stopped. The request cannot continue.
  lose() {
    this.reply(failed("gate", "the program ended"));
    this.writer?.abort().catch(() => {});
    this.close();
  }
}

const headerPairs = (lines) => lines.trimEnd().split("\n").filter(Boolean).map((line) => {
  const at = line.indexOf(": ");
  return [line.slice(0, at), line.slice(at + 2)];
});

const headerLines = (headers) => {
  let text = "";
  for (const [name, value] of headers) text += `${name}: ${value}\n`;
  return text;
};

// answer serves one request.
export async function answer(req, env, ctx) {
  try {
    const mine = ensureGate(env);
    const length = announced(req);
    const through = isProxied(new URL(req.url).pathname);
    const body = await read(req, length, through ? mine.proxied : mine.limit);
    if (mine.dead) throw new Error("the program ended");
    const host = new Host(mine, env);
    req.signal?.addEventListener("abort", () => host.abort());
    mine.handle(host.number, host, req.method, req.url, headerLines(req.headers), body, length);
    if (mine.bytes() > memoryLimit && gate === mine) gate = null;
    ctx.waitUntil(host.ended); // the work goes on if the client leaves
    const response = await host.response;
    if (mine.hooks && req.method === "POST" && response.ok) ctx.waitUntil(deliverWebhooks(mine, env));
    return response;
  } catch (e) {
    return failed("gate", e);
  }
}

// doBackgroundWork does background work as part of the current event, and returns its
// error, if there is one. Without all, it only sends webhooks.
async function doBackgroundWork(mine, env, all) {
  const host = new Host(mine, env);
  mine.work(host.number, host, all);
  const error = await host.response;
  if (error) console.error("gate:", error);
  return error;
}

// deliverWebhooks sends webhooks soon after a change; the cron trigger sends the rest.
// After several changes at the same time in an isolate, only one call delivers.
let delivering = 0;
let again = false;
async function deliverWebhooks(mine, env) {
  if (Date.now() - delivering < 2 * patience) {
    again = true;
    return;
  }
  delivering = Date.now();
  for (let rounds = 0; rounds < 3; rounds++) {
    again = false;
    await doBackgroundWork(mine, env, false);
    if (!again) break;
  }
  delivering = 0;
}

// keep does all background work, for the cron trigger: it expires proposals, makes
// overdue claims ambiguous, extends the audit's chains and sends webhooks.
export async function keep(env) {
  if (!configured(env)) return;
  const error = await doBackgroundWork(ensureGate(env), env, true);
  if (error) throw new Error(error);
}
