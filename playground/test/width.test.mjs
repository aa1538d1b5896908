// Tests the check for sideways scrolling itself, and then shows every sixth trace of testdata
// on the narrowest phone with the widest font, and with BOUNDCHECK_LONG=1 all of them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browserTest, executablePath, launch, openPage, root, servePage } from "./browser.mjs";
import { assertNoSidewaysScroll, narrowest } from "./width.mjs";

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

const head = '<!doctype html><meta name="viewport" content="width=device-width"><style>body { margin: 0 } ';

/** Shows a page of our own and returns the error of the check, or "". */
async function measured(html) {
  const page = await browser.context.newPage();
  try {
    await page.setContent(head + html);
    return await assertNoSidewaysScroll(page).then(() => "", (e) => e.message);
  } finally {
    await page.close();
  }
}

const LAYOUTS = {
  "text that wraps fits": ["</style><p>one two three four five", null],
  "a box of fixed width is too wide for one screen": ["div { width: 340px }</style><div>text", /320 px, the machine's own font: 20 px/],
  "a row that fits in the machine's font does not in a wide one": ["p { white-space: nowrap; width: max-content; font: 1em/1 monospace }</style><p>" + "n".repeat(30), /320 px, a wide font: /],
  "a row that fits at 100 % does not at 130 %": ["p { width: 19em }</style><p>text", /320 px, text at 130 %: /],
  "a page that fixes the size of text is found out": ["html { font-size: 16px }</style><p>", /does not follow the size of text/],
  "a head that breaks within a word is found": ["table { width: 3em; table-layout: fixed; overflow-wrap: anywhere }</style><table><thead><tr><th>Compared</table>", /Compared breaks within a word/],
};

for (const [name, [html, want]] of Object.entries(LAYOUTS)) {
  test(`width: ${name}`, browserTest, async () => {
    const said = await measured(html);
    if (want) assert.match(said, want);
    else assert.equal(said, "");
  });
}

test("width: no trace of testdata makes the page scroll sideways", browserTest, async () => {
  const all = ["cases", "formats", "traces", "hostile"].flatMap((folder) => readdirSync(join(root, "testdata", folder)).map((name) => join(root, "testdata", folder, name)));
  assert.ok(all.length >= 60, `only ${all.length} files`);
  const share = process.env.BOUNDCHECK_LONG ? 1 : 6;
  const files = all.filter((_, i) => i % share === 0);
  const { page } = await openPage(browser.context, site.url);
  try {
    const measure = await narrowest(page);
    let reports = 0;
    for (const file of files) {
      await page.evaluate(() => document.querySelector(".result").replaceChildren());
      await page.setInputFiles('input[type="file"]', { name: "trace", mimeType: "text/plain", buffer: readFileSync(file) });
      await page.waitForSelector(".result .problem, .result .report");
      reports += await page.locator(".result .report").count();
      const { over, by } = await measure();
      assert.ok(over <= 0, `${file}: ${over} px (${by.join("; ")})`);
    }
    assert.ok(reports >= 45 / share, `only ${reports} were scored`);
  } finally {
    await page.close();
  }
});
