// The turns of the scripted model, and the answers of the tools. The tools count the
// calls that are executed. This count is the truth about a run, because packages may lose
// calls.

const call = (name, input) => ({ name, input });

const find = call("find_invoice", { invoice: "R-5" });
const account = call("find_account", { account: "K-2" });
const pay = (amount) => call("pay_invoice", { invoice: "R-5", amount });
const tell = call("send_note", { to: "kim@example.org", text: "R-5 is paid" });

/** Each scenario is a list of turns; the last one has no calls. */
export const scenarios = {
  // parallel reads, a tool that throws, a correction
  pay: [{ text: "I look first.", calls: [find, account] }, { calls: [pay(900)] }, { calls: [pay(80)] }, { calls: [tell] }, { text: "R-5 is paid." }],
  // the same call with the same arguments in two turns
  again: [{ calls: [find] }, { calls: [find] }, { text: "It has not changed." }],
  // two equal calls in one turn, and no call after a failure
  pair: [{ calls: [tell, tell] }, { text: "", calls: [pay(900)] }, { text: "That could not be paid." }],
  // no call
  talk: [{ text: "Which invoice do you mean?" }],
};

export const question = "Pay invoice R-5 from account K-2, and tell Kim.";
export const system = "You keep the books.";

/** The parameters of each tool, as JSON schema. */
export const tools = {
  find_invoice: { description: "Reads an invoice", properties: { invoice: { type: "string" } } },
  find_account: { description: "Reads an account", properties: { account: { type: "string" } } },
  pay_invoice: { description: "Pays an invoice", properties: { invoice: { type: "string" }, amount: { type: "number" } } },
  send_note: { description: "Sends a note", properties: { to: { type: "string" }, text: { type: "string" } } },
};

export const schema = (name) => ({ type: "object", properties: tools[name].properties, required: Object.keys(tools[name].properties), additionalProperties: false });

let done = { calls: 0, failed: 0 };

/** Begins a conversation and resets the counts. */
export const begin = () => void (done = { calls: 0, failed: 0 });

/** Runs a tool. A tool that refuses throws. */
export function run(name, input) {
  done.calls++;
  if (name === "pay_invoice" && input.amount > 500) {
    done.failed++;
    throw new Error(`the limit is 500, and not ${input.amount}`);
  }
  if (name === "find_invoice") return { invoice: input.invoice, amount: 80, open: true };
  if (name === "find_account") return { account: input.account, owner: "Kim", limit: 500 };
  return name === "pay_invoice" ? { invoice: input.invoice, paid: input.amount } : "sent";
}

/** The calls executed since the conversation began, which a dump of it must contain. */
export const truth = () => ({ calls: done.calls, results: done.calls, failed: done.failed });
