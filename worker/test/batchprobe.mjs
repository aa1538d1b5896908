// A Worker around the Worker, for the tests of batches: the real entry on the real
// D1, R2 and queue, with a way into the bucket, and with faults.
import worker from "./shell.mjs";

let fault = {};

const away = () => { throw new Error("away"); };
const hit = (share) => Math.random() < (share ?? 0);

// faulty fails as it is told: read and write are the shares of calls that fail,
// lost of those that are carried out and whose answer is lost; poison is a text
// that no statement may hold.
const faulty = (env) => ({
  ...env,
  TRACES: {
    get: (...args) => (hit(fault.read) ? away() : env.TRACES.get(...args)),
    head: (key) => env.TRACES.head(key),
    put: (...args) => env.TRACES.put(...args),
    delete: (key) => env.TRACES.delete(key),
  },
  BATCHES: {
    send: (body) => (hit(fault.write) ? away() : env.BATCHES.send(body)),
    sendBatch: (all) => (hit(fault.write) ? away() : env.BATCHES.sendBatch(all)),
  },
  DB: {
    prepare: (sql) => {
      const made = env.DB.prepare(sql);
      return { made, bind: (...params) => {
        const bound = made.bind(...params);
        bound.poisoned = fault.poison && params.some((p) => String(p).includes(fault.poison));
        return bound;
      } };
    },
    async batch(all) {
      if (hit(fault.write) || all.some((s) => s.poisoned)) away();
      const done = await env.DB.batch(all.map((s) => s.made ?? s));
      if (hit(fault.lost)) away();
      return done;
    },
  },
});

export default {
  async fetch(req, env, ctx) {
    const url = new URL(req.url);
    switch (url.pathname) {
      case "/probe/fault":
        fault = await req.json();
        return Response.json(fault);
      case "/probe/put":
        await env.TRACES.put(url.searchParams.get("key"), await req.arrayBuffer());
        return new Response("stored");
      case "/probe/objects":
        return Response.json((await env.TRACES.list()).objects.map((o) => o.key));
      case "/probe/bare":
        return worker.fetch(new Request(new URL("/v1/batches", req.url), { method: "POST" }), { DB: env.DB }, ctx);
    }
    return worker.fetch(req, env, ctx);
  },
  // Messages come twice when told so, and again at once.
  async queue(batch, env) {
    const messages = batch.messages.map((m) => ({ body: m.body, attempts: m.attempts, ack: () => m.ack(), retry: () => m.retry() }));
    const once = { queue: batch.queue, messages };
    if (fault.twice) await worker.queue({ queue: batch.queue, messages: messages.map((m) => ({ ...m, ack() {}, retry() {} })) }, faulty(env));
    await worker.queue(once, faulty(env));
  },
};
