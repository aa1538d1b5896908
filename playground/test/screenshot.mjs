// Makes the README's picture from the page itself:
//   node playground/test/screenshot.mjs [OUT.png]
import { fileURLToPath } from "node:url";
import { launch, openPage, servePage } from "./browser.mjs";

const out = process.argv[2] ?? fileURLToPath(new URL("../screenshot.png", import.meta.url));
const site = await servePage();
const browser = await launch();
const { page } = await openPage(browser.context, site.url);
await page.setViewportSize({ width: 1180, height: 1000 });
await page.click('[data-example="abb-missing-verification"]');
await page.waitForSelector(".report .turn");
await page.screenshot({ path: out });
await browser.close();
site.close();
