// For tests: node node.mjs DIR, with jobs.json in DIR: every module by the engine of Node itself. Prints a JSON array of arrays: each
// module's answers in base64, or "! code message" with the milliseconds of the call.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PluginError, compile, load } from "../host.mjs";

const dir = process.argv[2];
const out = JSON.parse(readFileSync(join(dir, "jobs.json"), "utf8")).map(({ name, file, requests, work, reuse, timeout }) => {
  let plugin, module, began;
  return requests.map((r) => {
    try {
      module ??= compile(name, readFileSync(join(dir, file)));
      began = performance.now();
      plugin ??= load(name, module, { maxPages: 1024, work, reuse, timeout });
      return Buffer.from(plugin.invoke(Buffer.from(r, "base64"))).toString("base64");
    } catch (e) {
      if (!(e instanceof PluginError)) throw e;
      return `! ${e.code} ${e.message}\t${performance.now() - began}`;
    }
  });
});
console.log(JSON.stringify(out));
