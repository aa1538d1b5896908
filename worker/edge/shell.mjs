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
    if (routed.has(pathname) && !(pathname === "/healthz" && gate.configured(env))) {
      return env.CORE === "off" || !core.ready() ? handler.fetch(req, env, ctx) : core.answer(req, pathname);
    }
    if (pathname === "/v1/batches" || pathname.startsWith("/v1/batches/")) return env.BATCH_WORKER ? forwardToBatches(req, env) : batches.answer(req, env);
    if (plugins.serves(pathname)) return plugins.answer(req, env);
    return gate.answer(req, env, ctx);
  },
  scheduled: (event, env) => Promise.allSettled([gate.keep(env), batches.keep(env)]),
  queue: consumeMessages,
};

// forwardToBatches passes a request to the Worker for batches, which checks the key.
async function forwardToBatches(req, env) {
  try {
    return await env.BATCH_WORKER.fetch(req);
  } catch (e) {
    console.error("batches:", e);
    return batches.away();
  }
}
