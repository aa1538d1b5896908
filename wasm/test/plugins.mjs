// The plugins for tests: the bundled ones as a page has them, the command with which they
// are compared, and plugins that misbehave.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCommand } from "../../test/command.mjs";
import { root } from "./build.mjs";

const quiet = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };

/**
 * Builds all of them into a folder of the test's own. `names` are a trace's file in
 * testdata and the checker to ask.
 */
export function plugins() {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-plugins-"));
  const command = join(dir, "boundcheck");
  buildCommand(command);
  execFileSync("go", ["run", "./plugins/internal/catalog", dir], quiet);
  execFileSync("go", ["run", "./internal/hostile/modules", dir], quiet);
  for (const [name, guest] of [["probe", "internal/probe"], ["own", "taubench"], ["templates", "prompts"]]) {
    const build = ["build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", join(dir, `${name}.wasm`), `./plugins/${guest}/guest`];
    execFileSync("go", build, { ...quiet, env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm", GOWORK: "off" } });
  }
  const read = (file) => new Uint8Array(readFileSync(join(dir, file)));
  const { modules, plugins: all } = JSON.parse(readFileSync(join(dir, "catalog.json"), "utf8"));
  const wasm = modules.map((m) => read(m.file));
  return {
    dir,
    all: all.map((p) => p.description),
    /** The tests' own plugin: the task of a run determines how it checks. */
    probe: read("probe.wasm"),
    /** A checker as its author builds it, without a meter. */
    own: read("own.wasm"),
    /** A plugin without a meter that only renders prompts. */
    templates: read("templates.wasm"),
    hostile: JSON.parse(readFileSync(join(dir, "cases.json"), "utf8")).map((c) => ({ ...c, wasm: read(c.file) })),
    /** A bundled plugin in the form for the client. */
    source: (name, files) => {
      const { module } = all.find((p) => p.description.name === name);
      return { name, wasm: wasm[module], sha256: modules[module].sha256, of: modules[module].of, files };
    },
    /** The output of the command. */
    run: (...args) => spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Traces of testdata and the checkers with which the front ends are compared. */
export const CHECKED = [
  ["alfworld", "formats/alfworld-react.jsonl"],
  ["osworld", "formats/osworld-traj.jsonl"],
  ["swebench", "formats/swe-agent-traj.json"],
  ["taubench", "formats/tau-bench.json"],
  ["taubench", "formats/tau2.json"],
  ["taubench", "traces/tau-bench.json"],
  ["theagentcompany", "formats/theagentcompany.jsonl"],
  ["webarena", "formats/webarena-browsergym.jsonl"],
  ["webarena", "cases/abb-scope-creep.json"],
];
