// The basis of the browser tests: the built page, a tiny static server, and the machine's
// own Chromium with an empty profile.
import { execFileSync } from "node:child_process";
import { cpSync, createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, extname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Without it, Chromium compiles the core twice, and the second time for a speed that a test does not need:
// an eighth of the browser's work. make nightly has users' browser.
const ONCE = "--js-flags=--liftoff-only";

function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return process.env.PATH.split(delimiter).flatMap((dir) => names.map((name) => join(dir, name))).find((path) => existsSync(path));
}

export const executablePath = chromium();

/** Options for tests that need a browser. They are skipped with a message if there is none. */
export const browserTest = { timeout: 300_000, skip: executablePath ? false : "no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path" };
if (browserTest.skip) console.error(`SKIPPED: ${browserTest.skip}`);

/** Builds the page into a folder, or copies what make test has built for all suites. */
function putPage(dir) {
  const built = process.env.BOUNDCHECK_BUILT;
  if (built) cpSync(join(built, "page"), dir, { recursive: true });
  else execFileSync("sh", [join(root, "playground/build.sh"), dir], { stdio: "inherit" });
}

/** Builds and serves the page. @returns {Promise<{url: string, close(): void}>} */
export async function servePage() {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-page-"));
  putPage(dir);
  const server = createServer((request, response) => {
    const path = join(dir, normalize("/" + new URL(request.url, "http://host").pathname));
    const source = join(root, "playground", relative(dir, path)); // a test may import a single module
    const file = !existsSync(path) ? source : statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, dir, close };
}

/** Starts a browser. It compiles the core as users' browsers do only with optimized. It keeps pages for offline use only with serviceWorkers: "allow", and takes a test's own certificate with ignoreHTTPSErrors. @returns {Promise<{context: import("playwright-core").BrowserContext, close(): Promise<void>}>} */
export async function launch({ serviceWorkers = "block", ignoreHTTPSErrors = false, optimized = Boolean(process.env.BOUNDCHECK_LONG) } = {}) {
  const { chromium } = await import("playwright-core");
  const profile = mkdtempSync(join(tmpdir(), "boundcheck-profile-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: optimized ? FLAGS : [...FLAGS, ONCE], timeout: 120_000, serviceWorkers, ignoreHTTPSErrors, viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(120_000); // other suites use the machine at the same time
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}

const SECOND = /\/npm\/seldom\.wasm$/; // loaded a little later than the page, see core.js

/**
 * Opens the page, waits until everything is loaded, and from then on collects what must
 * not happen: errors, and requests other than the expected ones.
 * @returns {Promise<{page: import("playwright-core").Page, wrong: string[], expect(asked: RegExp): string[]}>} expect begins a new list, which it returns
 */
export async function openPage(context, url, hash = "", asked = /^blob:/) {
  const page = await context.newPage();
  let wrong = [];
  page.on("console", (m) => m.type() === "error" && wrong.push("console: " + m.text()));
  page.on("pageerror", (e) => wrong.push("page: " + e.message));
  // A test may leave the page before the second module is there.
  const left = (r) => SECOND.test(r.url()) && r.failure()?.errorText === "net::ERR_ABORTED";
  page.on("requestfailed", (r) => left(r) || wrong.push("failed: " + r.url()));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(url + hash);
  await page.waitForSelector("html[data-ready]");
  page.on("request", (r) => asked.test(r.url()) || SECOND.test(r.url()) || wrong.push("request after load: " + r.url()));
  return { page, wrong, expect: (now) => ((asked = now), (wrong = [])) };
}

/** Waits until no scoring is under way. Its end folds the form, or opens it again. */
export const rested = (page) => page.waitForFunction(() => document.querySelector(".progress").hidden);

/** Opens the form again, which is one line after scoring. */
export async function edit(page) {
  await rested(page);
  const folded = page.locator(".input-line button");
  if (await folded.isVisible()) await folded.click();
}

/**
 * Does what starts a scoring, and waits for the view of this scoring. Each view before it is
 * marked, so that it is not taken for the new one.
 * @param {import("playwright-core").Page} page @param {() => Promise<unknown>} act
 */
export async function scored(page, act) {
  await rested(page);
  await page.evaluate(() => document.querySelectorAll(".result > *").forEach((view) => (view.dataset.before = "")));
  await act();
  await page.waitForFunction(() => document.querySelector(".progress").hidden && document.querySelector(".result > :not([data-before])"));
}

/** Scores a text with what else is in the form, and waits for the report or the problem. */
export async function score(page, text) {
  await edit(page);
  await page.fill("#trace", text);
  await scored(page, () => page.click("text=Score the trace"));
}
