// Checks that the layout does not depend on a font: a page is measured with the machine's
// own font, with one as wide as any in use, and with text at 130 %, on narrow screens.
import assert from "node:assert/strict";

const WIDTHS = [320, 360, 640, 1280];
const STANDARD = 16; // px, the browser's default text size
const LARGE = 21; // 130 %
const WIDE = 0.8; // em per character: bold Verdana and DejaVu Sans Bold have 0.7 to 0.75

const TEXTS = [
  { name: "the machine's own font", size: STANDARD, wide: false },
  { name: "a wide font", size: STANDARD, wide: true },
  { name: "text at 130 %", size: LARGE, wide: false },
  { name: "a wide font at 130 %", size: LARGE, wide: true },
];

/**
 * Fails if the page scrolls sideways at any of the widths with any of the texts.
 * Afterwards the page has the font, text size and viewport of a desktop.
 * @param {import("playwright-core").Page} page
 */
export async function assertNoSidewaysScroll(page) {
  const cdp = await page.context().newCDPSession(page);
  const found = [];
  for (const { name, size, wide } of TEXTS) {
    await setText(page, cdp, size, wide);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const { over, by } = await page.evaluate(measureOverflow);
      if (over > 0) found.push(`${width} px, ${name}: ${over} px (${by.join("; ")})`);
      found.push(...(await page.evaluate(findBrokenHeads)).map((head) => `${width} px, ${name}: the column head ${head} breaks within a word`));
    }
  }
  await setText(page, cdp, STANDARD, false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await cdp.detach();
  assert.deepEqual(found, []);
}

/**
 * Sets the narrowest screen with the widest text, for a page that is closed afterwards.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<() => Promise<{over: number, by: string[]}>>} measures by how many px the page is too wide
 */
export async function narrowest(page) {
  await setText(page, await page.context().newCDPSession(page), LARGE, true);
  await page.setViewportSize({ width: WIDTHS[0], height: 800 });
  return () => page.evaluate(measureOverflow);
}

/** Sets the browser's text size and the width of a font, and fails unless the page follows. */
async function setText(page, cdp, size, wide) {
  const usual = await rootSize(page, cdp, STANDARD);
  const root = await rootSize(page, cdp, size);
  assert.ok(Math.abs(root / usual - size / STANDARD) < 0.01, "the page does not follow the size of text that the reader has set");
  const character = await page.evaluate(setSpacing, wide ? WIDE : 0);
  assert.ok(!wide || character >= WIDE - 0.01, `a character takes ${character} em; want ${WIDE}`);
}

/** Sets the browser's text size and returns that of the page's root, both in px. */
async function rootSize(page, cdp, size) {
  await cdp.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: Math.round((size * 13) / STANDARD) } });
  return page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
}

/**
 * Runs in the page: spaces letters so that a character has that many em on average, with
 * any font; 0 removes the spacing. No policy applies to a style sheet made in this way.
 * Returns the em per character.
 */
function setSpacing(em) {
  const probe = document.createElement("span");
  probe.textContent = "The agent took 12 steps where the reference has 9: missing verification";
  const style = { position: "absolute", whiteSpace: "nowrap", fontSize: "100px", visibility: "hidden" };
  Object.assign(probe.style, style);
  const measure = () => {
    document.body.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width / 100 / probe.textContent.length;
  };
  document.adoptedStyleSheets = [];
  if (!em) return measure();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { letter-spacing: ${Math.max(em - measure(), 0).toFixed(3)}em !important }`);
  document.adoptedStyleSheets = [sheet];
  return measure();
}

/** Runs in the page: by how much it is too wide, and the last elements that stick out. */
function measureOverflow() {
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over <= 0) return { over, by: [] };
  const name = (e) => e.tagName.toLowerCase() + [...e.classList].map((c) => "." + c).join("");
  const out = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest(".scroll"));
  return { over, by: out.slice(-4).map((e) => `${name(e.parentElement)} > ${name(e)} to ${Math.round(e.getBoundingClientRect().right)}`) };
}

/** Runs in the page: the column heads that take more lines than they have words. */
function findBrokenHeads() {
  const lines = (head) => {
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT); // a button in the head has a box of its own, which is not a line
    const tops = new Set();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const r of range.getClientRects()) tops.add(Math.round(r.top));
    }
    return tops.size;
  };
  const shown = [...document.querySelectorAll("thead th")].filter((head) => head.checkVisibility() && head.getBoundingClientRect().width > 1);
  return shown.filter((head) => lines(head) > head.textContent.trim().split(/\s+/).length).map((head) => head.textContent);
}
