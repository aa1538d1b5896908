// The turns of parts in one isolate (worker/edge/turns.mjs), in Node.
import { test } from "node:test";
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { open } from "../edge/busy.mjs";
import { compute, move } from "../edge/turns.mjs";

globalThis.scheduler ??= { wait: (ms) => wait(ms) }; // as in workerd

test("other events happen between two turns, whichever part computes", async () => {
  const events = [];
  const part = async (name) => { for (let i = 0; i < 5; i++) await compute(() => events.push(name)); };
  let on = true;
  const other = (async () => {
    while (on) {
      await new Promise((resolve) => setImmediate(resolve));
      if (events.at(-1) !== "other") events.push("other");
    }
  })();
  await Promise.all([part("a"), part("b"), part("c")]);
  on = false;
  await other;
  assert.equal(events.filter((e) => e !== "other").length, 15);
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
  const reads = Promise.all([one(), one(), one()]);
  await compute(() => { computed = moves; });
  await reads;
  assert.equal(most, 1);
  assert.equal(computed, 1);
});

test("work that throws ends its turn", async () => {
  const begun = performance.now();
  await assert.rejects(compute(() => { throw new Error("no"); }), /no/);
  await assert.rejects(move(async () => { throw new Error("no"); }), /no/);
  assert.equal(await compute(() => 1), 1);
  assert.equal(await move(async () => 2), 2);
  assert.ok(performance.now() - begun < 900);
});

test("a turn that never ends holds the others up for a second only", async () => {
  move(() => new Promise(() => {}));
  const begun = performance.now();
  assert.equal(await move(async () => 1), 1);
  const took = performance.now() - begun;
  assert.ok(took > 900 && took < 10_000, `${took} ms`);
});

test("an open request of the gate goes first, but not for ever", async () => {
  const begun = performance.now();
  open.set(1, { begun: Date.now() });
  const first = compute(() => open.size);
  await wait(20);
  open.delete(1);
  assert.equal(await first, 0); // it has waited for the request
  open.set(2, { begun: Date.now() });
  assert.equal(await compute(() => open.size), 1); // this request stays open
  open.delete(2);
  assert.ok(performance.now() - begun < 10_000);
});
