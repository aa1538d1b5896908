// js/wasm answers with the same bytes as the native core. They are in testdata/golden,
// which a Go test writes and checks natively.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, root } from "./build.mjs";

const golden = join(root, "testdata/golden");
let built, client;

before(async () => {
  built = build();
  const { open } = await import(new URL("client.js", built.url).href);
  client = await open();
});
after(async () => {
  await client.close();
  built.remove();
});

/** The golden text without the indentation that makes it readable. */
const compact = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") + "\n";

const files = readdirSync(golden, { recursive: true }).filter((f) => f.endsWith(".json"));

test("there is something to compare", () => assert.ok(files.length >= 20, `only ${files.length} files`));

for (const file of files) {
  test(`testdata/${file.replace(/\.json$/, "")}`, async () => {
    const body = readFileSync(join(root, "testdata", file.replace(/\.json$/, "")));
    assert.equal(new TextDecoder().decode(await client.handleRaw("score", body)), compact(readFileSync(join(golden, file), "utf8")));
  });
}
