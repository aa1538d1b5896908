// The plugins' Worker: the JavaScript host with its metered modules as static imports. It
// can only be reached through a service binding; plugins.mjs of the main Worker checks
// who may use it. The clock does not advance here while a plugin computes, so a plugin is
// stopped by the amount of work that plugins/meter counts.
import { PluginError, load } from "./host.mjs";
import { openAPIDocument } from "./openapi.mjs";
import prompts from "./prompts.wasm";

const MODULES = { prompts };
const LIMIT = 1 << 20; // bytes of a request and of an answer
const OPTIONS = { maxAnswer: LIMIT, maxPages: 1024, work: 2048 }; // 2³³ ticks take some seconds; an answer takes milliseconds

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };
const bodyResponse = (status, body, more) => new Response(body, { status, headers: { ...headers, ...more } });
const jsonResponse = (status, value, more) => bodyResponse(status, JSON.stringify(value) + "\n", more);
const errorResponse = (status, code, message, more) => jsonResponse(status, { error: { code, message } }, more);

const plugins = new Map();

// loadedPlugin returns a loaded plugin. If loading fails, the next request tries again.
function loadedPlugin(name) {
  if (!plugins.has(name)) plugins.set(name, load(name, MODULES[name], OPTIONS));
  return plugins.get(name);
}

for (const name of Object.keys(MODULES)) {
  try {
    loadedPlugin(name); // at module scope, where time does not count
  } catch (e) {
    console.error("plugins:", e);
  }
}

export default {
  async fetch(req) {
    try {
      return await routeRequest(req, new URL(req.url).pathname);
    } catch (e) {
      if (e instanceof PluginError) return errorResponse(e.code === "deadline" ? 504 : 502, e.code, e.message);
      console.error("plugins:", e);
      return errorResponse(500, "internal", "the plugin host stopped. Please report this error together with the request");
    }
  },
};

async function routeRequest(req, path) {
  const wrong = (allow) => errorResponse(405, "unknown-method", `${path} takes ${allow}, not ${req.method}`, { allow });
  if (path === "/v1/plugins/openapi.json") return req.method === "GET" ? jsonResponse(200, openAPIDocument(Object.keys(MODULES), LIMIT)) : wrong("GET");
  if (path === "/v1/plugins") return req.method === "GET" ? jsonResponse(200, { plugins: Object.keys(MODULES).map(describePlugin) }) : wrong("GET");
  const name = path.slice("/v1/plugins/".length);
  if (!Object.hasOwn(MODULES, name)) return errorResponse(404, "unknown-plugin", `there is no plugin ${JSON.stringify(name.slice(0, 64))}. The plugins are ${Object.keys(MODULES).join(", ")}`);
  if (req.method !== "POST") return wrong("POST");
  return askPlugin(loadedPlugin(name), name, req);
}

/** describePlugin returns a plugin's description, or the reason why it cannot be used. */
function describePlugin(name) {
  try {
    return loadedPlugin(name).description;
  } catch ({ code = "internal", message }) {
    return { name, error: { code, message } };
  }
}

async function askPlugin({ description: { operations }, invoke }, name, req) {
  if ((req.headers.get("content-encoding") ?? "identity") !== "identity") return errorResponse(415, "invalid-input", "the body is compressed; send it uncompressed");
  const body = await readBody(req);
  if (!body) return errorResponse(413, "too-large", `the body is over the limit of ${LIMIT} bytes`);
  const { op, why } = parseOperation(body);
  if (why) return errorResponse(400, "invalid-input", why);
  if (!operations.includes(op)) return errorResponse(400, "op-not-described", `plugin ${JSON.stringify(name)}: unknown operation ${JSON.stringify(op.slice(0, 64))}; the plugin offers ${operations.join(", ")}`);
  const answer = invoke(body);
  return bodyResponse(JSON.parse(new TextDecoder().decode(answer)).error ? 422 : 200, answer);
}

/** readBody returns the body, or null if it is over the limit. */
async function readBody(req) {
  if (Number(req.headers.get("content-length") ?? 0) > LIMIT) return null;
  const parts = [];
  let size = 0;
  for await (const part of req.body ?? []) {
    if ((size += part.length) > LIMIT) return null;
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** parseOperation returns a request's operation as op, or why there is none. The plugin gets the bytes unchanged. */
function parseOperation(body) {
  let request;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (e) {
    return { why: `the body is not JSON in UTF-8: ${e.message}` };
  }
  const op = request?.op;
  return typeof op === "string" ? { op } : { why: 'the request has no "op"; want {"op": "describe"} or another operation of plugins/ABI.md' };
}
