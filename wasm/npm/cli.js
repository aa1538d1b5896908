#!/usr/bin/env node
// The command in Node: npx boundcheck score FILE. It is the same program, built for
// WebAssembly. Commands that need sockets or processes (gate, hook, audit, serve, record)
// are only in the native program.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

Object.assign(globalThis, { fs, path });
await import("./wasm_exec.js");

/** The variables that the command reads. Go accepts 12 KB of arguments and environment. */
const WANTED = /^(BOUNDCHECK_.*|HOME|USERPROFILE|XDG_.*|LOCALAPPDATA|TMPDIR|TERM|COLUMNS|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|GITHUB_ACTIONS)$/;
const go = new globalThis.Go();
go.argv = ["boundcheck", ...process.argv.slice(2)];
go.env = Object.fromEntries(Object.entries({ TMPDIR: os.tmpdir(), ...process.env }).filter(([name]) => WANTED.test(name)));
if (process.stdout.columns) go.env.COLUMNS ??= String(process.stdout.columns);
go.exit = (code) => (process.exitCode = code);
try {
  const wasm = gunzipSync(fs.readFileSync(fileURLToPath(new URL("./command.wasm.gz", import.meta.url))));
  const { instance } = await WebAssembly.instantiate(wasm, go.importObject);
  await go.run(instance);
} catch (e) {
  console.error(`boundcheck: ${/exceeds limit/.test(e.message) ? "too many arguments for the npm build; pass a folder or a pattern, or use the native program" : e.message}`);
  process.exitCode = 1;
}
