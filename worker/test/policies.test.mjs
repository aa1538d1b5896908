// The policies of worker/gate/testdata/policies with their histories, at the gate on D1 in
// real workerd, and limits under parallel claims. Every approval, claim and outcome is one of the API; the probe stops the
// Worker's clock at the time of each call. One workerd decides all of them: each policy begins a new
// instance of the gate's program. The native tests decide the same files (worker/gate/policies_test.go).
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommand } from "../../test/command.mjs";
import { gate, hash } from "./gated.mjs";
import { buildWorker, migrate, missing, root, scratch } from "./processes.mjs";

const skip = missing();
if (skip) console.error(`\n*** SKIPPED: the policies on D1: ${skip}\n`);

const testdata = join(root, "worker", "gate", "testdata");
// Of the policies in members, those whose rules ask the rows in the most ways.
const policies = readdirSync(join(testdata, "policies")).filter((name) => name.endsWith(".yaml")).map((name) => join("policies", name)).concat(join("members", "invoices.yaml"), join("members", "servers.yaml"));
const historyOf = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const keyOf = (tenant, name) => `${tenant}-${name}-key-0123456789abcdef01`;

describe("policies on D1", { skip: skip || false, timeout: 1_800_000 }, () => {
  let place, command, g;
  before(async () => {
    place = scratch();
    command = join(place.dir, "boundcheck");
    buildCommand(command);
    const state = mkdtempSync(join(place.dir, "state-"));
    migrate(place, state);
    g = await gate(buildWorker(place.dir), place, state);
  }, { timeout: 600_000 });
  after(async () => {
    await g?.stop();
    place?.remove();
  });

  // replay decides histories at one gate, each as the history of a tenant of its own.
  async function replay(policy, histories) {
    const keys = [];
    for (const [tenant, calls] of Object.entries(histories)) {
      const add = (role, name) => keys.push(`${tenant} ${role} ${name} ${hash(keyOf(tenant, name))}`);
      for (const name of new Set(calls.map((c) => c.agent))) add("agent", name);
      for (const name of ["ann", "ben"]) add("approver", name);
    }
    await g.begin({ BOUNDCHECK_POLICY: policy, BOUNDCHECK_KEYS: keys.join("\n") });
    for (const [tenant, calls] of Object.entries(histories)) {
      for (const [i, c] of calls.entries()) await carry(g, `${tenant}, call ${i + 1}: ${c.tool} ${JSON.stringify(c.arguments)}`, tenant, c);
    }
  }

  // carry proposes a call, compares the decision, and carries the call on.
  async function carry(g, name, tenant, c) {
    const key = keyOf(tenant, c.agent);
    await g.probe("clock", { at: Date.parse(c.at) });
    const a = await g.propose(JSON.stringify({ tool: c.tool, arguments: c.arguments }), key);
    const people = a.body.approvals ?? 0;
    const got = a.body.decision === "confirm" ? (people ? "hold" : "allow") : a.body.decision;
    if (c.expect) assert.equal(got, c.expect, `${name}: ${a.text}`);
    if (c.people) assert.equal(people, c.people, `${name}: ${a.text}`);
    const { id, digest } = a.body;
    if (c.rule) assert.ok((a.text + (id ? (await g.look(id, "", key)).text : "")).includes(c.rule), `${name}: no ${c.rule} in ${a.text}`);
    for (const who of ["ann", "ben"].slice(0, c.approve ?? 0)) assert.equal((await g.decide(id, digest, true, keyOf(tenant, who))).status, 200, name);
    if (!c.outcome || !id) return;
    const claim = await g.claim(id, key);
    assert.equal(claim.status, 200, `${name}: ${claim.text}`);
    if (c.outcome === "none") return;
    const report = () => g.call("POST", `/v1/proposals/${id}/outcome`, key, JSON.stringify({ grant: claim.body.grant, status: c.outcome, detail: c.detail ?? "" }));
    assert.equal((await report()).status, 200, name);
    assert.equal((await report()).status, 409, `${name}: reported twice`);
  }

  // BOUNDCHECK_RACE makes it a thousand calls.
  test("limits are exact under parallel claims", async () => {
    const free = { until: "2100-01-01T00:00:00Z", effect: "allow", destructive: true };
    const policy = JSON.stringify({ rules: [
      { name: "count", tool: "refund", atMost: { n: 30, per: "1d" }, effect: "deny" },
      { name: "sum", tool: "pay", atMost: { sum: "amount", max: 50, per: "1d", by: ["agent"] }, effect: "deny" },
      { name: "a", tool: "refund", when: { n: { any: true } }, ...free },
      { name: "b", tool: "pay", when: { n: { any: true }, amount: { any: true } }, ...free },
    ] });
    await g.begin({ BOUNDCHECK_POLICY: policy });
    const calls = process.env.BOUNDCHECK_RACE ? 1000 : 160;
    const proposed = { refund: [], pay: [] };
    for (let n = 0; n < calls; n++) {
      const tool = n % 2 ? "pay" : "refund";
      const { status, text, body } = await g.propose(JSON.stringify({ tool, arguments: tool === "pay" ? { n, amount: 2.5 } : { n } }));
      assert.equal(status, 202, text);
      proposed[tool].push(body.id);
    }
    for (const [tool, rule, want] of [["refund", "rule count", 30], ["pay", "rule sum", 20]]) {
      let lost = 0;
      const statuses = await Promise.all(proposed[tool].map(async (id) => {
        for (;;) {
          const { status } = await g.claim(id).catch(() => (lost++, { status: 503 }));
          if (status !== 503) return status; // 503: too many requests at once for one isolate
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }));
      assert.deepEqual(await g.sql("SELECT count(*) FROM marks WHERE rule = ?", rule), [[want]]);
      const handed = statuses.filter((status) => status === 200).length; // a lost answer may have been one of them
      assert.ok(handed <= want && handed >= want - lost, `${tool}: ${handed} handed out, ${lost} answers lost`);
      assert.ok(statuses.every((status) => status === 200 || status === 409), `${tool}: ${statuses}`);
    }
  });

  test("there are ten, and two of members of rules", () => assert.ok(policies.length >= 12));
  for (const file of policies) {
    test(file, async () => {
      const policy = execFileSync(command, ["gate", "check", "--json", join(testdata, file)], { encoding: "utf8" });
      const name = file.replace(/yaml$/, "jsonl");
      const tenant = `t${policies.indexOf(file)}`; // each policy has tenants of its own
      const histories = { [tenant]: historyOf(join(testdata, name)) };
      if (name.startsWith("policies")) histories[tenant + "more"] = historyOf(join(testdata, name.replace("policies", join("policies", "more"))));
      await replay(policy, histories);
    });
  }
});
