// Proposes calls to a gate twenty times a second, without waiting for earlier answers,
// until it is told to stop. Then it returns how long each took, in ms, sorted.
import { parentPort, workerData } from "node:worker_threads";
import { send } from "../test/processes.mjs";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const took = [];
const open = new Set();
let on = true;
parentPort.once("message", () => { on = false; });
parentPort.postMessage("begun");
const propose = () => send(`${workerData.url}/v1/proposals`, { method: "POST", headers: { authorization: `Bearer ${workerData.key}` }, body: '{"tool":"get_order","arguments":{"order_id":"#W1"}}' });

while (on) {
  const from = performance.now();
  const one = propose().catch(() => pause(100).then(propose)).then(async (response) => {
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    took.push(performance.now() - from);
  }).finally(() => open.delete(one));
  open.add(one);
  await pause(50);
}
await Promise.all(open);
parentPort.postMessage(took.sort((a, b) => a - b));
