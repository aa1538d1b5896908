// Installs the packed npm package in new projects, and compares what each of them scores
// with the command's bytes, for every file of testdata: Node, npx, esbuild, Deno, Bun,
// Vite (built and served), webpack, Next (server, edge, browser) and wrangler. It needs
// minutes, and the network for npm install (with the lock file and without install
// scripts).
//
//	make release-test PROJECTS="vite next"   (or all)
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { executablePath, launch } from "../../playground/test/browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const home = join(root, "build", "npm-projects");
const testdata = join(root, "testdata");
const files = readdirSync(testdata, { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile())
  .map((e) => join(e.parentPath ?? e.path, e.name))
  .filter((f) => !relative(testdata, f).startsWith("golden" + sep) && !f.endsWith("README.md"))
  .sort();
const show = { stdio: ["ignore", "inherit", "inherit"] };
const quiet = { encoding: "utf8", maxBuffer: 1 << 28 };
let want; // by file

const projects = {
  node: () => plain(process.execPath),
  deno: () => plain(find("@deno", "deno"), ["run", "-A"]),
  bun: () => plain(find("@oven", "bin/bun")),
  npx() {
    const some = files.filter((_, i) => i % 10 === 0); // a start takes half a second
    return held(some, some.map((f) => spawnSync(join(home, "node_modules/.bin/boundcheck"), ["score", "--format", "json", f], quiet).stdout));
  },
  async esbuild() {
    const { build } = await import(createRequire(join(root, "package.json")).resolve("esbuild"));
    const outfile = join(home, "esbuild.mjs");
    await build({ entryPoints: [join(home, "plain", "bundled.mjs")], outfile, bundle: true, platform: "node", target: "node20", format: "esm", loader: { ".wasm": "binary" }, logLevel: "error" });
    return held(files, program(process.execPath, [outfile]));
  },
  async vite() {
    run("vite", ["build", "--logLevel", "warn"], "vite");
    return browsed(join(home, "vite", "dist"));
  },
  async "vite served"() {
    const server = started("vite", ["--port", "5199", "--strictPort", "--host", "127.0.0.1"], "vite");
    try {
      return await page(await answering("http://127.0.0.1:5199/"));
    } finally {
      await server.stop();
    }
  },
  async webpack() {
    const webpack = createRequire(join(home, "package.json"))("webpack");
    const dist = join(home, "webpack", "dist");
    const stats = await new Promise((resolve, reject) => webpack({ mode: "production", context: join(home, "webpack"), entry: "./main.js", output: { path: dist, publicPath: "auto" } }, (e, s) => (e ? reject(e) : resolve(s))));
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
    cpSync(join(home, "webpack", "index.html"), join(dist, "index.html"));
    return browsed(dist);
  },
  async next() {
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
    run("next", ["build"], "next", env);
    const server = started("next", ["start", "-p", "5198", "-H", "127.0.0.1"], "next", env);
    try {
      const url = await answering("http://127.0.0.1:5198/");
      const text = await (await fetch(url)).text();
      if (!text.includes("rendered on the server: 1 of 1")) throw new Error(`the page says ${text.slice(0, 300)}`);
      for (const route of ["score", "inline", "edge"]) await posted(url + "api/" + route);
      return await page(url);
    } finally {
      await server.stop();
    }
  },
  async wrangler() {
    const need = createRequire(join(root, "package.json"));
    const dir = join(home, "worker");
    const out = join(dir, "out");
    execFileSync(process.execPath, [need.resolve("wrangler/bin/wrangler.js"), "deploy", "--dry-run", "--outdir", out], { cwd: dir, ...quiet, env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" } });
    const { Miniflare } = await import(need.resolve("miniflare"));
    const modules = ["use.js", ...readdirSync(out).filter((f) => f.endsWith(".wasm"))].map((f) => ({ type: f.endsWith(".js") ? "ESModule" : "CompiledWasm", path: join(out, f) }));
    const worker = new Miniflare({ modules, modulesRoot: out, compatibilityDate: "2026-01-01" });
    try {
      const got = [];
      for (const f of files) got.push(await (await worker.dispatchFetch("http://localhost/", { method: "POST", body: readFileSync(f) })).text());
      return held(files, got);
    } finally {
      await worker.dispose();
    }
  },
};

/** Throws if an answer is not the command's. */
function held(list, answers) {
  if (answers.length !== list.length) throw new Error(`${answers.length} answers for ${list.length} files`);
  list.forEach((f, i) => {
    if (answers[i] !== want.get(f)) throw new Error(`${relative(root, f)}: ${answers[i].slice(0, 200)} is not ${want.get(f).slice(0, 200)}`);
  });
  return `${list.length} files`;
}

function find(scope, program) {
  const dir = join(home, "node_modules", scope);
  const path = readdirSync(dir).map((d) => join(dir, d, program)).find((p) => existsSync(p));
  if (!path) throw new Error(`no ${program} in ${dir}`);
  return path;
}

/** Returns the answers of a program that is called with a list and an output file. */
function program(command, args) {
  const list = join(home, "list.json");
  const out = join(home, "answers.json");
  writeFileSync(list, JSON.stringify(files));
  rmSync(out, { force: true });
  execFileSync(command, [...args, list, out], { cwd: join(home, "plain"), ...quiet, timeout: 300_000 });
  return JSON.parse(readFileSync(out, "utf8"));
}

const plain = (command, args = []) => held([...files, ...files], program(command, [...args, join(home, "plain", "use.mjs")]));

const bin = (name) => join(home, "node_modules", ".bin", name);

function run(name, args, dir, env = process.env) {
  const done = spawnSync(bin(name), args, { cwd: join(home, dir), env, ...quiet });
  if (done.status !== 0) throw new Error(`${name} ${args.join(" ")}: ${(done.stdout + done.stderr).slice(-3000)}`);
}

function started(name, args, dir, env = process.env) {
  const child = spawn(bin(name), args, { cwd: join(home, dir), env, stdio: ["ignore", "ignore", "inherit"], detached: true });
  return { stop: () => new Promise((resolve) => (child.once("exit", resolve), process.kill(-child.pid, "SIGTERM"))) };
}

/** Waits for a server. */
async function answering(url) {
  for (let i = 0; i < 300; i++) {
    if (await fetch(url).then((r) => r.ok, () => false)) return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves a folder and scores in the browser. */
async function browsed(dir) {
  const server = createServer((request, response) => {
    const path = join(dir, request.url === "/" ? "index.html" : new URL(request.url, "http://host").pathname);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await page(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function page(url) {
  if (!executablePath) throw new Error("no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path");
  const browser = await launch();
  try {
    const tab = await browser.context.newPage();
    await tab.goto(url);
    await tab.waitForFunction(() => globalThis.score);
    const got = [];
    for (const f of files) got.push(await tab.evaluate((base64) => globalThis.score(base64), readFileSync(f).toString("base64")));
    return held(files, got);
  } finally {
    await browser.close();
  }
}

async function posted(url) {
  const got = [];
  for (const f of files) got.push(await (await fetch(url, { method: "POST", body: readFileSync(f) })).text());
  return held(files, got);
}

function prepare() {
  mkdirSync(home, { recursive: true });
  for (const e of readdirSync(new URL(".", import.meta.url))) {
    if (e !== "node_modules" && e !== "run.mjs") cpSync(new URL(e, import.meta.url), join(home, e), { recursive: true });
  }
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home, ...show });
  const dist = join(home, "package");
  execFileSync("sh", [join(root, "wasm/build.sh"), dist], show);
  const [{ filename, size, unpackedSize }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", home], { cwd: dist, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  console.log(`${filename}: ${(size / 1e6).toFixed(1)} MB, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`);
  execFileSync("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", join(home, filename)], { cwd: home, ...show });
  const command = join(home, "boundcheck");
  execFileSync("go", ["build", "-o", command, "./cmd/boundcheck"], { cwd: root, ...show });
  want = new Map(files.map((f) => [f, spawnSync(command, ["score", "--format", "json", f], quiet).stdout]));
}

const wished = process.argv.slice(2);
for (const w of wished) if (!projects[w]) throw new Error(`unknown project ${w}; there are ${Object.keys(projects).join(", ")}`);
prepare();
let failed = 0;
for (const [name, project] of Object.entries(projects)) {
  if (wished.length && !wished.includes(name)) continue;
  const start = Date.now();
  try {
    console.log(`ok   ${name}: ${await project()}, the command's bytes (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${name}: ${e.message}`);
  }
}
process.exit(failed ? 1 : 0);
