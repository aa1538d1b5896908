// Starts the page's core in a worker made from a Blob.

import { Client } from "./npm/client.js";

const TIMEOUT = 60_000;

/**
 * Returns a client. Its core starts to load immediately, but without the functions that a
 * first visit does not call: they are in a second module (see wasm/seldom.mjs), which is
 * loaded by client.preload() or when a call needs it.
 */
export function startCore() {
  const maker = workerMaker();
  return new Client({ wasm: new URL("npm/boundcheck.wasm", import.meta.url), timeout: TIMEOUT, worker: async () => (await maker)(), second: new URL("npm/seldom.wasm", import.meta.url) });
}

/**
 * Fetches the files of a worker once, so that a new one (after a time-out or a cancel)
 * needs no network. A worker from a Blob also inherits this page's content security
 * policy.
 */
async function workerMaker() {
  const get = async (path) => {
    const answer = await fetch(new URL(path, import.meta.url));
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
    return answer.text();
  };
  const parts = await Promise.all([get("npm/wasm_exec.js"), get("npm/plugins.js"), get("npm/worker.js")]);
  const url = URL.createObjectURL(new Blob([parts.join("\n")], { type: "text/javascript" }));
  return () => new Worker(url);
}
