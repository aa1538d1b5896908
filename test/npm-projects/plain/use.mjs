// Scores the files of a list and writes the answers. Runs in Node, Deno and Bun.
import { readFileSync, writeFileSync } from "node:fs";
import { open } from "boundcheck";
import { open as openInline } from "boundcheck/inline";

const [list, out] = process.argv.slice(2);
const answers = [];
for (const make of [open, openInline]) {
  const client = await make();
  for (const file of JSON.parse(readFileSync(list, "utf8"))) answers.push(new TextDecoder().decode(await client.handleRaw("score", new Uint8Array(readFileSync(file)))));
  await client.close();
}
writeFileSync(out, JSON.stringify(answers));
