// The entry of a Worker for /v1/score alone (wrangler.scores.jsonc), which shares no isolate
// with the gate: while it scores a heavy body, no check waits for it. It has the program of
// the Worker for batches.
import * as core from "./core.mjs";

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };
const refuse = (status, code, message, more) => new Response(JSON.stringify({ error: { code, message } }) + "\n", { status, headers: { ...headers, ...more } });

/** The largest number of requests whose bodies are in memory. An isolate has 128 MB. */
const places = 8;
let taken = 0;

export default {
  async fetch(req) {
    const { pathname } = new URL(req.url);
    if (pathname !== "/v1/score") return refuse(404, "unknown-method", "unknown path. This Worker serves only /v1/score");
    if (taken === places) return refuse(503, "busy", "/v1/score: too many requests are in progress; try again later", { "retry-after": "5" });
    if (!core.ready()) return refuse(503, "unavailable", "/v1/score: the program could not be started; try again later", { "retry-after": "5" });
    taken++;
    try {
      return await core.answer(req, pathname);
    } finally {
      taken--;
    }
  },
};
