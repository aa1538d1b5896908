// Tests that the answer stands in the first view, on a desktop and on a phone: for examples,
// and for the first failed run of each recorded file of a benchmark: those of at most a megabyte,
// and with BOUNDCHECK_LONG=1 all of them.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { browserTest, executablePath, launch, root, servePage } from "./browser.mjs";
import { measureAt, openFirstFailed, openRun, recordedFiles, runsOfSteps, settled, SIZES } from "./firstview.mjs";
import { SharedPage } from "./shared.mjs";

const LONGEST = 2500; // px of a phone's page of a run with eight steps, before the details

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

/** Opens a file and measures its first failed run at both sizes; [] if there is none. */
async function measured(name, bytes) {
  const all = [];
  await shared.run(async (page) => {
    const id = await openFirstFailed(page, name, bytes);
    for (const size of id ? SIZES : []) all.push({ size, ...(await measureAt(page, size)) });
  }, /./);
  return all;
}

function assertFirst(name, all) {
  for (const { size, marked, verdict } of all) assert.ok(verdict <= marked && marked <= size[1], `${name} at ${size.join("×")}: the first marked difference ends at ${marked} px`);
}

test("first view: what went wrong is marked on the first screen of each example", browserTest, async () => {
  const folder = join(root, "testdata/cases");
  let failed = 0;
  for (const name of ["abb-missing-verification", "abb-scope-creep", "abb-granularity", "example-over-action", "example-end", "example-lucky"]) {
    const { trace, reference } = JSON.parse(readFileSync(join(folder, name + ".json"), "utf8"));
    const all = await measured(name, Buffer.from(JSON.stringify({ trace, reference })));
    assertFirst(name, all);
    failed += all.length / SIZES.length;
  }
  assert.ok(failed >= 5, `only ${failed} examples broke a boundary`);
});

const long = Boolean(process.env.BOUNDCHECK_LONG);
const recorded = recordedFiles().filter((file) => long || statSync(file).size <= 1 << 20);
const skip = browserTest.skip || (recorded.length ? false : "no recorded files: set BOUNDCHECK_DATA to their folder (docs/data.md)");
if (skip) console.error(`SKIPPED: ${skip}`);

test("first view: what went wrong is marked on the first screen of the first failed run of each recorded file", { ...browserTest, skip, timeout: 600_000 }, async () => {
  let runs = 0;
  for (const file of recorded) {
    const bytes = readFileSync(file);
    const all = await measured(basename(file), bytes);
    assertFirst(file, all);
    runs += all.length / SIZES.length;
  }
  assert.ok(runs >= (long ? 8 : 2), `only ${runs} files have a failed run with a finding`);
});

test("first view: on a phone, each run with eight steps is at most 2,500 px long before the details", { ...browserTest, skip, timeout: 900_000 }, async () => {
  let runs = 0;
  for (const file of recorded.filter((path) => /tau-?bench|tau2/.test(path))) {
    await shared.run(async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.setInputFiles("input[type=file][multiple] >> nth=0", { name: basename(file), mimeType: "text/plain", buffer: readFileSync(file) });
      await page.waitForFunction(() => document.querySelector(".progress").hidden && document.querySelector(".report, .problem"), null, { timeout: 120_000 });
      for (const id of await runsOfSteps(page, 8)) {
        await openRun(page, id);
        await settled(page);
        const { column } = await measureAt(page, [390, 844]);
        assert.ok(column <= LONGEST, `${file}, run ${id}: ${column} px before the details`);
        runs++;
      }
    }, /./);
  }
  assert.ok(runs >= (long ? 40 : 1), `only ${runs} runs with eight steps`);
});
