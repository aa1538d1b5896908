// The methods besides score: arrays and objects, lint, convert, explain, prompts,
// references, the evaluator; each with a worker and without one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, root } from "./build.mjs";

const MESSAGES = [
  { role: "user", content: "Cancel order 7, please." },
  { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "get_order", arguments: '{"order_id":7}' } }] },
  { role: "tool", tool_call_id: "1", content: '{"order_id":7,"status":"open"}' },
  { role: "assistant", content: null, tool_calls: [{ id: "2", type: "function", function: { name: "cancel_order", arguments: '{"order_id":7}' } }] },
  { role: "tool", tool_call_id: "2", content: "done" },
];
const REFERENCE = "steps:\n  - name: get_order   # a look first\n    arguments: {order_id: 7}\n  - name: cancel_order\n    arguments: {order_id: 7}\n";

let built;
const doors = {};

before(async () => {
  built = build();
  for (const door of ["index", "inline"]) {
    const npm = await import(new URL(`${door}.js`, built.url).href);
    doors[door] = { npm, client: await npm.open() };
  }
});
after(async () => {
  for (const { client } of Object.values(doors)) await client.close();
  built.remove();
});

for (const door of ["index", "inline"]) {
  const of = () => doors[door];

  test(`${door}: an array, an object, a text and bytes are one trace`, async () => {
    const { client } = of();
    const text = JSON.stringify(MESSAGES);
    const want = await client.score(text, { reference: REFERENCE });
    assert.equal(want.trajectories[0].flagged, false);
    for (const trace of [MESSAGES, Buffer.from(text)]) assert.deepEqual(await client.score(trace, { reference: REFERENCE }), want);
    const object = await client.score({ messages: MESSAGES }, { reference: { steps: ["cancel_order(order_id=7)"] }, profile: "sop" });
    assert.equal(object.trajectories[0].observed.length, 2);
    assert.deepEqual((await client.run(MESSAGES)).steps.map((s) => s.name), ["get_order", "cancel_order"]);
    await assert.rejects(client.score(42), TypeError);
    await assert.rejects(client.score(null), TypeError);
  });

  test(`${door}: the papers' parameters count, and one that is not known is refused`, async () => {
    const { client } = of();
    const score = (parameters) => client.score([{ name: "cancelOrder", arguments: { order_id: 7 } }], { reference: ["cancel_order(order_id=7)"], profile: "outcome", parameters });
    assert.equal((await score({})).trajectories[0].flagged, false);
    assert.equal((await score({ without: ["effect"], tau: 1 })).trajectories[0].flagged, true);
    await assert.rejects(score({ taw: 1 }), { code: "invalid-input", message: /taw/ });
    await assert.rejects(score({ tau: 2 }), { code: "invalid-input", message: /invalid value for the option tau: 2/ });
  });

  test(`${door}: an unknown option is refused, and the nearest named`, async () => {
    const { npm, client } = of();
    await assert.rejects(client.score([], { refrence: [] }), { code: "invalid-option", message: /unknown option "refrence" of score; did you mean "reference"\? The known options are timeout,/ });
    await assert.rejects(client.score([], { profle: "sop" }), /did you mean "profile"/);
    await assert.rejects(client.convert([], { form: "generic" }), /did you mean "from"/);
    await assert.rejects(client.lint([], { frobnicate: 1 }), { message: /^unknown option "frobnicate" of lint; the known options are/ });
    await assert.rejects(client.check({ tool: "x" }, { timout: 1 }), /did you mean "timeout"/);
    await assert.rejects(npm.open({ wsam: 1 }), /did you mean "wasm"/);
    assert.throws(() => npm.createEvaluator({ metrics: "gar" }), /did you mean "metric"/);
    assert.throws(() => npm.createEvaluator({ metric: "abs" }), /known metrics are within/);
    await assert.rejects(client.score([], null), /must be an object; got null/);
  });

  test(`${door}: an evaluator is green for exactly the runs that are known to be good`, async () => {
    const { npm, client } = of();
    const cases = JSON.parse(readFileSync(join(root, "testdata/doors/passed.json"), "utf8"));
    for (const metric of ["passed", "abs.max", "within", "abs.agent", "svr"]) {
      const evaluate = npm.createEvaluator({ metric, client });
      for (const { case: name, trace, reference, passed } of cases) {
        const { score, comment } = await evaluate({ outputs: trace, ...(reference ? { referenceOutputs: reference } : {}) });
        if (metric === "passed") assert.equal(score, passed, `${name}: ${comment}`);
        else if (!reference) assert.equal(score, passed === null ? null : Number(metric === "svr" ? !passed : passed), name);
        else if (passed === null) assert.equal(score, null, name);
        if (reference && passed === false && (metric === "within" || /^Recorded|No violation/.test(comment))) assert.notEqual(score, metric === "svr" ? 0 : 1, name);
        if (reference && metric === "abs.max") assert.equal(score === 1, passed === true, name);
        if (passed !== true) assert.doesNotMatch(comment, /^no violation|Probably fine/, name);
      }
    }
    for (const { case: name, trace, reference, figures } of JSON.parse(readFileSync(join(root, "testdata/doors/figures.json"), "utf8"))) {
      for (const [metric, want] of Object.entries(figures)) {
        const { score, comment } = await npm.createEvaluator({ metric, client })({ outputs: trace, ...(reference ? { referenceOutputs: reference } : {}) });
        assert.equal(score, want, `${name}, ${metric}: ${comment}`);
        assert.ok(comment, name);
      }
    }
    const joined = [{ messages: MESSAGES.slice(0, 3) }, { messages: MESSAGES }]; // perhaps two runs, and a step is missing
    const flagged = await npm.createEvaluator({ client })({ outputs: joined, referenceOutputs: ["refund_order"] });
    assert.equal(flagged.score, null);
    assert.match(flagged.comment, /2 rows were read as 1 run/);
  });

  test(`${door}: lint, convert, explain`, async () => {
    const { client } = of();
    const report = await client.lint(MESSAGES.slice(0, 1).concat(MESSAGES.slice(3)));
    assert.equal(report.trajectories[0].reference, null);
    assert.equal(typeof report.trajectories[0].verdict, "string");
    const tools = { tools: { cancel_order: "no" } };
    assert.equal((await client.lint(MESSAGES, { tools })).trajectories[0].observed[1].mutating, "no");
    const { text, format } = await client.convert(MESSAGES, { to: "generic" });
    assert.equal(format, "openai-chat");
    assert.equal(JSON.parse(text).trajectories[0].actions.length, 2);
    await assert.rejects(client.convert(MESSAGES, { to: "html" }), { code: "invalid-input", message: /want one of/ });
    assert.deepEqual((await client.explain("abs")).map((e) => e.kind), ["metric"]);
    assert.ok((await client.explain()).length > 60);
    await assert.rejects(client.explain("absent"), { code: "invalid-input" });
  });

  test(`${door}: a boundcheck.yaml`, async () => {
    const { npm, client } = of();
    const odd = { plan: [{ tool: "get_order", input: { id: 1 } }, { tool: "cancel_order", input: { id: 1 } }] };
    const config = "map: {calls: plan, name: tool, arguments: input}\nrules: [{off: repeated-write, paths: [old/*]}]\n";
    assert.equal((await client.score(odd)).input.format, "found-calls");
    const tools = { tools: { get_order: "yes" } };
    assert.equal((await client.score(odd, { config, tools })).trajectories[0].observed[0].mutating, "yes");
    const report = await client.score(odd, { reference: "cancel_order(id=1)", config });
    assert.deepEqual(report.trajectories[0].observed.map((a) => a.name), ["get_order", "cancel_order"]);
    assert.equal((await client.lint(odd, { config: { map: { calls: "plan", name: "tool" } } })).trajectories[0].observed.length, 2);
    assert.equal((await client.run(odd, "", { config })).steps.length, 2);
    assert.match((await client.newReference(odd, { config })).text, /name: cancel_order/);
    const calls = ["1", "2"].flatMap((id) => [{ role: "assistant", tool_calls: [{ id, type: "function", function: { name: "cancel_order", arguments: '{"id":7}' } }] }, { role: "tool", tool_call_id: id, content: "cancelled" }]);
    const twice = [{ role: "user", content: "Cancel order 7." }, ...calls];
    const found = async (file) => (await client.lint(twice, { config, file })).trajectories[0].violations.length;
    assert.equal(await found("old/a.json"), (await found("new/a.json")) - 1);
    await assert.rejects(client.score(odd, { config: "a: [" }), { code: "invalid-input", message: /invalid configuration: invalid YAML/ });
    await assert.rejects(client.lint(odd, { config: "rulez: []" }), /rulez: unknown member\. The known members are/);
    const mapped = await client.map(odd);
    assert.deepEqual(mapped, { map: { calls: "plan", name: "tool", arguments: "input" }, flag: "calls=plan,name=tool,arguments=input", calls: 2 });
    assert.equal((await client.score(odd, { config: { map: mapped.map } })).trajectories[0].observed.length, 2);
    await assert.rejects(client.map({ people: ["Ada"] }), { code: "invalid-input", message: /found no list of calls/ });
    const evaluate = npm.createEvaluator({ config, client });
    assert.equal((await evaluate({ outputs: odd, referenceOutputs: odd })).score, 1);
  });

  test(`${door}: prompts and references`, async () => {
    const { client } = of();
    const names = (await client.prompts()).map((t) => t.id);
    assert.ok(names.includes("ebp-full"), names);
    const { text } = await client.prompt("ebp-checklist", { tools: [{ name: "cancel_order", description: "Cancels an order." }], checks: ["The amount is confirmed."] });
    assert.match(text, /The amount is confirmed\.[^]*cancel_order/);
    await assert.rejects(client.prompt("ebp-full", { checkz: [] }), /checkz/);
    const made = await client.newReference(MESSAGES);
    assert.match(made.text, /^# Made by boundcheck reference new from trace 1 \(1 run\)\.[^]*name: cancel_order/);
    assert.deepEqual(await client.checkReference(made.text), [{ task: "", size: "2 steps" }]);
    assert.equal((await client.score(MESSAGES, { reference: made.text })).trajectories[0].flagged, false);
    const several = await client.newReference({ traces: [MESSAGES, MESSAGES.slice(0, 1).concat(MESSAGES.slice(3))] }, { format: "json", names: ["a.json", "b.json"] });
    assert.ok(JSON.parse(several.text).steps.some((s) => s.optional), several.text);
    await assert.rejects(client.checkReference("steps: 1"), { code: "invalid-input" });
  });

  test(`${door}: an evaluator`, async () => {
    const { npm } = of();
    const evaluate = npm.createEvaluator({ key: "bounds" });
    try {
      assert.deepEqual(await evaluate({ outputs: MESSAGES, referenceOutputs: REFERENCE }), { key: "bounds", score: 1, comment: "no violation" });
      assert.equal((await evaluate({ outputs: MESSAGES, referenceOutputs: MESSAGES })).score, 1, "a run that went well is a reference");
      const less = await evaluate({ inputs: {}, outputs: { messages: MESSAGES.slice(0, 3) }, referenceOutputs: REFERENCE });
      assert.ok(less.score < 1, less.comment);
      assert.match(less.comment, /under-action: .*cancel_order/);
      const bare = await evaluate({ outputs: MESSAGES });
      assert.equal(bare.score, 1);
      assert.match(bare.comment, /Probably fine|Cannot tell/);
      for (const nothing of [[], MESSAGES.slice(0, 1), [{ role: "assistant", content: "Done." }]]) {
        const unread = await evaluate({ outputs: nothing });
        assert.equal(unread.score, null);
        assert.match(unread.comment, /no action could be read/);
        assert.equal((await npm.createEvaluator({ metric: "passed", client: of().client })({ outputs: nothing })).score, null);
      }
      const rows = [{ messages: MESSAGES.slice(0, 3) }, { messages: MESSAGES }]; // the second continues the first, and nothing says that both are one run
      for (const metric of ["abs.max", "passed"])
        for (const referenceOutputs of [undefined, REFERENCE]) {
          const joined = await npm.createEvaluator({ metric, client: of().client })({ outputs: rows, referenceOutputs });
          assert.equal(joined.score, null, `${metric}, ${referenceOutputs}`);
          assert.match(joined.comment, /2 rows were read as 1 run/);
        }
      assert.equal((await evaluate({ outputs: MESSAGES.slice(0, 1), referenceOutputs: REFERENCE })).score, 0);
      for (const run of [{ outputs: MESSAGES, referenceOutputs: { nothing: 1 } }, ...[null, {}, "", "hello", 5, [1, 2]].map((outputs) => ({ outputs }))]) {
        const told = await evaluate(run);
        assert.equal(told.score, null, JSON.stringify(run));
        assert.match(told.comment, /^Cannot tell: /);
      }
      await assert.rejects(evaluate({ output: [] }), /outputs/);
    } finally {
      await evaluate.close();
    }
    const passed = npm.createEvaluator({ metric: "passed", reference: "cancel_order(order_id=8)", client: of().client });
    assert.equal((await passed({ outputs: MESSAGES })).score, false);
  });
}

test("inline: no thread is started, and a plugin runs there", async () => {
  const program = `
    import { syncBuiltinESMExports } from "node:module";
    import threads from "node:worker_threads";
    threads.Worker = class { constructor() { throw new Error("a thread"); } };
    syncBuiltinESMExports();
    const { open } = await import(${JSON.stringify(new URL("inline.js", built.url).href)});
    const client = await open();
    console.log((await client.score('[{"name":"a"}]')).trajectories.length);
    await client.close();
    await client.score([]).catch((e) => console.log(e.code));`;
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }), "1\nclosed\n");
  await assert.rejects(doors.inline.npm.open({ timeout: 5 }), /unknown option "timeout" of open of boundcheck\/inline/);
  const other = await doors.inline.npm.open();
  const same = readFileSync(join(root, "testdata/traces/tau-bench.json"));
  const bytes = await Promise.all([other, doors.index.client].map((c) => c.handleRaw("score", same)));
  assert.ok(Buffer.from(bytes[0]).equals(Buffer.from(bytes[1])));
  await other.close();
  assert.ok((await doors.inline.client.explain("gar")).length, "closing one leaves the other");
});

test("the programs of the README run", () => {
  const readme = readFileSync(join(root, "wasm/npm/README.md"), "utf8");
  const programs = [...readme.matchAll(/```js\n([^]*?)```/g)].map((m) => m[1].replace('from "boundcheck"', `from ${JSON.stringify(new URL("index.js", built.url).href)}`));
  assert.equal(programs.length, 2);
  const [first, second] = programs.map((p, i) => {
    const file = join(built.dir, `readme${i}.mjs`);
    writeFileSync(file, p);
    return execFileSync(process.execPath, [file], { encoding: "utf8" });
  });
  assert.match(first, /^1 of 1 runs broke a boundary\n[^]*cancel_order/);
  assert.match(second, /^boundcheck 0\.5 under-action: /);
});
