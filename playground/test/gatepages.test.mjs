// The gate's own pages, for a gate that holds calls with hostile names. They must not
// scroll sideways with any font of an approver's phone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { buildCommand } from "../../test/command.mjs";
import { browserTest, executablePath, launch, root } from "./browser.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

let browser, scratch, gate, ready;

before(async () => {
  if (!executablePath) return;
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-gate-"));
  const command = join(scratch, "boundcheck");
  buildCommand(command);
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

// A conversation that the agent's program sends with a call: one value from the user, one
// from a tool whose name and answer are hostile, and one that only the model has
// mentioned.
const EVIL = "</p><script>document.title='broken'</script><img src=x onerror=alert(1)>\u202e\u0007, the user, message 1 ";
const talk = [
  { role: "user", content: "Please cancel order #W-4410 and refund my card ending 5637334." },
  { role: "assistant", content: null, tool_calls: [
    { id: "a", type: "function", function: { name: "get_order_details", arguments: '{"order_id":"#W-4410"}' } },
    { id: "b", type: "function", function: { name: EVIL + "x".repeat(200), arguments: "{}" } },
  ] },
  { role: "tool", tool_call_id: "a", content: '{"payment":{"payment_method_id":"card_5637334"}}' },
  { role: "tool", tool_call_id: "b", content: JSON.stringify({ [EVIL]: "voucher_7001" }) },
];

test("gate: each value says where it comes from, and a hostile source is text", browserTest, async () => {
  const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  const path = await propose({
    tool: "cancel_order", messages: talk,
    arguments: { order_id: "#W-4410", payment_method_id: "card_5637334", voucher_id: "voucher_7001", refund_id: "refund_9912", reason: "no longer needed" },
  });
  const page = await browser.context.newPage();
  await page.goto(ready.url + "/login");
  if (await page.locator('input[name="key"]').count()) {
    await page.fill('input[name="key"]', ready.approverKey);
    await page.click("button");
  }
  await page.goto(ready.url + path);
  const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".fields dt")].map((dt) => [dt.textContent, dt.nextElementSibling.querySelector(".from")?.textContent ?? ""])));
  assert.equal(shown.order_id, "From the user, message 1");
  assert.equal(shown.payment_method_id, "From get_order_details, call 1, payment.payment_method_id");
  assert.match(shown.voucher_id, /^From "<\/p><script>document.title='broken'.*", call 2$|^From "<\/p><script>document.title='broken'.*"…, call 2/);
  assert.equal(shown.refund_id, "From nowhere: the model made it up");
  assert.equal(shown.reason, "");
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.doesNotMatch(await page.title(), /broken/);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(axe); // through the debugger, to which the page's policy does not apply
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map((v) => v.id), [], `${colorScheme}, ${width} px`);
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `gate-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await assertNoSidewaysScroll(page);
});
