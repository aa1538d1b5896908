// Measures how long a visitor waits, in the machine's own Chromium, as two tables:
//
//   node playground/test/bench.mjs [FILE …]      (make bench-page)
//
// First it measures the first visit to "boundcheck serve" with an empty profile, with an
// unlimited line and with 10 Mbit/s and 40 ms per answer: the time until the first
// example has its verdict, and the bytes transferred until then. Then, for large inputs
// and each recorded file (BOUNDCHECK_DATA, or ../shared/data), it measures how long
// scoring took and the longest task that blocked the page's main thread. Times depend on
// the machine and its load, so each table shows the load; requests and bytes do not
// depend on it.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { executablePath, launch, root } from "./browser.mjs";

const GOAL = { verdict: 2500, bytes: 1.4e6, task: 200 };
const LINES = [["no bound", null], ["10 Mbit/s, 40 ms", { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 }]];

if (!executablePath) {
  console.error("no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path");
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), "boundcheck-bench-"));
const built = join(root, "dist/playground");
if (!existsSync(join(built, "sw.js"))) execFileSync("sh", [join(root, "playground/build.sh"), built], { stdio: "inherit" });
// A release carries the modules in Brotli at the best level.
const page = join(scratch, "playground");
cpSync(built, page, { recursive: true });
for (const module of ["npm/boundcheck.wasm", "npm/seldom.wasm"]) {
  const path = join(page, module);
  writeFileSync(path + ".br", brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_SIZE_HINT]: statSync(path).size } }));
}
execFileSync("go", ["build", "-o", join(scratch, "boundcheck"), "./cmd/boundcheck"], { cwd: root, stdio: "inherit" });
const server = spawn(join(scratch, "boundcheck"), ["serve", "--addr", "localhost:0", "--playground", page]);
const url = await new Promise((resolve, reject) => {
  let said = "";
  const listen = (text) => (said += text).match(/http:\/\/\S+/)?.[0];
  server.stdout.on("data", (text) => listen(text) && resolve(said.match(/http:\/\/[^\s/]+/)[0] + "/"));
  server.on("exit", () => reject(new Error("boundcheck serve: " + said)));
});

/** One first visit. */
async function visit(line) {
  const { context, close } = await launch({ optimized: true });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    if (line) await cdp.send("Network.emulateNetworkConditions", line);
    let bytes = 0;
    let requests = 0;
    cdp.on("Network.requestWillBeSent", () => requests++);
    cdp.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
    await page.addInitScript(() => {
      let pressed = false;
      new MutationObserver(() => {
        const example = document.querySelector('[data-example="abb-missing-verification"]');
        if (example && !pressed) {
          pressed = true;
          example.click();
        }
        if (document.querySelector(".report")) globalThis.verdict ??= performance.now();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(url, { waitUntil: "commit", timeout: 60_000 });
    await page.waitForFunction(() => globalThis.verdict, null, { timeout: 60_000 });
    const at = await page.evaluate(() => ({ verdict: globalThis.verdict, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN }));
    return { ...at, bytes, requests };
  } finally {
    await close();
  }
}

process.on("exit", () => {
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
});

const median = (all) => all.toSorted((a, b) => a - b)[all.length >> 1];
const cell = (text, width) => String(text).padStart(width);

const rounds = Number(process.env.ROUNDS ?? 3);
await visit(null); // the server compresses each file once
console.log(`load ${loadavg()[0].toFixed(1)}\n\nthe first visit        paint     verdict   requests   on the wire`);
for (const [name, line] of LINES) {
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await visit(line));
  const of = (key) => median(all.map((x) => x[key]));
  const over = line && (of("verdict") > GOAL.verdict || of("bytes") > GOAL.bytes) ? `  over the goal of ${GOAL.verdict} ms and ${GOAL.bytes / 1e6} MB` : "";
  console.log(`${name.padEnd(18)} ${cell(of("paint").toFixed(0), 6)} ms ${cell(of("verdict").toFixed(0), 7)} ms ${cell(of("requests"), 10)} ${cell((of("bytes") / 1e6).toFixed(2), 10)} MB${over}`);
}

/** Files to open, which are also pasted. */
function inputs() {
  if (process.argv.length > 2) return process.argv.slice(2).map((f) => [f, f]);
  const made = (name, value) => {
    const path = join(scratch, name);
    writeFileSync(path, JSON.stringify(value));
    return [path, name];
  };
  const call = (i, more) => ({ name: ["get_order", "update_order", "search"][i % 3], arguments: { id: "#W" + i, ...more } });
  const list = (n, more) => Array.from({ length: n }, (_, i) => call(i, more));
  const run = (i) => ({ id: "run-" + i, task: String(i >> 2), trial: i & 3, actions: list(12, { run: i, note: "x".repeat(1200) }), reference: list(10, { run: i, note: "x".repeat(100) }) });
  const all = [
    made("1,200 runs, 20 MB", { trajectories: Array.from({ length: 1200 }, (_, i) => run(i)) }),
    made("20 MB in one run", list(16_000, { note: "y".repeat(1250) })),
    made("5,000 steps beside 4,977", { trajectories: [{ id: "long", actions: list(5000), reference: list(4977, { by: "reference" }) }] }),
  ];
  const data = process.env.BOUNDCHECK_DATA ?? join(root, "../shared/data");
  if (!existsSync(data)) console.error(`SKIPPED: no recorded files at ${data}`);
  else for (const f of readdirSync(data, { recursive: true }).sort()) {
    const path = join(data, f);
    if (/\.(json|jsonl)$/.test(f) && statSync(path).isFile()) all.push([path, relative(data, path)]);
  }
  return all;
}

async function take(path, how) {
  const { context, close } = await launch({ optimized: true });
  try {
    await context.grantPermissions(["clipboard-write"], { origin: url });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector("html[data-ready]");
    if (how === "paste") {
      await page.evaluate((text) => navigator.clipboard.writeText(text), readFileSync(path, "utf8"));
      await page.focus("#trace");
    }
    await page.evaluate(() => {
      globalThis.tasks = [];
      new PerformanceObserver((list) => list.getEntries().forEach((e) => globalThis.tasks.push(e.duration))).observe({ type: "longtask" });
    });
    const began = Date.now();
    if (how === "paste") await page.keyboard.press("Control+V");
    else await page.setInputFiles('input[type="file"]', path);
    await page.waitForSelector(".problem, .report", { timeout: 120_000 });
    const took = Date.now() - began;
    await page.waitForTimeout(500); // the observer is called a little later
    const longest = await page.evaluate(() => Math.max(0, ...globalThis.tasks));
    return { took, longest, read: (await page.locator(".report").count()) > 0 };
  } finally {
    await close();
  }
}

console.log("\nan input                                              size     by     until read   longest task");
let over = 0;
for (const [path, name] of inputs()) {
  for (const how of ["file", "paste"]) {
    try {
      const { took, longest, read } = await take(path, how);
      if (longest > GOAL.task) over++;
      console.log(`${name.slice(-50).padEnd(50)} ${cell((statSync(path).size / 1e6).toFixed(1), 5)} MB  ${how.padEnd(5)} ${cell(took, 8)} ms ${cell(longest.toFixed(0), 10)} ms${longest > GOAL.task ? "  over " + GOAL.task : ""}${read ? "" : "  (not a trace)"}`);
    } catch (e) {
      over++;
      console.log(`${name.slice(-50).padEnd(50)} ${how}: ${e.message.split("\n")[0]}`);
    }
  }
}
console.log(`\n${over} over ${GOAL.task} ms. load ${loadavg()[0].toFixed(1)}`);
process.exit(0);
