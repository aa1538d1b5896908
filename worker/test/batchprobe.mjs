// Wraps the Worker for the tests of batches: the real entry with the real D1, R2 and
// queue, with access to the bucket and the tables, and with faults.
import worker from "./shell.mjs";

let fault = {};
let calls = 0; // calls of consumers to the platform since the fault was set
let kept = []; // messages, in the order of arrival

const away = () => { throw new Error("away"); };
const hit = (share) => Math.random() < (share ?? 0);
// A slow machine may need a second for a part. A lease that is too short gives the part to the
// next consumer again and again, and the batch makes no progress.
const quick = { lease: 1500, idle: 300, stale: 280_000 };
const never = new Promise(() => {});

// faulty returns an environment with faults. read and write are the shares of calls that
// fail. lost is the share of calls that are executed but whose answer is lost, mislaid
// the share of messages that are never delivered. dies is the number of the call at which
// the consumer ends; with after, that call is still executed. poison is a line of the
// first part that ends the consumer which is about to score it. Calls of a consumer after
// its end are not executed.
function faulty(env, die = away) {
  let dead = false;
  const end = () => {
    dead = true;
    die(new Error("the consumer died"));
    return never;
  };
  const step = async (kind, f) => {
    if (dead) return never;
    if (++calls === fault.dies) {
      if (fault.after) await f();
      return end();
    }
    if (hit(fault[kind])) away();
    const got = await f();
    if (kind === "write" && hit(fault.lost)) away();
    return got;
  };
  const poisoned = (sql, params) => {
    if (fault.poison === undefined || !sql.includes("SET trying") || params[1] !== 0) return false;
    const [from, to] = JSON.parse(params[3]);
    return from <= fault.poison && fault.poison < to;
  };
  const statement = (sql, made, params) => ({
    made,
    bind: (...given) => statement(sql, made.bind(...given), given),
    first: () => step("read", () => made.first()),
    all: () => step("read", () => made.all()),
    run: () => step("write", async () => {
      const done = await made.run();
      return poisoned(sql, params) ? end() : done;
    }),
  });
  return {
    ...env,
    BATCH_PACE: fault.pace ?? quick,
    TRACES: {
      get: (...args) => step("read", () => env.TRACES.get(...args)),
      head: (key) => step("read", () => env.TRACES.head(key)),
      list: (options) => step("read", () => env.TRACES.list(options)),
      put: (...args) => step("write", () => env.TRACES.put(...args)),
      delete: (key) => step("write", () => env.TRACES.delete(key)),
    },
    BATCHES: { sendBatch: (all) => step("write", async () => (hit(fault.mislaid) ? null : env.BATCHES.sendBatch(all))) },
    BATCH_DB: {
      prepare: (sql) => statement(sql, env.BATCH_DB.prepare(sql)),
      batch: (all) => step("write", () => env.BATCH_DB.batch(all.map((s) => s.made))),
    },
  };
}

export default {
  async fetch(req, env, ctx) {
    const url = new URL(req.url);
    switch (url.pathname) {
      case "/probe/fault":
        fault = await req.json();
        calls = 0;
        kept = [];
        return Response.json(fault);
      case "/probe/calls":
        return Response.json(calls);
      case "/probe/put":
        await env.TRACES.put(url.searchParams.get("key"), await req.arrayBuffer());
        return new Response("stored");
      case "/probe/objects":
        return Response.json((await env.TRACES.list()).objects.map((o) => o.key));
      case "/probe/sql": {
        const { db, sql, params = [] } = await req.json();
        return Response.json((await env[db].prepare(sql).bind(...params).all()).results);
      }
      case "/probe/messages":
        return Response.json(kept);
      case "/probe/send":
        await env.BATCHES.sendBatch((await req.json()).map((body) => ({ body })));
        return new Response("sent");
      case "/probe/cron":
        await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, { ...env, BATCH_PACE: fault.pace ?? quick }, ctx);
        return new Response("swept");
      case "/probe/bare":
        return worker.fetch(new Request(new URL("/v1/batches", req.url), { method: "POST" }), { DB: env.DB }, ctx);
    }
    if (fault.bare && url.pathname.startsWith("/v1/")) return worker.fetch(req, { DB: env.DB }, ctx);
    if (fault.away && url.pathname.startsWith("/v1/")) env = { ...env, BATCH_DB: { prepare: away, batch: away } };
    const refused = fault.refuse && { BATCHES: { sendBatch: away } };
    return worker.fetch(req, { ...env, BATCH_PACE: fault.pace ?? quick, BATCH_PART: 256 << 10, ...(fault.quota && { BOUNDCHECK_BATCHES: fault.quota }), ...refused }, ctx);
  },
  // Messages arrive twice with twice, in any order with shuffle, and not at all with
  // hold.
  async queue(batch, env) {
    kept.push(...batch.messages.map((m) => m.body));
    if (fault.hold) return batch.ackAll();
    const messages = batch.messages.map((m) => ({ body: m.body, attempts: m.attempts, ack: () => m.ack(), retry: (o) => m.retry(o) }));
    if (fault.shuffle) messages.sort(() => Math.random() - 0.5);
    const run = (all) => new Promise((resolve, reject) => worker.queue({ queue: batch.queue, messages: all }, faulty(env, reject)).then(resolve, reject));
    if (fault.twice) await run(messages.map((m) => ({ ...m, ack() {}, retry() {} })));
    await run(messages);
  },
};
