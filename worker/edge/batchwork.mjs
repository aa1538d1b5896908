// The work of the queue's consumer. A file is cut into parts of a fixed number of bytes,
// and the messages of all parts are sent at once. Each part is scored: the consumer finds
// the lines that begin in it. After the last part is scored, ids and lines are numbered
// through all parts, and the corpus figures are computed. Then the rows of each part are
// written, and then the batch is done.
//
// A queue delivers at least once and in any order, and a consumer may end at any time.
// Therefore every step is conditional on the state (batchstate.mjs), writes to an object
// of its own that counts only after its statement, and can be repeated at any time.
import * as core from "./core.mjs";
import { continueBatch, deleteObjects, failBatch, batchFolder, batchPace, partialKey, phases, randomId, rowsKey, states, summaryKey, createTables } from "./batchstate.mjs";
import { readQuota } from "./batchquota.mjs";
import { compute, move } from "./turns.mjs";

const peek = 64 << 10; // bytes to read after the end of a part at first, for its last line
const slice = 48 << 10; // bytes to pass to the core at once: a few milliseconds of its work
const newline = 10;

/** After so many failed attempts at a part, its remaining lines are given up. */
const patience = 100;

/** The largest number of lines of a batch. The data about them must fit into the memory of an isolate. */
const mostLines = 400_000;

/** A line that was scored alone is given up after it has ended its consumer so many times. */
const deaths = 3;

/** consumeMessages handles messages of the queue, all at the same time. */
export async function consumeMessages(batch, env) {
  await Promise.all(batch.messages.map(async (message) => {
    try {
      await createTables(env);
      const later = await handleMessage(message.body, env);
      if (later) message.retry({ delaySeconds: later });
      else message.ack();
    } catch (e) {
      console.error(`batch ${message.body?.batch}, ${message.body?.does} ${message.body?.part}, attempt ${message.attempts}:`, e);
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, 60) });
    }
  }));
}

// handleMessage does the work of a message. It returns the number of seconds after which
// the message must come again, or 0 if it is done. It ignores unknown messages, which an
// earlier version may have sent.
function handleMessage(m, env) {
  switch (m?.does) {
    case "score": return scorePart(m, env);
    case "order": return orderBatch(m, env);
    case "write": return writePart(m, env);
    case "close": return advanceBatch(m.batch, env);
  }
  return 0;
}

const selectBatch = (env, id) => env.BATCH_DB.prepare("SELECT * FROM batches WHERE id = ?").bind(id);

// claimPart reserves a part for this attempt, if the part is in the given state and its
// batch in the given phase. It returns the batch b, the part (undefined if it is not
// reserved), and the attempt's own token. If another attempt has the part, later is the
// number of seconds after which to ask again; otherwise it is 0.
async function claimPart(m, env, state, phase) {
  const token = randomId();
  const now = Date.now();
  const [got, of, at] = await env.BATCH_DB.batch([
    env.BATCH_DB.prepare(`UPDATE parts SET token = ?3, until = ?4, tries = tries + 1 WHERE batch = ?1 AND part = ?2 AND state = ?5 AND until <= ?6
      AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND phase = ?7) RETURNING *`).bind(m.batch, m.part, token, now + batchPace(env).lease, state, now, phase),
    selectBatch(env, m.batch),
    env.BATCH_DB.prepare("SELECT state, until FROM parts WHERE batch = ? AND part = ?").bind(m.batch, m.part),
  ]);
  const [b] = of.results;
  const [part] = got.results;
  const [held] = at.results;
  const waits = !part && b?.phase === phase && held?.state === state;
  return { b, part, token, later: waits ? Math.max(1, Math.ceil((held.until - now) / 1000)) : 0 };
}

// releasePart ends the reservation of a part after a failure that its lines did not
// cause. The attempt is not counted.
async function releasePart(env, c) {
  await env.BATCH_DB.prepare("UPDATE parts SET until = 0, trying = NULL, tries = tries - 1 WHERE batch = ?1 AND part = ?2 AND token = ?3")
    .bind(c.b.id, c.part.part, c.token).run().catch(() => {}); // otherwise the lease expires
}

// Gone is thrown when the file no longer exists or was replaced.
class Gone extends Error {}

// readFileRange reads a range of the file, which must be the same as when the batch was made.
async function readFileRange(b, env, at, length) {
  return move(async () => {
    const object = await env.TRACES.get(b.source, { range: { offset: at, length }, onlyIf: { etagMatches: b.etag } });
    if (!object?.body) throw new Gone();
    return new Uint8Array(await object.arrayBuffer());
  });
}

// readPartLines returns the text of the lines that begin in a part, without the last line break,
// or null if none begins there. If the last line is too long to be scored, the text ends
// before it and long is true. open means that the file ends without a line break.
async function readPartLines(b, part, env) {
  const from = part * b.size;
  const to = Math.min(from + b.size, b.bytes);
  const before = from ? from - 1 : 0; // the position of the text's first byte; a line begins after a line break
  let text = await readFileRange(b, env, before, Math.min(to + peek, b.bytes) - before);
  const first = from ? text.indexOf(newline) + 1 : 0;
  if (from && first === 0 || before + first >= to) return null;
  const last = to - 2 >= before ? text.lastIndexOf(newline, to - 2 - before) + 1 : 0; // the position where the last line begins
  for (let more = 4 * peek; ; more *= 4) {
    const end = text.indexOf(newline, Math.max(last, to - 1 - before));
    if (end >= 0) return { text: text.subarray(first, end), long: false };
    const have = before + text.length;
    if (have >= b.bytes) return { text: text.subarray(first), long: false, open: true };
    if (text.length - last > core.lineLimit()) return { text: last > first ? text.subarray(first, last - 1) : null, long: true };
    text = joinBytes([text, await readFileRange(b, env, have, Math.min(more, b.bytes - have))]);
  }
}

function joinBytes(list) {
  const all = new Uint8Array(list.reduce((size, one) => size + one.length, 0));
  let at = 0;
  for (const one of list) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

// lineRanges returns where each line begins and ends.
function lineRanges(text) {
  const all = [];
  for (let from = 0; text; ) {
    const to = text.indexOf(newline, from);
    all.push([from, to < 0 ? text.length : to]);
    if (to < 0) break;
    from = to + 1;
  }
  return all;
}

async function scorePart(m, env) {
  const c = await claimPart(m, env, states.open, phases.score);
  if (!c.part) return c.later || advanceBatch(m.batch, env);
  const { b, part, token } = c;
  let now;
  try {
    const found = await readPartLines(b, part.part, env);
    const places = lineRanges(found?.text);
    const breaks = places.length + (found?.long ? 1 : 0) - (found?.open ? 1 : 0);
    const made = await scoreLines(c, env, found, places, breaks);
    const key = `${batchFolder(b.tenant, b.id)}raw/${String(part.part).padStart(5, "0")}-${token}`;
    await move(() => env.TRACES.put(key, made.object));
    const ended = await changePart(b, env, env.BATCH_DB.prepare(`UPDATE parts SET state = 1, until = 0, tries = 0, trying = NULL, raw = ?4, head = ?5, starts = ?6, elements = ?7, errors = ?8, moved = ?9
      WHERE batch = ?1 AND part = ?2 AND state = 0 AND token = ?3 AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND phase = 0)`)
      .bind(b.id, part.part, token, key, made.head, breaks, made.elements, made.errors, Date.now()));
    now = ended.batch;
    if (!ended.changed) await deleteUnusedObject(b, part.part, key, env);
  } catch (e) {
    return handleFailure(c, e, env);
  }
  return beginPhase(now, env);
}

// changePart runs the statement that ends a step of a part. It reports whether the part has
// changed, and returns the batch as stored after it, if there is one.
async function changePart(b, env, statement) {
  const [{ meta }, { results: [batch] }] = await env.BATCH_DB.batch([statement, selectBatch(env, b.id)]);
  return { changed: meta.changes > 0, batch };
}

// deleteUnusedObject deletes the object with this key, unless the part uses it. The part
// does not use it if another attempt was faster or the batch was deleted. It does if only
// the answer to the statement was lost.
async function deleteUnusedObject(b, part, key, env) {
  const now = await env.BATCH_DB.prepare("SELECT raw FROM parts WHERE batch = ? AND part = ?").bind(b.id, part).first();
  if (now?.raw !== key) await env.TRACES.delete(key);
}

async function handleFailure(c, e, env) {
  if (e instanceof Lost) return 0;
  if (e instanceof Gone) {
    await failBatch(env, c.b, "the file was deleted or replaced before it was read to its end", readQuota(env).days);
    return 0;
  }
  await releasePart(env, c);
  throw e;
}

// scoreLines returns the object of a part: the core's index of its lines, and their results.
async function scoreLines(c, env, found, places, breaks) {
  const p = core.newPart(c.b.name, c.b.bytes, c.b.parts, c.part.part);
  const tails = [];
  try {
    const careful = c.part.tries > 1 ? new Careful(env, c, places.length) : null;
    for (const [from, to, lost] of careful ? careful.groups() : [[0, places.length]]) {
      if (lost) {
        p.refuse(from + 1, "gave-up", "this line could not be scored in several attempts. Score the line with the command boundcheck");
        continue;
      }
      await careful?.mark(from, to);
      for (let i = from; i < to;) {
        let j = i + 1;
        while (j < to && places[j][1] - places[i][0] <= slice) j++;
        const text = found.text.subarray(places[i][0], places[j - 1][1]);
        const line = i + 1;
        tails.push(await compute(() => core.addLines(p, text, line)));
        i = j;
      }
    }
    if (found?.long) p.refuse(places.length + 1, "too-large", core.tooLong());
    const [elements, errors] = p.counts();
    const index = p.index(breaks);
    return { object: joinBytes([index, ...tails]), head: index.length, elements, errors };
  } finally {
    p.end();
  }
}

// Lost is thrown by an attempt whose part another attempt has taken over.
class Lost extends Error {}

// Careful scores the lines of a part in groups if an earlier consumer ended while it
// scored them. Before each group it stores the group's range in the part's row. If the
// next attempt finds a range there, that group ended a consumer, and is split. A line
// that is alone in its group and ends its consumer repeatedly is given up, so that the
// other lines are scored.
class Careful {
  constructor(env, { b, part, token }, count) {
    Object.assign(this, { env, b, part, token, count });
    this.bad = new Set(JSON.parse(part.bad ?? "[]"));
    this.tried = JSON.parse(part.trying ?? "[0,0,0]");
    const [from, to, times] = this.tried;
    if (to - from === 1 && times >= deaths) this.bad.add(from);
    if (part.tries > patience) for (let i = 0; i < count; i++) this.bad.add(i);
  }

  groups() {
    const most = 16;
    const [from, to] = this.tried;
    const all = [];
    let i = 0;
    const run = (end, step) => {
      while (i < end) {
        let j = i;
        while (j < Math.min(end, i + step) && !this.bad.has(j)) j++;
        if (j > i) all.push([i, j]);
        else all.push([i, ++j, true]);
        i = j;
      }
    };
    const wide = Math.ceil(this.count / most);
    run(from, wide);
    run(to, Math.ceil((to - from) / most));
    run(this.count, wide);
    return all;
  }

  async mark(from, to) {
    const times = this.tried[0] === from && this.tried[1] === to ? this.tried[2] + 1 : 1;
    const leave = () => this.env.BATCH_DB.prepare("UPDATE parts SET trying = ?4, bad = ?5, until = ?6 WHERE batch = ?1 AND part = ?2 AND token = ?3")
      .bind(this.b.id, this.part.part, this.token, JSON.stringify([from, to, times]), JSON.stringify([...this.bad]), Date.now() + batchPace(this.env).lease).run();
    const { meta } = await leave().catch(leave).catch(leave);
    if (meta.changes === 0) throw new Lost();
  }
}

const advanceBatch = async (id, env) => beginPhase(await selectBatch(env, id).first(), env);

// beginPhase moves a batch to its next phase if all parts are scored, and ends the batch if
// all parts are written. Otherwise it changes nothing. The batch b is as stored now. It
// returns 0.
async function beginPhase(b, env) {
  if (b?.phase === phases.score && b.scored >= b.parts) {
    const { meta } = await env.BATCH_DB.prepare("UPDATE batches SET phase = 1, moved = ?2 WHERE id = ?1 AND phase = 0 AND scored >= parts").bind(b.id, Date.now()).run();
    if (meta.changes) await continueBatch(env, { ...b, phase: phases.order });
  }
  if (b?.phase === phases.write && b.written >= b.parts) {
    if (b.owned) await env.TRACES.delete(b.source);
    await deleteObjects(env, batchFolder(b.tenant, b.id) + "raw/");
    const now = Date.now();
    await env.BATCH_DB.prepare("UPDATE batches SET phase = 3, moved = ?2, finished = ?2, expires = ?3 WHERE id = ?1 AND phase = 2 AND written >= parts")
      .bind(b.id, now, now + readQuota(env).days * 86_400_000).run();
  }
  return 0;
}

// readAhead reads several objects at the same time, and yields them in order.
async function* readAhead(list, read, width = 5) {
  const waiting = [];
  for (let i = 0; i < list.length || waiting.length;) {
    while (i < list.length && waiting.length < width) {
      const one = read(list[i++]);
      one.catch(() => {}); // it is awaited below
      waiting.push(one);
    }
    yield await waiting.shift();
  }
}

// A file of blank lines has one row, an error, which the last part writes.
const nothing = [
  "UPDATE parts SET elements = 1, errors = 1 WHERE batch = ?1 AND part = (SELECT parts - 1 FROM batches WHERE id = ?1 AND phase = 1 AND token = ?2)",
  "UPDATE batches SET elements = 1, errors = 1 WHERE id = ?1 AND phase = 1 AND token = ?2",
];

// orderBatch numbers ids and lines through all parts, and computes the corpus figures.
async function orderBatch(m, env) {
  const token = randomId();
  const now = Date.now();
  const [got, of] = await env.BATCH_DB.batch([
    env.BATCH_DB.prepare("UPDATE batches SET token = ?2, until = ?3 WHERE id = ?1 AND phase = 1 AND until <= ?4 RETURNING id").bind(m.batch, token, now + 5 * batchPace(env).lease, now),
    selectBatch(env, m.batch),
  ]);
  const [b] = of.results;
  if (!got.results.length) return b?.phase === phases.order ? Math.max(1, Math.ceil((b.until - now) / 1000)) : 0;
  if (b.elements > mostLines) return giveUpBatch(b, `the batch has ${b.elements} lines, but the limit is ${mostLines}. Split the file at line breaks into several batches, and join their partial results with "boundcheck merge"`, env);
  const key = `${batchFolder(b.tenant, b.id)}raw/ids-${token}`;
  const program = core.run((c) => c.order());
  try {
    const { results: parts } = await env.BATCH_DB.prepare("SELECT part, raw, head, starts, elements FROM parts WHERE batch = ? ORDER BY part").bind(b.id).all();
    const ids = [];
    const places = [];
    let line = 0;
    let at = 0;
    let n = 0;
    for await (const index of readAhead(parts, (p) => readObject(env, p.raw, { offset: 0, length: p.head }))) {
      const { part, starts } = parts[n++];
      const list = await compute(() => core.run(() => program.add(index)));
      if (typeof list === "string") return await giveUpBatch(b, list, env);
      ids.push(list);
      places.push([part, line, at, list.length]);
      line += starts;
      at += list.length;
    }
    const summary = await compute(() => core.run(() => program.summary()));
    const partial = await compute(() => core.run(() => program.partial()));
    for (const text of [summary, partial]) if (typeof text === "string") return await giveUpBatch(b, text, env);
    await env.TRACES.put(key, joinBytes(ids));
    await env.TRACES.put(summaryKey(b), summary);
    await env.TRACES.put(partialKey(b), partial);
    await env.BATCH_DB.batch([
      env.BATCH_DB.prepare(`UPDATE parts SET line = j.line, ids_at = j.at, ids_bytes = j.bytes
        FROM (SELECT value ->> 0 AS part, value ->> 1 AS line, value ->> 2 AS at, value ->> 3 AS bytes FROM json_each(?2)) AS j
        WHERE parts.batch = ?1 AND parts.part = j.part AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND phase = 1 AND token = ?3)`).bind(b.id, JSON.stringify(places), token),
      ...(parts.some((p) => p.elements) ? [] : nothing.map((sql) => env.BATCH_DB.prepare(sql).bind(b.id, token))),
      env.BATCH_DB.prepare("UPDATE batches SET phase = 2, until = 0, ids = ?2, moved = ?3, pushes = 0 WHERE id = ?1 AND phase = 1 AND token = ?4").bind(b.id, key, Date.now(), token),
    ]);
  } catch (e) {
    await env.BATCH_DB.prepare("UPDATE batches SET until = 0 WHERE id = ?1 AND token = ?2 AND phase = 1").bind(b.id, token).run().catch(() => {});
    throw e;
  } finally {
    program.end();
  }
  const then = await selectBatch(env, b.id).first();
  if (then?.ids !== key) await env.TRACES.delete(key);
  else if (then.phase === phases.write) await continueBatch(env, then);
  return 0;
}

// giveUpBatch ends a batch as failed, because another attempt would fail for the same
// reason. It returns 0.
async function giveUpBatch(b, why, env) {
  await failBatch(env, b, why, readQuota(env).days);
  return 0;
}

// readObject reads an object of the batch, or a range of it.
async function readObject(env, key, range) {
  if (range?.length === 0) return new Uint8Array(0);
  const got = await env.TRACES.get(key, range && { range });
  if (!got) throw new Error(`the object ${key} is not there`);
  return new Uint8Array(await got.arrayBuffer());
}

// writePart writes the rows of a part.
async function writePart(m, env) {
  const c = await claimPart(m, env, states.scored, phases.write);
  if (!c.part) return c.later || advanceBatch(m.batch, env);
  const { b, part } = c;
  let now;
  try {
    const [raw, ids] = await Promise.all([move(() => readObject(env, part.raw)), readObject(env, b.ids, { offset: part.ids_at, length: part.ids_bytes })]);
    const rows = await compute(() => core.run((program) => program.rows(b.name, part.line, raw.subarray(0, part.head), ids, raw.subarray(part.head))));
    if (typeof rows === "string") throw new Error(rows);
    const text = [];
    try {
      for (let next; (next = await compute(() => core.run(() => rows.next(slice)))).length;) text.push(next);
    } finally {
      rows.end();
    }
    if (!text.length && part.elements) text.push(core.run((program) => program.empty(b.name, part.line + part.starts)));
    const all = joinBytes(text);
    if (all.length) await move(() => env.TRACES.put(rowsKey(b, part.part), all));
    const ended = await changePart(b, env, env.BATCH_DB.prepare(`UPDATE parts SET state = 2, until = 0, bytes = ?3, moved = ?4
      WHERE batch = ?1 AND part = ?2 AND state = 1 AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND phase = 2)`).bind(b.id, part.part, all.length, Date.now()));
    now = ended.batch;
    if (!ended.changed && (!now || now.phase > phases.done)) await env.TRACES.delete(rowsKey(b, part.part));
  } catch (e) {
    return handleFailure(c, e, env);
  }
  return beginPhase(now, env);
}
