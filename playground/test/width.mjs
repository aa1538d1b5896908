// Checks that the layout does not depend on a font: a page is measured with the machine's
// own font, with one as wide as any in use, and with text at 130 %, on narrow screens.
import assert from "node:assert/strict";

const WIDTHS = [320, 360, 640, 1280];
const STANDARD = 16; // px, the browser's default text size
const LARGE = 21; // 130 %
const WIDE = 0.8; // em per character: bold Verdana and DejaVu Sans Bold have 0.7 to 0.75

const TEXTS = [
  { size: STANDARD, names: ["the machine's own font", "a wide font"] },
  { size: LARGE, names: ["text at 130 %", "a wide font at 130 %"] },
];

/**
 * Fails if the page scrolls sideways at any of the widths with any of the texts.
 * Afterwards the page has the font, text size and viewport of a desktop.
 * @param {import("playwright-core").Page} page
 */
export async function assertNoSidewaysScroll(page) {
  const cdp = await page.context().newCDPSession(page);
  await assertFollowsSize(page, cdp);
  const spacing = await wideSpacing(page);
  const found = [];
  let texts = TEXTS;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const { size, names } of texts) {
      if (width === WIDTHS[0] || size !== texts[0].size) await setSize(cdp, size);
      const measured = await page.evaluate(`(${measureFonts})(${spacing}, ${setSpacing}, ${measureOverflow}, ${findBrokenHeads})`);
      for (const [i, { over, by, heads }] of measured.entries()) {
        if (over > 0) found.push(`${width} px, ${names[i]}: ${over} px (${by.join("; ")})`);
        found.push(...heads.map((head) => `${width} px, ${names[i]}: the column head ${head} breaks within a word`));
      }
    }
    texts = texts.toReversed(); // the next width begins with the size that is set
  }
  await setSize(cdp, STANDARD);
  await page.evaluate(setSpacing, 0);
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
  const cdp = await page.context().newCDPSession(page);
  await assertFollowsSize(page, cdp);
  await setSize(cdp, LARGE);
  await page.evaluate(setSpacing, await wideSpacing(page));
  await page.setViewportSize({ width: WIDTHS[0], height: 800 });
  return () => page.evaluate(measureOverflow);
}

/** Fails unless the page follows the size of text that the reader has set. Sets the standard size. */
async function assertFollowsSize(page, cdp) {
  const root = () => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
  await setSize(cdp, LARGE);
  const large = await root();
  await setSize(cdp, STANDARD);
  assert.ok(Math.abs(large / (await root()) - LARGE / STANDARD) < 0.01, "the page does not follow the size of text that the reader has set");
}

/** Sets the browser's text size in px. */
const setSize = (cdp, size) => cdp.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: Math.round((size * 13) / STANDARD) } });

/** Returns the letter spacing, in em, with which a character of the page takes WIDE em. */
async function wideSpacing(page) {
  const spacing = Math.max(WIDE - (await page.evaluate(setSpacing, 0)), 0);
  const character = await page.evaluate(setSpacing, spacing);
  assert.ok(character >= WIDE - 0.01, `a character takes ${character} em; want ${WIDE}`);
  return spacing;
}

/**
 * Runs in the page: adds so many em after each letter; 0 removes that. No policy applies to a
 * style sheet made in this way. Returns the em that a character then takes on average.
 */
function setSpacing(em) {
  document.adoptedStyleSheets = [];
  if (em) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { letter-spacing: ${em.toFixed(3)}em !important }`);
    document.adoptedStyleSheets = [sheet];
  }
  const probe = document.createElement("span");
  probe.textContent = "The agent took 12 steps where the reference has 9: missing verification";
  Object.assign(probe.style, { position: "absolute", whiteSpace: "nowrap", fontSize: "100px", visibility: "hidden" });
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width / 100 / probe.textContent.length;
}

/** Runs in the page: measures it with its own font and with a wide one, of which the browser then draws only the last. */
function measureFonts(spacing, setSpacing, measureOverflow, findBrokenHeads) {
  return [0, spacing].map((em) => (setSpacing(em), { ...measureOverflow(), heads: findBrokenHeads() }));
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
