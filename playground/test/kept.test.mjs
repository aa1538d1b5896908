// What a person did on the page is never undone by the page's own second drawing: neither when a
// run is drawn again with its messages, nor when a report is made again after a change of its input.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { browserTest, executablePath, launch, openPage, servePage } from "./browser.mjs";

const CASES = Number(process.env.BOUNDCHECK_CASES ?? 2);
const drawn = { ...browserTest, timeout: browserTest.timeout * CASES };
let site, browser;

before(async () => {
  if (!executablePath) return;
  site = await servePage();
  browser = await launch();
}, { timeout: 600_000 });
after(async () => {
  await browser?.close();
  site?.close();
});

const call = (i, name, args) => [{ role: "assistant", content: i % 3 ? null : `I call ${name} now. ${"It is needed for the order. ".repeat(i % 7 ? 1 : 20)}`, tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: JSON.stringify(args) } }] }, { role: "tool", tool_call_id: `c${i}`, content: `{"done": ${i}}` }];

/** A run with messages between its steps, of which some break a boundary. */
function run(id, steps, broken) {
  const messages = [{ role: "system", content: "You help with orders. ".repeat(40) }, { role: "user", content: `Please look at order ${id} and cancel it.` }];
  for (let i = 0; i < steps; i++) {
    if (i % 5 === 0) messages.push({ role: "user", content: `And what about part ${i}?` });
    messages.push(...call(i, broken.includes(i) ? "delete_part" : `get_part_${i}`, { order: id, part: i }));
  }
  return { id, task: `task ${id}`, messages, reference: Array.from({ length: steps }, (_, i) => ({ name: `get_part_${i}`, arguments: { order: id, part: i } })) };
}

/** Scores a text on a new page, in which the messages of runs arrive when the test says so. */
async function scored(text) {
  const { page, wrong } = await openPage(browser.context, site.url);
  await page.evaluate(() => {
    const { boundcheck } = globalThis;
    const ask = boundcheck.handleRaw.bind(boundcheck);
    globalThis.held = new Promise((resolve) => (globalThis.release = resolve));
    boundcheck.handleRaw = async (op, ...rest) => {
      if (op === "run") await globalThis.held;
      return ask(op, ...rest);
    };
  });
  await page.setInputFiles("input[type=file]", { name: "runs.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await page.waitForSelector(".report");
  return { page, wrong };
}

/** What a reader may do with the report, at random. Each is done as a press of a mouse or a key does it. */
function act(seed, count) {
  let state = seed;
  const draw = (n) => (state = (state * 48271) % 2147483647) % n;
  const one = (selector) => {
    const all = [...document.querySelectorAll(`.report ${selector}`)].filter((e) => e.checkVisibility() && !e.disabled);
    return all.length ? all[draw(all.length)] : null;
  };
  const press = (e) => {
    if (!e) return;
    e.focus();
    e.click();
  };
  const acts = {
    unfold: () => press(one(".fold button")),
    open: () => press(one(".column summary")),
    inside: () => press(one(".column details[open] details > summary")),
    details: () => press(one("details.details > summary")),
    long: () => press(one(".said-text ~ button[aria-expanded]")),
    around: () => press(one(".around button")),
    mark: () => press(one(".overview span")),
    judge: () => press(one(".mark-row .pill")),
    comment: () => {
      const box = one(".mark-row input");
      if (!box) return;
      box.focus();
      document.execCommand("insertText", false, `seen ${draw(100)}`);
      box.setSelectionRange(1, 3);
    },
    seek: () => {
      const box = one(".seek");
      if (!box) return;
      box.focus();
      document.execCommand("insertText", false, "order");
    },
    card: () => press(one(".report-head .buttons > [aria-expanded]")),
    more: () => press(one("button.more")),
    select: () => {
      const row = one(".column li .name, .column li .said-text, .story p");
      if (!row?.firstChild) return;
      const range = new Range();
      range.selectNodeContents(row);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    },
    key: () => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "jknp"[draw(4)], bubbles: true })),
    scroll: () => scrollBy(0, draw(900)),
  };
  const names = Object.keys(acts);
  const done = [];
  for (let i = 0; i < count; i++) {
    const name = names[draw(names.length)];
    acts[name]();
    done.push(name);
  }
  return done;
}

/** What the reader sees of what was done, in words that are the same for two drawings. */
function seen() {
  const row = (e) => e.closest("[data-row]")?.dataset.row ?? e.closest("[data-message]")?.dataset.message ?? "";
  const says = (e) => `${row(e)} ${e.tagName} ${e.getAttribute("aria-label") ?? ""} ${(e.querySelector("summary") ?? e).textContent.slice(0, 60)}`;
  const all = (selector) => [...document.querySelectorAll(`.report ${selector}`)].filter((e) => e.checkVisibility());
  const active = document.activeElement;
  return {
    open: all("details[open]").map(says),
    expanded: all("[aria-expanded=true]").map(says),
    rows: all("[data-row]").map((e) => e.dataset.row).join(),
    messages: all("[data-message]").map((e) => e.dataset.message).join(),
    folds: all(".fold").map((e) => e.textContent),
    runs: all("[data-run]").length,
    cards: all(".share h2").map((e) => e.textContent),
    values: all("input:not([readonly]), select, textarea").map((e) => [says(e), e.type === "checkbox" ? e.checked : e.value]),
    pressed: all("[aria-pressed=true]").map(says),
    focus: active === document.body ? "" : `${says(active)} ${active.matches("input:not([readonly])") ? [active.selectionStart, active.selectionEnd] : ""}`,
    selected: getSelection().toString(),
    at: Math.round(scrollY),
  };
}

test("what a person did to a run stays when its messages are drawn", drawn, async () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { page, wrong } = await scored(JSON.stringify(run("A-1", 60, [20 + seed, 41])));
    await page.evaluate(() => globalThis.scrollTo(0, 400));
    const done = [];
    for (let i = 0; i < 8; i++) {
      await page.evaluate(() => (globalThis.before = new Set(document.querySelectorAll(".column [data-row]"))));
      done.push(...(await page.evaluate(`(${act})(${seed * 100 + i}, 1)`)));
      await page.waitForTimeout(30); // a card comes later
      await page.evaluate(() => {
        globalThis.kept ??= new Set(); // rows that a press showed
        for (const e of document.querySelectorAll(".column [data-row]")) if (!globalThis.before.has(e)) globalThis.kept.add(e);
      });
    }
    await page.evaluate(() => (globalThis.was = { typed: [...document.querySelectorAll(".column input, .seek")].map((e) => [e, e.value]), open: [...document.querySelectorAll(".report details")].map((e) => [e, e.open]), focus: document.activeElement, selected: getSelection().toString() }));
    await page.evaluate(() => globalThis.release());
    await page.waitForSelector(".turn.by-user");
    await page.waitForTimeout(150); // all slices
    const lost = await page.evaluate(() => {
      const { was, kept } = globalThis;
      const out = [];
      if (document.activeElement !== was.focus) out.push(`focus: ${was.focus.outerHTML.slice(0, 90)} → ${document.activeElement.outerHTML.slice(0, 90)}`);
      if (getSelection().toString() !== was.selected) out.push(`selection: ${was.selected} → ${getSelection()}`);
      for (const [e, value] of was.typed) if (value && !(e.isConnected && e.value === value)) out.push(`${value} is no longer typed`);
      for (const e of kept) if (!e.isConnected) out.push(`row ${e.dataset.row} that was unfolded is gone`);
      for (const [e, open] of was.open) if (open && !(e.isConnected && e.open)) out.push(`${e.textContent.slice(0, 60)} is no longer open`);
      return out;
    });
    assert.deepEqual(lost, [], `seed ${seed}: ${done}`);
    const rows = await page.$$eval(".column [data-row]", (all) => all.map((e) => Number(e.dataset.row)));
    assert.deepEqual(rows, rows.toSorted((a, b) => a - b), "the steps are in order");
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test("a press that began before the messages came is a click", browserTest, async () => {
  const { page, wrong } = await scored(JSON.stringify(run("A-1", 60, [21, 41])));
  const fold = page.locator(".fold button").nth(1);
  await fold.scrollIntoViewIfNeeded();
  await fold.hover();
  const rows = await page.locator(".column [data-row]").count();
  await page.mouse.down();
  await page.evaluate(() => globalThis.release());
  await page.waitForTimeout(300);
  await page.mouse.up();
  await page.waitForSelector(".turn.by-user");
  assert.ok((await page.locator(".column [data-row]").count()) > rows, "the fold has opened");
  assert.deepEqual(wrong, []);
  await page.close();
});

test("what a person did to a report stays when the report is made again", drawn, async () => {
  const many = Array.from({ length: 110 }, (_, i) => run(`R-${i}`, 9, i % 3 ? [5] : []));
  for (const [name, text, open] of [["one run", JSON.stringify(run("A-1", 60, [20, 41]))], ["many runs", JSON.stringify(many)], ["one of many runs", JSON.stringify(many), "R-4"]]) {
    for (let seed = 1; seed <= (name === "one run" ? CASES : Math.ceil(CASES / 2)); seed++) {
      const { page, wrong } = await scored(text);
      await page.evaluate(() => globalThis.release());
      if (open) await page.click(`.run-list >> text="${open}"`);
      if (name !== "many runs") await page.evaluate(() => document.querySelector(".column").scrollIntoView());
      if (name !== "many runs") await page.waitForSelector(".turn.by-user");
      await page.waitForTimeout(200);
      const done = [];
      for (let i = 0; i < 6; i++) {
        done.push(...(await page.evaluate(`(${act})(${seed * 100 + i}, 1)`)));
        await page.waitForTimeout(30);
      }
      await page.waitForTimeout(150);
      const was = await page.evaluate(`(${seen})()`);
      await page.evaluate(() => {
        globalThis.old = document.querySelector(".report");
        const box = document.querySelector("#config");
        box.value = `{"ignore": ["never-${Math.random()}"]}`;
        box.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await page.waitForFunction(() => !globalThis.old.isConnected);
      let now; // what the core answers comes later
      for (let ms = 0; ms < 5000 && !isDeepStrictEqual((now = await page.evaluate(`(${seen})()`)), was); ms += 100) await page.waitForTimeout(100);
      assert.deepEqual(now, was, `${name}, seed ${seed}: ${done}`);
      assert.deepEqual(wrong, []);
      await page.close();
    }
  }
});
