// The turns of parts in one isolate (worker/edge/turns.mjs), with a clock of the test.
import { beforeEach, test, mock } from "node:test";
import assert from "node:assert/strict";
import { open } from "../edge/busy.mjs";
import { compute, move } from "../edge/turns.mjs";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
globalThis.scheduler = { wait }; // as in workerd

let now = Date.parse("2026-01-01");
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: now += 60_000 });
});

// clock lets time pass until the promise is settled. It returns the promise's result and how
// many milliseconds have passed. Each millisecond, it calls event. Tests that last longer
// than ten seconds of this clock fail.
async function clock(promise, event = () => {}) {
  let settled = false;
  promise.catch(() => {}).finally(() => { settled = true; });
  let ms = 0;
  for (; !settled; ms++) {
    assert.ok(ms < 10_000, "nothing has happened for ten seconds");
    event();
    mock.timers.tick(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ms, result: await promise };
}

test("other events happen between two turns, whichever part computes", async () => {
  const events = [];
  const part = async (name) => { for (let i = 0; i < 5; i++) await compute(() => events.push(name)); };
  await clock(Promise.all([part("a"), part("b"), part("c")]), () => events.push("other"));
  const parts = events.filter((e) => e !== "other");
  assert.deepEqual(parts.toSorted().join(""), "aaaaabbbbbccccc");
  for (let i = 1; i < events.length; i++) assert.ok(events[i] === "other" || events[i - 1] === "other", `${events}`);
});

test("one part reads or writes at a time, while another one computes", async () => {
  let moves = 0;
  let most = 0;
  const one = () => move(async () => {
    most = Math.max(most, ++moves);
    await wait(10);
    moves--;
  });
  let computed = 0;
  await clock(Promise.all([one(), one(), one(), compute(() => { computed = moves; })]));
  assert.equal(most, 1);
  assert.equal(computed, 1);
});

test("work that throws ends its turn", async () => {
  await assert.rejects(clock(compute(() => { throw new Error("no"); })), /no/);
  await assert.rejects(clock(move(async () => { throw new Error("no"); })), /no/);
  const { ms, result } = await clock(Promise.all([compute(() => 1), move(async () => 2)]));
  assert.deepEqual(result, [1, 2]);
  assert.ok(ms < 10, `${ms} ms`);
});

test("a turn that never ends holds the others up for a second only", async () => {
  move(() => new Promise(() => {}));
  const { ms, result } = await clock(move(async () => 1));
  assert.equal(result, 1);
  assert.ok(ms >= 1000 && ms < 1100, `${ms} ms`);
});

test("an open request of the gate goes first, but not for ever", async () => {
  open.set(1, { begun: Date.now() });
  const first = compute(() => open.size);
  await clock(wait(20));
  open.delete(1);
  assert.equal((await clock(first)).result, 0); // it has waited for the request
  open.set(2, { begun: Date.now() });
  const { ms, result } = await clock(compute(() => open.size));
  assert.equal(result, 1); // this request stays open
  assert.ok(ms > 150 && ms < 250, `${ms} ms`);
  open.delete(2);
});
