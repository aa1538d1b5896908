// Boundcheck for edge functions of Vercel and Next, which compile modules at deployment.
// @ts-ignore: their bundlers make a WebAssembly.Module of it
import wasm from "./boundcheck.wasm?module";
import { defaults } from "./inline.js";

export * from "./inline.js";

defaults.wasm = wasm;
