// Runs the calls of standard input, all at once, and prints what ran and how each call ended.
import { createInterface } from "node:readline";
import { Gate, GateError, NotRun } from "../../../wasm/npm/gate.js";
import { gatedTools } from "../../../wasm/npm/adapters.js";

const [url, key, retries] = process.argv.slice(2);
const gate = new Gate({ url, key, timeout: 3000, retries: Number(retries) });
const say = (o) => console.log(JSON.stringify(o));
const running = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { n, once, wait, fail, abort, ask, ...call } = JSON.parse(line);
  if (ask) { // the question about it alone; the key of an adapter begins with the session
    const q = await gatedTools(gate, call).question(call.tool, call.arguments, once.slice(call.session.length + 1));
    say({ n, end: q?.reason ?? "allowed", text: q?.message });
    continue;
  }
  const signal = abort ? AbortSignal.timeout(abort) : undefined;
  const work = gate.run(call, (args, how) => {
    say({ n, ran: how.bytes, args: JSON.stringify(args) });
    if (fail) throw new Error("the tool failed");
    return { done: n };
  }, { key: once || undefined, wait, signal });
  running.push(work.then(
    (r) => say({ n, end: "ran", id: r.id, edited: r.edited, reported: r.reported }),
    (e) => say({ n, end: e instanceof NotRun ? e.reason : e instanceof GateError ? "error" : "thrown", id: e.id, text: e.message }),
  ));
}
await Promise.all(running);
