// The page of `serve --watch`, while files grow and spans arrive; and
// the page of `bench watch`, for a journal with hostile names: it shows new lines,
// interprets no name as HTML, follows its policy, and passes axe on a phone and on a
// desktop.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { buildCommand } from "../../test/command.mjs";
import { browserTest, executablePath, launch, root, servePage } from "./browser.mjs";
import { assertNoSidewaysScroll } from "./width.mjs";

const EVIL = `<img src=x onerror="document.title='broken'">` + "W".repeat(200);

let browser, scratch, server, url, journal, command;

const write = (line) => appendFileSync(journal, JSON.stringify(line) + "\n");
const exchange = (run, n) => ({ exchange: { run, n, digest: "", status: 200, answer: { usage: { prompt_tokens: 1000, completion_tokens: 10 } } } });
const ended = (task, trial, reward, name) => ({ run: { task_id: task, trial, reward, info: { task: {} }, traj: [], bench: { task: name, ended: "user", turns: 4 } } });

before(async () => {
  if (!executablePath) return;
  scratch = mkdtempSync(join(tmpdir(), "boundcheck-watch-"));
  journal = join(scratch, "journal.jsonl");
  writeFileSync(journal, "");
  write({ experiment: { env: "shop", tasks: [0, 1, 2], trials: 3, seed: 1, model: EVIL, protocol: "openai", framework: "react", saber: { verify: true }, turns: 30 } });
  write(exchange("0.0", 0));
  write(ended(0, 0, 1, "shop-01"));
  write(exchange("1.0", 0));
  command = join(scratch, "boundcheck");
  buildCommand(command);
  browser = await launch();
  server = spawn(command, ["bench", "watch", "--price", "3,15", scratch], { stdio: ["ignore", "pipe", "ignore"] });
  [url] = await once(createInterface({ input: server.stdout }), "line");
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  if (server?.kill()) await once(server, "exit");
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

test("watch: the page shows a journal as it grows", browserTest, async () => {
  const page = await browser.context.newPage();
  const wrong = [];
  page.on("console", (m) => m.type() === "error" && wrong.push("console: " + m.text()));
  page.on("pageerror", (e) => wrong.push("page: " + e.message));
  await page.goto(url);
  await page.waitForSelector("text=1 of 9 runs have ended.");
  assert.equal(await page.locator(".cell.rewarded").count(), 2); // one of them is in the legend
  assert.equal(await page.locator(".tasks .cell.running").count(), 1);
  assert.equal(await page.locator(".tasks .cell.waiting").count(), 7);
  write(ended(1, 0, 0, EVIL));
  await page.waitForSelector("text=2 of 9 runs have ended.");
  assert.equal(await page.locator(".tasks .cell.unrewarded").count(), 1);
  assert.match(await page.locator("dl").innerText(), /2 of 9[\s\S]*1 \(50\.0 %\)[\s\S]*2,000[\s\S]*0\.01/);
  assert.equal(await page.locator("img").count(), 0);
  await page.evaluate(readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8"));
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")}`), [], `${colorScheme}, ${width} px`);
    }
  }
  await assertNoSidewaysScroll(page);
  assert.match(await page.title(), /^22 % /);
  server.kill();
  await page.waitForSelector("text=has ended. This page shows the last figures that the program sent.");
  assert.deepEqual(wrong.filter((w) => !w.includes("ERR_CONNECTION_REFUSED")), []);
  await page.close();
});

test("serve --watch: runs appear while the agent works, from files and from spans, and the reader's place stays", browserTest, async () => {
  const runs = mkdtempSync(join(tmpdir(), "boundcheck-runs-"));
  const built = await servePage();
  const serve = spawn(command, ["serve", "--addr", "localhost:0", "--playground", built.dir, "--watch", runs, "--otlp"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: serve.stdout })[Symbol.asyncIterator]();
    const address = (await lines.next()).value.match(/http:\S+/)[0];
    const watched = (await lines.next()).value.match(/http:\S+/)[0];
    const page = await browser.context.newPage();
    const wrong = [];
    page.on("console", (m) => m.type() === "error" && wrong.push("console: " + m.text()));
    page.on("pageerror", (e) => wrong.push("page: " + e.message));
    await page.goto(watched);
    await page.waitForSelector("text=Waiting for the first run…");
    const line = (id, tool) => JSON.stringify({ id, task: id, actions: [{ name: "get_order", arguments: { id: 7 } }, { name: tool, arguments: { id: 7 } }], reference: [{ name: "get_order", arguments: { id: 7 } }, { name: "cancel_order", arguments: { id: 7 } }] }) + "\n";
    writeFileSync(join(runs, "a.jsonl"), line("one", "delete_order"));
    await page.waitForSelector(".report .row.violation");
    assert.match(await page.textContent(".cause-story"), /called delete_order for id 7/);
    await page.locator("h2.verdict").click();
    await page.keyboard.press("n");
    appendFileSync(join(runs, "a.jsonl"), line("two", "cancel_order"));
    await page.waitForSelector("text=1 of 2 runs broke a boundary.");
    await page.click(".run-list >> text=one");
    appendFileSync(join(runs, "a.jsonl"), line("three", "drop_order"));
    await page.waitForSelector("text=Run one (1 of 3)");
    const span = (id, name) => ({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: id, name: `execute_tool ${name}`, startTimeUnixNano: id, endTimeUnixNano: id, attributes: [{ key: "gen_ai.operation.name", value: { stringValue: "execute_tool" } }, { key: "gen_ai.tool.name", value: { stringValue: name } }, { key: "gen_ai.tool.call.arguments", value: { stringValue: '{"id":7}' } }] });
    const sent = await fetch(address + "/v1/traces", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span("1000000000000001", "get_order")] }] }] }) });
    assert.equal(sent.status, 200);
    await page.waitForSelector("text=of 4 runs"); // a run of several files has another id
    assert.equal(await page.locator(".run-list tbody tr").count(), 4);
    assert.deepEqual(wrong, []);
    serve.kill();
    await once(serve, "exit");
    await page.waitForSelector("text=Nothing is followed now");
    await page.close();
  } finally {
    serve.kill();
    built.close();
    rmSync(runs, { recursive: true, force: true });
  }
});
