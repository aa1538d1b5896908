// Proposes calls to a gate twenty times a second, without waiting for earlier answers,
// until it is told to stop. Then it sends how long each took, in ms, sorted. Every second
// call changes something and waits for a decision; it is withdrawn after it was timed.
//
//   fork("asker.mjs", [URL, KEY])
import { setTimeout as pause } from "node:timers/promises";
import { send } from "../test/processes.mjs";

const [url, key] = process.argv.slice(2);
const took = [];
const open = new Set();
let on = true;
process.once("message", () => { on = false; });
process.once("disconnect", () => process.exit());
process.send("begun");

const post = (path, body) => send(url + path, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });

async function propose(nth) {
  const tool = nth % 2 ? "cancel_order" : "get_order";
  const body = JSON.stringify({ tool, arguments: { order_id: `#W${nth}` } });
  const from = performance.now();
  const response = await post("/v1/proposals", body).catch(() => pause(100).then(() => post("/v1/proposals", body)));
  const text = await response.text();
  took.push(performance.now() - from);
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  const { id, state } = JSON.parse(text);
  if (state !== "pending") return;
  const withdrawn = await post(`/v1/proposals/${id}/cancel`);
  if (!withdrawn.ok) throw new Error(`${withdrawn.status} ${await withdrawn.text()}`);
}

for (let nth = 0; on; nth++) {
  const one = propose(nth).finally(() => open.delete(one));
  open.add(one);
  await pause(50);
}
await Promise.all(open);
process.send(took.sort((a, b) => a - b));
