// The page's main paths in Firefox. The other tests of the page run in Chromium.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { servePage } from "./browser.mjs";

function firefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  return process.env.PATH.split(delimiter).flatMap((dir) => ["firefox-esr", "firefox"].map((name) => join(dir, name))).find((path) => existsSync(path));
}

const executablePath = firefox();
const options = { timeout: 600_000, skip: executablePath ? false : "no Firefox found: install it (Debian: apt-get install firefox-esr) or set FIREFOX to its path" };
if (options.skip) console.error(`SKIPPED: ${options.skip}`);

let site, browser, scratch;

before(async () => {
  if (!executablePath) return;
  site = await servePage();
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-firefox-"));
  const { default: puppeteer } = await import("puppeteer-core");
  browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: 60_000 });
}, { timeout: 300_000 });
after(async () => {
  await browser?.close();
  site?.close();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

/** A test on a new page, which fails if the page reports an error. */
function inFirefox(name, hash, run) {
  test(`Firefox: ${name}`, options, async () => {
    const page = await browser.newPage();
    const wrong = [];
    page.on("console", (m) => m.type() === "error" && wrong.push("console: " + m.text()));
    page.on("pageerror", (e) => wrong.push("page: " + e.message));
    page.setDefaultTimeout(30_000);
    try {
      await page.setViewport({ width: 1180, height: 900 });
      await page.goto(site.url + hash);
      await page.waitForSelector("html[data-ready]");
      await run(page);
      assert.deepEqual(wrong, []);
    } finally {
      await page.close();
    }
  });
}

const text = (page, selector) => page.$eval(selector, (e) => e.textContent);
const fill = (page, selector, value) => page.$eval(selector, (e, v) => ((e.value = v), e.dispatchEvent(new Event("input", { bubbles: true }))), value);
// click does not move the mouse: where it would have to wait for a page that is still
// moving, a busy machine takes longer than the time-out. Chromium's tests use the mouse.
const click = async (page, selector) => (await page.waitForSelector(selector), page.$eval(selector, (e) => e.click()));
const press = (page, words, inside = "body") => click(page, `${inside} ::-p-text(${words})`);

inFirefox("an example is scored, its whole run unfolds, and a reload keeps it", "", async (page) => {
  await click(page, '[data-example="abb-missing-verification"]');
  await page.waitForSelector(".report");
  assert.match(await text(page, ".verdict"), /2 steps of the reference were left out/);
  await page.reload();
  await page.waitForSelector(".report");
  assert.match(await text(page, ".verdict"), /2 steps of the reference were left out/);
});

inFirefox("a pasted trace against a reference, and the link to it", "", async (page) => {
  await fill(page, "#reference", "get_order(id=7)\ncancel_order(id=7)");
  await fill(page, "#trace", '[{"name": "cancel_order", "arguments": {"id": 7}}, {"name": "delete_user", "arguments": {"id": "<b>1</b>"}}]');
  await press(page, "Score the trace");
  await page.waitForSelector(".report");
  assert.match(await text(page, ".verdict"), /broke a boundary/);
  assert.equal(await page.$(".steps b"), null);
  await press(page, "Link…");
  await page.waitForFunction(() => document.querySelector(".link-text")?.value.includes("z="));
  const link = await page.$eval(".link-text", (e) => e.value);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector(".report");
  assert.match(await text(page, ".verdict"), /broke a boundary/);
});

inFirefox("many runs from files: pictures, one of them opened, two files compared", "", async (page) => {
  const run = (task, success, name) => ({ id: task, task, success, actions: [{ name, arguments: { id: 7 } }] });
  const files = ["before", "after"].map((name, i) => {
    const path = join(scratch, `${name}.json`);
    writeFileSync(path, JSON.stringify({ trajectories: Array.from("abcdefghijklmnop", (t) => run(t, i === 1, i ? "cancel_order" : "delete_user")) }));
    return path;
  });
  await fill(page, "#reference", "cancel_order(id=7)");
  await (await page.$("input[type=file]")).uploadFile(...files);
  await click(page, ".details > summary");
  await page.waitForSelector(".pictures svg");
  assert.equal((await page.$$(".pictures figure")).length, 3);
  await press(page, "Compare…");
  await click(page, ".versus button.primary");
  await page.waitForSelector(".versus-result h3");
  assert.match(await text(page, ".versus-result"), /Better: .*16 runs succeeded only with the treatment, 0 only with the baseline/s);
  await click(page, ".runs tbody tr button");
  await page.waitForSelector(".pager");
});

inFirefox("a reference in YAML is read by the plugin", "", async (page) => {
  await fill(page, "#reference", "steps:\n  - name: cancel_order\n    arguments: {id: 7}\n");
  await fill(page, "#trace", '[{"name": "cancel_order", "arguments": {"id": 7}}]');
  await press(page, "Score the trace");
  await page.waitForSelector(".report", { timeout: 90_000 });
  assert.match(await text(page, ".verdict"), /step/);
});

inFirefox("the gate asks, and the lessons open", "#gate", async (page) => {
  await page.waitForSelector("#gate h1, #gate h2");
  await page.goto(site.url + "#lessons");
  await page.waitForSelector("#lessons h1");
  assert.ok((await page.$$("#lessons a, #lessons button")).length >= 8);
});
