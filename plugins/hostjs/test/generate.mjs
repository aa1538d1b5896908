// Writes valid modules that nobody thought of: node generate.mjs DIR COUNT [SEED]. Binaryen makes them of random bytes (wasm-opt -ttf); around
// each stands the least of a plugin, which runs all that the module offers before it describes itself. Every eighth one uses whatever
// features there are. They are for plugins/host: FuzzLoad begins with them, TestGenerated loads them.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [dir, count, seed = "1"] = process.argv.slice(2);
const tool = (name, ...args) => execFileSync(process.execPath, [fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url)), ...args], { stdio: ["ignore", "pipe", "pipe"] });
const OURS = "--mvp-features --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int --enable-simd --enable-multivalue".split(" ");
const DESCRIBE = '{"ok":{"abi":1,"name":"bad","version":"1.0.0","summary":"","operations":["describe","mine"]}}';

mkdirSync(dir, { recursive: true });
const at = (name) => join(dir, name);
writeFileSync(at("support.wat"), `(module
  (func (export "log-i32") (param i32)) (func (export "log-i64") (param i64)) (func (export "log-f32") (param f32)) (func (export "log-f64") (param f64))
  (func (export "call-export") (param i32 i32)) (func (export "sleep") (param i32 i32) (result i32) (i32.const 0)))`);
tool("wasm-as", at("support.wat"), "-o", at("support.wasm"));

let state = Number(seed) >>> 0;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24;
let made = 0;
for (let i = 0; made < Number(count) && i < 3 * Number(count); i++) {
  const features = i % 8 === 7 ? ["--all-features"] : OURS;
  writeFileSync(at("bytes"), Uint8Array.from({ length: 500 + 40 * random() }, random));
  try {
    tool("wasm-opt", at("bytes"), "-ttf", ...features, "-q", "-o", at("fuzz.wasm"));
    const names = tool("wasm-dis", at("fuzz.wasm"), ...features).toString().match(/(?<=\(export ")[A-Za-z0-9_]+_invoker(?=" \(func)/g) ?? [];
    writeFileSync(at("shell.wat"), `(module (import "fuzz" "memory" (memory 16))
      ${names.map((n, j) => `(import "fuzz" "${n}" (func $f${j}))`).join("\n")}
      (func (export "boundcheck_abi") (result i32) (i32.const 1)) (func (export "alloc") (param i32) (result i32) (i32.const 8192))
      (func (export "invoke") (param i32) (result i64) ${names.map((_, j) => `(call $f${j})`).join(" ")}
        ${[...DESCRIBE].map((c, j) => `(i32.store8 (i32.const ${4096 + j}) (i32.const ${c.charCodeAt(0)}))`).join("")}
        (i64.const ${(4096n << 32n) | BigInt(DESCRIBE.length)})))`);
    tool("wasm-as", at("shell.wat"), ...features, "-o", at("shell.wasm"));
    tool("wasm-merge", at("shell.wasm"), "shell", at("fuzz.wasm"), "fuzz", at("support.wasm"), "fuzzing-support", "--skip-export-conflicts", ...features, "--enable-multimemory", "-o", at(`${made}.wasm`));
    if (features !== OURS || !WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(at(`${made}.wasm`)))).length) made++;
  } catch (e) {
    if (i === 0) console.error(String(e.stderr ?? e)); // a program that is missing, not one module that cannot be
  }
}
for (const f of ["bytes", "fuzz.wasm", "shell.wat", "shell.wasm", "support.wat", "support.wasm"]) rmSync(at(f), { force: true });
rmSync(at(`${made}.wasm`), { force: true });
console.log(`${made} modules`);
