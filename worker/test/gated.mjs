// A gate in real workerd with a local D1, for the tests and the bench.
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { direct, freePort, root, send } from "./processes.mjs";

export const keys = {
  agent: "agent-key-0123456789abcdef",
  other: "other-agent-0123456789abcdef",
  alice: "alice-key-0123456789abcdef",
  bob: "bob-key-0123456789abcdef",
  spy: "spy-agent-0123456789abcdef",
  carol: "carol-key-0123456789abcdef",
};

export const hash = (key) => "sha256:" + createHash("sha256").update(key).digest("hex");

export const keyFile = [
  `t agent bot ${hash(keys.agent)}`,
  `t agent bot2 ${hash(keys.other)} alice`,
  `t approver alice ${hash(keys.alice)}`,
  `t approver bob ${hash(keys.bob)}`,
  `u agent bot ${hash(keys.spy)}`,
  `u approver carol ${hash(keys.carol)}`,
].join("\n");

// withProbe puts the probe in the folder of a Worker's entry, and returns its path.
export function withProbe(entry) {
  const probe = join(dirname(entry), "probe.mjs");
  if (!existsSync(probe)) {
    appendFileSync(join(dirname(entry), "gate.mjs"), "\n// For the probe: the next request starts a new instance.\nexport const forget = () => { gate = null; };\n");
    copyFileSync(join(root, "worker", "test", "probe.mjs"), probe);
  }
  return probe;
}

// gate starts the Worker of entry's folder, with the probe before it. vars are settings
// in addition to url, keys and secret; null removes a setting.
export async function gate(entry, place, state, vars = {}) {
  const probe = withProbe(entry);
  const port = await freePort();
  const base = { BOUNDCHECK_URL: `http://127.0.0.1:${port}`, BOUNDCHECK_KEYS: keyFile, BOUNDCHECK_SECRET: randomBytes(32).toString("hex"), BOUNDCHECK_RATE: "100000" };
  return new Client(await direct(probe, place, settings(base, vars), { port, state }), base);
}

const settings = (base, vars) => Object.fromEntries(Object.entries({ ...base, ...vars }).filter(([, value]) => value !== null));

// connections is how many requests a client has at once. workerd resets some connections when
// several hundred come at once.
const connections = 100;

// Client calls a gate as people and agents do.
export class Client {
  #open = 0;
  #waiting = [];

  constructor(worker, base = {}) {
    this.worker = worker;
    this.base = base;
    this.url = worker.url;
  }

  async call(...request) {
    if (this.#open >= connections) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#open++;
    try {
      return await this.#send(...request);
    } finally {
      this.#open--;
      this.#waiting.shift()?.();
    }
  }

  async #send(method, path, key, body, headers = {}) {
    const response = await send(this.url + path, { method, headers: { connection: "close", ...(key && { authorization: `Bearer ${key}` }), ...headers }, body, redirect: "manual" });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text };
    try {
      answer.body = JSON.parse(text);
    } catch {
      answer.body = {}; // a page, not JSON
    }
    return answer;
  }

  propose = (body, key = keys.agent, headers) => this.call("POST", "/v1/proposals", key, body, headers);
  look = (id, query = "", key = keys.agent) => this.call("GET", `/v1/proposals/${id}${query}`, key);
  decide = (id, digest, approve = true, key = keys.alice) => this.call("POST", `/v1/proposals/${id}/decision`, key, JSON.stringify({ approve, digest, reason: "because" }));
  claim = (id, key = keys.agent, body) => this.call("POST", `/v1/proposals/${id}/claim`, key, body);
  outcome = (id, grant, status) => this.call("POST", `/v1/proposals/${id}/outcome`, keys.agent, JSON.stringify({ grant, status }));
  state = async (id) => (await this.look(id)).body.state;

  // held proposes a call that is different from all others.
  async held() {
    return (await this.propose(`{"tool":"cancel_order","arguments":{"at":"${randomBytes(8).toString("hex")}"}}`)).body;
  }

  // approved proposes a call and approves it.
  async approved() {
    const body = await this.held();
    await this.decide(body.id, body.digest);
    return body;
  }

  // begin goes on with other settings in a new instance of the gate's program, as after a
  // deployment. A start of workerd costs seconds. tables: false takes a database without tables.
  begin = (vars = {}, { tables = true } = {}) => this.probe("begin", { settings: settings(this.base, vars), tables });

  cron = () => this.probe("cron", {});
  probe = (what, body) => send(`${this.url}/probe/${what}`, { method: "POST", headers: { connection: "close" }, body: JSON.stringify(body) }).then((response) => response.json());
  sql = (sql, ...params) => this.probe("sql", { sql, params });
  fault = (mode, match) => this.probe("fault", { mode, match });
  stop = () => this.worker.stop();
}
