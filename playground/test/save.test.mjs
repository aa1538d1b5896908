// The forms in which the page saves a report: the bytes that the command writes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildCommand } from "../../test/command.mjs";
import { browserTest, executablePath, launch, openPage, root, servePage } from "./browser.mjs";
import { SharedPage } from "./shared.mjs";

const FORMATS = { markdown: "Markdown", html: "HTML", csv: "CSV", junit: "JUnit", sarif: "SARIF", json: "JSON" };
const ASKED = /^blob:|\/saved\.json$/; // what may be fetched

let site, browser, shared, scratch, command;

before(async () => {
  if (!executablePath) return;
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-save-"));
  command = join(scratch, "boundcheck");
  buildCommand(command);
  site = await servePage();
  browser = await launch();
  shared = new SharedPage(browser.context, site.url);
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  site?.close();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

const file = (name, bytes) => (writeFileSync(join(scratch, name), bytes), name);

/** What the command writes, also where one of several files cannot be read. */
function native(format, args, input) {
  const { stdout, status, stderr } = spawnSync(command, ["score", "--format", format, ...args], { cwd: scratch, input, maxBuffer: 1 << 28 });
  assert.ok(stdout.length > 0, `exit ${status}: ${stderr}`);
  return stdout.toString();
}

/** Long texts, of which only the first difference is shown. */
function assertSame(got, want, what) {
  if (got === want) return;
  let at = 0;
  while (got[at] === want[at]) at++;
  assert.fail(`${what} differs at ${at}: ${JSON.stringify(got.slice(at, at + 200))}, want ${JSON.stringify(want.slice(at, at + 200))}`);
}

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.save >> role=button[name="Save as ${name}"]`)]);
  assert.equal(await page.textContent(".save [role=status]"), `Saved as ${download.suggestedFilename()}.`);
  return readFileSync(await download.path(), "utf8");
}

/** A test that puts something into the page and saves it in every form. */
function same(name, put, args, input) {
  test(`save: ${name}`, browserTest, () => shared.run(async (page) => {
    const given = await put(page);
    await page.waitForSelector(".report");
    await page.click("text=Save as…");
    for (const [format, label] of Object.entries(FORMATS)) assertSame(await saved(page, label), native(format, args(given), input?.()), format);
  }, ASKED));
}

const EVIL = "=HYPERLINK(\"https://e.example\")</script>]]>\u202e\u0007\\u003c | `x` [a](https://e.example)\n::error::forged";
const calls = `[\n{"name": "get_order", "arguments": {"id": 7}},\n{"name": ${JSON.stringify(EVIL)}, "arguments": {"id": "8\\n9", "n": 9007199254740993}}\n]`;
const reference = "get_order(id=7)\ncancel_order(id=7)\n";

same("what was pasted, with a reference", async (page) => {
  file("reference.txt", reference);
  await page.fill("#reference", reference);
  await page.fill("#trace", calls);
  await page.click("text=Score the trace");
}, () => ["--reference", "reference.txt", "-"], () => calls);

same("a file, with the lines of its calls", async (page) => {
  file("reference.txt", reference);
  await page.fill("#reference", reference);
  await page.setInputFiles("input[type=file]", join(scratch, file("a b=1.json", calls)));
  return ["--reference", "reference.txt", "a b=1.json"];
}, (args) => args);

same("many runs", async (page) => {
  await page.setInputFiles("input[type=file]", join(scratch, file("runs.json", readFileSync(join(root, "testdata/traces/tau-bench.json")))));
}, () => ["runs.json"]);

same("several files, of which one cannot be read", async (page) => {
  const files = [file("one.json", calls), file("=two.json", calls), file("three.json", "nonsense {"), file("four.json", readFileSync(join(root, "testdata/traces/openai-chat.json")))];
  await page.setInputFiles("input[type=file]", files.map((name) => join(scratch, name)));
  return files;
}, (files) => files);

same("a packed file", async (page) => {
  await page.setInputFiles("input[type=file]", join(scratch, file("packed.json.gz", gzipSync(readFileSync(join(root, "testdata/traces/openai-chat.json"))))));
}, () => ["packed.json.gz"]);

test("save: a finding in SARIF stands at the line of its call", browserTest, async () => {
  const { page, wrong } = await openPage(browser.context, site.url, "", ASKED);
  try {
    await page.fill("#trace", '[\n{"name":"get_order"},\n{"name":"delete_all_orders","arguments":{"scope":"all"}}\n]');
    await page.click("text=Score the trace");
    await page.click("text=Save as…");
    const { runs } = JSON.parse(await saved(page, "SARIF"));
    assert.ok(runs[0].results.some((r) => r.locations[0].physicalLocation.region?.startLine === 3));
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
});

test("save: a report that was opened is saved in other forms, and one that was damaged says why not", browserTest, async () => {
  const { page, wrong } = await openPage(browser.context, site.url, "", ASKED);
  try {
    const report = native("json", ["-"], calls);
    await page.setInputFiles("input[type=file]", join(scratch, file("report.json", report)));
    await page.waitForSelector(".report");
    await page.click("text=Save as…");
    for (const format of ["markdown", "csv", "junit", "html", "json"]) assertSame(await saved(page, FORMATS[format]), native(format, ["-"], calls), format);
    const broken = JSON.parse(report);
    broken.trajectories[0].violations[0].obs = 99;
    const bytes = { name: "broken.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...broken, trajectories: [broken.trajectories[0], { ...broken.trajectories[0], id: "2" }] })) };
    await page.setInputFiles("input[type=file]", bytes);
    await page.waitForSelector(".strip");
    await page.click("text=Save as…");
    await page.click('.save >> role=button[name="Save as CSV"]');
    await page.waitForFunction(() => /^CSV was not written: .*a step that is not in the run\.$/.test(document.querySelector(".save [role=status]").textContent));
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
});

test("save: by the keyboard alone; without a network HTML says why not", browserTest, async () => {
  const { page } = await openPage(browser.context, site.url, "", ASKED);
  try {
    await page.click('[data-example="abb-missing-verification"]');
    await page.waitForSelector(".report");
    await page.focus("text=Save as…");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Markdown");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Space")]);
    assert.equal(download.suggestedFilename(), "boundcheck-report.md");
    await browser.context.route("**/saved.json", (route) => route.abort());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /^HTML was not written: .*when you have a network connection\.$/.test(document.querySelector(".save [role=status]").textContent));
  } finally {
    await browser.context.unroute("**/saved.json");
    await page.close();
  }
});
