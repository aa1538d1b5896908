// The same for a bundle of esbuild, which includes the module as bytes.
import { readFileSync, writeFileSync } from "node:fs";
import wasm from "boundcheck/boundcheck.wasm";
import { open } from "boundcheck/inline";

const [list, out] = process.argv.slice(2);
const client = await open({ wasm });
const answers = [];
for (const file of JSON.parse(readFileSync(list, "utf8"))) answers.push(new TextDecoder().decode(await client.handleRaw("score", new Uint8Array(readFileSync(file)))));
await client.close();
writeFileSync(out, JSON.stringify(answers));
