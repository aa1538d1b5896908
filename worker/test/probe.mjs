// A Worker around the Worker, for tests: the real entry on the real D1, with a way
// to look into the database, to make it fail, and to claim from inside.
import { size as core } from "./core.mjs";
import { size as gate } from "./gate.mjs";
import worker from "./shell.mjs";

// The instances are started with weak random values (go.mjs). Were any id, nonce or
// grant drawn from them later, all would be the same from here on.
Math.random = () => 0.5;

let fault = { mode: "none" };

// faulty is the binding of a database that fails as it is told: "error" refuses a
// statement, "hang" never sends it, "stuck" carries it out and never answers,
// "lost" carries it out and fails.
const faulty = (db) => ({
  prepare: (sql) => ({
    bind: (...params) => ({
      async raw() {
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

// race claims one approved call many times at once, or begun within so many
// milliseconds, and tells which answers there were how often, for each round.
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
    const probed = { ...env, DB: faulty(env.DB) };
    const { pathname } = new URL(req.url);
    switch (pathname) {
      case "/probe/sql": {
        const { sql, params = [] } = await req.json();
        return Response.json(await env.DB.prepare(sql).bind(...params).raw());
      }
      case "/probe/memory":
        return Response.json({ core: core(), gate: gate() });
      case "/probe/fault":
        fault = await req.json();
        return Response.json(fault);
      case "/probe/race":
        return Response.json(await race(await req.json(), probed, ctx));
    }
    return worker.fetch(req, probed, ctx);
  },
  scheduled: (event, env, ctx) => worker.scheduled(event, { ...env, DB: faulty(env.DB) }, ctx),
};
