// For tests: node run.mjs FILE.wasm..., requests on stdin, answers on stdout, a line of base64 each: all by the first plugin,
// then all by the next. A failure is a line "! code message".
import { readFileSync } from "node:fs";
import { PluginError, load } from "./wasi.mjs";

const requests = readFileSync(0, "utf8").split("\n").filter(Boolean);
const attempt = (f) => {
  try {
    return f();
  } catch (e) {
    if (!(e instanceof PluginError)) throw e;
    return `! ${e.code} ${e.message}`;
  }
};

for (const file of process.argv.slice(2)) {
  const module = new WebAssembly.Module(readFileSync(file));
  let plugin;
  for (const line of requests) {
    console.log(attempt(() => {
      plugin ??= load("bad", module);
      return Buffer.from(plugin.invoke(Buffer.from(line, "base64"))).toString("base64");
    }));
  }
}
