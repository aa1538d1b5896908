// Runs each producer in each scenario against the scripted model. The dumps that the
// producer itself writes go into DIR, and the truth into DIR/truth.json. A producer that
// cannot run here is reported.
//
// usage: node run.mjs DIR [PRODUCER…]

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { begin, scenarios, truth } from "./scenarios.mjs";
import { start } from "./server.mjs";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);

/** Runs one producer in this process. Each has its own process because packages change globals. */
async function one(producer, directory) {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { default: agent } = await import(`./agents/${producer}.mjs`);
  const server = await start();
  const truths = {};
  for (const scenario of Object.keys(scenarios)) {
    const dump = (name, value, { lines = false, answers = false, text = "" } = {}) => {
      const file = `${producer}-${name}-${scenario}.${text || (lines ? "jsonl" : "json")}`;
      const written = text ? value : lines ? value.map((v) => JSON.stringify(v)).join("\n") + "\n" : JSON.stringify(value, null, 1);
      fs.writeFileSync(path.join(directory, file), written);
      const t = truth();
      truths[file] = answers ? { calls: t.calls, results: 0, failed: 0 } : t;
    };
    begin();
    await agent({ url: server.url, model: scenario, dump, begin });
  }
  fs.writeFileSync(path.join(directory, `${producer}.truth`), JSON.stringify(truths, null, 1));
  process.exit(0);
}

/** Runs every producer, each in a process of its own for at most two minutes. */
function all(directory, only) {
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  const producers = fs.readdirSync(path.join(here, "agents")).map((f) => f.replace(".mjs", "")).filter((p) => !only.length || only.includes(p));
  const truths = {};
  let broken = 0;
  for (const producer of producers) {
    const { status, stderr, signal } = spawnSync(process.execPath, [path.join(here, "run.mjs"), directory, "--one", producer], { encoding: "utf8", timeout: 120_000, maxBuffer: 1 << 26 });
    const file = path.join(directory, `${producer}.truth`);
    if (status === 0 && fs.existsSync(file)) {
      Object.assign(truths, JSON.parse(fs.readFileSync(file, "utf8")));
      fs.rmSync(file);
      continue;
    }
    broken++;
    console.error(`${producer} did not run (${signal ?? status}): ${stderr.trim().split("\n").slice(-12).join("\n")}`);
  }
  fs.writeFileSync(path.join(directory, "truth.json"), JSON.stringify(truths, null, 1) + "\n");
  console.log(`${Object.keys(truths).length} dumps of ${producers.length - broken} producers in ${directory}`);
  process.exit(broken ? 1 : 0);
}

const [directory, ...rest] = process.argv.slice(2);
if (!directory) throw new Error("usage: node run.mjs DIR [PRODUCER…]");
if (rest[0] === "--one") await one(rest[1], directory);
else all(directory, rest);
