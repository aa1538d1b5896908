// The first section of docs/policies.md, as a newcomer follows it: its policy and its calls
// are taken from the page, checked and tested with the command, and then seen to hold at a
// native gate, in real Chromium.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest, executablePath, launch } from "../../playground/test/browser.mjs";
import { buildCommand } from "../../test/command.mjs";
import { Client, keyFile, keys } from "./gated.mjs";
import { freePort, missing, root, scratch, start } from "./processes.mjs";

const skip = missing() || (executablePath ? false : "there is no Chromium");
if (skip) console.error(`\n*** SKIPPED: the newcomer's policy: ${skip}\n`);

let place, command, policy, g, browser, page;

// blocks returns the code blocks of a section.
function blocks(title) {
  const text = readFileSync(join(root, "docs", "policies.md"), "utf8");
  const section = text.split(`## ${title}\n`)[1].split("\n## ")[0];
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, code]) => ({ language, code }));
}

before(async () => {
  if (skip) return;
  place = scratch();
  command = join(place.dir, "boundcheck");
  buildCommand(command);
  const [yaml, json] = blocks("In five minutes");
  assert.deepEqual([yaml.language, json.language], ["yaml", "json"]);
  policy = join(place.dir, "policy.yaml");
  writeFileSync(policy, yaml.code);
  writeFileSync(join(place.dir, "calls.jsonl"), json.code);
  writeFileSync(join(place.dir, "keys"), keyFile);
  const port = await freePort();
  const args = ["gate", "--db", join(place.dir, "gate.db"), "--policy", policy, "--keys", join(place.dir, "keys"), "--addr", `127.0.0.1:${port}`];
  g = new Client(await start(command, args, { ready: /"url":"(http:\/\/[^"]+)"/ }));
  browser = await launch();
  page = await browser.context.newPage();
}, { timeout: 600_000 });

after(async () => {
  await browser?.close();
  await g?.stop();
  place?.remove();
});

// signIn signs a person in.
async function signIn(key) {
  await browser.context.clearCookies();
  await page.goto(`${g.url}/pending`);
  await page.fill("#key", key);
  await page.click("text=Sign in >> nth=-1");
  await page.waitForURL(`${g.url}/pending`);
}

const approve = () => page.getByRole("button", { name: "Approve" }).click();

test("the policy and the calls of the page are right", { ...browserTest, skip }, () => {
  execFileSync(command, ["gate", "check", policy]);
  const out = execFileSync(command, ["gate", "test", policy, join(place.dir, "calls.jsonl")], { encoding: "utf8" });
  assert.match(out, /4 calls, 4 compared, 0 decided otherwise/);
  assert.match(execFileSync(command, ["gate", "test", "--prove", policy], { encoding: "utf8" }), /3 rules, 0 findings/);
});

test("the policy holds in the page", { ...browserTest, timeout: 300_000, skip }, async () => {
  const refund = (order, amount) => g.propose(JSON.stringify({ tool: "refund", arguments: { order_id: order, amount } }));
  const look = async (order) => {
    const { status, body } = await g.propose(JSON.stringify({ tool: "get_order", arguments: { order_id: order } }));
    assert.equal(status, 202);
    assert.equal((await g.outcome(body.id, (await g.claim(body.id)).body.grant, "executed")).status, 200);
  };
  let a = await refund("W-1", 20);
  assert.equal(a.status, 403);
  assert.match(a.text, /look first\\" \(line 3\)/);

  await signIn(keys.alice);
  for (const order of ["W-1", "W-2"]) {
    await look(order);
    a = await refund(order, 20);
    assert.equal(a.status, 202, a.text);
    await page.goto(`${g.url}/p/${a.body.id}`);
    assert.match(await page.textContent("main"), new RegExp(order));
    await approve();
    await page.waitForSelector("text=Take the approval back");
    assert.equal((await g.claim(a.body.id)).status, 200);
  }

  await look("W-3");
  a = await refund("W-3", 501);
  assert.equal(a.body.approvals, 2, a.text);
  await page.goto(`${g.url}/p/${a.body.id}`);
  const seen = await page.textContent("main");
  assert.match(seen, /large/, "the page names the rule");
  assert.match(seen, /line 4/, "and its line");
  await approve();
  await page.waitForSelector("text=alice approved");
  assert.equal((await g.claim(a.body.id)).status, 409, "one person is not enough");
  await signIn(keys.bob);
  await page.goto(`${g.url}/p/${a.body.id}`);
  await approve();
  await page.waitForSelector("text=Take the approval back");
  assert.equal((await g.claim(a.body.id)).status, 200);

  await look("W-4");
  a = await refund("W-4", 20);
  assert.equal(a.status, 403);
  assert.match(a.text, /three an hour\\" \(line 2\)/);
  let audit = "";
  for (const end = Date.now() + 20_000; Date.now() < end && !/"rule":"three an hour","line":2/.test(audit);) audit = (await g.call("GET", "/v1/audit", keys.bob)).text;
  assert.match(audit, /"rule":"three an hour","line":2/, "the audit names the rule and its line");
});
