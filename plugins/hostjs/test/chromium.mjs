// For tests: node chromium.mjs DIR, with jobs.json in DIR: every module in a page in Chromium. Prints a
// JSON array of arrays: each module's answers in base64, or "! code message" with the milliseconds of the call.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../../../playground/test/browser.mjs";

const dir = process.argv[2], here = fileURLToPath(new URL("..", import.meta.url));
const TYPES = { ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://host").pathname.slice(1);
  if (path === "") return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>plugins</title>");
  try {
    const bytes = readFileSync(join(path.endsWith(".mjs") ? here : dir, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await launch();
try {
  const page = await browser.context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const out = [];
  const jobs = JSON.parse(readFileSync(join(dir, "jobs.json"), "utf8"));
  for (const job of jobs) out.push(await page.evaluate(run, job));
  console.log(JSON.stringify(out));
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}

async function run({ name, file, requests, work, reuse, timeout }) {
  const { PluginError, compile, load } = await import("/host.mjs");
  const bytes = new Uint8Array(await (await fetch("/" + file)).arrayBuffer());
  const base64 = (b) => btoa(Array.from(b, (c) => String.fromCharCode(c)).join(""));
  let plugin, module, began;
  return requests.map((r) => {
    try {
      module ??= compile(name, bytes);
      began = performance.now();
      plugin ??= load(name, module, { maxPages: 1024, work, reuse, timeout });
      return base64(plugin.invoke(Uint8Array.from(atob(r), (c) => c.charCodeAt(0))));
    } catch (e) {
      if (!(e instanceof PluginError)) throw e;
      return `! ${e.code} ${e.message}\t${performance.now() - began}`;
    }
  });
}
