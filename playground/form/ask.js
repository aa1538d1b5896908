// Sends requests that contain a report. The report's bytes are copied into the request unchanged.

import { parseAnswer } from "../npm/client.js";
import { wentWrong } from "../runs/causes.js";

/**
 * Sends a request and returns the answer. @param {import("../npm/client.js").Client} client @param {string} method
 * @param {(string | Uint8Array)[]} parts which make up the request's body
 */
export async function askCore(client, method, parts) {
  const body = await new Blob(parts).arrayBuffer();
  return parseAnswer(await client.handleRaw(method, new Uint8Array(body)));
}

/**
 * Returns a function that asks the core for a report's groups of equal runs. agree.js shows
 * these groups.
 * @param {import("../npm/client.js").Client} client @param {Uint8Array} report the core's own answer
 * @returns {() => Promise<import("../runs/agree.js").Task[]>}
 */
export const consensusAsker = (client, report) => () => askCore(client, "consensus", ['{"report":', report, "}"]);

/**
 * Returns a function that asks the core for the groups of a report. It sends only what they are
 * made of.
 * @param {import("../npm/client.js").Client} client @param {import("../npm/types.d.ts").Report} report
 * @returns {() => Promise<import("../runs/causes.js").Causes>}
 */
export function causesAsker(client, report) {
  const first = (all) => [all.find((v) => !v.hint) ?? all[0]].filter(Boolean).map(({ type, pattern, rule, reason, hint }) => ({ type, pattern, rule, reason, hint }));
  const seen = ({ id, reference, violations }) => ({ id, reference: reference && [], violations: first(violations) });
  const slim = (run) => ({ ...seen(run), flagged: run.flagged, success: run.success, error: run.error, verdict: run.verdict, recorded: run.recorded, story: run.story?.slice(0, 1) });
  return async () => parseAnswer(await client.handleRaw("causes", JSON.stringify({ report: { trajectories: report.trajectories.map((t) => (wentWrong(t) ? slim(t) : seen(t))) } })));
}
