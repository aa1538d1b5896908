// Runs tsc over the client's JSDoc and over a small consumer.
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { root } from "./build.mjs";

test("the types hold", () => {
  const tsc = root + "node_modules/typescript/bin/tsc";
  try {
    execFileSync(process.execPath, [tsc, "-p", root + "wasm/test/tsconfig.json"], { encoding: "utf8" });
  } catch (e) {
    throw new Error(e.stdout);
  }
});
