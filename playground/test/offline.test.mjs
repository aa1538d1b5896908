// The page without a network, in real Chromium: after one visit it opens, scores and asks
// its plugins. A new version appears completely at the next visit.
import assert from "node:assert/strict";
import { cpSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";
import { browserTest, launch, root, servePage } from "./browser.mjs";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** A server that can stop and start again at the same address. */
async function serve(state, port = 0) {
  const server = createServer((request, response) => {
    const name = normalize("/" + new URL(request.url, "http://host").pathname);
    state.asked.push(name);
    const path = join(state.dir, name);
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

test("the page works without a network, and a new version is whole", { ...browserTest, timeout: 600_000 }, async () => {
  const built = await servePage();
  const state = { dir: mkdtempSync(join(tmpdir(), "boundcheck-offline-")), asked: [] };
  cpSync(built.dir, state.dir, { recursive: true });
  built.close();
  let server = await serve(state);
  const url = `http://localhost:${server.port}/`;
  const { context, close } = await launch({ serviceWorkers: "allow" });
  context.setDefaultTimeout(60_000);
  const open = async () => {
    const page = await context.newPage();
    const wrong = [];
    page.on("console", (m) => m.type() === "error" && wrong.push(m.text()));
    page.on("pageerror", (e) => wrong.push(e.message));
    await page.goto(url);
    await page.waitForSelector("html[data-ready]");
    return { page, wrong };
  };
  const verdict = async (page) => {
    await page.click('[data-example="abb-scope-creep"]');
    await page.waitForSelector(".report .verdict");
    return page.locator(".report .verdict").innerText();
  };
  try {
    const first = await open();
    const want = await verdict(first.page);
    const files = await first.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const cache = await caches.open("boundcheck");
      return (await cache.keys()).map((r) => new URL(r.url).pathname);
    });
    assert.ok(files.includes("/npm/boundcheck.wasm") && files.includes("/examples.json") && files.includes("/index.html"), files.join(" "));
    assert.ok(!files.some((f) => f.startsWith("/docs/") || (f.startsWith("/plugins/") && f.endsWith(".wasm"))), files.join(" "));
    // A file that was fetched is kept from then on.
    const kept = await first.page.evaluate(async () => {
      while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
      const answer = await fetch("plugins/bundled.wasm");
      const size = (await answer.arrayBuffer()).byteLength;
      const cache = await caches.open("boundcheck");
      for (let i = 0; i < 200; i++) {
        if ((await cache.keys()).some((r) => r.url.includes("plugins/bundled.wasm"))) return size;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return 0;
    });
    assert.ok(kept > 100_000);
    assert.deepEqual(first.wrong, []);
    await first.page.close();

    // With the network: the page is requested, its files are not.
    state.asked.length = 0;
    const second = await open();
    assert.equal(await verdict(second.page), want);
    assert.deepEqual(state.asked.filter((f) => f !== "/" && f !== "/sw.js"), []);
    await second.page.close();

    // Without the network.
    await server.stop();
    const third = await open();
    assert.equal(await verdict(third.page), want);
    assert.equal(await third.page.evaluate(async () => (await (await fetch("plugins/bundled.wasm")).arrayBuffer()).byteLength), kept);
    const decision = await third.page.evaluate(async () => new TextDecoder().decode(await boundcheck.handleRaw("check", '{"tool":"cancel_order","arguments":{}}')));
    assert.match(decision, /"confirm"/, "the second module is kept, too");
    await third.page.reload();
    await third.page.waitForSelector("html[data-ready]");
    assert.equal(await third.page.title(), "Boundcheck: bounds checking for agent actions");
    assert.deepEqual(third.wrong, []);
    await third.page.close();

    // A new version: the page and one of its modules have changed together.
    const change = (name, from, to) => {
      const path = join(state.dir, name);
      const text = readFileSync(path, "utf8");
      assert.ok(text.includes(from), name);
      writeFileSync(path, text.replace(from, to));
    };
    change("index.html", "<title>Boundcheck", "<title>Boundcheck 2");
    change("app.js", 'dataset.ready = ""', 'dataset.ready = "2"');
    execFileSync("go", ["run", "./internal/offline", state.dir], { cwd: root });
    server = await serve(state, server.port);
    const version = (page) => page.evaluate(() => [document.title.includes("Boundcheck 2"), document.documentElement.dataset.ready]);
    const fourth = await open();
    assert.deepEqual(await version(fourth.page), [true, "2"], "the next visit has the new page with its own module");
    assert.equal(await verdict(fourth.page), want);
    assert.deepEqual(fourth.wrong, []);
    await fourth.page.evaluate(async () => {
      const all = await navigator.serviceWorker.getRegistration();
      await all.update();
      for (let i = 0; i < 400 && !(all.waiting || (all.active && !all.installing)); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await fourth.page.goto("about:blank");
    await fourth.page.close();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await server.stop();
    const fifth = await open();
    assert.deepEqual(await version(fifth.page), [true, "2"], "and without a network, too");
    assert.equal(await verdict(fifth.page), want);
    assert.deepEqual(fifth.wrong, []);
    await fifth.page.close();

    // Another program at the same address is not affected.
    writeFileSync(join(state.dir, "index.html"), "<!doctype html><title>another</title>");
    server = await serve(state, server.port);
    const other = await context.newPage();
    await other.goto(url);
    assert.equal(await other.title(), "another");
    await other.goto("about:blank");
    await other.goto(url);
    assert.equal(await other.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  } finally {
    await close();
    await server.stop().catch(() => {});
    rmSync(state.dir, { recursive: true, force: true });
  }
});
