// Builds the package into a folder of the test's own, because test files run in parallel.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder of recorded runs, found in the same way as in internal/recordings. It may be missing. */
export const recordings = resolve(root, process.env.BOUNDCHECK_DATA || "../shared/data");
if (process.env.BOUNDCHECK_DATA && !existsSync(recordings)) throw new Error(`BOUNDCHECK_DATA names a folder that is not there: ${recordings}`);

/** @param {{command?: boolean}} [with] the command takes longest, and few tests need it @returns {{dir: string, url: URL, remove(): void}} */
export function build({ command = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-npm-"));
  const built = process.env.BOUNDCHECK_BUILT; // what make test has built for all suites
  if (built) cpSync(join(built, "npm"), dir, { recursive: true });
  else execFileSync("sh", [join(root, "wasm/build.sh"), ...(command ? [] : ["--core"]), dir], { stdio: "inherit" });
  return { dir, url: pathToFileURL(dir + "/"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}
