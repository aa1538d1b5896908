import type { Client, OpenOptions } from "./index.d.ts";

export * from "./index.js";

export interface InlineOptions {
  /** The module: compiled, as bytes, or its address. Default: boundcheck.wasm next to this file. */
  wasm?: OpenOptions["wasm"];
}

/** Starts a core in this thread. A call blocks the thread until it returns, and no time limit can end it. */
export declare function open(options?: InlineOptions): Promise<Client>;
