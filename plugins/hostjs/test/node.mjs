// For tests: node node.mjs DIR, with jobs.json in DIR: every module by the engine of Node itself. Prints a JSON array of arrays: each
// module's answers in base64, or "! code message".
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PluginError, compile, load } from "../host.mjs";

const dir = process.argv[2];
const out = JSON.parse(readFileSync(join(dir, "jobs.json"), "utf8")).map(({ name, file, requests, work, reuse }) => {
  let plugin;
  return requests.map((r) => {
    try {
      plugin ??= load(name, compile(name, readFileSync(join(dir, file))), { maxPages: 1024, work, reuse });
      return Buffer.from(plugin.invoke(Buffer.from(r, "base64"))).toString("base64");
    } catch (e) {
      if (!(e instanceof PluginError)) throw e;
      return `! ${e.code} ${e.message}`;
    }
  });
});
console.log(JSON.stringify(out));
