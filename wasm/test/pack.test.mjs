// What npm would publish can be imported, and every path it names exists.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "./build.mjs";

let built, home, pkg;

before(() => {
  built = build();
  home = mkdtempSync(join(tmpdir(), "boundcheck-pack-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", home], { cwd: built.dir, stdio: ["ignore", "pipe", "ignore"] });
  pkg = join(home, "node_modules", "boundcheck");
  mkdirSync(pkg, { recursive: true });
  execFileSync("tar", ["-xzf", join(home, JSON.parse(packed)[0].filename), "-C", pkg, "--strip-components=1"]);
});
after(() => {
  built.remove();
  rmSync(home, { recursive: true, force: true });
});

test("every path in package.json exists, types first", () => {
  const { exports, types, files } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const paths = [types, ...files];
  for (const target of Object.values(exports)) {
    if (typeof target === "string") paths.push(target);
    else {
      assert.equal(Object.keys(target)[0], "types");
      paths.push(...Object.values(target));
    }
  }
  for (const p of paths) assert.ok(existsSync(join(pkg, p)), p);
  assert.ok(existsSync(join(pkg, "LICENSE")));
});

test("the tarball's contents can be imported by name, and the process ends by itself", () => {
  const program = 'import { open } from "boundcheck";\nconst c = await open();\nconsole.log(c.version.name, c.version.wire);\n';
  writeFileSync(join(home, "use.mjs"), program);
  const out = execFileSync(process.execPath, ["use.mjs"], { cwd: home, encoding: "utf8", timeout: 30_000 });
  assert.equal(out, "boundcheck 1\n");
});
