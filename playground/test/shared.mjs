// One page for the tests of a file. A test gets the page that the test before has left, if it can be
// made to look as a new page does; else it gets a new one. To open a page costs more than most tests:
// it starts a process, and loads and compiles the core.
import assert from "node:assert/strict";
import { openPage, rested } from "./browser.mjs";

const VIEWPORT = { width: 1280, height: 900 }; // of launch()

export class SharedPage {
  /** @type {Awaited<ReturnType<typeof openPage>> | null} the page that the test before has left */
  #left = null;
  #context;
  #url;

  /** @param {import("playwright-core").BrowserContext} context @param {string} url */
  constructor(context, url) {
    this.#context = context;
    this.#url = url;
  }

  /**
   * Runs a test, which fails if the page reports an error. The page of a test that fails is closed.
   * @param {(page: import("playwright-core").Page) => Promise<void>} test @param {RegExp} [asked] the requests that are expected
   */
  async run(test, asked = /^blob:/) {
    const opened = (await this.#again()) ?? (await this.#open());
    const wrong = opened.expect(asked);
    try {
      await test(opened.page);
      assert.deepEqual(wrong, []);
      this.#left = opened;
    } finally {
      if (!this.#left) await opened.page.close();
    }
  }

  /** Closes the page that the last test has left. */
  async close() {
    await this.#left?.page.close();
  }

  async #open() {
    const opened = await openPage(this.#context, this.#url);
    await opened.page.evaluate(`(${remember})(${look})`);
    assert.deepEqual(opened.wrong, []);
    return opened;
  }

  /** The page of the test before, if it looks as a new one does. What it reports meanwhile is an error. */
  async #again() {
    const opened = this.#left;
    this.#left = null;
    if (!opened) return null;
    const { page } = opened;
    const wrong = opened.expect(/^blob:/);
    await page.bringToFront(); // a page in the background draws nothing
    await page.mouse.move(0, 0);
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: "reduce" });
    const { width, height } = page.viewportSize();
    if (width !== VIEWPORT.width || height !== VIEWPORT.height) await page.setViewportSize(VIEWPORT);
    await rested(page);
    const unlike = await page.evaluate(`(${renew})(${look}, ${JSON.stringify(this.#url)})`);
    assert.deepEqual(wrong, [], "after the test before");
    if (!unlike) return opened;
    if (process.env.BOUNDCHECK_UNLIKE) console.error(`a new page is opened, because the one before differs: ${unlike}`);
    await page.close();
    return null;
  }
}

/** Runs in a new page: remembers how it looks. */
function remember(look) {
  const natives = () => [boundcheck.handleRaw, boundcheck.map, DataTransfer.prototype.getData, Document.prototype.execCommand, Clipboard.prototype.readText, Worker, fetch];
  const before = natives();
  Object.defineProperty(globalThis, Symbol.for("new"), { value: { look: look(), unchanged: () => natives().every((f, i) => f === before[i]) } });
}

/** Runs in a page: what a reader sees of it, and what else a test may have left. */
function look() {
  const copy = document.body.cloneNode(true);
  for (const e of copy.querySelectorAll("#score [hidden]")) {
    e.replaceChildren(); // it is filled before it is shown again
    e.removeAttribute("hidden");
    e.setAttribute("hidden", ""); // at the same place among the attributes
  }
  const values = [...document.querySelectorAll("input, select, textarea")].map((e) => `${e.id}: ${e.type === "checkbox" ? e.checked : e.value}`);
  const globals = Object.keys(globalThis).filter((name) => name !== "axe");
  return [copy.outerHTML.replaceAll(' class=""', ""), document.title, ...values, location.href, JSON.stringify(history.state), scrollX, scrollY, document.activeElement.tagName, String(getSelection()), globals.sort().join()].join("\n");
}

/** Runs in a page: empties it as a reader does. Returns how it then differs from a new one; "" if it does not. */
function renew(look, url) {
  const fresh = globalThis[Symbol.for("new")];
  document.getElementById("tab-score").click();
  [...document.querySelectorAll("#score form button")].find((b) => b.textContent === "Clear").click();
  document.getElementById("trace").dispatchEvent(new Event("input", { bubbles: true })); // takes the offer to undo away
  for (const e of document.querySelectorAll("#score details[open]")) e.open = false;
  getSelection().removeAllRanges();
  document.activeElement.blur();
  history.replaceState(null, "", url);
  scrollTo(0, 0);
  if (!fresh?.unchanged()) return "a function was replaced";
  const now = look();
  let at = 0;
  while (at < now.length && now[at] === fresh.look[at]) at++;
  return now === fresh.look ? "" : `${now.slice(Math.max(at - 60, 0), at + 60)}, want ${fresh.look.slice(Math.max(at - 60, 0), at + 60)}`;
}
