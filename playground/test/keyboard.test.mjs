// The page's main tasks by the keyboard alone, on a phone's width and on a desk's: paste, score, read
// the story, go to a step, unfold, search, judge, make a link, save, open files, compare, open a pair.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browserTest, executablePath, launch, openPage, servePage } from "./browser.mjs";

const MOST = 400; // presses of Tab until something must have the focus
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

const call = (i, name) => [{ role: "assistant", content: null, tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: JSON.stringify({ part: i }) } }] }, { role: "tool", tool_call_id: `c${i}`, content: `done ${i}` }];
const steps = 30;
const run = (id, broken) => ({ id, task: id, messages: [{ role: "user", content: "Please look at each part." }, ...Array.from({ length: steps }, (_, i) => call(i, i === broken ? "delete_part" : `get_part_${i}`)).flat(), { role: "assistant", content: "All parts are fine." }], reference: Array.from({ length: steps }, (_, i) => ({ name: `get_part_${i}`, arguments: { part: i } })) });

/** Presses Tab until an element with the focus fits. It is seen, and looks focused. */
async function tabTo(page, selector, { text, press = "Tab" } = {}) {
  for (let i = 0; i < MOST; i++) {
    await page.keyboard.press(press);
    if (await page.evaluate(([s, t]) => document.activeElement.matches(s) && (!t || document.activeElement.textContent === t), [selector, text])) {
      const seen = await page.evaluate(() => {
        const e = document.activeElement;
        const { top, bottom, left, right } = e.getBoundingClientRect();
        return { looks: e.matches(":focus-visible"), inView: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth };
      });
      assert.deepEqual(seen, { looks: true, inView: true }, selector);
      return;
    }
  }
  assert.fail(`${press} does not reach ${selector} ${text ?? ""}`);
}

const focused = (page, selector) => page.waitForFunction((s) => document.activeElement.matches(s), selector);

for (const [width, height] of [[390, 844], [1280, 800]]) {
  test(`the main tasks by the keyboard alone, at ${width} px`, browserTest, async () => {
    const { page, wrong } = await openPage(browser.context, site.url);
    const key = (name) => page.keyboard.press(name);
    const focus = () => page.evaluate(() => document.activeElement.closest("[data-row]")?.dataset.row);
    try {
      await page.setViewportSize({ width, height });
      await browser.context.grantPermissions(["clipboard-write"], { origin: site.url });
      await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(run("one", 17)));

      await tabTo(page, "#trace");
      await key("Control+v"); // pastes and scores
      await focused(page, "h2.verdict");
      assert.match(await page.textContent(".verdict"), /broke a boundary/);

      await tabTo(page, ".around [aria-current=step] button");
      await key("Enter");
      const step = await focus();
      assert.equal(step, "18", "the story leads to its step, after that which is missing");
      await page.waitForSelector(".turn.by-user");
      assert.equal(await focus(), step, "the messages leave the focus where it is");
      await key("k");
      await key("j");
      assert.equal(await focus(), step);
      await key("p");
      assert.equal(await focus(), "17");
      await key("n");

      await tabTo(page, `[data-row="${step}"] > details > summary`);
      await key("Enter");
      assert.equal(await page.$eval(`[data-row="${step}"] > details`, (e) => e.open), false);
      await key("Space");
      assert.equal(await page.$eval(`[data-row="${step}"] > details`, (e) => e.open), true);

      await tabTo(page, ".mark-row .pill:last-of-type");
      await key("Space");
      assert.equal(await page.$eval(".mark-row .pill[aria-pressed=true]", (e) => e.textContent), "Wrong");
      await tabTo(page, ".mark-row input");
      await page.keyboard.type("It is right.");

      await tabTo(page, ".fold button");
      const rows = await page.locator("[data-row]").count();
      await key("Enter");
      assert.ok((await page.locator("[data-row]").count()) > rows, "the fold opens");
      assert.ok(await focus(), "the focus is in what it showed");

      await key("/");
      await focused(page, ".seek");
      await page.keyboard.type("get_part_3");
      await key("Enter");
      await page.waitForFunction(() => document.querySelector(".seek-box [role=status]").textContent.startsWith("1 of "));
      await key("Escape");

      await tabTo(page, "details.details > summary");
      await key("Enter");
      assert.ok(await page.isVisible("[data-metric]"));
      await key("Enter");

      await tabTo(page, "button", { text: "Link…", press: "Shift+Tab" });
      await key("Enter");
      await focused(page, ".share input[type=text]");
      await page.waitForFunction(() => document.querySelector(".share input[type=text]").value !== ""); // it is made while a user looks
      assert.match(await page.inputValue(".share input[type=text]"), /#score\?z=/);

      await tabTo(page, "button", { text: "Save as…", press: "Shift+Tab" });
      await key("Enter");
      await focused(page, ".save button");
      const saved = page.waitForEvent("download");
      await key("Enter");
      assert.equal((await saved).suggestedFilename(), "boundcheck-report.md");

      await tabTo(page, ".input-line button", { press: "Shift+Tab" });
      await key("Enter"); // opens the form again
      await focused(page, "#trace");
      await tabTo(page, "button", { text: "Open a file…", press: "Shift+Tab" });
      const chooser = page.waitForEvent("filechooser");
      let open = false;
      chooser.then(() => (open = true), () => {});
      for (let i = 0; i < 5 && !open; i++) { // a browser that is late opens no dialog for an old press
        await key("Enter");
        for (let ms = 0; ms < 8000 && !open; ms += 100) await page.waitForTimeout(100);
      }
      await (await chooser).setFiles([17, -1].map((broken, i) => ({ name: `${i ? "after" : "before"}.json`, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(run("one", broken))) })));
      await focused(page, "h2.verdict");
      await tabTo(page, "button", { text: "Compare…" });
      await key("Enter");
      await focused(page, ".versus select");
      await tabTo(page, ".versus button.primary");
      await key("Enter");
      await focused(page, ".versus-result h3");
      assert.equal(await page.textContent(".versus-result h3"), "Of 1 task: 1 fixed.");
      await tabTo(page, ".flips summary");
      await key("Enter");
      await page.waitForSelector(".fork");
      assert.match(await page.textContent(".fork"), /delete_part/);
      assert.deepEqual(wrong, []);
    } finally {
      await page.close();
    }
  });
}
