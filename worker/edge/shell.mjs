// The Worker's entry. It sends requests for scoring and checking to the core, and those
// for the gate's paths and all unknown paths to the gate's instance.
import * as batches from "./batches.mjs";
import { consumeMessages } from "./batchwork.mjs";
import * as core from "./core.mjs";
import * as gate from "./gate.mjs";
import * as plugins from "./plugins.mjs";
import handler from "./worker.mjs"; // github.com/syumai/workers: a Go instance per request

const routed = new Set(["/v1/score", "/v1/check", "/healthz"]);

export default {
  fetch(req, env, ctx) {
    const { pathname } = new URL(req.url);
    // CORE=off sends the core's requests through the handler, for measurements and
    // comparisons.
    if (pathname === "/v1/score" && env.SCORE_WORKER) return forward(env.SCORE_WORKER, req, scoresAway);
    if (routed.has(pathname) && !(pathname === "/healthz" && gate.configured(env))) {
      return env.CORE === "off" || !core.ready() ? handler.fetch(req, env, ctx) : core.answer(req, pathname);
    }
    if (pathname === "/v1/batches" || pathname.startsWith("/v1/batches/")) return env.BATCH_WORKER ? forward(env.BATCH_WORKER, req, batches.away) : batches.answer(req, env);
    if (plugins.serves(pathname)) return plugins.answer(req, env);
    return gate.answer(req, env, ctx);
  },
  scheduled: (event, env) => Promise.allSettled([gate.keep(env), batches.keep(env)]),
  queue: consumeMessages,
};

// forward passes a request to another Worker, which checks the key if it needs one. away
// makes the answer if that Worker does not answer.
async function forward(worker, req, away) {
  try {
    return await worker.fetch(req);
  } catch (e) {
    console.error("another Worker:", e);
    return away();
  }
}

// scoresAway is the answer if the Worker for scores was ended: by its time budget or its memory.
function scoresAway() {
  const error = { code: "unavailable", message: "the Worker for scores did not answer. Perhaps the body needs more time or memory than it has; the command boundcheck has no such limit" };
  return Response.json({ error }, { status: 503, headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", "retry-after": "5" } });
}
