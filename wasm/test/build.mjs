// Builds the package into a folder of the test's own: test files run side by side.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** @returns {{dir: string, url: URL, remove(): void}} */
export function build() {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-npm-"));
  execFileSync("sh", [join(root, "wasm/build.sh"), dir], { stdio: "inherit" });
  return { dir, url: pathToFileURL(dir + "/"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}
