// Boundcheck without a worker: the core runs in the caller's thread. For runtimes without
// threads (Cloudflare Workers, edge functions) and for tests.
import "./inline_mark.js";
import "./wasm_exec.js";
import "./worker.js";
import { checkOptions, open as openClient } from "./client.js";
import { makeEvaluator } from "./evaluator.js";

export * from "./client.js";

const { serve } = /** @type {any} */ (globalThis).boundcheckInline;
delete (/** @type {any} */ (globalThis).boundcheckInline);

/** Default options of open: the module, on runtimes that compile it at deployment. @type {import("./inline.d.ts").InlineOptions} */
export const defaults = {};

/** @param {import("./index.d.ts").EvaluatorOptions} [options] */
export const createEvaluator = (options) => makeEvaluator(open, options);

/**
 * Starts a core in this thread. A call blocks the thread until it returns, and no time
 * limit can end it.
 * @param {import("./inline.d.ts").InlineOptions} [options]
 */
export function open(options = {}) {
  try {
    checkOptions(options, ["wasm"], "open of boundcheck/inline");
  } catch (e) {
    return Promise.reject(e);
  }
  return openClient({ ...defaults, ...options, worker: makeInlineWorker, timeout: Infinity });
}

/** Returns an object that client.js can use as a worker. */
function makeInlineWorker() {
  /** @type {(message: any) => void} */
  let heard = () => {};
  let ended = false;
  const receive = serve((/** @type {any} */ message) => ended || heard(message));
  return {
    postMessage: (/** @type {any} */ message) => void receive(message),
    terminate: () => (ended = true),
    on: (/** @type {string} */ type, /** @type {(message: any) => void} */ listener) => type === "message" && (heard = listener),
  };
}
