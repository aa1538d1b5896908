// Batches over HTTP. POST /v1/batches accepts JSONL, or the name of a file in the bucket.
// GET /v1/batches/ID returns the progress, and at the end the figures and rows. The
// queue's consumer does the work (batchwork.mjs). A request needs a key of the gate, and
// a tenant sees only its own batches.
import { continueBatch, batchFolder, batchPace, partialKey, phases, randomId, removeBatch, rowsKey, summaryKey, sweepBatches, createTables } from "./batchstate.mjs";
import { BadQuota, readQuota } from "./batchquota.mjs";
import { sha256, findTenant } from "./keys.mjs";

// The largest body. Larger files must be put into the bucket first.
const bodyLimit = 90 << 20;
const pageLimit = 200;
// The largest size of the rows in one answer. An answer has at least one row.
const pageBytes = 4 << 20;

// A part is small enough for the memory of an isolate. It is large enough to be worth its
// statements and objects, which take as long as the scoring of fifty lines in local
// workerd. The number of parts is limited, because the last step reads something of each.
// Tests set BATCH_PART.
const smallestPart = (env) => env.BATCH_PART ?? 1 << 20;
const largest = 8 << 20;
const usualParts = 16;
const partLimit = 4096;

const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };

const jsonResponse = (status, body, more) => new Response(JSON.stringify(body) + "\n", { status, headers: { ...headers, ...more } });

class Refusal extends Error {
  constructor(status, code, message, more) {
    super(message);
    Object.assign(this, { status, code, more });
  }
}

export async function answer(req, env) {
  try {
    return await routeRequest(req, env);
  } catch (e) {
    if (e instanceof Refusal) return jsonResponse(e.status, { error: { code: e.code, message: e.message } }, e.more);
    console.error("batches:", e);
    if (e instanceof BadQuota) return jsonResponse(503, { error: { code: "unavailable", message: "the setting BOUNDCHECK_BATCHES is invalid, so batches cannot be used. See the Worker's log and docs/deploy.md" } });
    return away();
  }
}

/** The answer when a store of the batches cannot be reached. */
export const away = () => jsonResponse(503, { error: { code: "unavailable", message: "the batch store cannot be reached; try again" } }, { "retry-after": "5" });

/** keep continues batches that make no progress, and deletes expired ones. The cron trigger calls it. */
export async function keep(env) {
  if (env.BATCH_DB && env.TRACES && env.BATCHES) await sweepBatches(env, readQuota(env).days).catch((e) => console.error("batches:", e));
}

async function routeRequest(req, env) {
  const url = new URL(req.url);
  const missing = ["BATCH_DB", "TRACES", "BATCHES"].filter((name) => !env[name]);
  if (missing.length) throw new Refusal(501, "not-set-up", `batches are not set up here, because the binding ${missing.join(" and ")} is missing. See docs/deploy.md`);
  const whose = await requireTenant(req, env);
  await createTables(env);
  const [, id, rest] = /^\/v1\/batches(?:\/([^/]*))?(\/.*)?$/.exec(url.pathname);
  if (id === undefined) {
    if (req.method === "GET") return listBatches(env, whose);
    if (req.method === "DELETE") return removeAll(env, whose);
    if (req.method !== "POST") throw new Refusal(405, "unknown-method", `${url.pathname} takes POST, GET and DELETE, not ${req.method}`, { allow: "POST, GET, DELETE" });
    return createBatch(req, env, whose);
  }
  if (!/^b_[0-9a-f]{32}$/.test(id) || !["", "/results", "/partial"].includes(rest ?? "")) throw unknownBatch(id + (rest ?? ""));
  if (req.method !== "GET" && (rest || req.method !== "DELETE")) throw new Refusal(405, "unknown-method", `${url.pathname} takes ${rest ? "GET" : "GET and DELETE"}, not ${req.method}`, { allow: rest ? "GET" : "GET, DELETE" });
  const b = await findBatch(env, whose, id);
  if (rest === "/results") return sendRows(env, b);
  if (rest) return sendPartial(env, b);
  if (req.method === "GET") return showBatch(env, b, url.searchParams);
  await removeBatch(env, b);
  return new Response(null, { status: 204, headers });
}

const unknownBatch = (id) => new Refusal(404, "unknown-batch", `you have no batch with the id ${JSON.stringify(id.slice(0, 64))}`);

// requireTenant returns the tenant of the request's key, or refuses the request.
async function requireTenant(req, env) {
  const whose = await findTenant(req, env);
  if (whose === null) throw new Refusal(401, "unauthorized", 'send a key of this gate in the header "Authorization: Bearer KEY"', { "www-authenticate": "Bearer" });
  return whose;
}

async function findBatch(env, tenant, id) {
  const batch = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE id = ? AND tenant = ? AND phase < 5").bind(id, tenant).first();
  if (!batch) throw unknownBatch(id);
  return batch;
}

// stored is the size of a tenant's batches in the bucket, and running the number that
// have not ended.
const used = `SELECT coalesce(sum(stored + CASE WHEN owned AND phase < 3 THEN bytes ELSE 0 END), 0) AS stored, coalesce(sum(phase < 3), 0) AS running
  FROM batches WHERE tenant = ?1 AND phase < 5`;

// checkQuota refuses a new batch that exceeds the quota.
function checkQuota(quota, now, bytes) {
  if (now.running >= quota.running) throw new Refusal(429, "too-many-batches", `${now.running} batches are running, and at most ${quota.running} may run at the same time`, { "retry-after": "30" });
  if (now.stored + bytes > quota.bytes) throw new Refusal(507, "no-room", `${now.stored} bytes are stored and this batch needs ${bytes} more, but the limit is ${quota.bytes}. DELETE batches that you no longer need`);
}

// createBatch stores the lines to score and sends the messages of all parts.
async function createBatch(req, env, tenant) {
  const again = req.headers.get("idempotency-key");
  if (again !== null && !/^[\x21-\x7e]{1,255}$/.test(again)) throw new Refusal(400, "invalid-input", "the header Idempotency-Key must have 1 to 255 printable characters");
  const id = "b_" + (again === null ? randomId() : (await sha256(JSON.stringify([tenant, again]))).slice(0, 32));
  const limits = readQuota(env);
  const first = again === null ? null : await env.BATCH_DB.prepare("SELECT * FROM batches WHERE id = ?").bind(id).first();
  if (!first) checkQuota(limits, await env.BATCH_DB.prepare(used).bind(tenant).first(), Number(req.headers.get("content-length") ?? 0));
  const source = await receiveSource(req, env, tenant, id);
  try {
    if (first) return await answerRepeat(env, id, source);
    const size = Math.min(Math.max(Math.ceil(source.bytes / usualParts), smallestPart(env)), largest);
    const parts = Math.ceil(source.bytes / size);
    if (parts > partLimit) throw new Refusal(413, "too-large", `the file has ${source.bytes} bytes, but a batch can have at most ${partLimit * largest}. Split the file at a line break`);
    const now = Date.now();
    const [made] = await env.BATCH_DB.batch([
      env.BATCH_DB.prepare(`INSERT OR IGNORE INTO batches (id, tenant, source, owned, name, bytes, etag, size, parts, created, moved)
        SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10 WHERE (SELECT running FROM (${used})) < ?11`)
        .bind(tenant, id, source.key, source.owned ? 1 : 0, source.name, source.bytes, source.etag, size, parts, now, limits.running),
      env.BATCH_DB.prepare(`INSERT OR IGNORE INTO parts (batch, part) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
        SELECT ?1, i FROM n WHERE EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND source = ?3 AND parts = ?2)`).bind(id, parts, source.key),
    ]);
    if (made.meta.changes === 0) {
      if (again === null || !await env.BATCH_DB.prepare("SELECT id FROM batches WHERE id = ?").bind(id).first()) checkQuota(limits, { running: limits.running, stored: 0 }, 0);
      return await answerRepeat(env, id, source);
    }
    const b = await findBatch(env, tenant, id);
    // The sweeper sends what cannot be sent now.
    await continueBatch(env, b).catch((e) => console.error(`batch ${id}: not sent yet:`, e));
    return jsonResponse(202, batchBrief(b), { location: `/v1/batches/${id}` });
  } catch (e) {
    if (source.owned) await discardSource(env, id, source);
    throw e;
  }
}

// answerRepeat answers a POST whose Idempotency-Key was used before, with the present state
// of that batch. If the batch makes no progress, its messages are sent again.
async function answerRepeat(env, id, source) {
  const b = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE id = ?").bind(id).first();
  if (source.owned) await discardSource(env, id, source);
  if (b.phase === phases.deleted) throw new Refusal(409, "deleted", "the batch of this Idempotency-Key was deleted; take another key");
  if (b.bytes !== source.bytes || b.etag !== source.etag) throw new Refusal(422, "key-reused", "this Idempotency-Key was already used with another body");
  const now = Date.now();
  if (b.phase < phases.done && now - Math.max(b.moved, b.sent) >= batchPace(env).idle / 4) await continueBatch(env, b, now);
  return jsonResponse(b.phase < phases.done ? 202 : 200, batchBrief(b), { location: `/v1/batches/${id}` });
}

// discardSource deletes a body that belongs to no batch.
async function discardSource(env, id, source) {
  const b = await env.BATCH_DB.prepare("SELECT source FROM batches WHERE id = ?").bind(id).first();
  if (b?.source !== source.key) await env.TRACES.delete(source.key);
}

// receiveSource returns the object with the lines: the body, which it puts into the bucket, or
// the file that {"key": …} names, whose key must begin with the tenant's name.
async function receiveSource(req, env, tenant, id) {
  const type = (req.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/json") return findNamedSource(req, env, tenant);
  const length = Number(req.headers.get("content-length") ?? NaN);
  if (Number.isNaN(length)) throw new Refusal(411, "length-required", "the request needs the header Content-Length with the size of the body in bytes");
  if (length > bodyLimit) throw new Refusal(413, "too-large", `the body is over the limit of ${bodyLimit} bytes. Put the file into the bucket, and send {"key": …} as application/json`);
  if (!req.body || length === 0) throw new Refusal(400, "invalid-input", "the body is empty. Send JSONL with one trajectory per line");
  const key = `${batchFolder(tenant, id)}input-${randomId()}.jsonl`;
  const object = await env.TRACES.put(key, req.body);
  const source = { key, owned: true, name: "-", bytes: object.size, etag: object.etag };
  await linesOnly(env, source);
  return source;
}

async function findNamedSource(req, env, tenant) {
  let body;
  try {
    body = JSON.parse(await req.text());
  } catch {
    body = null;
  }
  const key = body?.key;
  if (typeof key !== "string" || Object.keys(body).length !== 1) throw new Refusal(400, "invalid-input", 'want {"key": "a file in the bucket"} as application/json, or JSONL as application/x-ndjson');
  if (!key.startsWith(tenant + "/") || key.includes("..") || key.startsWith(`${tenant}/batches/`)) throw new Refusal(403, "forbidden", `the file must be in the folder ${tenant}/, but not in ${tenant}/batches/`);
  const object = await env.TRACES.head(key);
  if (!object) throw new Refusal(404, "unknown-file", `no file ${JSON.stringify(key.slice(0, 256))} in the bucket`);
  if (object.size === 0) throw new Refusal(400, "invalid-input", "the file is empty. Use JSONL with one trajectory per line");
  const source = { key, owned: false, name: key, bytes: object.size, etag: object.etag };
  await linesOnly(env, source);
  return source;
}

// linesOnly refuses files that are not JSONL: compressed files, and a list or an object
// that spans many lines, each of which would be an error.
async function linesOnly(env, source) {
  const object = await env.TRACES.get(source.key, { range: { offset: 0, length: Math.min(1024, source.bytes) } });
  const head = object ? new Uint8Array(await object.arrayBuffer()) : new Uint8Array(0);
  const first = new TextDecoder().decode(head).trimStart().split("\n", 1)[0].trimEnd();
  let why = "";
  if (head[0] === 0x1f && head[1] === 0x8b) why = "the lines are compressed with gzip. Send JSONL without compression, so that parts of it can be read";
  else if (/^\[\s*\{?$|^\{$/.test(first)) why = "this is JSON over several lines. Send JSONL with one trajectory per line, for example made with jq -c '.[]'";
  if (!why) return;
  if (source.owned) await env.TRACES.delete(source.key);
  throw new Refusal(400, "invalid-input", why);
}

function batchStatus(b) {
  if (b.phase === phases.failed) return "failed";
  if (b.phase === phases.done) return "done";
  return b.scored ? "running" : "queued";
}

const batchBrief = (b) => ({ id: b.id, status: batchStatus(b), bytes: b.bytes, url: `/v1/batches/${b.id}` });

const batchDetails = (b) => ({
  ...batchBrief(b), name: b.name, lines: b.phase === phases.score || b.phase === phases.failed ? null : b.elements, done: b.elements, errors: b.errors,
  parts: { all: b.parts, scored: b.scored, written: b.written }, stored: b.stored + (b.owned && b.phase < phases.done ? b.bytes : 0),
  ...(b.failure && { failure: b.failure }), created: b.created, finished: b.finished, expires: b.expires,
});

async function listBatches(env, tenant) {
  const { results } = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE tenant = ? AND phase < 5 ORDER BY created DESC LIMIT 1000").bind(tenant).all();
  const { stored, running } = await env.BATCH_DB.prepare(used).bind(tenant).first();
  return jsonResponse(200, { stored, running, quota: readQuota(env), batches: results.map(batchDetails) });
}

async function removeAll(env, tenant) {
  const { results } = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE tenant = ? AND phase < 5 ORDER BY created LIMIT 50").bind(tenant).all();
  for (const b of results) await removeBatch(env, b);
  const left = await env.BATCH_DB.prepare("SELECT count(*) AS n FROM batches WHERE tenant = ? AND phase < 5").bind(tenant).first();
  return left.n ? jsonResponse(202, { left: left.n }) : new Response(null, { status: 204, headers });
}

const decoder = new TextDecoder();

// readPage returns at most limit rows, as texts, from the byte at in the given part on.
// next is the position after them, "PART.BYTE", or null after the last row.
async function readPage(env, b, part, at, limit) {
  const { results } = await env.BATCH_DB.prepare("SELECT part, bytes FROM parts WHERE batch = ? AND part >= ? AND bytes > 0 ORDER BY part").bind(b.id, part).all();
  const list = [];
  let room = pageBytes;
  for (const p of results) {
    let offset = p.part === part ? at : 0;
    while (offset < p.bytes) {
      if (list.length >= limit || room <= 0) return { list, next: `${p.part}.${offset}` };
      const text = await readPiece(env, b, p, offset, Math.max(room, 64 << 10));
      let from = 0;
      for (let to; list.length < limit && (from === 0 && !list.length || from < room) && (to = text.indexOf(10, from)) >= 0; from = to + 1) list.push(decoder.decode(text.subarray(from, to)));
      offset += from;
      room -= from;
    }
  }
  return { list, next: null };
}

// readPiece returns length bytes of a part's rows from offset on. If no row ends within
// them, it returns all bytes from offset on.
async function readPiece(env, b, { part, bytes }, offset, length) {
  const read = async (range) => new Uint8Array(await (await env.TRACES.get(rowsKey(b, part), { range })).arrayBuffer());
  const text = await read({ offset, length: Math.min(length, bytes - offset) });
  return text.includes(10) ? text : read({ offset, length: bytes - offset });
}

async function showBatch(env, b, query) {
  const limit = Number(query.get("limit") ?? 50);
  const [part, at] = (query.get("after") ?? "0.0").split(".").map(Number);
  if (!Number.isInteger(limit) || limit < 0 || limit > pageLimit || !(part >= 0) || !(at >= 0)) throw new Refusal(400, "invalid-input", `limit must be a number from 0 to ${pageLimit}, and after must be a value of "next"`);
  const done = b.phase === phases.done;
  const { list, next } = done && limit ? await readPage(env, b, part, at, limit) : { list: [], next: done && b.elements ? `${part}.${at}` : null };
  const summary = done ? await (await env.TRACES.get(summaryKey(b))).json() : null;
  // Rows are already JSON texts and are sent unchanged.
  const text = JSON.stringify({ ...batchDetails(b), corpus: summary?.corpus ?? null, warnings: summary?.warnings ?? [], next }).slice(0, -1) + `,"results":[${list.join(",")}]}\n`;
  return new Response(text, { status: 200, headers });
}

const requireDone = (b) => {
  if (b.phase !== phases.done) throw new Refusal(409, "not-done", `the batch is ${batchStatus(b)}. The result is available when the batch is done`);
};

// sendPartial returns the tallies of all parts, in the format of "score --stream --partial".
async function sendPartial(env, b) {
  requireDone(b);
  const object = await env.TRACES.get(partialKey(b));
  return new Response(object.body, { status: 200, headers: { ...headers, "content-type": "application/octet-stream" } });
}

// sendRows returns all rows and the last line, in the format of "score --stream".
async function sendRows(env, b) {
  requireDone(b);
  const { results } = await env.BATCH_DB.prepare("SELECT part FROM parts WHERE batch = ? AND bytes > 0 ORDER BY part").bind(b.id).all();
  const { readable, writable } = new IdentityTransformStream();
  (async () => {
    for (const key of [...results.map(({ part }) => rowsKey(b, part)), summaryKey(b)]) {
      const object = await env.TRACES.get(key);
      if (!object) throw new Error(`the object ${key} is not there`);
      await object.body.pipeTo(writable, { preventClose: true });
    }
    await writable.close();
  })().catch((e) => writable.abort(e).catch(() => {}));
  return new Response(readable, { status: 200, headers: { ...headers, "content-type": "application/x-ndjson; charset=utf-8" } });
}
