import { open } from "./client.js";
import { makeEvaluator } from "./evaluator.js";

export * from "./client.js";

/** @param {import("./index.d.ts").EvaluatorOptions} [options] */
export const createEvaluator = (options) => makeEvaluator(open, options);
