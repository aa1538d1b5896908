// The entry of a Worker for batches only (wrangler.batches.jsonc), which shares no
// isolate with the gate. It scores parts and answers requests about batches.
import * as batches from "./batches.mjs";
import { consumeMessages } from "./batchwork.mjs";

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };

export default {
  fetch(req, env) {
    const { pathname } = new URL(req.url);
    if (pathname === "/v1/batches" || pathname.startsWith("/v1/batches/")) return batches.answer(req, env);
    return new Response(JSON.stringify({ error: { code: "unknown-method", message: "unknown path. This Worker serves only /v1/batches" } }) + "\n", { status: 404, headers });
  },
  scheduled: (event, env) => batches.keep(env),
  queue: consumeMessages,
};
