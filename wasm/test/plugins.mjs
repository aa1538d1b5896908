// The plugins as tests get them: the bundled ones as a page has them, the command that they are compared with, and those that misbehave.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./build.mjs";

const quiet = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };

/** Builds all that into a folder of the test's own. `names` are a trace's file in testdata and the checker to ask. */
export function plugins() {
  const dir = mkdtempSync(join(tmpdir(), "boundcheck-plugins-"));
  const command = join(dir, "boundcheck");
  execFileSync("go", ["build", "-o", command, "./cmd/boundcheck"], quiet);
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
    /** The tests' own plugin: it checks as a run's task tells it to. */
    probe: read("probe.wasm"),
    /** A checker as its author builds it: nobody has metered it. */
    own: read("own.wasm"),
    /** The same of a plugin that only renders prompts. */
    templates: read("templates.wasm"),
    hostile: JSON.parse(readFileSync(join(dir, "cases.json"), "utf8")).map((c) => ({ ...c, wasm: read(c.file) })),
    /** A bundled plugin as the client takes it. */
    source: (name, files) => {
      const { module } = all.find((p) => p.description.name === name);
      return { name, wasm: wasm[module], sha256: modules[module].sha256, of: modules[module].of, files };
    },
    /** What the command prints. */
    run: (...args) => spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Traces of testdata and the checkers that the doors are compared with. */
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
