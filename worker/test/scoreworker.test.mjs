// /v1/score in a Worker of its own (wrangler.scores.jsonc): two Workers in two workerd
// processes, as the platform runs them in two isolates. A check beside the heaviest scores
// must not wait for them.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { buildBatches, buildWorker, configured, missing, root, scoreConfig, scratch, start } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : false;
let place, scores, main;

async function serve(name, from, entry, env = {}) {
  const args = [join(root, "worker/bench/workerd.mjs"), from, entry, join(place.dir, name)];
  return start(process.execPath, args, { ready: /workerd is at (\S+)/, env: { VARS: "{}", ...env } });
}

before(async () => {
  if (skip) return;
  place = scratch();
  scores = await serve("scores", scoreConfig, join(dirname(buildBatches(place.dir)), "scoreshell.mjs"));
  main = await serve("main", configured(place), buildWorker(place.dir), { SCORES: scores.url });
}, { timeout: 600_000 });

after(async () => {
  await main?.stop();
  await scores?.stop();
  place?.remove();
});

const post = (path, body, { url } = main) => fetch(`http://${url}${path}`, { method: "POST", body });

// heavy returns a body of about 400 kB whose score takes seconds: thousands of calls with
// names of their own, and as many aliases.
function heavy(n = 4000) {
  const each = (f) => Array.from({ length: n }, (_, i) => f(i));
  const run = each((i) => ({ name: `tool${i}`, arguments: { id: 1 } }));
  return JSON.stringify({ trace: run, reference: { steps: each((i) => ({ name: `other${i}`, arguments: { id: 1 } })), aliases: each((i) => [`tool${i}`, `other${i}`]) }, profile: "sop" });
}

const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function check() {
  const begun = performance.now();
  const response = await post("/v1/check", '{"tool":"cancel_order","arguments":{"order_id":"W-1"}}');
  assert.equal(response.status, 200, await response.text());
  return performance.now() - begun;
}

test("two Workers: a score is answered at the main address, with the same bytes", { skip, timeout: 600_000 }, async () => {
  const body = readFileSync(join(root, "testdata/cases/abb-scope-creep.json"));
  const [forwarded, direct] = await Promise.all([post("/v1/score", body), post("/v1/score", body, scores)]);
  assert.equal(forwarded.status, 200);
  const text = await forwarded.text();
  assert.equal(text, await direct.text());
  assert.match(text, /"trajectories":/);
  assert.equal((await post("/v1/check", "{}", scores)).status, 404, "the Worker for scores has nothing else");
});

test("two Workers: a check does not wait for a heavy score", { skip, timeout: 600_000 }, async (t) => {
  for (let i = 0; i < 20; i++) await check();
  let least = Infinity, waited = 1;
  for (let tries = 0; tries < 4 && (least > 3 || waited > 1 / 2); tries++) { // the machine may be busy
    const quiet = [], beside = [];
    for (let i = 0; i < 60; i++) quiet.push(await check());
    let done = false;
    const begun = performance.now();
    const score = post("/v1/score", heavy()).finally(() => { done = true; });
    while (!done) beside.push(await check());
    const response = await score;
    assert.equal(response.status, 200, await response.text());
    const took = performance.now() - begun, longest = Math.max(...beside);
    assert.ok(beside.length > 20, `${beside.length} checks beside a score of ${took} ms`);
    waited = Math.min(waited, longest / took);
    least = Math.min(least, middle(beside) / middle(quiet));
    t.diagnostic(`a score of ${took.toFixed(0)} ms; a check takes ${middle(quiet).toFixed(2)} ms, beside it ${middle(beside).toFixed(2)}, at most ${longest.toFixed(1)}`);
  }
  assert.ok(least <= 3, `a check beside a score takes ${least} times as long`);
  assert.ok(waited <= 1 / 2, `the slowest check waits for ${waited} of the score's time`);
});

// How many bodies come before the first is scored depends on the platform, so a stub stands
// for the program.
test("the Worker for scores refuses a ninth request, and a program that does not start", async () => {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-scores-"));
  copyFileSync(join(root, "worker/edge/scoreshell.mjs"), join(dir, "scoreshell.mjs"));
  writeFileSync(join(dir, "core.mjs"), `export const state = { up: true, waiting: [] };
export const ready = () => state.up;
export const answer = () => new Promise((done) => state.waiting.push(() => done(new Response("scored"))));`);
  try {
    const { default: shell } = await import(pathToFileURL(join(dir, "scoreshell.mjs")));
    const { state } = await import(pathToFileURL(join(dir, "core.mjs")));
    const ask = () => shell.fetch(new Request("http://scores/v1/score", { method: "POST", body: "{}" }));
    const first = Array.from({ length: 8 }, ask);
    const ninth = await ask();
    assert.deepEqual([ninth.status, ninth.headers.get("retry-after"), (await ninth.json()).error.code], [503, "5", "busy"]);
    for (const end of state.waiting) end();
    assert.deepEqual((await Promise.all(first)).map((r) => r.status), Array(8).fill(200));
    const later = ask();
    state.waiting.at(-1)();
    assert.equal((await later).status, 200, "later there is room");
    state.up = false;
    assert.equal((await (await ask()).json()).error.code, "unavailable");
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("two Workers: a Worker for scores that is gone is said", { skip, timeout: 600_000 }, async () => {
  await scores.stop();
  const response = await post("/v1/score", "{}");
  assert.equal(response.status, 503);
  assert.equal((await response.json()).error.code, "unavailable");
  await check();
});
