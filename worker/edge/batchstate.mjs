// The state of batches: one row for each batch and one for each of its parts, in a
// database of their own (BATCH_DB). Results are never stored there; they are in the
// bucket, below batchFolder().
//
// A part goes from scored to written, and a batch through the phases. Each step is one
// conditional statement, so a message that is late, repeated or out of order finds its
// step already done and changes nothing.

/** The phases of a batch. A deleted batch stays for a while, so that late messages find it. */
export const phases = { score: 0, order: 1, write: 2, done: 3, failed: 4, deleted: 5 };

/** The states of a part. */
export const states = { open: 0, scored: 1, written: 2 };

/**
 * Returns three times in ms: lease, for which an attempt has a part to itself; idle, after
 * which a batch without progress gets its messages again; and stale, after which it fails.
 */
export const batchPace = (env) => env.BATCH_PACE ?? { lease: 60_000, idle: 60_000, stale: 86_400_000 };

const schema = [
  `CREATE TABLE IF NOT EXISTS batches (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, source TEXT NOT NULL, owned INTEGER NOT NULL, name TEXT NOT NULL,
    bytes INTEGER NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL, parts INTEGER NOT NULL,
    phase INTEGER NOT NULL DEFAULT 0, scored INTEGER NOT NULL DEFAULT 0, written INTEGER NOT NULL DEFAULT 0,
    elements INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0, stored INTEGER NOT NULL DEFAULT 0,
    token TEXT NOT NULL DEFAULT '', until INTEGER NOT NULL DEFAULT 0, ids TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL, moved INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0, pushes INTEGER NOT NULL DEFAULT 0,
    finished INTEGER, expires INTEGER, swept INTEGER NOT NULL DEFAULT 0, failure TEXT) STRICT`,
  "CREATE INDEX IF NOT EXISTS batches_tenant ON batches (tenant, created)",
  "CREATE INDEX IF NOT EXISTS batches_open ON batches (moved) WHERE phase < 3",
  "CREATE INDEX IF NOT EXISTS batches_unswept ON batches (finished) WHERE swept = 0",
  "CREATE INDEX IF NOT EXISTS batches_expire ON batches (expires) WHERE expires IS NOT NULL",
  `CREATE TABLE IF NOT EXISTS parts (
    batch TEXT NOT NULL, part INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,
    token TEXT NOT NULL DEFAULT '', until INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0, trying TEXT, bad TEXT,
    raw TEXT NOT NULL DEFAULT '', head INTEGER NOT NULL DEFAULT 0, starts INTEGER NOT NULL DEFAULT 0,
    elements INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0,
    line INTEGER NOT NULL DEFAULT 0, ids_at INTEGER NOT NULL DEFAULT 0, ids_bytes INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (batch, part)) STRICT, WITHOUT ROWID`,
  // Counts only real changes, so that nothing counts twice.
  `CREATE TRIGGER IF NOT EXISTS part_scored AFTER UPDATE OF state ON parts WHEN OLD.state = 0 AND NEW.state = 1 BEGIN
    UPDATE batches SET scored = scored + 1, elements = elements + NEW.elements, errors = errors + NEW.errors, moved = NEW.moved, pushes = 0
    WHERE id = NEW.batch; END`,
  `CREATE TRIGGER IF NOT EXISTS part_written AFTER UPDATE OF state ON parts WHEN OLD.state = 1 AND NEW.state = 2 BEGIN
    UPDATE batches SET written = written + 1, stored = stored + NEW.bytes, moved = NEW.moved, pushes = 0 WHERE id = NEW.batch; END`,
];

let made = null;

/** createTables creates the tables, once per isolate. */
export async function createTables(env) {
  if (made === env.BATCH_DB) return;
  await env.BATCH_DB.batch(schema.map((sql) => env.BATCH_DB.prepare(sql)));
  made = env.BATCH_DB;
}

/** The folder of everything that belongs to a batch. */
export const batchFolder = (tenant, id) => `${tenant}/batches/${id}/`;

/** The key of a part's rows in the bucket. Keys sort in the order of the parts. */
export const rowsKey = (b, part) => `${batchFolder(b.tenant, b.id)}rows/${String(part).padStart(5, "0")}.jsonl`;

export const summaryKey = (b) => `${batchFolder(b.tenant, b.id)}summary.json`;

/** The tallies of all parts, for "boundcheck merge". */
export const partialKey = (b) => `${batchFolder(b.tenant, b.id)}partial.tally`;

/** Returns a random id. */
export const randomId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** sendMessages puts messages into the queue. */
async function sendMessages(env, bodies) {
  for (let i = 0; i < bodies.length; i += 100) await env.BATCHES.sendBatch(bodies.slice(i, i + 100).map((body) => ({ body })));
}

/**
 * continueBatch sends the messages that a batch needs to continue: one for each part that is
 * not done yet and that no attempt has reserved.
 */
export async function continueBatch(env, b, now = Date.now()) {
  await env.BATCH_DB.prepare("UPDATE batches SET sent = ?2, pushes = pushes + 1 WHERE id = ?1").bind(b.id, now).run();
  if (b.phase === phases.order) return sendMessages(env, [{ batch: b.id, part: -1, does: "order" }]);
  const { results } = await env.BATCH_DB.prepare("SELECT part FROM parts WHERE batch = ?1 AND state = ?2 AND until <= ?3 ORDER BY part")
    .bind(b.id, b.phase === phases.score ? states.open : states.scored, now).all();
  const does = b.phase === phases.score ? "score" : "write";
  const bodies = results.map(({ part }) => ({ batch: b.id, part, does }));
  // If all parts are done, only the closing step is left.
  if (b.scored >= b.parts && b.phase === phases.score || b.written >= b.parts) bodies.push({ batch: b.id, part: -1, does: "close" });
  await sendMessages(env, bodies);
}

/** deleteObjects deletes the objects with a prefix, and reports whether all of them are gone. */
export async function deleteObjects(env, prefix, calls = 50) {
  for (; calls > 0; calls--) {
    const { objects, truncated } = await env.TRACES.list({ prefix, limit: 1000 });
    if (objects.length) await env.TRACES.delete(objects.map((o) => o.key));
    if (!truncated) return true;
  }
  return false;
}

/** removeBatch deletes a batch and everything that it stored. Its row stays for a while, for late messages. */
export async function removeBatch(env, b, now = Date.now()) {
  await env.BATCH_DB.prepare("UPDATE batches SET phase = ?2, expires = ?3 WHERE id = ?1").bind(b.id, phases.deleted, now + 2 * batchPace(env).lease).run();
  if (b.owned) await env.TRACES.delete(b.source);
  const gone = await deleteObjects(env, batchFolder(b.tenant, b.id));
  if (gone) await env.BATCH_DB.prepare("DELETE FROM parts WHERE batch = ?").bind(b.id).run();
}

/** failBatch ends a batch with a reason. A batch that has already ended does not change. */
export async function failBatch(env, b, why, days, now = Date.now()) {
  await env.BATCH_DB.prepare("UPDATE batches SET phase = ?2, failure = ?3, finished = ?4, expires = ?5 WHERE id = ?1 AND phase < 3")
    .bind(b.id, phases.failed, why, now, now + days * 86_400_000).run();
}

/**
 * sweepBatches sends the messages of batches without progress again, fails batches that made
 * none for a long time, and deletes expired batches. The cron trigger calls it.
 */
export async function sweepBatches(env, days, now = Date.now()) {
  const { lease, idle, stale } = batchPace(env);
  await createTables(env);
  const open = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE phase < 3 AND max(moved, sent) <= ?1 - ?2 * (1 << max(0, min(pushes, 5) - 1)) ORDER BY moved LIMIT 20")
    .bind(now, idle).all();
  for (const b of open.results) {
    if (now - b.moved > stale) await failBatch(env, b, "the batch made no progress for a day. See the Worker's log for the cause", days, now);
    else await continueBatch(env, b, now);
  }
  const over = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE expires <= ?1 ORDER BY expires LIMIT 20").bind(now).all();
  for (const b of over.results) {
    if (b.phase !== phases.deleted) await removeBatch(env, b, now);
    else if (await deleteObjects(env, batchFolder(b.tenant, b.id))) await env.BATCH_DB.batch(["DELETE FROM parts WHERE batch = ?", "DELETE FROM batches WHERE id = ?"].map((sql) => env.BATCH_DB.prepare(sql).bind(b.id)));
  }
  // Objects that a late consumer has left behind for batches that are done.
  const done = await env.BATCH_DB.prepare("SELECT * FROM batches WHERE swept = 0 AND finished <= ?1 LIMIT 20").bind(now - 2 * lease).all();
  for (const b of done.results) {
    if (b.phase === phases.failed && b.owned) await env.TRACES.delete(b.source);
    if (await deleteObjects(env, batchFolder(b.tenant, b.id) + "raw/")) await env.BATCH_DB.prepare("UPDATE batches SET swept = 1 WHERE id = ?").bind(b.id).run();
  }
}
