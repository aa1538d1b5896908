// What the queue's consumer does with a batch: cut the file into lines, score
// them, and make the corpus figures when the last one has its result.
//
// A queue delivers at least once, in any order. So every part is a function of its
// message alone, and doing one again changes nothing: lines lie where they lay,
// the core gives the same bytes, and a result that stands is not written again.
import * as core from "./core.mjs";

const lineLimit = 4 << 20; // as in worker/batch
const window = lineLimit + (1 << 20); // bytes that are cut into lines at once
const partLines = 32;
const partBytes = 256 << 10;
const statementBytes = 1 << 20; // of one value that goes to the database

const schema = [
  `CREATE TABLE IF NOT EXISTS batches (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, source TEXT NOT NULL, owned INTEGER NOT NULL, bytes INTEGER NOT NULL, etag TEXT NOT NULL,
    created INTEGER NOT NULL, finished INTEGER, total INTEGER, done INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0,
    corpus TEXT, failure TEXT) STRICT`,
  `CREATE TABLE IF NOT EXISTS batch_results (
    batch TEXT NOT NULL, row INTEGER NOT NULL, n INTEGER NOT NULL, summary TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (batch, row, n)) STRICT, WITHOUT ROWID`,
  // Counts what was really inserted, so that nothing counts twice.
  `CREATE TRIGGER IF NOT EXISTS batch_done AFTER INSERT ON batch_results WHEN NEW.n = 0 BEGIN
    UPDATE batches SET done = done + 1, errors = errors + (NEW.summary = '') WHERE id = NEW.batch; END`,
];

let made = null;

/** tables makes the tables, once in an isolate. */
export async function tables(env) {
  if (made === env.DB) return;
  await env.DB.batch(schema.map((sql) => env.DB.prepare(sql)));
  made = env.DB;
}

/** head gives the first bytes of a batch's file as text. */
export async function head(env, source) {
  const object = await env.TRACES.get(source.key, { range: { offset: 0, length: 1024 } });
  return object ? await object.text() : "";
}

/** consume takes messages of the queue, and those that it gave up on. */
export async function consume(batch, env) {
  const dead = batch.queue.endsWith("-dead");
  for (const message of batch.messages) {
    try {
      await tables(env);
      const of = await env.DB.prepare("SELECT * FROM batches WHERE id = ?").bind(message.body.batch).first();
      if (of && !of.failure) await (dead ? giveUp : work)(message.body, of, env, message.attempts); // else it was deleted
      message.ack();
    } catch (e) {
      console.error(`batch ${message.body?.batch}, ${message.body?.part}, attempt ${message.attempts}:`, e);
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, 60) });
    }
  }
}

function work(m, of, env, attempts) {
  switch (m.part) {
    case "split": return split(m, of, env);
    case "lines": return score(m, of, env, attempts);
    case "finish": return finish(of, env);
  }
  throw new Error("unknown part");
}

// bytes reads a part of the file as it was when the batch was made.
async function bytes(of, env, at, length) {
  const object = await env.TRACES.get(of.source, { range: { offset: at, length }, onlyIf: { etagMatches: of.etag } });
  if (!object?.body) throw new Error("the file is gone or is another one");
  return new Uint8Array(await object.arrayBuffer());
}

const newline = 10;
const blank = (line) => line.every((b) => b === 32 || b === 9 || b === 13);

// split cuts a window of the file into messages of a few lines each, and leaves
// the rest to the next message. rows count lines, from 1; skip is for the rest of
// a line that is too long.
async function split(m, of, env) {
  const text = m.at < of.bytes ? await bytes(of, env, m.at, Math.min(window, of.bytes - m.at)) : new Uint8Array(0);
  const ends = m.at + text.length >= of.bytes;
  let { row } = m;
  let seen = m.lines ?? 0; // lines that are not blank, before this window
  let from = 0;
  let skip = m.skip ?? false;
  const parts = [];
  let part = null;
  for (;;) {
    let to = text.indexOf(newline, from);
    if (to < 0 && !ends) break;
    if (to < 0) to = text.length;
    if (from >= text.length && ends) break;
    const line = text.subarray(from, to);
    if (skip) {
      skip = false;
    } else if (!blank(line)) {
      if (!part || part.rows.length >= partLines || to - part.from > partBytes) parts.push(part = { from, rows: [] });
      part.rows.push(row - m.row);
      part.to = to;
      seen++;
    }
    row++;
    from = to + 1;
  }
  const sends = parts.map((p) => ({ batch: of.id, part: "lines", from: m.at + p.from, to: m.at + p.to, row: m.row, rows: p.rows }));
  if (!ends && from === 0) { // no line ends in the window
    if (!skip) {
      await keep(env, of.id, [tooLong(row)]);
      seen++;
    }
    from = text.length;
    skip = true;
  }
  if (!ends) sends.push({ batch: of.id, part: "split", at: m.at + Math.min(from, text.length), row, lines: seen, skip });
  await sendAll(env, sends);
  if (ends) {
    await env.DB.prepare("UPDATE batches SET total = ? WHERE id = ? AND total IS NULL").bind(seen, of.id).run();
    await whenDone(of.id, env);
  }
}

const tooLong = (row) => ({ row, n: 0, summary: "", body: failure("too-large", `a line of more than ${lineLimit} bytes; score it with the command`) });

const failure = (code, message) => JSON.stringify({ error: { code, message } });

async function sendAll(env, bodies) {
  for (let i = 0; i < bodies.length; i += 100) await env.BATCHES.sendBatch(bodies.slice(i, i + 100).map((body) => ({ body })));
}

// score scores the lines of a message. One that failed before is taken apart first,
// so that a line that cannot be scored takes no other along.
async function score(m, of, env, attempts) {
  const text = await bytes(of, env, m.from, m.to - m.from);
  if (attempts > 1 && m.rows.length > 1) return sendAll(env, alone(m, text, of.id));
  const found = JSON.parse(core.run((c) => c.batch(text)));
  const first = m.row + m.rows[0];
  await keep(env, of.id, found.map((r) => ({ row: first + r.line, n: r.n, summary: r.summary, body: r.body })));
  await whenDone(of.id, env);
}

// alone gives each line of a message one of its own.
function alone(m, text, batch) {
  const lines = [];
  let row = m.rows[0];
  for (let from = 0; from <= text.length;) {
    let to = text.indexOf(newline, from);
    if (to < 0) to = text.length;
    if (m.rows.includes(row)) lines.push({ batch, part: "lines", from: m.from + from, to: m.from + to, row: m.row, rows: [row] });
    row++;
    from = to + 1;
  }
  return lines;
}

// keep writes results that are not there yet, those of a line all or none.
async function keep(env, id, results) {
  const lists = [[]];
  let size = 0;
  for (const r of results) {
    if (size && (size += r.body.length + r.summary.length) > statementBytes) {
      lists.push([]);
      size = r.body.length;
    }
    size ||= r.body.length;
    lists.at(-1).push(r);
  }
  const insert = `INSERT OR IGNORE INTO batch_results (batch, row, n, summary, body)
    SELECT ?1, value ->> 'row', value ->> 'n', value ->> 'summary', value ->> 'body' FROM json_each(?2) WHERE EXISTS (SELECT 1 FROM batches WHERE id = ?1)`;
  await env.DB.batch(lists.map((list) => env.DB.prepare(insert).bind(id, JSON.stringify(list))));
}

async function whenDone(id, env) {
  const b = await env.DB.prepare("SELECT total, done, corpus FROM batches WHERE id = ?").bind(id).first();
  if (b && b.total !== null && b.done >= b.total && b.corpus === null) await env.BATCHES.send({ batch: id, part: "finish" });
}

// finish makes the corpus figures from all results, in the order of the lines.
async function finish(of, env) {
  const tally = core.run((c) => c.tally());
  try {
    for (let row = 0, n = 0; ;) {
      const { results } = await env.DB.prepare("SELECT row, n, summary FROM batch_results WHERE batch = ?1 AND (row, n) > (?2, ?3) ORDER BY row, n LIMIT 500").bind(of.id, row, n).all();
      if (!results.length) break;
      ({ row, n } = results.at(-1));
      const error = tally.add("[" + results.map((r) => r.summary).filter(Boolean).join(",") + "]");
      if (error) throw new Error(error);
    }
    await env.DB.prepare("UPDATE batches SET corpus = ?, finished = ? WHERE id = ? AND corpus IS NULL").bind(tally.corpus(), Date.now(), of.id).run();
  } finally {
    tally.end();
  }
  if (of.owned) await env.TRACES.delete(of.source);
}

// giveUp is for messages that failed too often: their lines get an error, so that
// the batch comes to its end; where the file could not be cut there is no end.
async function giveUp(m, of, env) {
  if (m.part === "lines") {
    const body = failure("gave-up", "this line could not be scored, however often it was tried; score it with the command");
    await keep(env, of.id, m.rows.map((r) => ({ row: m.row + r, n: 0, summary: "", body })));
    return whenDone(of.id, env);
  }
  const why = m.part === "split" ? "the file could not be read to its end: it is gone, or was replaced by another" : "the corpus figures could not be made";
  await env.DB.prepare("UPDATE batches SET failure = ?, finished = ? WHERE id = ?").bind(why, Date.now(), of.id).run();
}
