// An approver's passkey in real Chromium, with its virtual authenticator: added with a link
// that works once, used alone on the screen of a phone to decide a call, and removed.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest, executablePath, launch } from "../../playground/test/browser.mjs";
import { buildCommand } from "../../test/command.mjs";
import { Client, keyFile, keys } from "./gated.mjs";
import { freePort, root, scratch, start } from "./processes.mjs";

const skip = executablePath ? false : "there is no Chromium";
if (skip) console.error(`\n*** SKIPPED: passkeys: ${skip}\n`);

let place, command, g, browser, page, devices, device, env;
const run = (...args) => execFileSync(command, ["gate", "passkey", ...args], { encoding: "utf8", env });

before(async () => {
  if (skip) return;
  place = scratch();
  command = join(place.dir, "boundcheck");
  buildCommand(command);
  writeFileSync(join(place.dir, "keys"), keyFile);
  const port = await freePort();
  env = { ...process.env, BOUNDCHECK_SECRET: randomBytes(32).toString("hex") };
  g = new Client(await start(command, ["gate", "--db", join(place.dir, "gate.db"), "--keys", join(place.dir, "keys"), "--addr", `127.0.0.1:${port}`, "--url", `http://localhost:${port}`], { ready: /"url":"(http:\/\/[^"]+)"/, env }));
  browser = await launch();
  page = await browser.context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  devices = await browser.context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  device = (await devices.send("WebAuthn.addVirtualAuthenticator", { options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })).authenticatorId;
}, { timeout: 600_000 });

after(async () => {
  await browser?.close();
  await g?.stop();
  place?.remove();
});

async function signIn() {
  await page.goto(`${g.url}/pending`);
  await page.click("text=Sign in with a passkey");
  const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  assert.deepEqual((await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }))).violations, []);
  await page.click("text=Use a passkey");
}

test("a passkey is added with a link, decides a call alone, and is removed", { ...browserTest, timeout: 900_000, skip }, async () => {
  const link = run("add", "--keys", join(place.dir, "keys"), "--url", g.url, "alice").trim();
  await page.goto(link);
  await page.click("button:has-text('Sign in')");
  await page.waitForURL(`${g.url}/passkeys`);
  await page.fill("#label", "my phone");
  await page.click("text=Add it");
  await page.waitForSelector("section.card");
  assert.match(await page.textContent("section.card"), /my phone.*never used/);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  await page.click("text=Sign out alice");
  await page.waitForURL(`${g.url}/login`);
  await page.goto(link);
  await page.click("button:has-text('Sign in')");
  await page.waitForSelector("text=This link was already used");

  await signIn();
  await page.waitForURL(`${g.url}/pending`);
  const call = (await g.propose('{"tool":"cancel_order","arguments":{"order_id":"#W1"}}')).body;
  await page.goto(`${g.url}/p/${call.id}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForSelector("text=Take the approval back");
  assert.equal((await g.claim(call.id)).status, 200);
  assert.match(await page.textContent("footer"), /alice with a passkey/);
  const listed = run("list", "--db", join(place.dir, "gate.db"));
  assert.match(listed, /^[0-9a-f]{64} t alice added \S+ used 2\S+ "my phone"\n$/);

  // A device that cannot verify its user signs nobody in.
  await page.click("text=Sign out alice");
  await page.waitForURL(`${g.url}/login`);
  await devices.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified: false });
  await signIn();
  await page.waitForFunction(() => /gave no passkey/.test(document.querySelector("[data-said]").textContent), undefined, { timeout: 90_000 });
  await devices.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified: true });
  await signIn();
  await page.waitForURL(`${g.url}/pending`);

  // Removed by the operator, beside the running gate: the session ends, and so does the page.
  assert.match(run("remove", "--db", join(place.dir, "gate.db"), listed.split(" ")[0]), /removed/);
  await page.goto(`${g.url}/pending`);
  assert.match(await page.title(), /Sign in/);
  await signIn();
  await page.waitForSelector("text=You were not signed in");
  let audit = "";
  for (const end = Date.now() + 120_000; Date.now() < end && !/removed [0-9a-f]{64} of alice/.test(audit);) audit = (await g.call("GET", "/v1/audit", keys.bob)).text;
  for (const word of ["added", "used", "removed"]) assert.match(audit, new RegExp(`"event":"passkey"[^}]*"text":"${word} `), word);
});
