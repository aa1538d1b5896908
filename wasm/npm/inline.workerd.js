// Boundcheck for Cloudflare Workers, which compile modules at deployment and never later.
// @ts-ignore: wrangler makes a WebAssembly.Module of it
import wasm from "./boundcheck.wasm";
import { defaults } from "./inline.js";

export * from "./inline.js";

defaults.wasm = wasm;
