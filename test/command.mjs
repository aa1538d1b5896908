// Builds the command for tests in Node.
import { execFileSync } from "node:child_process";
import { constants, copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Builds the command as a file, or copies what make test has built for all suites. @param {string} file */
export function buildCommand(file) {
  const built = process.env.BOUNDCHECK_BUILT;
  if (built) copyFileSync(join(built, "boundcheck"), file, constants.COPYFILE_FICLONE);
  else execFileSync("go", ["build", "-o", file, "./cmd/boundcheck"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}
