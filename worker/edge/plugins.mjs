// Plugins over HTTP: POST /v1/plugins/NAME accepts one request of the plugin ABI and
// returns the plugin's answer. The plugins run in a Worker of their own (plugins/), which
// can only be reached through this binding. This file checks who may use it.
import { findTenant } from "./keys.mjs";

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };

const errorResponse = (status, code, message, more) => new Response(JSON.stringify({ error: { code, message } }) + "\n", { status, headers: { ...headers, ...more } });

/** Whether this file answers a path. */
export const serves = (path) => path === "/v1/plugins" || path.startsWith("/v1/plugins/");

export async function answer(req, env) {
  if (!env.PLUGINS) return errorResponse(501, "not-set-up", "plugins are not set up here, because the binding PLUGINS is missing. See docs/deploy.md");
  if ((await findTenant(req, env)) === null) return errorResponse(401, "unauthorized", 'send a key of this gate in the header "Authorization: Bearer KEY"', { "www-authenticate": "Bearer" });
  const inner = new Request(req);
  inner.headers.delete("authorization"); // plugins must not see the key
  try {
    return await env.PLUGINS.fetch(inner);
  } catch (e) {
    console.error("plugins:", e);
    return errorResponse(503, "unavailable", "the plugins' Worker cannot be reached; try again", { "retry-after": "5" });
  }
}
