// Plugins on the page: started from a button, by hand or from the reader's own file. The
// downloaded report is equal to the command's.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { files, folder, trace } from "../../wasm/test/desk.mjs";
import { CHECKED, plugins } from "../../wasm/test/plugins.mjs";
import { browserTest, edit, executablePath, launch, openPage, root, servePage } from "./browser.mjs";
import { SharedPage } from "./shared.mjs";

const CASE = join(root, "testdata/cases/abb-scope-creep.json");
let site, browser, shared, have;

before(async () => {
  if (!executablePath) return;
  have = plugins();
  site = await servePage();
  browser = await launch();
  shared = new SharedPage(browser.context, site.url);
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  site?.close();
  have?.remove();
});

const ASKED = /^blob:|\/plugins\/(installed\/)?[a-z-]+\.wasm$/; // what may be fetched

/** A test on a page that looks as a new one does and may fetch plugins. It fails if the page reports an error. */
function onPage(name, run) {
  test(name, browserTest, () => shared.run(run, ASKED));
}

/** The same on a page that is new and has fetched nothing, in which some errors may be expected. */
function onNewPage(name, hash, run, expected = []) {
  test(name, browserTest, async () => {
    const { page, wrong } = await openPage(browser.context, site.url, hash, ASKED);
    try {
      await run(page);
      assert.deepEqual(wrong.filter((w) => !expected.some((e) => e.test(w))), []);
    } finally {
      await page.close();
    }
  });
}

async function open(page, file) {
  await page.evaluate(() => document.querySelector(".result").replaceChildren());
  await page.setInputFiles('[aria-label="Trace files"]', file);
  await scored(page);
}

async function scored(page) {
  await page.waitForFunction(() => document.querySelector(".progress").hidden && document.querySelector(".report, .problem"), null, { timeout: 40_000 });
}

async function choose(page, name) {
  await edit(page);
  await page.evaluate(() => (document.querySelector(".checker").open = true));
  await page.selectOption("#checker", name);
}

async function own(page, name, wasm) {
  await choose(page, "*own*");
  await page.setInputFiles('[aria-label="Plugin file"]', { name, mimeType: "application/wasm", buffer: Buffer.from(wasm) });
  await page.waitForFunction((n) => document.querySelector(".checker summary").textContent.endsWith(n), name.replace(".wasm", ""));
}

/** The downloaded report. */
async function taken(page) {
  await page.click("text=Save as…");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('role=button[name="Save as JSON"]')]);
  return readFileSync(await download.path(), "utf8");
}

const desk = () => {
  const path = join(have.dir, "desk.json");
  writeFileSync(path, trace);
  return path;
};

onNewPage("the checker that knows the benchmark is offered, and one press asks it", "", async (page) => {
  const fetched = [];
  page.on("request", (r) => fetched.push(r.url()));
  const path = desk();
  await open(page, path);
  assert.match(await page.textContent(".offer"), /The taubench checker knows this benchmark.*fetched once/);
  assert.equal(await taken(page), have.run("score", "--format", "json", path).stdout, "nothing is asked before");
  assert.ok(!fetched.some((u) => u.includes("/plugins/")), "nothing is fetched before");
  await page.click(".details > summary");
  await page.click("text=Score again with the taubench checker");
  await page.waitForSelector(".compared");
  assert.match(await page.textContent(".compared"), /2 findings, the same number as without.*no files of the benchmark.*taubench \d+\.\d+\.\d+, asked about 3 runs, sha256:[0-9a-f]{64}/);
  assert.equal(await taken(page), have.run("score", "--format", "json", "--plugin", "taubench", path).stdout);
  assert.equal(fetched.filter((u) => u.includes("/plugins/")).length, 1);
  await edit(page);
  await page.click("text=Score the trace");
  await scored(page);
  assert.equal(fetched.filter((u) => u.includes("/plugins/")).length, 1, "once");
});

onNewPage("with the databases' folder the runs are replayed as the command replays them", "", async (page) => {
  const path = desk();
  await open(page, path);
  await page.click(".details > summary");
  await page.click("text=Give files to the checker first…");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Choose files…");
  await page.setInputFiles('[aria-label="Environment folder"]', folder);
  await page.waitForFunction(() => document.querySelector(".files").textContent.includes("6 files"));
  await edit(page);
  await page.click("text=Score the trace");
  await page.waitForSelector(".compared");
  assert.match(await page.textContent(".compared"), /2 findings before, 1 after.*excused 1 step that had the same result.*Successes that broke a boundary1 of 20 of 2/);
  assert.equal(await taken(page), have.run("score", "--format", "json", "--plugin", "taubench", "--env-data", folder, path).stdout);
  await page.locator(".runs tbody tr button").nth(1).click();
  assert.match(await page.textContent(".replay"), /final states differ in 2 places.*replayed on the benchmark's own database.*orders · #M101/);
});

onPage("files that are dropped on their place are the checker's, and no trace", async (page) => {
  await open(page, desk());
  await choose(page, "taubench");
  await page.evaluate((all) => {
    const data = new DataTransfer();
    for (const { name, bytes } of all) data.items.add(new File([new Uint8Array(bytes)], name));
    for (const type of ["dragover", "drop"]) document.querySelector(".files").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files().map((f) => ({ name: f.name.split("/")[1], bytes: [...f.data] })));
  await page.waitForFunction(() => document.querySelector(".files").textContent.includes("3 files"));
  await edit(page);
  await page.click("text=Score the trace");
  await page.waitForSelector(".compared");
  assert.match(await page.textContent(".compared"), /2 findings before, 1 after/);
});

onPage("any checker can be chosen by hand; the report is the command's, byte for byte", async (page) => {
  for (const [name, file] of CHECKED) {
    await choose(page, name);
    await open(page, join(root, "testdata", file));
    assert.equal(await taken(page), have.run("score", "--format", "json", "--plugin", name, "testdata/" + file).stdout, `${name} on ${file}`);
  }
});

onPage("a plugin of one's own is asked from its own file", async (page) => {
  const { of } = have.source("taubench");
  await own(page, "taubench.wasm", have.own);
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  await page.evaluate(async () => { // a drop that holds no file changes nothing
    const data = new DataTransfer();
    data.setData("text/plain", "x");
    document.querySelector(".checker .files").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 100));
  });
  assert.deepEqual(errors, []);
  await open(page, desk());
  const report = JSON.parse(await taken(page));
  assert.equal(report.plugins[0].name, "taubench");
  assert.notEqual(report.plugins[0].sha256, of, "it is the file that was given");
});

onNewPage("a plugin is taken from its address on this site, with its hash alone", "", async (page) => {
  writeFileSync(join(site.dir, "plugins", "mine.wasm"), have.own);
  const sum = createHash("sha256").update(have.own).digest("hex");
  await choose(page, "*own*");
  const take = async (address, hash, said) => {
    await edit(page);
    await page.fill("#plugin-address", address);
    await page.fill("#plugin-sum", hash);
    await page.click("text=Load the plugin");
    assert.match(await page.textContent(".by-address [role=status]"), said);
  };
  await take("https://elsewhere.example/taubench.wasm", sum, /only from its own site/);
  await take("plugins/taubench.html", sum, /The address of a plugin must end in \.wasm/);
  await take("plugins/taubench.wasm", "abc", /64 hexadecimal digits/);
  await take("plugins/mine.wasm", sum, /^$/);
  await open(page, desk());
  assert.match(await page.textContent(".result"), /its name is "taubench"|\(wrong-name\)/);
  mkdirSync(join(site.dir, "plugins", "installed"), { recursive: true });
  writeFileSync(join(site.dir, "plugins", "installed", "taubench.wasm"), have.own);
  await take("plugins/installed/taubench.wasm", "0".repeat(64), /^$/);
  await open(page, desk());
  assert.match(await page.textContent(".result"), /\(hash-mismatch\)/);
  await take("plugins/installed/taubench.wasm", sum, /^$/);
  await open(page, desk());
  const report = JSON.parse(await taken(page));
  assert.deepEqual(report.plugins.map((p) => [p.name, p.sha256]), [["taubench", sum]]);
});

const BAD = { "endless loop in invoke": "deadline", "memory bomb": "memory-limit", trap: "trap", "answer not JSON": "invalid-answer" };

for (const [name, code] of Object.entries(BAD)) {
  onPage(`a plugin with ${name}: named, scored without, and the page goes on`, async (page) => {
    const found = have.hostile.find((c) => c.name === name);
    await own(page, "bad.wasm", found.wasm);
    const began = Date.now();
    await open(page, CASE);
    assert.match(await page.textContent(".result .notice"), new RegExp(`Scored without bad:.*plugin "bad": .*\\(${code}\\)`));
    assert.match(await page.textContent('[data-metric="absMax"] .value'), /0\.33/);
    assert.equal(JSON.parse(await taken(page)).plugins, undefined);
    assert.ok(Date.now() - began < 30_000, "within its time limit");
    await choose(page, "");
    await edit(page);
    await page.click("text=Score the trace");
    await scored(page);
    assert.equal(await page.locator(".result .notice").count(), 0);
  });
}

onNewPage("a module with other bytes than the page was built with is refused", "", async (page) => {
  await page.route("**/plugins/taubench.wasm", async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    body[body.length - 5] ^= 1;
    await route.fulfill({ response: answer, body });
  });
  await choose(page, "taubench");
  await open(page, CASE);
  assert.match(await page.textContent(".result .notice"), /Scored without taubench:.*the module's sha256 is [0-9a-f]{64}, but the pinned sha256 is [0-9a-f]{64} \(hash-mismatch\)/);
});

onNewPage("a module that cannot be fetched: scored without, and fetched the next time", "", async (page) => {
  await page.route("**/plugins/taubench.wasm", (route) => route.fulfill({ status: 503, body: "" }), { times: 1 });
  await choose(page, "taubench");
  await open(page, desk());
  assert.match(await page.textContent(".result .notice"), /Scored without taubench: the plugin taubench could not be fetched: HTTP 503/);
  await edit(page);
  await page.click("text=Score the trace");
  await page.waitForSelector(".compared");
}, [/503/, /^failed: .*taubench\.wasm$/]);

onPage("a plugin that checks nothing is told from one that is broken", async (page) => {
  await own(page, "prompts.wasm", have.templates);
  await open(page, CASE);
  assert.match(await page.textContent(".problem"), /This plugin checks no runs.*prompts.*prompt\.render/);
});

onNewPage("the cure: a prompt from the trace's own tools, the command's words", "", async (page) => {
  const tools = '[{"type":"function","function":{"name":"cancel_order","description":"Cancels.","parameters":{"type":"object","properties":{"order_id":{"type":"string"},"n":{"type":"integer","maximum":9007199254740993}}}}}]';
  const asks = { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "cancel_order", arguments: '{"order_id":"W1"}' } }] };
  await page.fill("#reference", "get_order()");
  await page.fill("#trace", `{"model":"m","messages":${JSON.stringify([{ role: "user", content: "Cancel W1." }, asks])},"tools":${tools}}`);
  await edit(page);
  await page.click("text=Score the trace");
  await page.waitForSelector(".remedy");
  await page.click("text=Make the prompt from these tools");
  await page.waitForSelector(".prompt-out .said");
  assert.equal(await page.evaluate(() => location.hash), "#lessons");
  assert.equal(await page.inputValue("#prompt-tools"), tools, "as they stand");
  const path = join(have.dir, "own-tools.json");
  writeFileSync(path, tools);
  assert.equal((await page.textContent(".prompt-out .said")) + "\n", have.run("prompt", "ebp", "--tools", path).stdout);
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("text=Copy the prompt");
  await page.waitForSelector("text=Copied.");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.textContent(".prompt-out .said"));
  await page.selectOption("#prompt-template", "ebp-checklist");
  await page.fill("#prompt-checks", "The amount is confirmed.\n\nThe order is open.");
  await page.click("text=Make the prompt >> nth=-1");
  await page.waitForFunction(() => document.querySelector(".prompt-out").textContent.includes("The order is open."));
  const { stdout, stderr } = have.run("prompt", "ebp", "--variant", "checklist", "--tools", path, "--check", "The amount is confirmed.", "--check", "The order is open.");
  assert.equal((await page.textContent(".prompt-out .said")) + "\n", stdout);
  const [, tokens] = stderr.match(/about (\d+) tokens/);
  assert.match(await page.textContent(".prompt-out"), new RegExp(`About ${tokens} tokens`));
});

onNewPage("the cure: pasted schemas of every kind, and what is wrong with one", "#lessons", async (page) => {
  const make = async (tools) => {
    await page.fill("#prompt-tools", tools);
    await page.click("#cure button.primary");
    await page.waitForFunction(() => document.querySelector(".prompt [role=status]").textContent === "" && document.querySelector(".prompt-out").firstChild);
    return page.textContent(".prompt-out");
  };
  assert.match(await make('[{"name":"pay_bill","description":"Pays.","input_schema":{"type":"object","properties":{"bill":{"type":"string"}}}}]'), /pay_bill/);
  assert.match(await make('{"result":{"tools":[{"name":"ship_box","inputSchema":{"type":"object","properties":{}}}]}}'), /ship_box/);
  assert.match(await make('[{"name":'), /The tools cannot be read as JSON/);
  assert.match(await make("null"), /Write an array of tools/);
  assert.match(await make('[{"description":"no name"}]'), /plugin|name/i);
  assert.match(await make(""), /About \d+ tokens/);
});

onNewPage("the cure without definitions: the tools that were called", "", async (page) => {
  await page.click('[data-example="abb-scope-creep"]');
  await page.waitForSelector(".remedy");
  await page.click("text=Make the prompt from these tools");
  await page.waitForSelector(".prompt-out .said");
  const [called] = JSON.parse(await page.inputValue("#prompt-tools"));
  assert.match(await page.textContent(".prompt-out .said"), new RegExp(called.name));
});

onNewPage("by keyboard alone: open, choose, score", "", async (page) => {
  await page.fill("#trace", trace);
  await page.locator(".checker summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "checker");
  await page.keyboard.press("t"); // selects taubench
  assert.equal(await page.inputValue("#checker"), "taubench");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".compared");
  assert.match(await page.textContent("#score > [role=status]"), /Scored\..*With taubench: 2 findings/);
});
