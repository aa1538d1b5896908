// Tests what the page shows of time, tokens, agents and retries, and that it shows nothing of
// them where the trace says nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browserTest, executablePath, launch, openPage, root, servePage } from "./browser.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

let site, browser;

before(async () => {
  if (!executablePath) return;
  site = await servePage();
  browser = await launch();
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  site?.close();
});

async function scored(text) {
  const { page, wrong } = await openPage(browser.context, site.url, "", /./);
  await page.fill("#trace", text);
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".run .column");
  return { page, wrong };
}

test("what the steps took: totals, a lane for each agent, a bracket for a retry", browserTest, async () => {
  const { page, wrong } = await scored(readFileSync(join(root, "testdata/traces/otel-agents.json"), "utf8"));
  const spent = page.locator(".spent");
  assert.match(await spent.innerText(), /Time: 30\.4 s; 5\.9 s in 4 of 4 calls\. Tokens: 1,200 read and 40 written\. Agents: lead and canceller\. Not recorded: cost\./);
  assert.deepEqual(await spent.locator(".lane-name").allTextContents(), ["lead", "canceller", "again"]);
  assert.deepEqual(await spent.locator(".lane").evaluateAll((lanes) => lanes.map((lane) => lane.querySelectorAll(".step").length)), [2, 2, 0]);
  assert.match(await spent.locator(".bracket").getAttribute("title"), /^Step 3: .*tries step 2 again$/);
  assert.match(await spent.locator(".lanes").getAttribute("aria-label"), /4 steps .*2 lanes of agents with 2 changes between them, 1 step tried again/);
  const heights = await spent.locator(".step .fill").evaluateAll((bars) => bars.map((b) => [b.dataset.at, b.style.height]));
  assert.deepEqual(heights.sort(), [["0", "50%"], ["1", "100%"], ["2", "33%"], ["3", "13%"]]);
  assert.match(await page.locator('[data-row="1"] .took').innerText(), /canceller, 3\.0 s/);
  await spent.locator('.step[data-at="3"]').click();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.row), "3");
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await assertNoSidewaysScroll(page);
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test("what the steps took: nothing is said where the trace says nothing", browserTest, async () => {
  const { page } = await scored('[{"name":"get_x","result":"ok"},{"name":"put_x","result":"ok"}]');
  assert.equal(await page.locator(".spent, .took").count(), 0);
  await page.close();
});
