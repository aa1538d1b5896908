// Scoring and checking: a thin shell around one Go core per isolate. It reads the
// body, calls the core, and sends what the core says; it decides nothing else.
// core_js.go has the other side.
import { announced, early, failed, memoryLimit, read, start } from "./go.mjs";

let core = null;

const boot = () => start({ core: {} });

// warm runs the hot path, so that the engine has compiled it before a request comes.
function warm(core) {
  const text = new TextEncoder();
  const score = text.encode('{"trace":[{"name":"a","arguments":{"b":1}}],"reference":[{"name":"a","arguments":{"b":1}}]}');
  const check = text.encode('{"tool":"delete_a","arguments":{"b":1}}');
  for (let i = 0; i < 3; i++) {
    core.answer("POST", "/v1/score", "", score.length, score);
    core.answer("POST", "/v1/check", "", check.length, check);
  }
}

try {
  core = early(boot);
  warm(core);
} catch (e) {
  core = null; // a request may start it
  console.error("core: not started at module scope:", e);
}

// ready tells whether there is a core, and makes one when there is none.
export function ready() {
  try {
    core ??= boot();
  } catch (e) {
    console.error("core: not started:", e);
  }
  return core !== null;
}

// run gives the core to f, which must not wait.
export function run(f) {
  core ??= boot();
  const mine = core;
  try {
    const result = f(mine);
    if (mine.bytes() > memoryLimit) core = null;
    return result;
  } catch (e) {
    core = null;
    throw e;
  }
}

// size is how many bytes of memory the program has; it never gives any back.
export const size = () => core?.bytes() ?? 0;

// pairs reads header lines, of which there are only a few different texts.
const known = new Map();
function pairs(lines) {
  let headers = known.get(lines);
  if (!headers) {
    headers = lines.trimEnd().split("\n").map((line) => line.split(": ", 2));
    known.set(lines, headers);
  }
  return headers;
}

export async function answer(req, pathname) {
  const length = announced(req);
  const body = await read(req, length, core.limit);
  core ??= boot(); // another request may have given it away while this one read
  const mine = core;
  try {
    const [status, headers, bytes] = mine.answer(req.method, pathname, req.headers.get("content-encoding") ?? "", length, body);
    if (mine.bytes() > memoryLimit) core = null;
    return new Response(bytes, { status, headers: pairs(headers) });
  } catch (e) {
    core = null; // whatever happened inside, its state is not to be trusted
    return failed("core", e);
  }
}
