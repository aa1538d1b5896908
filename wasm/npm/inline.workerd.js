// Boundcheck for Cloudflare Workers, which compile modules only at deployment.
// @ts-ignore: wrangler makes a WebAssembly.Module of it
import wasm from "./boundcheck.wasm";
import { defaults } from "./inline.js";

export * from "./inline.js";

defaults.wasm = wasm;
