// The published npm package can be imported, and every path that it names exists.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, root } from "./build.mjs";

let built, home, pkg;

before(() => {
  built = build({ command: true });
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
  const out = execFileSync(process.execPath, ["use.mjs"], { cwd: home, encoding: "utf8", timeout: 300_000 });
  assert.equal(out, "boundcheck 1\n");
});

const need = createRequire(join(root, "package.json"));
const TRACE = join(root, "testdata", "traces", "tau-bench.json");
/** The output of the native command. */
const native = () => execFileSync("go", ["run", "./cmd/boundcheck", "score", "--format", "json", TRACE], { cwd: root, encoding: "utf8" });

test("npx boundcheck is the command", { timeout: 600_000 }, () => {
  const { bin } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const run = (...args) => spawnSync(process.execPath, [join(pkg, bin.boundcheck), ...args], { cwd: home, encoding: "utf8" });
  const scored = run("score", "--format", "json", TRACE);
  assert.equal(scored.status, 0, scored.stderr);
  assert.equal(scored.stdout, native());
  assert.equal(run("score", "--fail-on", "violation", TRACE).status, 3, "the exit code is the command's");
  const refused = run("score", "nothing.json");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /nothing\.json/);
  const gate = run("gate");
  assert.equal(gate.status, 2);
  assert.match(gate.stderr, /this command is not in the npm package; install the program from https:/);
  writeFileSync(join(home, "good.json"), '[{"name":"get_order","arguments":{"id":1}}]');
  assert.equal(run("reference", "new", "--out", "ref.yaml", "good.json").status, 0);
  assert.match(readFileSync(join(home, "ref.yaml"), "utf8"), /get_order/);
});

test("esbuild bundles it for Node, without and with a worker's file", async () => {
  const { build: bundle } = await import(need.resolve("esbuild"));
  const program = `
    import { open } from "boundcheck/inline";
    import wasm from "boundcheck/boundcheck.wasm";
    import { readFileSync } from "node:fs";
    const client = await open({ wasm });
    process.stdout.write(await client.handleRaw("score", readFileSync(process.argv[2])));
    await client.close();`;
  writeFileSync(join(home, "use-esbuild.mjs"), program);
  const outfile = join(home, "bundled", "out.mjs");
  await bundle({ entryPoints: [join(home, "use-esbuild.mjs")], outfile, bundle: true, platform: "node", target: "node20", format: "esm", loader: { ".wasm": "binary" }, logLevel: "error" });
  assert.equal(execFileSync(process.execPath, [outfile, TRACE], { encoding: "utf8" }), native());
  // Without the module it is found in node_modules. If it is not there, the error says
  // what to do.
  writeFileSync(join(home, "forgot.mjs"), 'import { open } from "boundcheck/inline"; await open().then((c) => c.close()).catch((e) => console.log(e.message));');
  await bundle({ entryPoints: [join(home, "forgot.mjs")], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  assert.equal(execFileSync(process.execPath, [outfile], { cwd: home, encoding: "utf8" }), "");
  assert.match(execFileSync(process.execPath, [outfile], { cwd: "/", encoding: "utf8" }), /boundcheck\.wasm does not exist, because a bundler copied the code without the module: import the module/);
});

test("wrangler bundles it for Cloudflare Workers, and workerd runs it", { timeout: 600_000 }, async () => {
  const dir = join(home, "worker");
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), "{}");
  writeFileSync(join(dir, "wrangler.json"), JSON.stringify({ name: "use", main: "use.mjs", compatibility_date: "2026-01-01" }));
  writeFileSync(join(dir, "use.mjs"), `
    import { open } from "boundcheck/inline";
    let client;
    export default {
      async fetch(request) {
        client ??= open();
        return new Response(await (await client).handleRaw("score", new Uint8Array(await request.arrayBuffer())));
      },
    };`);
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" };
  const wrangler = spawnSync(process.execPath, [need.resolve("wrangler/bin/wrangler.js"), "deploy", "--dry-run", "--outdir", "out"], { cwd: dir, env, encoding: "utf8" });
  assert.equal(wrangler.status, 0, wrangler.stdout + wrangler.stderr);
  const { Miniflare } = await import(need.resolve("miniflare"));
  const out = join(dir, "out");
  const modules = ["use.js", ...readdirSync(out).filter((f) => f.endsWith(".wasm"))].map((f) => ({ type: f.endsWith(".js") ? "ESModule" : "CompiledWasm", path: join(out, f) }));
  const worker = new Miniflare({ modules, modulesRoot: out, compatibilityDate: "2026-01-01" });
  try {
    const want = native();
    for (let i = 0; i < 2; i++) assert.equal(await (await worker.dispatchFetch("http://localhost/", { method: "POST", body: readFileSync(TRACE) })).text(), want);
  } finally {
    await worker.dispose();
  }
});
