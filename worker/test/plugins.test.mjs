// Plugins on the edge: the main Worker and the plugins' Worker in real workerd, with the
// deployed configurations. Two modules that misbehave are added to prompts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { buildWorker, config, missing, quiet, root, scratch, send, start, wrangler } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : false;
const key = "plugin-key-0123456789abcdef";
const bad = { loop: "endless loop in invoke", trap: "trap" };
const seen = new Set();
let place, worker;

before(async () => {
  if (skip) return;
  place = scratch();
  const entry = join(dirname(buildWorker(place.dir)), "pluginprobe.mjs");
  copyFileSync(join(root, "worker/test/pluginprobe.mjs"), entry);
  const vars = join(place.dir, "vars");
  writeFileSync(vars, `BOUNDCHECK_KEYS='t agent bot sha256:${createHash("sha256").update(key).digest("hex")}'\n`);
  const both = [configured(config, "wrangler.jsonc", { "dist/worker/shell.mjs": entry, [JSON.stringify("dist/playground")]: JSON.stringify(place.site), '// "services"': '"services"' }),
    configured(join(root, "wrangler.plugins.jsonc"), "wrangler.plugins.jsonc", { "dist/plugins/edge/shell.mjs": pluginsWorker() })];
  const args = ["dev", ...both.flatMap((c) => ["-c", c]), "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0", "--persist-to", join(place.dir, "state"), "--env-file", vars];
  worker = await start(wrangler, args, { ready: /Ready on (http:\/\/[^\s]+)/, env: { ...quiet, XDG_CONFIG_HOME: join(place.dir, "config") } });
}, { timeout: 600_000 });

after(async () => {
  await worker?.stop();
  place?.remove();
});

/** A configuration with its paths changed to the files built here. */
function configured(file, name, paths) {
  let text = readFileSync(file, "utf8");
  for (const [from, to] of Object.entries(paths)) {
    assert.ok(text.includes(from), `${name} has no ${from}`);
    text = text.replace(from, to);
  }
  const out = join(place.dir, name);
  writeFileSync(out, text);
  return out;
}

function pluginsWorker() {
  const dir = join(place.dir, "plugins");
  execFileSync("sh", [join(root, "worker/edge/plugins/build.sh"), dir], { stdio: ["ignore", "inherit", "inherit"] });
  execFileSync("go", ["run", "./internal/hostile/modules", place.dir], { cwd: root });
  const all = JSON.parse(readFileSync(join(place.dir, "cases.json"), "utf8"));
  for (const [name, what] of Object.entries(bad)) {
    const { file } = all.find((c) => c.name === what);
    execFileSync("go", ["run", "./plugins/internal/metered", join(place.dir, file), join(dir, name + ".wasm")], { cwd: root });
  }
  const shell = join(dir, "shell.mjs"), text = readFileSync(shell, "utf8");
  const more = text.replace("const MODULES = { prompts };", 'import loop from "./loop.wasm";\nimport trap from "./trap.wasm";\nconst MODULES = { prompts, loop, trap };');
  assert.notEqual(more, text);
  writeFileSync(shell, more);
  return shell;
}

async function call(method, path, body, headers = {}) {
  const response = await send(worker.url + path, { method, body, headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers } });
  const text = await response.text();
  const told = path.replace(/^\/(bare|away)/, "").replace(/\/plugins\/(?!openapi)[^/]+$/, "/plugins/{name}");
  seen.add(`${method} ${told} ${response.status}`);
  return { status: response.status, text, body: JSON.parse(text) };
}

const ask = (request, name = "prompts", headers) => call("POST", `/v1/plugins/${name}`, typeof request === "string" ? request : JSON.stringify(request), headers);

test("prompts answers as its cases say, byte for byte", { skip, timeout: 600_000 }, async () => {
  const dir = join(root, "plugins/testdata/cases");
  let asked = 0;
  for (const name of ["full-openai", "checklist-tools", "judge", "saber-confirmation", "scope-mcp", "tools-bad-name"]) {
    const [, request, answer] = readFileSync(join(dir, `prompts-${name}.txtar`), "utf8").split(/^-- [\w.]+ --\n/m);
    const got = await ask(request.trim());
    assert.equal(got.text.trim(), answer.trim(), name);
    assert.equal(got.status, got.body.error ? 422 : 200, name);
    asked++;
  }
  assert.equal(asked, 6);
});

test("an endless loop is stopped, a crash is told, and the next request is answered", { skip, timeout: 600_000 }, async () => {
  const describe = { op: "describe" };
  const late = await ask(describe, "loop");
  assert.equal(late.status, 504);
  assert.match(late.body.error.message, /^plugin "loop": stopped: the plugin did more than \d+ units of work \(deadline\)$/);
  const crash = await ask(describe, "trap");
  assert.deepEqual([crash.status, crash.body.error.code], [502, "trap"]);
  assert.equal((await ask(describe)).body.ok.name, "prompts");
});

test("every answer that is described happens, and no other", { skip, timeout: 600_000 }, async () => {
  const doc = (await call("GET", "/v1/plugins/openapi.json")).body;
  for (const path of ["/v1/plugins", "/v1/plugins/openapi.json", "/v1/plugins/prompts"]) {
    const good = path.endsWith("prompts") ? "POST" : "GET", body = good === "POST" ? '{"op":"describe"}' : undefined;
    assert.equal((await call(good, path, body, { authorization: "" })).status, 401, path);
    assert.equal((await call(good, path, body, { authorization: "Bearer plugin-key-of-somebody-else" })).status, 401, path);
    assert.match((await call(good, "/bare" + path, body)).body.error.message, /the binding PLUGINS is missing\. See docs\/deploy\.md/);
    assert.equal((await call(good, "/away" + path, body)).status, 503, path);
    seen.add(`${good} ${path.replace("prompts", "{name}")} 405`); // with another method, which is not an operation
    assert.equal((await send(worker.url + path, { method: "DELETE", headers: { authorization: `Bearer ${key}` } })).status, 405, path);
  }
  const { plugins } = (await call("GET", "/v1/plugins")).body;
  assert.deepEqual(plugins.map((p) => [p.name, p.version ?? p.error.code]), [["prompts", plugins[0].version], ["loop", "deadline"], ["trap", "trap"]]);
  for (const [request, want] of [["{", 400], ["[]", 400], ['{"op":"state.replay"}', 400], [JSON.stringify({ op: "describe", x: "y".repeat(1 << 20) }), 413]]) assert.equal((await ask(request)).status, want, request.slice(0, 40));
  assert.equal((await ask({ op: "describe" }, "nobody")).status, 404);
  assert.equal((await ask({ op: "describe" }, "__proto__")).status, 404);
  assert.equal((await ask('{"op":"describe"}', "prompts", { "content-encoding": "gzip" })).status, 415);
  const described = Object.entries(doc.paths).flatMap(([path, item]) => Object.entries(item).flatMap(([method, op]) => Object.keys(op.responses).map((s) => `${method.toUpperCase()} ${path} ${s}`)));
  assert.deepEqual([...seen].sort(), described.sort());
});
