// axe-core on every view in the light, and on every second one in the dark, on a phone and on a desktop in
// turns; with BOUNDCHECK_LONG=1 every view in both schemes on both.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { trace } from "../../wasm/test/desk.mjs";
import { browserTest, edit, executablePath, launch, openPage, root, servePage } from "./browser.mjs";
import { SharedPage } from "./shared.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

let site, browser, shared;

before(async () => {
  if (!executablePath) return;
  site = await servePage();
  browser = await launch();
  shared = new SharedPage(browser.context, site.url);
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  site?.close();
});

const run = (i) => ({ id: `run-${i}`, success: i % 2 === 0, actions: [{ name: i % 3 ? "get_a" : "delete_a", arguments: { i } }] });

const VIEWS = {
  "score, empty": ["", async () => {}],
  "score, example": ["", async (page) => {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
  }],
  "score, how the trace was read": ["", async (page) => {
    await page.fill("#trace", `{"id":"a","success":true,"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"pay_${"x".repeat(90)}","arguments":"{}"}}]}]}\n{"id":"${"b".repeat(90)}","words":1}`);
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".report");
    await edit(page);
    await page.click(".reading summary");
    await page.waitForSelector(".reading dl");
  }],
  "score, agents and retries": ["", async (page) => {
    await page.fill("#trace", readFileSync(join(root, "testdata/traces/otel-agents.json"), "utf8"));
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".lanes");
  }],
  "score, differences": ["", async (page) => {
    await page.fill("#reference", 'pay(id=1, note="a")');
    await page.fill("#trace", '[{"name":"pay","arguments":{"id":2,"note":"\u202e"}},{"name":"get_x"}]');
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".report");
  }],
  "score, runs of one task": ["", async (page) => {
    await page.fill("#trace", JSON.stringify({ trajectories: Array.from({ length: 30 }, (_, i) => ({ ...run(i), task: `t${i % 5}` })) }));
    await page.keyboard.press("Control+Enter");
    await page.click("text=Do the runs of one task make the same changes?");
    await page.click(".agreement-tasks summary");
  }],
  "score, many runs": ["", async (page) => {
    await page.fill("#reference", "get_a()");
    await page.fill("#trace", JSON.stringify({ trajectories: Array.from({ length: 30 }, (_, i) => run(i)) }));
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".strip");
    await page.locator(".filter").first().click();
  }],
  "score, tasks by trials": ["", async (page) => {
    await page.fill("#reference", "get_a(id=1)");
    await page.fill("#trace", JSON.stringify({ trajectories: Array.from({ length: 8 }, (_, i) => ({ id: `t${i}`, task: `task ${i >> 1}`, trial: i % 2, success: i % 3 > 0, actions: i % 2 ? [{ name: "drop_b" }] : [{ name: "get_a", arguments: { id: 1 } }] })) }));
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".heat");
  }],
  "score, error": ["", async (page) => {
    await page.fill("#trace", '[{"name":');
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".problem");
  }],
  "score, an unknown format": ["", async (page) => {
    await page.fill("#trace", '{"hello": "world"}');
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".problem");
  }],
  "score, almost JSON": ["", async (page) => {
    await page.fill("#trace", "```\n[{'name': 'get_order', 'arguments': {'id': 7, 'note': None}},]\n```");
    await page.click("text=Score the trace");
    await page.waitForSelector(".repair");
  }],
  "score, where the calls are": ["", async (page) => {
    await page.fill("#trace", '{"plan":[{"tool":"get_order","input":{"id":1}},{"tool":"frobnicate"}]}');
    await page.click("text=Score the trace");
    await page.waitForSelector(".mapper");
  }],
  "score, parameters": ["", async (page) => {
    await page.click('[data-example="abb-scope-creep"]');
    await page.waitForSelector(".report");
    await edit(page);
    await page.click("summary:has-text('Parameters')");
    await page.$eval("#p-gamma", (e) => ((e.value = "2"), e.dispatchEvent(new Event("input", { bubbles: true }))));
    await page.waitForTimeout(600);
  }],
  "score, a link": ["", async (page) => {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
    await page.click("text=Link…");
    await page.waitForFunction(() => document.querySelector(".link-text").value);
  }],
  "score, saved in other forms": ["", async (page) => {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
    await page.click("text=Save as…");
    await page.click('role=button[name="Save as CSV"]');
    await page.waitForFunction(() => document.querySelector(".save [role=status]").textContent.startsWith("Saved as "));
  }],
  "score, use it": ["", async (page) => {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
    await page.click("text=Use it…");
    await page.waitForSelector(".snippets pre");
  }],
  "score, two files compared": ["", async (page) => {
    const run = (task, success, name) => ({ id: task, task, success, actions: [{ name, arguments: { id: 7 } }] });
    const file = (name, success, call) => ({ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ trajectories: ["a", "b", "c"].map((t) => run(t, success, call)) })) });
    await page.fill("#reference", "cancel_order(id=7)");
    await page.setInputFiles("input[type=file]", [file("before.json", false, "delete_user"), file("after.json", true, "cancel_order")]);
    await page.waitForSelector(".report");
    await page.click("text=Compare…");
    await page.click(".versus button.primary");
    await page.waitForSelector(".flips summary");
    await page.locator(".flips summary").first().click();
    await page.waitForSelector(".fork");
  }],
  "score, hostile names": ["", async (page) => {
    const long = "<b>W</b>".repeat(60) + "\u202e" + "x".repeat(400);
    await page.fill("#reference", "other()");
    await page.fill("#trace", JSON.stringify({ trajectories: [0, 1].map((i) => ({ id: long + i, actions: [{ name: long, arguments: { [long]: long } }] })) }));
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".strip");
    await page.locator(".runs tbody tr button").first().click();
    await page.waitForSelector(".steps");
  }],
  "score, with a checker": ["", async (page) => {
    await page.fill("#trace", trace);
    await page.keyboard.press("Control+Enter");
    await page.click(".result .details >> nth=-1 >> summary >> nth=0");
    await page.waitForSelector(".offer");
    await page.click("text=Score again with the taubench checker");
    await page.waitForSelector(".compared");
    await page.locator(".runs tbody tr button").nth(1).click();
    await page.click(".run .details > summary");
    await page.waitForSelector(".replay");
  }],
  "lesson, a prompt made": ["#lessons", async (page) => {
    await page.click("text=Make the prompt");
    await page.waitForSelector(".prompt-out .said");
  }],
  gate: ["#gate", async (page) => {
    await page.click("text=Cancel an order");
    await page.waitForSelector(".approval, .problem");
  }],
  "gate, tools and policy": ["#gate", async (page) => {
    await page.click("text=Tool list and policy");
    await page.fill("#gate-tool", "x".repeat(300));
    await page.fill("#gate-args", JSON.stringify({ ["k".repeat(200)]: "v".repeat(500) }));
    await page.waitForSelector(".approval, .problem");
  }],
  "lesson, be the agent": ["#lessons?lesson=2-be-the-agent", async (page) => {
    await page.click('[data-call="cancel_order"]');
    await page.click("text=I am done");
    await page.waitForSelector(".play .run");
  }],
  "lesson, scope": ["#lessons?lesson=3-one-press-too-wide", (page) => page.waitForSelector(".play .verdict")],
  "lesson, lucky": ["#lessons?lesson=4-lucky", async (page) => {
    await page.click("text=Next customer");
    await page.waitForSelector(".sides .value");
  }],
  "lesson, the alignment": ["#lessons?lesson=5-the-alignment-by-hand", (page) => page.waitForSelector(".matrix .on")],
  "lesson, the odds": ["#lessons?lesson=6-why-only-changes-count", (page) => page.waitForSelector(".odds .value")],
  "lesson, the gate": ["#lessons?lesson=7-the-gate", (page) => page.waitForSelector(".gate-ask .said")],
  "lesson, nobody asked": ["#lessons?lesson=9-nobody-asked", (page) => page.waitForSelector("#asked-result .said")],
  "score, the whole run": ["", async (page) => {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
    await page.waitForSelector(".turn");
    for (const line of await page.locator(".column .row summary.line").all()) await line.click();
    await page.click(".details > summary");
  }],
  "lesson, marking": ["#lessons", (page) => page.click('[data-after="3"]')],
  "lesson, compared": ["#lessons", async (page) => {
    await page.click('[data-after="3"]');
    await page.click('[data-after="4"]');
    await page.click("#lessons >> text=Compare");
  }],
};

// The rules that depend on the colours. All others have been checked in the light already.
const COLOUR = ["color-contrast", "link-in-text-block"];

const source = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

const [phone, desktop] = [360, 1280];

/**
 * The widths at which a view is checked in a scheme. Views share their colours, so only every second one is
 * checked in the dark: at a phone's width and a desktop's in turn.
 */
function widthsOf(view, colorScheme) {
  if (process.env.BOUNDCHECK_LONG) return [phone, desktop];
  const turn = Object.keys(VIEWS).indexOf(view);
  if (colorScheme === "light") return turn % 2 ? [phone] : [desktop];
  return turn % 2 ? [] : turn % 4 ? [phone] : [desktop];
}

/** Checks the page of a view in both colour schemes, at a width each or at both. */
async function assertAccessible(page, view) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source); // through the debugger, to which the page's policy does not apply
  for (const colorScheme of ["light", "dark"]) {
    for (const width of widthsOf(view, colorScheme)) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const runOnly = colorScheme === "dark" ? COLOUR : undefined;
      const found = await page.evaluate((runOnly) => globalThis.axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }), runOnly);
      const said = found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")}`);
      assert.deepEqual(said, [], `${colorScheme}, ${width} px`);
    }
  }
  await assertNoSidewaysScroll(page);
}

for (const [name, [hash, prepare]] of Object.entries(VIEWS)) {
  test(`axe: ${name}`, browserTest, async () => {
    const check = async (page) => {
      await prepare(page);
      await assertAccessible(page, name);
    };
    if (!hash) return shared.run(check, /./);
    const { page, wrong } = await openPage(browser.context, site.url, hash, /./);
    try {
      await check(page);
      assert.deepEqual(wrong, []);
    } finally {
      await page.close();
    }
  });
}
