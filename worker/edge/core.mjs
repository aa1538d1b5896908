// Scoring and checking: a thin shell around one Go core per isolate. It reads the body,
// calls the core, and sends the core's answer; it decides nothing else. core_js.go is the
// Go side of this file.
import { announced, early, failed, memoryLimit, read, start } from "./go.mjs";

let core = null;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const startCore = () => start({ core: {} });

// currentMemory returns the program's current memory. Its buffer changes when it grows.
function currentMemory(core) {
  const { buffer } = core.exports.mem;
  if (core.memory?.buffer !== buffer) core.memory = new Uint8Array(buffer);
  return core.memory;
}

// askCore copies a request into the core's memory, calls the core, and copies the answer out.
function askCore(core, { method, path, encoding = "", length }, body) {
  const head = `${method}\n${path}\n${encoding}\n${length}`;
  const longest = 3 * head.length; // the most bytes in UTF-8
  const places = core.exports.coreRoom(longest + body.length) >>> 0;
  const to = currentMemory(core);
  const [room] = new Uint32Array(to.buffer, places, 1);
  const { written } = encoder.encodeInto(head, to.subarray(room, room + longest));
  to.set(body, room + written);
  core.exports.coreAnswer(written, body.length);
  const { status, header, body: content } = readAnswer(core, places);
  return { status, headers: parseHeaders(decoder.decode(header)), body: content };
}

// readAnswer returns the answer that the program has left in its memory. The header is valid
// only until the next call.
function readAnswer(core, places) {
  const from = currentMemory(core);
  const [, status, header, headerLength, body, bodyLength] = new Uint32Array(from.buffer, places, 6);
  if (!status) throw new Error("the program ended");
  return { status, header: from.subarray(header, header + headerLength), body: from.slice(body, body + bodyLength) };
}

// addLines scores the lines of a part in the program that made the part. It returns the
// result of Part.Add.
export function addLines(part, text, line) {
  return run(() => {
    const core = part.core;
    const places = core.exports.partRoom(text.length) >>> 0;
    const to = currentMemory(core);
    const [room] = new Uint32Array(to.buffer, places, 1);
    to.set(text, room);
    core.exports.partAdd(part.number, line);
    return readAnswer(core, places).body;
  });
}

// newPart makes a part of a file (see NewPart in package batch).
export const newPart = (file, bytes, parts, part) => run((core) => Object.assign(core.part(file, bytes, parts, part), { core }));

// parseHeaders parses header lines. There are only a few different texts, so it caches
// the results.
const known = new Map();
function parseHeaders(lines) {
  let made = known.get(lines);
  if (!made) {
    made = new Headers(lines.trimEnd().split("\n").map((line) => line.split(": ", 2)));
    known.set(lines, made);
  }
  return made;
}

// warmCore runs the frequent paths, so that the engine compiles them before a request comes.
function warmCore(core) {
  const score = encoder.encode('{"trace":[{"name":"a","arguments":{"b":1}}],"reference":[{"name":"a","arguments":{"b":1}}]}');
  const check = encoder.encode('{"tool":"delete_a","arguments":{"b":1}}');
  for (let i = 0; i < 3; i++) {
    askCore(core, { method: "POST", path: "/v1/score", length: score.length }, score);
    askCore(core, { method: "POST", path: "/v1/check", length: check.length }, check);
  }
}

try {
  core = early(startCore);
  warmCore(core);
} catch (e) {
  core = null; // a request may start it later
  console.error("core: could not start while the module was loaded; the next request tries again:", e);
}

// ready reports whether there is a core, and tries to start one if there is none.
export function ready() {
  try {
    core ??= startCore();
  } catch (e) {
    console.error("core: not started:", e);
  }
  return core !== null;
}

// run returns the result of f, which it calls with the core. f must not be asynchronous.
// If f throws, or if the core's memory has grown over the limit, the next call starts a
// new core.
export function run(f) {
  core ??= startCore();
  const mine = core;
  try {
    const result = f(mine);
    if (mine.bytes() > memoryLimit) core = null;
    return result;
  } catch (e) {
    core = null; // its state cannot be trusted after an exception
    throw e;
  }
}

// lineLimit returns the longest line that a batch scores, in bytes. tooLong returns the
// message for a longer one.
export const lineLimit = () => run((c) => c.lineLimit);
export const tooLong = () => run((c) => c.tooLong);

// size returns the size of the program's memory in bytes. It never shrinks.
export const size = () => core?.bytes() ?? 0;

export async function answer(req, path) {
  const length = announced(req);
  const body = await read(req, length, core.limit);
  try {
    const { status, headers, body: bytes } = run((core) => askCore(core, { method: req.method, path, encoding: req.headers.get("content-encoding") ?? "", length }, body));
    return new Response(bytes, { status, headers });
  } catch (e) {
    return failed("core", e);
  }
}
