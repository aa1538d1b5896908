// The gate's own pages, of a gate that holds calls with hostile names: they do not
// scroll sideways either, whatever font the phone of an approver has.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { browserTest, executablePath, launch, root } from "./browser.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

let browser, scratch, gate, ready;

before(async () => {
  if (!executablePath) return;
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-gate-"));
  const command = join(scratch, "boundcheck");
  execFileSync("go", ["build", "-o", command, "./cmd/boundcheck"], { cwd: root, stdio: "inherit" });
  browser = await launch();
  gate = spawn(command, ["gate", "--dev"], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface({ input: gate.stdout }), "line");
  ready = JSON.parse(line);
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  if (gate?.kill()) await once(gate, "exit");
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

/** Proposes a call, or several, as the agent. @returns {Promise<string>} the path of its page */
async function propose(body) {
  const answer = await fetch(ready.url + "/v1/proposals", { method: "POST", headers: { authorization: `Bearer ${ready.agentKey}`, "content-type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(answer.status, 202);
  return "/p/" + (await answer.json()).id;
}

test("gate: no page scrolls sideways", browserTest, async () => {
  const long = "W".repeat(300) + "<b>" + "y ".repeat(100);
  const pages = [
    "/login", "/pending", "/definitions", "/p/none",
    await propose({ tool: "delete_" + "x".repeat(200), arguments: { ["k".repeat(150)]: long }, session: "s".repeat(100), policy: "Never " + long }),
    await propose({ calls: [1, 2, 3].map((n) => ({ tool: `cancel_order_${n}`, arguments: { id: n, reason: long } })) }),
  ];
  const page = await browser.context.newPage();
  await page.goto(ready.url + "/login");
  await page.fill('input[name="key"]', ready.approverKey);
  await page.click("button");
  for (const path of pages) {
    const answer = await page.goto(ready.url + path);
    assert.equal(answer.status(), path === "/p/none" ? 404 : 200, path);
    await assertNoSidewaysScroll(page).catch((e) => assert.fail(`${path}: ${e.message}`));
  }
});
