// A results file of our own, recorded at a retail desk in τ-bench's format. Its databases
// are those of plugins/taubench/testdata/env. The first run sets one address twice, which
// has the same effect; the second exchanges for the wrong lamp; the third does what was
// asked.
import { readFileSync } from "node:fs";
import { root } from "./build.mjs";

export const folder = root + "plugins/taubench/testdata/env";
const tables = ["orders", "products", "users"];

/** The databases as a user supplies them, with paths relative to the chosen folder. */
export const files = () => tables.map((t) => ({ name: `retail/${t}.json`, data: new Uint8Array(readFileSync(`${folder}/retail/${t}.json`)) }));

const address = { name: "modify_pending_order_address", kwargs: { order_id: "#M100", address1: "3 Mill Lane", address2: "", city: "Leeds", state: "WY", country: "UK", zip: "11112" } };
const exchange = (lamp) => ({ name: "exchange_delivered_order_items", kwargs: { order_id: "#M101", item_ids: ["l-tall"], new_item_ids: [lamp], payment_method_id: "paypal_31" } });
const order = (order_id) => ({ name: "get_order_details", kwargs: { order_id } });
const cancel = { name: "cancel_pending_order", kwargs: { order_id: "#M102", reason: "no longer needed" } };

const turns = ({ name, kwargs }, i) => [
  { role: "assistant", content: null, tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: JSON.stringify(kwargs) } }] },
  { role: "tool", tool_call_id: `c${i}`, name, content: "{}" },
];
const run = (task_id, reward, reference, done) => ({
  task_id, reward, trial: 0, info: { task: { user_id: "cleo_adeyemi_2001", instruction: "", actions: reference, outputs: [] } },
  traj: [{ role: "user", content: "Hello." }, ...done.flatMap(turns), { role: "assistant", content: "Done." }],
});

export const trace = JSON.stringify([
  run(0, 1, [address], [order("#M100"), address, address]),
  run(1, 0, [order("#M101"), exchange("l-low")], [order("#M101"), exchange("l-tall")]),
  run(2, 1, [cancel], [order("#M102"), cancel]),
]);
