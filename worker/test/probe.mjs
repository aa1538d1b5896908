// Wraps the Worker for tests: the real entry with the real D1, with access to the
// database, with faults, with another time, and with claims from inside.
import { size as core } from "./core.mjs";
import { forget, size as gate } from "./gate.mjs";
import worker from "./shell.mjs";

// The instances start with weak random values (go.mjs). If the Worker used them for an
// id, a nonce or a grant later, all of these would be equal from here on.
Math.random = () => 0.5;

let fault = { mode: "none" };

// The texts of the statements since they were last asked for.
let sent = [];

// The time at which the Worker's clock stands; null if it goes.
let stopped = null;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length || stopped === null ? args : [stopped]));
  }

  static now() {
    return stopped ?? RealDate.now();
  }
};

// The settings and the database in place of those of the environment, since begin.
let begun = null;

// environment is what the Worker is given.
function environment(env) {
  if (!begun) return { ...env, DB: faulty(env.DB) };
  const others = Object.entries(env).filter(([name]) => !name.startsWith("BOUNDCHECK_"));
  return { ...Object.fromEntries(others), ...begun.settings, DB: faulty(begun.tables ? env.DB : env.BATCH_DB) };
}

// faulty returns the binding of a database that fails in a given mode: "error" refuses a
// statement, "hang" never sends it, "stuck" executes it and never answers, "lost"
// executes it and fails.
const faulty = (db) => ({
  prepare: (sql) => ({
    bind: (...params) => ({
      async raw() {
        sent = [...sent.slice(-99), sql];
        const hit = fault.mode !== "none" && new RegExp(fault.match ?? "").test(sql);
        if (hit && fault.mode === "error") throw new Error("D1_ERROR: the database is away");
        if (hit && fault.mode === "hang") return new Promise(() => {});
        const rows = await db.prepare(sql).bind(...params).raw();
        if (hit && fault.mode === "stuck") return new Promise(() => {});
        if (hit && fault.mode === "lost") throw new Error("D1_ERROR: the connection was lost");
        return rows;
      },
    }),
  }),
});

// race claims one approved call many times at once, or spread over some milliseconds, and
// returns for each round how often each status was answered.
async function race({ rounds, width, spread, agent, approver }, env, ctx) {
  const call = async (path, key, body) => {
    const request = new Request(env.BOUNDCHECK_URL + path, { method: "POST", body, headers: { authorization: `Bearer ${key}` } });
    const response = await worker.fetch(request, env, ctx);
    return [response.status, await response.text()];
  };
  const all = [];
  for (let round = 0; round < rounds; round++) {
    const proposed = JSON.parse((await call("/v1/proposals", agent, `{"tool":"cancel_order","arguments":{"round":${round},"at":"${crypto.randomUUID()}"}}`))[1]);
    await call(`/v1/proposals/${proposed.id}/decision`, approver, JSON.stringify({ approve: true, digest: proposed.digest }));
    const claims = await Promise.all(Array.from({ length: width }, async (_, i) => {
      if (spread) await new Promise((resolve) => setTimeout(resolve, (i / width) * spread));
      return call(`/v1/proposals/${proposed.id}/claim`, agent);
    }));
    const tally = {};
    for (const [status] of claims) tally[status] = (tally[status] ?? 0) + 1;
    all.push(tally);
  }
  return all;
}

export default {
  async fetch(req, env, ctx) {
    const probed = environment(env);
    const { pathname } = new URL(req.url);
    switch (pathname) {
      case "/probe/sql": {
        const { sql, params = [] } = await req.json();
        return Response.json(await env.DB.prepare(sql).bind(...params).raw());
      }
      case "/probe/statements":
        return Response.json(sent.splice(0));
      case "/probe/one": // one statement and nothing else, for the bench: the row that an allowed call writes
        return Response.json(await env.DB.prepare("INSERT INTO audit (tenant, entry) VALUES (?, ?)").bind("t", await req.text()).raw());
      case "/probe/memory":
        return Response.json({ core: core(), gate: gate() });
      case "/probe/fault":
        fault = await req.json();
        return Response.json(fault);
      case "/probe/clock":
        stopped = (await req.json()).at;
        return Response.json(stopped);
      case "/probe/begin":
        begun = await req.json();
        forget();
        stopped = null;
        return Response.json(null);
      case "/probe/cron":
        await worker.scheduled({ cron: "* * * * *", scheduledTime: RealDate.now() }, probed, ctx);
        return Response.json(null);
      case "/probe/race":
        return Response.json(await race(await req.json(), probed, ctx));
    }
    return worker.fetch(req, probed, ctx);
  },
  scheduled: (event, env, ctx) => worker.scheduled(event, environment(env), ctx),
};
