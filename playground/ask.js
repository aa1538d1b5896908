// Requests about reports, which are bytes: they go into a request as they are.

import { parseAnswer } from "./npm/client.js";

/**
 * The answer to a request. @param {import("./npm/client.js").Client} client @param {string} method
 * @param {(string | Uint8Array)[]} parts of the request's text
 */
export async function ask(client, method, parts) {
  const body = await new Blob(parts).arrayBuffer();
  return parseAnswer(await client.handleRaw(method, new Uint8Array(body)));
}

/**
 * Returns what asks for the groups of a report. The view of them is in agree.js.
 * @param {import("./npm/client.js").Client} client @param {Uint8Array} report the core's own answer
 * @returns {() => Promise<import("./agree.js").Task[]>}
 */
export const asker = (client, report) => () => ask(client, "consensus", ['{"report":', report, "}"]);
