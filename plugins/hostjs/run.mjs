// For tests: node run.mjs FILE.wasm, requests on stdin, answers on stdout, a line of base64 each. A failure is a line
// "! code message". Every request is asked twice, so that the second answer comes from an instance with a past.
import { readFileSync } from "node:fs";
import { PluginError, load } from "./wasi.mjs";

const [file] = process.argv.slice(2);
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
const answer = (plugin, line) => Buffer.from(plugin.invoke(Buffer.from(line, "base64"))).toString("base64");
const attempt = (f) => {
  try {
    return f();
  } catch (e) {
    if (!(e instanceof PluginError)) throw e;
    return `! ${e.code} ${e.message}`;
  }
};

const module = new WebAssembly.Module(readFileSync(file));
for (const line of lines) {
  console.log(attempt(() => {
    const plugin = load("bad", module);
    const first = answer(plugin, line);
    return answer(plugin, line) === first ? first : "! unstable two answers to one request";
  }));
}
