// The groups of runs that changed the same, from the core. The view of them is in agree.js,
// which a saved report has as well.

import { parseAnswer } from "./npm/client.js";

/**
 * Returns what asks the core for the groups of a report. @param {import("./npm/client.js").Client} client
 * @param {Uint8Array} report the core's own answer @returns {() => Promise<import("./agree.js").Task[]>}
 */
export const asker = (client, report) => async () => {
  const body = await new Blob(['{"report":', report, "}"]).arrayBuffer();
  return parseAnswer(await client.handleRaw("consensus", new Uint8Array(body)));
};
