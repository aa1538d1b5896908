// Measures where the answer stands on the page, in px from its top: for the first failed run of a
// file, the first marked difference (or the sentence of a story that is about no step, or the verdict that no cause was found), the length of the page before the details, and the whole
// page. Prints a table for recorded files:
//
//   node playground/test/firstview.mjs [FILE …]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage, root, servePage } from "./browser.mjs";

export const SIZES = [[1280, 800], [390, 844]];
const FOLDERS = ["tau-bench", "tau2", "webarena", "theagentcompany"];

/** The recorded files of the benchmarks; none if they are not on this machine. @returns {string[]} */
export function recordedFiles() {
  const data = process.env.BOUNDCHECK_DATA ?? join(root, "../shared/data");
  return FOLDERS.filter((f) => existsSync(join(data, f))).flatMap((f) => readdirSync(join(data, f)).filter((name) => /\.jsonl?$/.test(name)).map((name) => join(data, f, name)));
}

/**
 * Opens a file and goes to its first failed run that broke a boundary, or else to its first failed run.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string>} the run's id; "" if there is no such run
 */
export async function openFirstFailed(page, name, bytes) {
  await page.setInputFiles("input[type=file][multiple] >> nth=0", { name, mimeType: "text/plain", buffer: bytes });
  await page.waitForFunction(() => document.querySelector(".progress").hidden && document.querySelector(".report, .problem"), null, { timeout: 120_000 });
  if (await page.locator(".problem").count()) return "";
  if (!(await page.locator(".run-list").count())) return (await page.locator(".verdict.bad").count()) ? "the only run" : "";
  const kind = (await page.locator(".filter.failed").count()) ? "failed" : "other"; // those that failed and broke nothing
  if (!(await page.locator(`.filter.${kind}`).count())) return "";
  for (const other of await page.locator(`.filter:not(.${kind})`).all()) await other.click();
  const first = page.locator(".run-list tbody th button").first();
  const id = await first.textContent();
  await first.click();
  await page.waitForSelector(".run .verdict");
  return id;
}

/** Goes to a run of the report by the address, as Back does. */
export async function openRun(page, id) {
  await page.evaluate((run) => {
    history.pushState(history.state, "", "#score?run=" + encodeURIComponent(run));
    dispatchEvent(new PopStateEvent("popstate"));
  }, id);
  await page.waitForSelector(".run .verdict");
}

/** The ids of the runs in the list in which the agent took so many steps. @returns {Promise<string[]>} */
export async function runsOfSteps(page, steps) {
  while (await page.locator(".run-list-all .more:visible").count()) await page.locator(".run-list-all .more:visible").click();
  return page.evaluate((n) => [...document.querySelectorAll(".run-list tbody tr")].filter((tr) => tr.querySelector("td.num").textContent.startsWith(`${n} / `)).map((tr) => tr.querySelector("th button").textContent), steps);
}

/** Waits until the messages of the run are there: the page's height has stayed the same for a while. */
export const settled = (page) => page.evaluate(async () => {
  for (let height = -1, same = 0; same < 4; ) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    same = document.documentElement.scrollHeight === height ? same + 1 : 0;
    height = document.documentElement.scrollHeight;
  }
});

/** The places of the page's parts at a size, in px from the top of the page. */
export async function measureAt(page, [width, height]) {
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(300); // the messages arrive between the steps
  return page.evaluate(() => {
    scrollTo(0, 0);
    const run = [...document.querySelectorAll(".run")].find((node) => node.checkVisibility());
    const end = (node) => (node ? Math.ceil(node.getBoundingClientRect().bottom + scrollY) : null);
    const story = run.querySelector(".cause-story");
    return { verdict: end(run.querySelector(".verdict")), marked: end(story?.querySelector("mark") ?? story?.querySelector(".did") ?? run.querySelector(".verdict")), card: end(story), column: end(run.querySelector(".column")), page: document.documentElement.scrollHeight, steps: run.querySelectorAll(".overview span").length };
  });
}

async function printTable(files) {
  const site = await servePage();
  const browser = await launch();
  try {
    console.log("| file | run | steps | size | verdict | first marked difference | story | run | page |\n|---|---|---:|---|---:|---:|---:|---:|---:|");
    for (const file of files) {
      const { page } = await openPage(browser.context, site.url, "", /./);
      const id = await openFirstFailed(page, basename(file), readFileSync(file));
      for (const size of id ? SIZES : []) {
        const m = await measureAt(page, size);
        console.log(`| ${basename(file)} | ${id} | ${m.steps} | ${size.join("×")} | ${m.verdict} | ${m.marked ?? "none"} | ${m.card ?? "none"} | ${m.column} | ${m.page} |`);
      }
      if (!id) console.log(`| ${basename(file)} | no failed run with a finding | | | | | | | |`);
      await page.close();
    }
  } finally {
    await browser.close();
    site.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await printTable(process.argv.length > 2 ? process.argv.slice(2) : recordedFiles());
