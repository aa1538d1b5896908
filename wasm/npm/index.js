import { open } from "./client.js";
import { evaluator } from "./evaluator.js";

export * from "./client.js";

/** @param {import("./index.d.ts").EvaluatorOptions} [options] */
export const createEvaluator = (options) => evaluator(open, options);
