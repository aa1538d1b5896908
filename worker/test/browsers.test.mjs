// An approver's browser in real Chromium: added on the page, shown a message, and removed.
// Chromium's own push service is on the network, so two parts stand in for it here: what it
// answers to subscribe, and the events that it would cause in the page's worker. Encryption and
// the service's answers are tested in worker/gate/push.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createECDH, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest, executablePath, launch } from "../../playground/test/browser.mjs";
import { buildCommand } from "../../test/command.mjs";
import { Client, keyFile, keys } from "./gated.mjs";
import { freePort, scratch, start } from "./processes.mjs";

const skip = executablePath ? false : "there is no Chromium";
if (skip) console.error(`\n*** SKIPPED: messages to browsers: ${skip}\n`);

let place, g, browser, page, tools;

before(async () => {
  if (skip) return;
  place = scratch();
  const command = join(place.dir, "boundcheck");
  buildCommand(command);
  writeFileSync(join(place.dir, "keys"), keyFile);
  const port = await freePort();
  g = new Client(await start(command, ["gate", "--push", "--db", join(place.dir, "gate.db"), "--keys", join(place.dir, "keys"), "--addr", `127.0.0.1:${port}`, "--url", `http://localhost:${port}`], { ready: /"url":"(http:\/\/[^"]+)"/ }));
  browser = await launch({ serviceWorkers: "allow" });
  page = await browser.context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  tools = await browser.context.newCDPSession(page);
  await tools.send("Browser.grantPermissions", { origin: g.url, permissions: ["notifications"] });
}, { timeout: 600_000 });

after(async () => {
  await browser?.close();
  await g?.stop();
  place?.remove();
});

test("a browser is added, shows a message that opens the call's page alone, and is removed", { ...browserTest, timeout: 900_000, skip }, async () => {
  const refused = [];
  page.on("console", (m) => /Content Security Policy/.test(m.text()) && refused.push(m.text()));
  await page.goto(`${g.url}/browsers`);
  await page.fill("input[name=key]", keys.alice);
  await page.click("button");
  await page.waitForSelector("form[data-push]");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);

  // The worker starts. What the browser's vendor would answer is not here.
  await page.evaluate((made) => { PushManager.prototype.subscribe = async (asked) => ({ toJSON: () => ({ ...made, asked: asked.userVisibleOnly && asked.applicationServerKey.length }) }); },
    { endpoint: "https://push.example.com/send/1", expirationTime: null, keys: { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: randomBytes(16).toString("base64url") } });
  await page.fill("#label", "my phone");
  await page.click("text=Add it");
  await page.waitForSelector("section.card").catch(async () => assert.fail(await page.textContent("[data-said]")));
  assert.match(await page.textContent("section.card"), /my phone/);

  // A message, as the gate's package push writes it.
  const held = await g.held();
  const [worker] = browser.context.serviceWorkers();
  assert.equal(worker.url(), `${g.url}/browsers/worker`);
  const shown = (text) => worker.evaluate((text) => {
    const seen = {};
    self.registration.showNotification = (title, more) => Object.assign(seen, { title, ...more });
    self.clients.openWindow = (url) => { seen.opens = url; };
    self.dispatchEvent(Object.assign(new Event("push"), { data: { json: () => JSON.parse(text) }, waitUntil() {} }));
    self.dispatchEvent(Object.assign(new Event("notificationclick"), { notification: { data: seen.data, close() { seen.closed = true; } }, waitUntil() {} }));
    return seen;
  }, text);
  const message = { title: "A call of cancel_order waits for a decision", body: held.prompt, path: `/p/${held.id}` };
  assert.deepEqual(await shown(JSON.stringify(message)), { title: message.title, body: held.prompt, data: message.path, tag: message.path, requireInteraction: true, opens: g.url + message.path, closed: true });
  for (const path of ["https://evil.example/", "//evil.example/p/x", "/p/../logout", "/logout", 7, null]) {
    const title = `to ${path}`;
    assert.equal((await shown(JSON.stringify({ title, path }))).opens, `${g.url}/pending`, title);
  }
  for (const broken of ["", "{", "null", "[]"]) assert.equal((await shown(broken)).title, "A call waits for a decision", broken);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map((r) => new URL(r.scope).pathname).join()), "/browsers/worker");
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null, "the worker controls a page");

  await page.click("text=Remove it");
  await page.waitForFunction(() => !document.querySelector("section.card"));
  assert.deepEqual(refused, [], "the policy of the page refused something");
});
