// Batches over HTTP: POST /v1/batches takes JSONL, or names a file in the bucket;
// GET /v1/batches/ID gives what is scored so far, and the corpus figures at the
// end. The work is done by the queue's consumer (batchwork.mjs). Only who holds a
// key of the gate may ask, and nobody sees another tenant's batches.
import { head, tables } from "./batchwork.mjs";
import { sha256, tenant } from "./keys.mjs";

// Bodies up to this size are taken; larger files go into the bucket first.
const bodyLimit = 90 << 20;
const pageLimit = 200;
// An answer holds whole results up to this size, and at least one.
const pageBytes = 4 << 20;

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };

const say = (status, body, more) => new Response(JSON.stringify(body) + "\n", { status, headers: { ...headers, ...more } });

class Refusal extends Error {
  constructor(status, code, message, more) {
    super(message);
    Object.assign(this, { status, code, more });
  }
}

export async function answer(req, env) {
  try {
    return await route(req, env);
  } catch (e) {
    if (e instanceof Refusal) return say(e.status, { error: { code: e.code, message: e.message } }, e.more);
    console.error("batches:", e);
    return say(503, { error: { code: "unavailable", message: "the batch store cannot be reached; try again" } }, { "retry-after": "5" });
  }
}

async function route(req, env) {
  const url = new URL(req.url);
  const missing = ["DB", "TRACES", "BATCHES"].filter((name) => !env[name]);
  if (missing.length) throw new Refusal(501, "not-set-up", `batches are not set up here: the binding ${missing.join(" and ")} is missing; docs/deploy.md says how`);
  const whose = await who(req, env);
  if (url.pathname === "/v1/batches") {
    if (req.method !== "POST") throw new Refusal(405, "unknown-method", `${url.pathname} takes POST, not ${req.method}`, { allow: "POST" });
    return take(req, env, whose);
  }
  const id = url.pathname.slice("/v1/batches/".length);
  if (!/^b_[0-9a-f]{32}$/.test(id)) throw unknown(id);
  if (req.method === "DELETE") return remove(env, whose, id);
  if (req.method !== "GET") throw new Refusal(405, "unknown-method", `${url.pathname} takes GET and DELETE, not ${req.method}`, { allow: "GET, DELETE" });
  return show(env, whose, id, url.searchParams);
}

const unknown = (id) => new Refusal(404, "unknown-batch", `no batch ${JSON.stringify(id.slice(0, 64))} of yours`);

const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, "0")).join("");

// who gives the tenant whose key came with the request, or refuses it.
async function who(req, env) {
  const whose = await tenant(req, env);
  if (whose === null) throw new Refusal(401, "unauthorized", "want Authorization: Bearer with a key of the gate", { "www-authenticate": "Bearer" });
  return whose;
}

// take stores what is to be scored and sets the queue going.
async function take(req, env, tenant) {
  const again = req.headers.get("idempotency-key");
  if (again !== null && !/^[\x21-\x7e]{1,255}$/.test(again)) throw new Refusal(400, "invalid-input", "invalid Idempotency-Key: want 1 to 255 printable characters");
  const id = "b_" + (again === null ? hex(crypto.getRandomValues(new Uint8Array(16))) : (await sha256(JSON.stringify([tenant, again]))).slice(0, 32));
  const source = await stored(req, env, tenant);
  await tables(env);
  const made = await env.DB.prepare("INSERT OR IGNORE INTO batches (id, tenant, source, owned, bytes, etag, created) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .bind(id, tenant, source.key, source.owned ? 1 : 0, source.bytes, source.etag, Date.now()).run();
  const location = { location: `/v1/batches/${id}` };
  if (made.meta.changes === 0) { // the same key came before
    const first = await env.DB.prepare("SELECT source, bytes, etag FROM batches WHERE id = ? AND tenant = ?").bind(id, tenant).first();
    if (source.owned) await env.TRACES.delete(source.key);
    if (!first || first.bytes !== source.bytes || first.etag !== source.etag) throw new Refusal(422, "key-reused", "this Idempotency-Key came with another body before");
    return say(202, { id, status: "queued", bytes: source.bytes, url: location.location }, location);
  }
  try {
    await env.BATCHES.send({ batch: id, part: "split", at: 0, row: 1 });
  } catch (e) {
    await env.DB.prepare("DELETE FROM batches WHERE id = ?").bind(id).run();
    if (source.owned) await env.TRACES.delete(source.key);
    throw e;
  }
  return say(202, { id, status: "queued", bytes: source.bytes, url: location.location }, location);
}

// stored gives the object that holds the lines: the body, put into the bucket, or
// the file that {"key": …} names, which must lie under the tenant's own name.
async function stored(req, env, tenant) {
  const type = (req.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/json") return named(req, env, tenant);
  const length = Number(req.headers.get("content-length") ?? NaN);
  if (Number.isNaN(length)) throw new Refusal(411, "length-required", "want a Content-Length");
  if (length > bodyLimit) throw new Refusal(413, "too-large", `the body is over the limit of ${bodyLimit} bytes; put the file into the bucket and send {"key": …} as application/json`);
  if (!req.body || length === 0) throw new Refusal(400, "invalid-input", "the body is empty; want JSONL, one trajectory a line");
  const key = `${tenant}/batches/${hex(crypto.getRandomValues(new Uint8Array(16)))}.jsonl`;
  const object = await env.TRACES.put(key, req.body);
  const source = { key, owned: true, bytes: object.size, etag: object.etag };
  await linesOnly(env, source);
  return source;
}

async function named(req, env, tenant) {
  let body;
  try {
    body = JSON.parse(await req.text());
  } catch {
    body = null;
  }
  const key = body?.key;
  if (typeof key !== "string" || Object.keys(body).length !== 1) throw new Refusal(400, "invalid-input", 'want {"key": "a file in the bucket"} as application/json, or JSONL as application/x-ndjson');
  if (!key.startsWith(tenant + "/") || key.includes("..")) throw new Refusal(403, "forbidden", `the file must lie under ${tenant}/`);
  const object = await env.TRACES.head(key);
  if (!object) throw new Refusal(404, "unknown-file", `no file ${JSON.stringify(key.slice(0, 256))} in the bucket`);
  const source = { key, owned: false, bytes: object.size, etag: object.etag };
  await linesOnly(env, source);
  return source;
}

// linesOnly refuses a list that is laid out over many lines: each of them would be
// an error of its own.
async function linesOnly(env, source) {
  const first = (await head(env, source)).trimStart().split("\n", 1)[0].trimEnd();
  if (/^\[\s*\{?$/.test(first)) {
    if (source.owned) await env.TRACES.delete(source.key);
    throw new Refusal(400, "invalid-input", "this is a list over several lines; want JSONL, one trajectory a line (jq -c '.[]' makes it)");
  }
}

async function find(env, tenant, id) {
  await tables(env);
  const batch = await env.DB.prepare("SELECT * FROM batches WHERE id = ? AND tenant = ?").bind(id, tenant).first();
  if (!batch) throw unknown(id);
  return batch;
}

async function show(env, tenant, id, query) {
  const limit = Number(query.get("limit") ?? 50);
  const [row, n] = (query.get("after") ?? "0.0").split(".").map(Number);
  if (!Number.isInteger(limit) || limit < 0 || limit > pageLimit || !Number.isInteger(row) || !Number.isInteger(n)) throw new Refusal(400, "invalid-input", `want limit=0 to ${pageLimit} and after=ROW.N as "next" gives it`);
  const batch = await find(env, tenant, id);
  const { results } = await env.DB.prepare("SELECT row, n, body FROM batch_results WHERE batch = ?1 AND (row, n) > (?2, ?3) ORDER BY row, n LIMIT ?4")
    .bind(id, row, n, limit + 1).all();
  const page = [];
  let size = 0;
  for (const r of results.slice(0, limit)) {
    if (page.length && (size += r.body.length) > pageBytes) break;
    page.push(r);
  }
  const last = page.at(-1);
  const more = page.length < results.length;
  const state = {
    id, status: status(batch), bytes: batch.bytes, lines: batch.total, done: batch.done, errors: batch.errors,
    ...(batch.failure && { failure: batch.failure }), created: batch.created, finished: batch.finished,
  };
  // Results and figures are JSON texts already, and go out as they were scored.
  const text = JSON.stringify(state).slice(0, -1) + `,"corpus":${batch.corpus ?? "null"},"next":${more && last ? `"${last.row}.${last.n}"` : "null"},"results":[` +
    page.map((r) => `{"row":${r.row},"n":${r.n},${r.body.slice(1)}`).join(",") + "]}\n";
  return new Response(text, { status: 200, headers });
}

function status(batch) {
  if (batch.failure) return "failed";
  if (batch.corpus) return "done";
  return batch.done || batch.total !== null ? "running" : "queued";
}

async function remove(env, tenant, id) {
  const batch = await find(env, tenant, id);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM batches WHERE id = ?").bind(id),
    env.DB.prepare("DELETE FROM batch_results WHERE batch = ?").bind(id),
  ]);
  if (batch.owned) await env.TRACES.delete(batch.source);
  return new Response(null, { status: 204, headers });
}
