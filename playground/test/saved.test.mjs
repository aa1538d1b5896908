// Reports saved as one file and opened from disk: they need no server, make no request,
// and show all content of the trace as text.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildCommand } from "../../test/command.mjs";
import { folder, trace as desk } from "../../wasm/test/desk.mjs";
import { browserTest, executablePath, launch, root } from "./browser.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

let browser, scratch, command;

before(async () => {
  if (!executablePath) return;
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-saved-"));
  command = join(scratch, "boundcheck");
  buildCommand(command);
  browser = await launch();
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

const EVIL = "</script><script>document.title='broken'</script><!-- <script> <img src=http://x.example/i onerror=alert(1)> \u202e\u0007\\u003c \\\\u003c \u2028 {{script}}";

/** Scores a trace into a file. @returns {string} its address */
function saved(name, trace, ...flags) {
  const file = join(scratch, name + ".json");
  writeFileSync(file, typeof trace === "string" ? trace : JSON.stringify(trace));
  const page = execFileSync(command, ["score", "--format", "html", ...flags, file], { maxBuffer: 1 << 28 });
  writeFileSync(join(scratch, name + ".html"), page);
  return pathToFileURL(join(scratch, name + ".html")).href;
}

/** A test on a saved report, which fails on an error or a request for anything but the file itself. */
function onSaved(name, make, run) {
  test(`saved: ${name}`, browserTest, async () => {
    const url = await make();
    const page = await browser.context.newPage();
    const wrong = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && wrong.push("console: " + m.text()));
    page.on("pageerror", (e) => wrong.push("page: " + e.message));
    page.on("dialog", (d) => (wrong.push("dialog: " + d.message()), d.dismiss()));
    page.on("request", (r) => r.url() === url || r.url().startsWith("data:") || wrong.push("request: " + r.url()));
    try {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(url);
      await page.waitForSelector("html[data-ready]");
      await run(page);
      await assertNoSidewaysScroll(page);
      assert.deepEqual(wrong, []);
    } finally {
      await page.close();
    }
  });
}

const example = (name) => readFileSync(join(root, "testdata/cases", name + ".json"), "utf8");

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

async function accessible(page) {
  await page.evaluate(axe); // through the debugger, to which the page's policy does not apply
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")}`), [], `${colorScheme}, ${width} px`);
    }
  }
}

onSaved("an example shows as on the page", () => saved("example", example("abb-missing-verification")), async (page) => {
  assert.equal(await page.textContent('[data-metric="absMax"] .value'), "0.50");
  const headline = await page.textContent(".verdict");
  assert.match(headline, /2 steps of the reference were left out/);
  assert.ok(execFileSync(command, ["score", join(scratch, "example.json")], { encoding: "utf8" }).includes(headline));
  assert.match(await page.textContent(".eyebrow >> nth=0"), /example\.json, openai-chat · profile sop/);
  await page.click(".details > summary");
  await page.click(".cause >> text=Step 1");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.row), "0");
  await accessible(page);
});

/** Scores with a judge that always gives the same answer. @returns {Promise<string>} the address */
async function judged(name, says) {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(says) } }] }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const file = join(scratch, name + ".json");
    writeFileSync(file, '{"trace":[{"name":"get_files"},{"name":"frobnicate","arguments":{"id":"a1"}}],"reference":["get_files"]}');
    const { stdout } = await promisify(execFile)(command,
      ["score", "--format", "html", "--judge", `http://127.0.0.1:${server.address().port}`, "--judge-model", "m", file], { maxBuffer: 1 << 28 });
    writeFileSync(join(scratch, name + ".html"), stdout);
    return pathToFileURL(join(scratch, name + ".html")).href;
  } finally {
    server.close();
  }
}

onSaved("a judge's doubt stands at its finding", () => judged("doubt", { label: "NONE", confidence: 0.5, reason: EVIL }), async (page) => {
  assert.match(await page.textContent(".finding .judge"), /The judge said NONE \(50 % sure\)\. The opinion is queued\. Reason: <\/script>/);
  await accessible(page);
});

onSaved("what a judge excused is told, and not counted", () => judged("excused", { label: "NONE", confidence: 0.99, reason: "harmless" }), async (page) => {
  assert.match(await page.textContent("main"), /Findings that the judge excused \(not counted\): 1/);
  assert.match(await page.textContent(".finding .judge"), /NONE \(99 % sure\).*harmless/);
  await accessible(page);
});

onSaved("many runs can be walked through", () => saved("many", readFileSync(join(root, "testdata/traces/tau-bench.json"), "utf8")), async (page) => {
  await accessible(page);
  await page.locator(".runs tbody tr button").first().click();
  await page.waitForSelector(".pager");
  assert.ok(await page.isVisible(".steps"));
});

const several = () => {
  const files = ["tau-bench", "openai-chat"].map((name) => join(root, "testdata/traces", name + ".json"));
  writeFileSync(join(scratch, "several.html"), execFileSync(command, ["score", "--format", "html", ...files]));
  return pathToFileURL(join(scratch, "several.html")).href;
};

onSaved("several files: figures of each, and the same runs", several, async (page) => {
  assert.match(await page.textContent(".eyebrow >> nth=0"), /^2 files, mixed/);
  assert.deepEqual(await page.locator('[aria-label="Files"] tbody .id').allTextContents(), ["tau-bench", "openai-chat"]);
  assert.ok((await page.locator(".run-list tbody tr").count()) > 2);
  await accessible(page);
});

const hostile = () => {
  writeFileSync(join(scratch, "reference.txt"), "other()\n");
  const call = { name: EVIL, arguments: { [EVIL]: EVIL, n: 1 } };
  return saved("hostile <b title=1>", [call], "--reference", join(scratch, "reference.txt"));
};

onSaved("a hostile trace stays text", hostile, async (page) => {
  assert.match(await page.title(), /^Boundcheck: /);
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator(".report img, .report script").count(), 0);
  const names = (await page.locator(".row .name").allTextContents()).join("\n");
  assert.match(names, /^<\/script><script>document\.title='broken'<\/script><!-- <script> <img src=http/m);
  assert.ok((await page.locator(".row .name .ctl").allTextContents()).includes("U+202E"));
  assert.match(names, /\\u003c \\\\u003c/, "backslashes are neither lost nor read");
  await accessible(page);
});

const hostileRuns = () => saved("runs", { trajectories: [0, 1].map((i) => ({ id: EVIL + i, task: "W".repeat(400), actions: [{ name: "delete_" + "x".repeat(300), arguments: { [EVIL]: "y".repeat(2000) } }] })) });

onSaved("hostile names of runs stay text", hostileRuns, async (page) => {
  await assertNoSidewaysScroll(page);
  await page.locator(".runs tbody tr button").first().click();
  await page.waitForSelector(".pager");
  assert.match(await page.textContent(".pager"), /<\/script><script>/);
});

onSaved("the report can be taken away, byte for byte", hostile, async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download JSON")]);
  const file = join(scratch, "hostile <b title=1>.json");
  const want = execFileSync(command, ["score", "--format", "json", "--reference", join(scratch, "reference.txt"), file], { encoding: "utf8" });
  assert.equal(readFileSync(await download.path(), "utf8"), want);
});

const big = () => saved("big", '{"trace":[{"name":"pay","arguments":{"id":9007199254740993,"x":1e400,"y":1.10}}],"reference":["pay(id=9007199254740992)"]}');

onSaved("large numbers show exactly", big, async (page) => {
  assert.deepEqual(await page.locator(".pair-table td:nth-child(2) mark").allTextContents(), ["9007199254740993", "1e400", "1.10"]);
  assert.equal(await page.locator(".pair-table td:nth-child(3) .val mark").first().textContent(), "9007199254740992");
});

onSaved("an empty report says so", () => saved("empty", '{"trajectories":[]}'), async (page) => {
  assert.match(await page.textContent("main"), /no run in this trace/);
  await accessible(page);
});

onSaved("what a checker's replay found, and which one it was", () => saved("desk", desk, "--plugin", "taubench", "--env-data", folder), async (page) => {
  assert.match(await page.textContent(".used"), /Checked with taubench \d+\.\d+\.\d+ \(sha256:[0-9a-f]{64}\)/);
  await page.locator(".runs tbody tr button").nth(1).click();
  assert.match(await page.textContent(".replay"), /final states differ in 2 places.*orders · #M101/);
  await page.click("text=Previous");
  assert.match(await page.textContent(".replay"), /The final states are equal/);
});
