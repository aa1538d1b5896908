// For tests: node run.mjs FILE.wasm, requests on stdin, answers on stdout, a line of base64 each. One plugin answers them all.
// A failure is a line "! code message".
import { readFileSync } from "node:fs";
import { PluginError, load } from "./wasi.mjs";

const [file] = process.argv.slice(2);
const attempt = (f) => {
  try {
    return f();
  } catch (e) {
    if (!(e instanceof PluginError)) throw e;
    return `! ${e.code} ${e.message}`;
  }
};

const module = new WebAssembly.Module(readFileSync(file));
let plugin;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  console.log(attempt(() => {
    plugin ??= load("bad", module);
    return Buffer.from(plugin.invoke(Buffer.from(line, "base64"))).toString("base64");
  }));
}
