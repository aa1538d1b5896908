// Reads every dump of a folder with the command and compares it with the calls that were
// executed: one run with all its calls, results and failures. A run without a call may
// also be refused.
//
// usage: node check.mjs DIR BOUNDCHECK

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const [directory, command] = process.argv.slice(2);
const truths = JSON.parse(fs.readFileSync(path.join(directory, "truth.json"), "utf8"));
const producers = new Map();

function read(file) {
  const { stdout, stderr, status } = spawnSync(command, ["convert", "--to", "generic", path.join(directory, file)], { encoding: "utf8", maxBuffer: 1 << 26, timeout: 60_000 });
  if (status !== 0) return { refused: stderr.trim() };
  const { format, trajectories } = JSON.parse(stdout);
  const actions = trajectories.flatMap((t) => t.actions);
  return { format, runs: trajectories.length, calls: actions.length, results: actions.filter((a) => "result" in a).length, failed: actions.filter((a) => a.error).length, said: stderr.trim() };
}

for (const [file, want] of Object.entries(truths)) {
  const got = read(file);
  const whole = got.refused ? want.calls === 0 : got.runs === 1 && ["calls", "results", "failed"].every((k) => got[k] === want[k]);
  const producer = file.replace(/-(pay|again|pair|talk)\..*$/, "");
  const row = producers.get(producer) ?? { whole: 0, of: 0, formats: new Set() };
  producers.set(producer, row);
  row.of++;
  row.whole += whole;
  row.formats.add(got.format ?? "refused");
  if (!whole) console.error(`${file}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

let sum = 0;
let all = 0;
for (const [producer, { whole, of, formats }] of producers) {
  console.log(`${producer.padEnd(34)} ${whole} of ${of}  ${[...formats].join(", ")}`);
  sum += whole;
  all += of;
}
console.log(`${sum} of ${all} dumps are read whole`);
process.exit(sum === all ? 0 : 1);
