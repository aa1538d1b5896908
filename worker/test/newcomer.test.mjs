// What a newcomer follows, taken from the pages and run as it stands: the first section of
// docs/policies.md, whose policy is checked and tested with the command and seen to hold at a
// native gate; and the path of docs/gate.md from nothing to a decision on a phone, over TLS. Both
// in real Chromium.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { browserTest, executablePath, launch } from "../../playground/test/browser.mjs";
import { buildCommand } from "../../test/command.mjs";
import { Client, keyFile, keys } from "./gated.mjs";
import { freePort, missing, root, scratch, start } from "./processes.mjs";

const skip = missing() || (executablePath ? false : "there is no Chromium");
if (skip) console.error(`\n*** SKIPPED: the newcomer's policy: ${skip}\n`);

let place, command, policy, g, browser, page;

// blocks returns the code blocks of a section.
function blocks(title, file = "policies.md") {
  const text = readFileSync(join(root, "docs", file), "utf8");
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

test("the policy holds in the page", { ...browserTest, timeout: 900_000, skip }, async () => {
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
  for (const end = Date.now() + 120_000; Date.now() < end && !/"rule":"three an hour","line":2/.test(audit);) audit = (await g.call("GET", "/v1/audit", keys.bob)).text;
  assert.match(audit, /"rule":"three an hour","line":2/, "the audit names the rule and its line");
});

test("from nothing to a decision on a phone, over TLS", { ...browserTest, timeout: 900_000, skip }, async () => {
  const home = join(place.dir, "home");
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  copyFileSync(command, join(bin, "boundcheck"));
  copyFileSync(join(root, "worker", "test", "caddy.mjs"), join(bin, "caddy.mjs"));
  writeFileSync(join(bin, "caddy"), `#!/bin/sh\nexec "${process.execPath}" "${join(bin, "caddy.mjs")}" "$@"\n`, { mode: 0o755 });
  const pem = join(home, "certificate.pem");
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", pem, "-out", join(home, "cert.pem")], { stdio: "pipe" });
  writeFileSync(pem, readFileSync(pem, "utf8") + readFileSync(join(home, "cert.pem"), "utf8"));
  const [{ code }] = blocks("From nothing to a decision on your phone", "gate.md");
  const [inside, outside] = [await freePort(), await freePort()];
  const site = `localhost:${outside}`;
  const script = code.replaceAll("gate.example", site).replaceAll("127.0.0.1:8079", `127.0.0.1:${inside}`).replace("sleep 5", "until curl -so /dev/null https://" + site + "/; do sleep 0.2; done") + "\necho done; wait\n";
  const env = { PATH: bin + delimiter + process.env.PATH, CERTIFICATE: pem, CURL_CA_BUNDLE: join(home, "cert.pem") };
  const shell = await start("sh", ["-c", script], { ready: /^(done)$/m, env, cwd: home });
  const phone = await launch({ ignoreHTTPSErrors: true });
  try {
    const call = JSON.parse(shell.log.match(/^\{.*"pending".*\}$/m)[0]);
    const [, address, key] = shell.log.match(/^Open (\S+) and sign in with (\S+)$/m);
    assert.equal(address, `https://${site}/pending`);
    const screen = await phone.context.newPage();
    await screen.setViewportSize({ width: 390, height: 844 });
    await screen.goto(address);
    await screen.fill("#key", key);
    await screen.click("text=Sign in >> nth=-1");
    await screen.waitForURL(address);
    const [cookie] = await phone.context.cookies();
    assert.deepEqual([cookie.name, cookie.secure, cookie.httpOnly], ["__Host-boundcheck", true, true]);
    await screen.click(`a[href$="/p/${call.id}"]`);
    const button = screen.getByRole("button", { name: "Approve" });
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `the button is at ${JSON.stringify(box)}`);
    await button.click();
    await screen.waitForSelector("text=Take the approval back");
    const agent = readFileSync(join(home, "keys.txt"), "utf8").match(/agent bot (\S+)/)[1];
    const now = execFileSync("curl", ["-s", `https://${site}/v1/proposals/${call.id}`, "-H", `Authorization: Bearer ${agent}`], { env: { ...process.env, ...env }, encoding: "utf8" });
    assert.equal(JSON.parse(now).state, "approved", now);
  } finally {
    await phone.close();
    await shell.stop();
  }
});
