// The gate on D1 in real workerd: the same sequence as in the native tests, claims at
// most once, crashes, and a store that fails. The native command verifies the audit log
// from the file in which D1 stores it.
//
// BOUNDCHECK_RACE=ROUNDS claims that many calls 1,000 times each, instead of a few calls,
// and kills the Worker ten times at random moments instead of once.
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { buildCommand } from "../../test/command.mjs";
import { createVerifier } from "../../wasm/npm/receipt.js";
import { gate, keys } from "./gated.mjs";
import { buildWorker, migrate, missing, scratch } from "./processes.mjs";

const skip = missing();
if (skip) console.error(`\n*** SKIPPED: the gate's tests on D1: ${skip}\n`);
const [rounds, width] = process.env.BOUNDCHECK_RACE ? [Number(process.env.BOUNDCHECK_RACE), 1000] : [5, 200];
const kills = process.env.BOUNDCHECK_RACE ? 10 : 1;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let place, entry, command, migrated;

// fresh returns a new state folder with the tables.
function fresh() {
  const state = mkdtempSync(join(place.dir, "state-"));
  cpSync(migrated, state, { recursive: true });
  return state;
}

// verified runs the native audit on the file of the gate's database. The migrated state
// has only that file; a running Worker adds the file of the batches.
function verified(state) {
  const dir = join("v3", "d1", "miniflare-D1DatabaseObject");
  const files = readdirSync(join(migrated, dir)).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  assert.equal(files.length, 1, "databases in the migrated state");
  return execFileSync(command, ["audit", "verify", join(state, dir, files[0])], { encoding: "utf8" });
}

function want(answer, status, ...parts) {
  assert.equal(answer.status, status, answer.text);
  for (const part of parts) assert.ok(answer.text.includes(part), `no ${part} in ${answer.text}`);
  return answer;
}

// until repeats a query until its result is right.
async function until(what, right, seconds = 120) {
  let got;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) if (right((got = await what()))) return got;
  assert.fail(`after ${seconds} s still ${JSON.stringify(got)}`);
}

describe("gate on D1", { skip: skip || false, timeout: process.env.BOUNDCHECK_RACE ? 4 * 3_600_000 : 3_600_000 }, () => {
  before(() => {
    place = scratch();
    entry = buildWorker(place.dir);
    command = join(place.dir, "boundcheck");
    buildCommand(command);
    migrated = mkdtempSync(join(place.dir, "state-"));
    migrate(place, migrated);
  });
  after(() => place?.remove());

  describe("story", () => {
    let g, state, hook, told, settings, team;
    const made = (kid) => ({ kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) });
    const published = { keys: [], up: true }; // what the team of Cloudflare Access says
    const posted = []; // to Slack
    before(async () => {
      const jwk = ({ kid, publicKey }) => ({ ...publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" });
      team = http.createServer((req, res) => {
        let body = "";
        req.on("data", (chunk) => (body += chunk)).on("end", () => {
          if (req.method === "POST") posted.push({ path: req.url, headers: req.headers, body: JSON.parse(body) });
          res.writeHead(published.up ? 200 : 500).end(JSON.stringify({ ok: true, keys: published.keys.map(jwk) }));
        });
      });
      await new Promise((resolve) => team.listen(0, "127.0.0.1", resolve));
      told = [];
      hook = http.createServer((req, res) => {
        let body = "";
        req.on("data", (chunk) => (body += chunk)).on("end", () => {
          told.push({ headers: req.headers, body });
          res.writeHead(told.length === 1 ? 500 : 204).end();
        });
      });
      await new Promise((resolve) => hook.listen(0, "127.0.0.1", resolve));
      state = fresh();
      settings = {
        BOUNDCHECK_POLICY: '{"expiry":"10m","outcomeWithin":"2s","tools":{"format_disk":{"deny":"agents do not format disks"},"soon":{"mutating":"yes","expiry":"1s"}},"edit":[{"name":"all","tool":"change_*","arguments":["*"],"counts":true}],"remember":[{"name":"notes","tool":"add_note","within":"1h"}]}',
        BOUNDCHECK_ACCESS: `team=http://127.0.0.1:${team.address().port} audience=tag approvers=t:payments`,
        BOUNDCHECK_SLACK: `tenant=t team=T1 channel=C1 approver=alice:U1 api=http://127.0.0.1:${team.address().port}/api`,
        BOUNDCHECK_SLACK_TOKEN: "xoxb-not-a-token",
        BOUNDCHECK_SLACK_SECRET: "8f742231b10e8888abcd99yyyzzz85a5",
        BOUNDCHECK_WEBHOOKS: `u=http://127.0.0.1:${hook.address().port}/told`,
        BOUNDCHECK_WEBHOOK_SECRET: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
      };
      g = await gate(entry, place, state, settings);
    });
    afterEach(() => g.fault("none").catch(() => {})); // the last test stops the gate
    after(async () => {
      await g?.stop();
      hook?.close();
      team?.close();
    });

    test("propose, look, approve, claim, report", async () => {
      want(await g.propose('{"tool":"get_order","arguments":{"id":1}}'), 200, '"decision":"allow"');
      const raw = '{ "id" : 9007199254740993, "note":"<b>\\u0000\\u202e é😀", "big":1e400 }';
      const a = want(await g.propose(`{"tool":"cancel_order","arguments":${raw},"session":"s1"}`), 202, '"decision":"confirm"');
      const { id, digest } = a.body;
      assert.match(a.body.prompt, /9007199254740993/);
      assert.equal(a.body.url, `${g.url}/p/${id}`);
      want(await g.claim(id), 409, "not decided");
      want(await g.look(id), 200, '"state":"pending"', `"arguments":${raw}`, '"session":"s1"');
      want(await g.decide(id, "sha256:00"), 409, "digest");
      want(await g.decide(id, digest, true, keys.agent), 403);
      want(await g.decide(id, digest, true, keys.carol), 404);
      want(await g.decide(id, digest), 409, "acknowledgement"); // not every program reads the call's numbers in the same way
      want(await g.call("POST", `/v1/proposals/${id}/decision`, keys.alice, JSON.stringify({ approve: true, digest, acknowledge: true })), 200, '"state":"approved"');
      want(await g.decide(id, digest, false, keys.bob), 409);
      want(await g.claim(id, keys.alice), 403);
      want(await g.claim(id, keys.other), 404);
      want(await g.look(id, "", keys.other), 404);
      want(await g.claim(id, keys.spy), 404);
      want(await g.claim(id, keys.agent, '{"digest":"sha256:00"}'), 409);
      const c = want(await g.claim(id), 200, `"arguments":${raw}`);
      assert.equal(c.body.bytes, raw);
      want(await g.claim(id), 409, "claimed already");
      want(await g.outcome(id, "x" + c.body.grant.slice(1), "executed"), 409, "grant");
      want(await g.outcome(id, c.body.grant, "executed"), 200, '"state":"executed"');
      want(await g.outcome(id, c.body.grant, "failed"), 409);
      assert.equal(await g.state(id), "executed");
    });

    test("search what was decided", async () => {
      const held = want(await g.propose('{"tool":"send_letter","arguments":{"note":"Zebra"}}'), 202).body;
      want(await g.call("GET", "/v1/history?text=ZEBRA", keys.alice), 200, '"settled":[]');
      want(await g.decide(held.id, held.digest, false), 200);
      for (const query of ["text=ZEBRA", "state=denied&person=alice&tool=send_letter", "agent=bot&text=zebra&limit=1"]) {
        const found = want(await g.call("GET", `/v1/history?${query}`, keys.alice), 200, held.id).body.settled;
        assert.equal(found.length, 1, query);
      }
      want(await g.call("GET", "/v1/history?text=zebra", keys.other), 200, '"settled":[]');
      want(await g.call("GET", "/v1/history?text=zebra", keys.carol), 200, '"settled":[]');
      want(await g.call("GET", "/v1/history?state=pending", keys.alice), 400);
    });

    test("the tool for --permission-prompt-tool", async () => {
      const ask = (tool, query = "?wait=0") => g.call("POST", `/v1/hooks/claude-code/permission${query}`, keys.agent,
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "approve", arguments: { tool_name: tool, input: { path: "/x" } } } }));
      const decision = async (...a) => JSON.parse(want(await ask(...a), 200).body.result.content[0].text);
      assert.deepEqual(await decision("Read"), { behavior: "allow", updatedInput: { path: "/x" } });
      const { behavior, message } = await decision("Write");
      assert.equal(behavior, "deny");
      const id = message.match(/p_[a-z0-9]+/)[0];
      const waiting = decision("Write", "?wait=20");
      await pause(300);
      want(await g.decide(id, want(await g.look(id, "", keys.alice), 200).body.digest), 200);
      assert.deepEqual(await waiting, { behavior: "allow", updatedInput: { path: "/x" } });
    });

    test("Cloudflare Access identifies who decides", async () => {
      const [one, two] = [made("one"), made("two")];
      const seconds = Math.floor(Date.now() / 1000);
      const iss = `http://127.0.0.1:${team.address().port}`;
      const right = { aud: ["tag"], email: "ann@example.com", exp: seconds + 3600, iat: seconds, nbf: seconds, iss, type: "app", sub: "u-7", custom: { groups: ["payments"] } };
      const token = (key, claims = {}, head = {}) => {
        const text = [{ alg: "RS256", kid: key.kid, ...head }, { ...right, ...claims }].map((v) => Buffer.from(JSON.stringify(v)).toString("base64url")).join(".");
        return `${text}.${sign("sha256", Buffer.from(text), key.privateKey).toString("base64url")}`;
      };
      const open = (path, bearer) => g.call("GET", path, "", undefined, { "cf-access-jwt-assertion": bearer });
      const post = (path, form, bearer) => g.call("POST", path, "", new URLSearchParams(form), { "cf-access-jwt-assertion": bearer, origin: g.url });
      Object.assign(published, { keys: [one], up: false });
      want(await open("/pending", token(one)), 503, "does not answer");
      published.up = true;
      want(await open("/pending", token(one)), 200, "Signed in as ann@example.com with 127.0.0.1:");
      const held = await g.held();
      const page = want(await open(`/p/${held.id}`, token(one)), 200).text;
      const form = { token: /name="token" value="([^"]+)"/.exec(page)[1], digest: held.digest, choice: "approve" };
      for (const [why, bad] of Object.entries({
        "is not that of the key": token({ ...two, kid: "one" }),
        "want RS256": token(one, {}, { alg: "none" }),
        "has expired": token(one, { exp: seconds - 60 }),
        "for the audience": token(one, { aud: ["other"] }),
        "in the future": token(one, { iat: seconds + 600 }),
        "no group": token(one, { custom: {} }),
        "has no key": token(two),
        "three parts": "x",
      })) {
        want(await post(`/p/${held.id}`, form, bad), 403);
        await until(() => g.worker.log, (log) => log.includes(why));
      }
      assert.equal(await g.state(held.id), "pending");
      published.keys = [two, one];
      want(await open("/pending", token(two)), 200);
      want(await post(`/p/${held.id}`, form, token(one)), 303);
      assert.equal(await g.state(held.id), "approved");
      want(await post("/logout", {}, token(one)), 200, "/cdn-cgi/access/logout");
      want(await open("/pending", token(one)), 403, "signed out");
      want(await g.call("GET", "/pending"), 401, "Approver key");
    });

    test("Slack gets a message, and its signed click decides", async () => {
      await g.cron(); // the messenger begins with what comes now
      const held = want(await g.propose('{"tool":"set_price","arguments":{"n":1}}'), 202).body;
      await g.cron();
      const message = await until(() => posted.find((p) => JSON.stringify(p.body).includes(held.id)), (found) => found);
      assert.equal(message.headers.authorization, "Bearer xoxb-not-a-token");
      assert.equal(message.body.blocks[1].elements[0].elements[0].text, held.prompt);
      const { value } = message.body.blocks[2].elements[0];
      const back = `http://127.0.0.1:${team.address().port}/back`;
      const payload = { type: "block_actions", user: { id: "U1", team_id: "T1" }, team: { id: "T1" }, container: { channel_id: "C1" }, actions: [{ action_id: "approve", value }], response_url: back };
      const press = (secret) => {
        const at = `${Math.floor(Date.now() / 1000)}`;
        const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
        const signature = `v0=${createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex")}`;
        return g.call("POST", "/clicks/slack", "", body, { "x-slack-request-timestamp": at, "x-slack-signature": signature, "content-type": "application/x-www-form-urlencoded" });
      };
      want(await press("another secret"), 401);
      await until(() => g.worker.log, (log) => log.includes("not that of the app"));
      assert.equal(await g.state(held.id), "pending");
      want(await press("8f742231b10e8888abcd99yyyzzz85a5"), 200);
      assert.equal(await g.state(held.id), "approved");
      assert.ok(posted.some((p) => p.path === "/back" && p.body.text.startsWith("alice has approved")), JSON.stringify(posted));
      want(await g.call("POST", `/v1/proposals/${held.id}/revoke`, keys.alice, "{}"), 200);
    });

    test("deny, cancel, and what is not let in", async () => {
      want(await g.propose('{"tool":"format_disk","arguments":{}}'), 403, "agents do not format disks");
      const { body } = await g.propose('{"tool":"cancel_order","arguments":{"x":1}}');
      want(await g.decide(body.id, body.digest, false), 200, '"state":"denied"');
      want(await g.claim(body.id), 409, "denied");
      const other = (await g.propose('{"tool":"cancel_order","arguments":{"x":2}}')).body;
      want(await g.call("POST", `/v1/proposals/${other.id}/cancel`, keys.agent), 200, '"state":"cancelled"');
      want(await g.propose("{}", ""), 401);
      want(await g.propose('{"tool":"x","arguments":{}}', keys.alice), 403);
      want(await g.propose("{"), 400);
      want(await g.propose(`{"tool":"x","arguments":{"a":"${"a".repeat(300_000)}"}}`), 413);
      want(await g.propose(Buffer.from('{"tool":"x","arguments":{"a":"\xff"}}', "latin1")), 400, "invalid UTF-8");
      want(await g.call("DELETE", `/v1/proposals/${body.id}`, keys.agent), 405);
      want(await g.call("POST", `/v1/proposals/${body.id}/decision`, keys.alice, '{"approve":true,"digest":"x","remember":"session"}'), 400, 'unknown member \\"remember\\"');
      want(await g.call("GET", "/v1/proposals?state=denied", keys.alice), 400, "The known parameters are");
      want(await g.call("GET", "/v1/nothing", keys.agent), 404);
      want(await g.call("GET", "/openapi.json"), 200, "/v1/proposals/{id}/claim");
      want(await g.call("GET", "/v1/definitions", keys.alice), 200);
      want(await g.call("GET", "/metrics", keys.alice), 200, "boundcheck");
      want(await g.call("GET", "/healthz"), 200, '"ok":true');
    });

    test("a turn stands together, requests with one idempotency key get one answer", async () => {
      const calls = '[{"tool":"get_a","arguments":{}},{"tool":"cancel_a","arguments":{}},{"tool":"cancel_b","arguments":{}}]';
      const a = want(await g.propose(calls), 202);
      const [read, one, two] = a.body.calls;
      want(await g.claim(read.id), 409, "another call of the batch");
      want(await g.decide(one.id, one.digest), 200);
      want(await g.claim(one.id), 409, "another call of the batch");
      want(await g.look(a.body.id), 200, '"state":"pending"');
      want(await g.decide(two.id, two.digest, false, keys.bob), 200);
      want(await g.claim(one.id), 200);
      want(await g.claim(read.id), 200);
      want(await g.claim(two.id), 409, "denied");
      const body = '{"tool":"cancel_order","arguments":{"key":1}}';
      const first = want(await g.propose(body, keys.agent, { "idempotency-key": "k" }), 202);
      assert.equal((await g.propose(body, keys.agent, { "idempotency-key": "k" })).text, first.text);
      want(await g.propose('{"tool":"cancel_order","arguments":{"key":2}}', keys.agent, { "idempotency-key": "k" }), 422);
    });

    test("an approval is taken back, an agent is frozen, a denied call is not asked again", async () => {
      const one = await g.approved();
      want(await g.call("POST", `/v1/proposals/${one.id}/revoke`, keys.agent), 403);
      want(await g.call("POST", `/v1/proposals/${one.id}/revoke`, keys.bob, '{"reason":"wrong order"}'), 200, '"state":"denied"');
      want(await g.claim(one.id), 409, "denied");
      const denied = '{"tool":"cancel_order","arguments":{"twice":1}}';
      const { body } = await g.propose(denied);
      want(await g.decide(body.id, body.digest, false), 200);
      want(await g.propose(denied), 403, "alice denied this call");
      want(await g.propose('{"tool":"cancel_order","arguments":{ "twice" : 1.0 }}'), 403, "alice denied this call");
      const two = await g.approved();
      const freeze = (frozen, agent, key = keys.alice) => g.call("POST", "/v1/freezes", key, JSON.stringify({ frozen, agent, reason: "odd" }));
      want(await freeze(true, "bot", keys.agent), 403);
      want(await freeze(true, "nobody"), 404);
      want(await freeze(true, "bot"), 200, '"agent":"bot"');
      want(await g.claim(two.id), 409, "frozen by alice: odd");
      want(await g.propose('{"tool":"get_order","arguments":{}}'), 403, "frozen");
      want(await g.propose('{"tool":"get_order","arguments":{}}', keys.other), 200);
      // The database refuses this change too, whatever the program does.
      await g.sql("UPDATE proposals SET state = 'claimed', rev = '9', entry = '{}' WHERE id = ?", two.id).catch(() => {});
      assert.equal(await g.state(two.id), "approved");
      want(await freeze(false, "bot"), 200, '"freezes":[]');
      want(await g.claim(two.id), 200);
    });

    test("an edit replaces a call in one statement, also among approvals and claims at once", async () => {
      const change = (n) => g.propose(JSON.stringify({ tool: "change_plan", arguments: { n } }));
      const edit = (p, n) => g.call("POST", `/v1/proposals/${p.id}/edit`, keys.alice, JSON.stringify({ digest: p.digest, arguments: { n } }));
      const first = (await change(1)).body;
      const next = want(await edit(first, 2), 200, `"replaces":"${first.id}"`, '"changes":[{"path":"n","was":"1","is":"2"}]').body;
      want(await g.look(first.id), 200, '"state":"superseded"', next.id);
      want(await g.decide(first.id, first.digest), 409);
      want(await g.decide(next.id, next.digest), 200);
      want(await g.claim(first.id), 409);
      want(await g.claim(next.id), 200, '"bytes":"{\\"n\\":2}"');
      for (let round = 0; round < 6; round++) {
        const p = (await change(`race ${round}`)).body;
        const all = await Promise.all([0, 1, 2, 3].flatMap((i) => [edit(p, `other ${i}`), g.decide(p.id, p.digest), g.claim(p.id)]));
        const [edits, yes, claims] = [0, 1, 2].map((k) => all.filter((a, i) => i % 3 === k && a.status === 200).length);
        assert.equal(edits + yes, 1, `round ${round}: ${edits} edits and ${yes} approvals`);
        assert.ok(claims <= yes, `${claims} claims of a call that was edited`);
      }
    });

    test("an answer, several decisions, and a remembered yes until it is revoked", async () => {
      const [a, b, c] = [await g.held(), await g.held(), await g.held()];
      want(await g.call("POST", `/v1/proposals/${a.id}/answer`, keys.alice, JSON.stringify({ digest: a.digest, answer: "ask first" })), 200, '"state":"answered"');
      want(await g.look(a.id), 200, '"answer":"ask first"');
      const many = want(await g.call("POST", "/v1/decisions", keys.alice, JSON.stringify({ decisions: [a, b, { ...c, digest: b.digest }].map(({ id, digest }) => ({ id, digest, approve: true })) })), 200).body.results;
      assert.deepEqual(many.map((r) => r.status), [409, 200, 409]);
      assert.deepEqual([await g.state(b.id), await g.state(c.id)], ["approved", "pending"]);
      const note = (n) => g.propose(JSON.stringify({ tool: "add_note", arguments: { n }, session: "d1" }));
      const p = (await note(1)).body;
      await g.decide(p.id, p.digest);
      const until = new Date(Date.now() + 600_000).toISOString();
      const yes = want(await g.call("POST", "/v1/remembered", keys.alice, JSON.stringify({ id: p.id, digest: p.digest, until, when: { n: { max: 5 } } })), 200).body;
      const [one, two] = [(await note(2)).body, (await note(3)).body];
      assert.deepEqual([one.state, two.state, (await note(6)).body.state], ["approved", "approved", "pending"]);
      want(await g.claim(one.id), 200);
      want(await g.call("POST", `/v1/remembered/${yes.id}/revoke`, keys.alice, ""), 200, '"remembered":[]');
      want(await g.claim(two.id), 409, "has ended");
      assert.equal((await note(2)).body.state, "pending");
    });

    test("the page decides, with its own form only", async () => {
      const { body } = await g.propose('{"tool":"cancel_order","arguments":{"page":"<script>"}}');
      const form = (path, fields, headers = {}) =>
        g.call("POST", path, "", new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded", origin: g.url, "sec-fetch-site": "same-origin", ...headers });
      want(await g.call("GET", `/p/${body.id}`), 401, "Sign in");
      want(await form("/login", { key: keys.agent }), 403);
      const cookie = (await form("/login", { key: keys.alice, next: `/p/${body.id}` })).headers.get("set-cookie").split(";")[0];
      const page = want(await g.call("GET", `/p/${body.id}`, "", undefined, { cookie }), 200, "cancel_order", "&lt;script&gt;");
      assert.match(page.headers.get("content-security-policy"), /default-src 'none'/);
      const fields = Object.fromEntries([...page.text.matchAll(/name="(token|digest)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]));
      want(await form(`/p/${body.id}`, { ...fields, choice: "approve" }, { cookie, origin: "https://elsewhere.example" }), 403);
      want(await form(`/p/${body.id}`, { ...fields, token: "0", choice: "approve" }, { cookie }), 403);
      assert.equal(await g.state(body.id), "pending");
      want(await form(`/p/${body.id}`, { ...fields, choice: "approve" }, { cookie }), 303);
      assert.equal(await g.state(body.id), "approved");

      const sourced = await g.propose(JSON.stringify({ tool: "cancel_order", arguments: { order_id: "W-4410", refund_id: "refund_9912" }, messages: [{ role: "user", content: "cancel W-4410 <b>" }] }));
      want(await g.call("GET", `/v1/proposals/${sourced.body.id}`, keys.agent), 200, '"sources":[{"path":"order_id","kind":"user","text":"the user, message 1"}');
      want(await g.call("GET", `/p/${sourced.body.id}`, "", undefined, { cookie }), 200, "From the user, message 1</p>", "From nowhere: the model made it up</p>");
    });

    test("a signed-out cookie opens nothing", async () => {
      const form = (path, fields, headers = {}) =>
        g.call("POST", path, "", new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded", origin: g.url, "sec-fetch-site": "same-origin", ...headers });
      const junk = await Promise.all(Array.from({ length: 50 }, () => form("/login", { key: "junk-key-of-the-right-length" })));
      assert.ok(junk.some((a) => a.status === 429), "wrong keys without end");
      const cookie = want(await form("/login", { key: keys.alice }), 303).headers.get("set-cookie").split(";")[0];
      want(await g.call("GET", "/pending", "", undefined, { cookie }), 200);
      want(await form("/logout", {}, { cookie }), 303);
      want(await g.call("GET", "/pending", "", undefined, { cookie }), 401);
    });

    test("every verdict is in the audit, and approvers read it", async () => {
      want(await g.propose('{"tool":"get_order","arguments":{"audited":1},"session":"audited"}'), 200);
      want(await g.propose('{"calls":[{"tool":"get_x","arguments":{}}],"tool":"delete_x"}'), 400, "unknown member");
      const head = want(await g.call("GET", "/v1/audit/head", keys.alice), 200, '"schema":"boundcheck.head/1"');
      let events = [];
      for (let after = 0, more = true; more; ) {
        const page = want(await g.call("GET", `/v1/audit?after=${after}`, keys.alice), 200);
        events = events.concat(page.body.events);
        ({ next: after, more } = page.body);
      }
      assert.equal(events.length, head.body.rows);
      assert.equal(events.at(-1).hash, head.body.head);
      assert.equal(events.filter((e) => e.session === "audited" && e.to === "allowed").length, 1);
      want(await g.call("GET", "/v1/audit", keys.agent), 403);
    });

    test("who waits is told: long poll and events", async () => {
      const stop = new AbortController();
      const stream = await fetch(`${g.url}/v1/events`, { headers: { authorization: `Bearer ${keys.bob}` }, signal: stop.signal });
      assert.match(stream.headers.get("content-type"), /text\/event-stream/);
      let said = "";
      const reading = (async () => {
        for await (const chunk of stream.body) said += Buffer.from(chunk);
      })().catch(() => {});
      const { body } = await g.propose('{"tool":"cancel_order","arguments":{"secret":"hidden-word"}}');
      const waiting = g.look(body.id, "?wait=20");
      await until(() => said, (s) => s.includes(body.id));
      want(await g.decide(body.id, body.digest), 200);
      want(await waiting, 200, '"state":"approved"');
      await until(() => said, (s) => s.includes("event: settled") && s.split(body.id).length > 2);
      assert.ok(!said.includes("hidden-word"), "no arguments in events");
      stop.abort();
      await reading;
      want(await g.call("GET", "/v1/events", keys.agent), 403);
    });

    test("a hundred streams at once are all told", async () => {
      const stop = new AbortController();
      const texts = Array.from({ length: 100 }, () => "");
      const refused = [];
      const open = async (i) => {
        const late = new AbortController(); // a request without an answer is sent again, as clients do
        const timer = setTimeout(() => late.abort(new Error("no answer in 30 s")), 30_000);
        const stream = await fetch(`${g.url}/v1/events`, { headers: { authorization: `Bearer ${keys.alice}` }, signal: AbortSignal.any([stop.signal, late.signal]) }).finally(() => clearTimeout(timer));
        if (stream.status !== 200) throw new Error(`${stream.status} ${await stream.text()}`);
        for await (const chunk of stream.body) texts[i] += Buffer.from(chunk);
      };
      const streams = texts.map(async (_, i) => {
        while (!texts[i] && !stop.signal.aborted) {
          await open(i).catch((e) => refused.push(String(e.cause ?? e)));
          await pause(1000); // a busy store or the rate of a key refuses for now; as clients do, try again
        }
      });
      const settled = Promise.allSettled(streams);
      await until(() => ({ open: texts.filter((t) => t.includes("retry:")).length, refused: refused.slice(-3) }), (now) => now.open === 100, 120);
      const { body } = await g.propose('{"tool":"cancel_order","arguments":{"hundred":1}}');
      await until(() => texts.filter((t) => t.includes(body.id)).length, (n) => n === 100);
      const memory = await g.probe("memory");
      assert.ok(memory.gate > 0 && memory.gate + memory.core < 64 << 20, `${JSON.stringify(memory)}: an isolate has 128 MB`);
      console.log(`# memory with a hundred streams: ${JSON.stringify(memory)}`);
      stop.abort();
      await settled;
      want(await g.look(body.id), 200);
    });

    test("the cron trigger expires, gives up claims, chains and tells", async () => {
      const soon = (await g.propose('{"tool":"soon","arguments":{}}')).body;
      const taken = await g.approved();
      want(await g.claim(taken.id), 200);
      await pause(2200);
      await g.cron();
      const rows = await g.sql("SELECT id, state FROM proposals WHERE id IN (?, ?) ORDER BY state", soon.id, taken.id);
      assert.deepEqual(rows, [[taken.id, "ambiguous"], [soon.id, "expired"]]);
      assert.deepEqual(await g.sql("SELECT count(*) FROM audit WHERE hash = ''"), [[0]]);
      want(await g.outcome(taken.id, "0".repeat(64), "executed"), 409);
    });

    test("webhooks are signed, and come again after a failure", async () => {
      await g.cron(); // from here on webhooks are sent
      const { body } = await g.propose('{"tool":"cancel_order","arguments":{"secret":"hidden-word"}}', keys.spy);
      await until(() => told, () => told.length > 0);
      await until(async () => (await g.cron(), told), () => told.length > 1);
      const [failed, again] = told;
      assert.equal(again.headers["webhook-id"], failed.headers["webhook-id"]);
      assert.equal(again.body, failed.body);
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = again.headers;
      const sum = createHmac("sha256", "0123456789abcdef01234567").update(`${id}.${at}.${again.body}`).digest("base64");
      assert.equal(signature, "v1," + sum);
      const said = JSON.parse(again.body);
      assert.equal(said.type, "proposal.pending");
      assert.equal(said.data.id, body.id);
      assert.ok(!again.body.includes("hidden-word"));
      await g.decide(body.id, body.digest, true, keys.carol);
      await until(() => told, () => told.some((t) => t.body.includes("proposal.approved"))); // at once, without the next cron
    });

    // won checks the answers to the claims of one call: one 200, and 409 for all others.
    // A machine that is too slow answers 503, and then the winner's answer may be lost.
    const won = (tally, width) => {
      const { 200: yes = 0, 409: no = 0, 503: busy = 0 } = tally;
      assert.ok(yes === 1 || (yes === 0 && busy > 0), JSON.stringify(tally));
      assert.equal(yes + no + busy, width, JSON.stringify(tally));
      return busy === 0;
    };

    test("of five hundred claims over HTTP one wins", async () => {
      const { id } = await g.approved();
      const tally = {};
      for (const { status } of await Promise.all(Array.from({ length: 500 }, () => g.claim(id)))) tally[status] = (tally[status] ?? 0) + 1;
      won(tally, 500);
    });

    test(`of ${width} claims within the Worker one wins, ${rounds} times`, async () => {
      const claims = () => g.sql("SELECT count(*), count(DISTINCT entry->>'id') FROM audit WHERE entry->>'to' = 'claimed'");
      const [[before]] = await claims();
      let whole = 0, answered = 0;
      for (let done = 0; done < rounds; done++) {
        if (done && done % 200 === 0) { // wrangler dev's proxy keeps about 5 MB for each round, and ends after four hundred
          await g.stop();
          g = await gate(entry, place, state, settings);
        }
        // In every twentieth round, all claims load the record before the first one
        // writes. In the others they begin within a moment, as in real use.
        const [tally] = await g.probe("race", { rounds: 1, width, spread: done % 20 ? 100 : 0, agent: keys.agent, approver: keys.alice });
        whole += won(tally, width);
        answered += tally[200] ?? 0;
        if (rounds > 20 && done % 20 === 19) console.log(`# ${done + 1} rounds of ${width} claims, ${whole} without a 503`);
      }
      const [[all, calls]] = await claims(); // a round of 503 alone may end without a claim
      assert.ok(all === calls && all >= before + answered && all <= before + rounds, `${before} claims, then ${all} of ${calls} calls, ${answered} of ${rounds} answered`);
    });

    test("down: nothing is allowed that needs it, and it recovers by itself", async () => {
      const held = await g.held();
      const approved = await g.approved();
      await g.fault("error");
      for (const asked of [
        g.propose('{"tool":"cancel_order","arguments":{}}'), g.decide(held.id, held.digest), g.claim(approved.id), g.outcome(approved.id, "x", "executed"),
        g.look(held.id), g.look(held.id, "?wait=5"), g.call("GET", "/v1/events", keys.alice), g.call("GET", "/healthz"),
      ]) {
        const answer = want(await asked, 503, '"unavailable"');
        assert.ok(!/D1|database|sql/i.test(answer.text), `the cause is told: ${answer.text}`);
      }
      await g.fault("none");
      want(await g.decide(held.id, held.digest), 200);
      want(await g.claim(approved.id), 200);
      want(await g.call("GET", "/healthz"), 200);
    });

    test("silent: the answer comes all the same, and is no", async () => {
      const { id } = await g.approved();
      await g.fault("hang", "UPDATE proposals|INTO health");
      const claim = g.claim(id);
      want(await g.call("GET", "/healthz"), 503);
      want(await claim, 503);
      await g.fault("none");
      want(await g.claim(id), 200);
    });

    test("an answer that was lost: the claim is not given again, and ends as ambiguous", async () => {
      const { id } = await g.approved();
      await g.fault("lost", "UPDATE proposals");
      want(await g.claim(id), 503);
      await g.fault("none");
      want(await g.claim(id), 409, "claimed already");
      await pause(2200);
      await g.cron();
      assert.equal(await g.state(id), "ambiguous");
    });

    test("nothing went wrong inside, and the audit holds", async () => {
      const wrong = g.worker.log.split("\n").filter((line) => /uncaught|panic|exited|different request/i.test(line));
      assert.deepEqual(wrong, []);
      await g.cron();
      await g.stop();
      assert.match(verified(state), /tenant t: \d+ rows, audit chain intact/);
    });
  });

  describe("crash", () => {
    let g, state;
    const policy = { BOUNDCHECK_POLICY: '{"outcomeWithin":"3s"}' };
    before(async () => {
      state = fresh();
      g = await gate(entry, place, state, policy);
    });
    beforeEach(() => g.fault("none"));
    after(() => g?.stop());

    // ready prepares one proposal for each transition.
    const ready = async () => {
      const [decide, cancel, claim, report] = [await g.held(), await g.held(), await g.approved(), await g.approved()];
      report.grant = (await g.claim(report.id)).body.grant;
      return { decide, cancel, claim, report };
    };
    const make = (p, fill) => [
      g.propose(`{"tool":"close_order","arguments":{"fill":"${fill}"}}`), // of a tool without a claimed call: its first statement stores it
      g.decide(p.decide.id, p.decide.digest),
      g.call("POST", `/v1/proposals/${p.cancel.id}/cancel`, keys.agent),
      g.claim(p.claim.id),
      g.outcome(p.report.id, p.report.grant, "executed"),
    ];
    const states = async (p) => Object.fromEntries(await Promise.all(Object.entries(p).map(async ([name, { id }]) => [name, (await g.sql("SELECT state FROM proposals WHERE id = ?", id))[0][0]])));
    const inserted = async (fill) => (await g.sql("SELECT count(*) FROM proposals WHERE arguments LIKE ?", `%${fill}%`))[0][0];
    const restart = async () => {
      await g.worker.kill();
      g = await gate(entry, place, state, policy);
    };

    test("killed after each statement and before its answer: all of it is there, nothing runs twice", async () => {
      const p = await ready();
      await g.fault("stuck", "proposals SET state|INSERT INTO proposals");
      for (const asked of make(p, "after")) asked.catch(() => {}); // none is answered
      const done = { decide: "approved", cancel: "cancelled", claim: "claimed", report: "executed" };
      await until(() => states(p), (now) => JSON.stringify(now) === JSON.stringify(done));
      await until(() => inserted("after"), (n) => n > 0);
      await restart();
      assert.deepEqual(await states(p), done);
      assert.equal(await g.state((await g.sql("SELECT id FROM proposals WHERE arguments LIKE '%after%'"))[0][0]), "pending");
      want(await g.decide(p.decide.id, p.decide.digest, false), 409);
      want(await g.claim(p.claim.id), 409);
      want(await g.outcome(p.report.id, p.report.grant, "failed"), 409);
      await pause(3200);
      await g.cron();
      assert.deepEqual(await states(p), { ...done, claim: "ambiguous" });
    });

    test("killed before each statement: nothing has happened, and all can be done", async () => {
      const p = await ready();
      await g.fault("hang", "proposals"); // also for loads
      for (const asked of make(p, "before")) asked.catch(() => {});
      await pause(500);
      const before = { decide: "pending", cancel: "pending", claim: "approved", report: "claimed" };
      assert.deepEqual(await states(p), before);
      assert.equal(await inserted("before"), 0);
      await restart();
      assert.deepEqual(await states(p), before);
      want(await g.decide(p.decide.id, p.decide.digest), 200);
      want(await g.claim(p.claim.id), 200);
      want(await g.claim(p.claim.id), 409);
    });

    test("killed at any moment: what was answered holds, and each call is granted once", async () => {
      const grants = new Map(); // id → number of grants
      const reported = new Set();
      for (let kill = 0; kill < kills; kill++) {
        let over = false;
        const work = async () => {
          while (!over) {
            try {
              const { id } = await g.approved();
              const claimed = await Promise.all([g.claim(id), g.claim(id)]);
              for (const { status, body } of claimed) {
                if (status !== 200) continue;
                grants.set(id, (grants.get(id) ?? 0) + 1);
                if ((await g.outcome(id, body.grant, "executed")).status === 200) reported.add(id);
              }
            } catch {
              // the connection ended with the process
            }
          }
        };
        const working = Promise.all(Array.from({ length: 8 }, work));
        const enough = grants.size + 5;
        await until(() => grants.size, (n) => n >= enough);
        await g.worker.kill();
        over = true;
        await working;
        g = await gate(entry, place, state, policy);
        for (const id of grants.keys()) want(await g.claim(id), 409); // not a second time
      }
      await pause(3200);
      await g.cron();
      assert.ok([...grants.values()].every((n) => n === 1), "granted once");
      for (const id of reported) assert.equal(await g.state(id), "executed", "what was acknowledged is there");
      const open = await g.sql("SELECT count(*) FROM proposals WHERE state = 'claimed'");
      assert.deepEqual(open, [[0]], "claims without an outcome are ambiguous");
      await g.cron();
      await g.stop();
      assert.match(verified(state), /tenant t: \d+ rows, audit chain intact/);
    });
  });

  // Each of these tests begins a new instance of the gate's program, in one workerd.
  describe("settings", () => {
    let g;
    before(async () => { g = await gate(entry, place, fresh()); });
    after(() => g?.stop());

    test("an allowed call costs one statement, and a held one one INSERT", async () => {
      await g.begin();
      const cost = async (body, status, ...statements) => {
        await g.probe("statements", {});
        want(await g.propose(body), status);
        const sent = await g.probe("statements", {});
        assert.equal(sent.length, statements.length, sent.join("\n"));
        statements.forEach((words, i) => assert.ok(sent[i].startsWith(words), sent[i]));
      };
      for (let i = 0; i < 3; i++) { // the first call of an instance, too
        await cost('{"tool":"get_order","arguments":{},"session":"s"}', 200, "INSERT INTO audit ");
        await cost(`{"tool":"cancel_order","arguments":{"n":${i}},"session":"s"}`, 202, "INSERT INTO proposals ");
        await cost(`[{"tool":"cancel_order","arguments":{"n":${i}}},{"tool":"get_order","arguments":{}}]`, 202, "INSERT INTO proposals ");
      }
    });

    test("a claimed call has a receipt that the JavaScript verifier accepts once", async () => {
      const key = "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
      await g.begin({ BOUNDCHECK_RECEIPT_KEY: key, BOUNDCHECK_RECEIPTS: "issuer=the-gate audience=cancel_*=shop time=30s names" });
      const published = await g.call("GET", "/.well-known/boundcheck/jwks.json");
      want(published, 200, '"crv":"Ed25519"');
      const held = await g.held();
      want(await g.decide(held.id, held.digest), 200);
      const claim = want(await g.claim(held.id), 200).body;
      assert.ok(claim.receipt.length < 1000, `${claim.receipt.length} bytes`);
      const verify = await createVerifier({ keys: published.body, issuer: "the-gate", tenant: "t", audience: "shop" });
      await assert.rejects(verify(claim.receipt, "cancel_order", claim.bytes + " "), { code: "call" });
      const receipt = await verify(claim.receipt, "cancel_order", claim.bytes);
      assert.equal(receipt.exp - receipt.iat, 30);
      assert.deepEqual(receipt.approvers.map((a) => [a.name, a.channel]), [["alice", "api"]]);
      await assert.rejects(verify(claim.receipt, "cancel_order", claim.bytes), { code: "used" });
      want(await g.claim(held.id), 409);
      await g.begin({ BOUNDCHECK_RECEIPT_KEY: key.slice(0, -2) });
      const answer = want(await g.call("GET", "/healthz"), 503, "BOUNDCHECK_RECEIPT_KEY");
      assert.ok(!answer.text.includes("AAEC"));
    });

    test("without tables or settings it says so, and the rest works", async () => {
      const check = async (vars, health, ...parts) => {
        await g.begin(vars, { tables: false });
        want(await g.propose('{"tool":"cancel_order","arguments":{}}'), 503, "unavailable", ...parts);
        want(await g.call("GET", "/healthz"), health);
        want(await g.call("POST", "/v1/check", "", '{"tool":"cancel_order","arguments":{}}'), 200);
        want(await g.call("GET", "/v1/nothing"), 404);
        want(await g.call("POST", "/v1/chat/completions", keys.agent, "{}"), ...("BOUNDCHECK_KEYS" in vars ? [503, "not_set_up", "BOUNDCHECK_KEYS"] : [404, "not_set_up", "BOUNDCHECK_UPSTREAM"]));
        want(await g.call("POST", "/v1/messages", keys.agent, "{}"), "BOUNDCHECK_KEYS" in vars ? 503 : 404, '"type":"error"');
      };
      await check({}, 503);
      await g.begin({ BOUNDCHECK_SECRET: "short" });
      want(await g.call("GET", "/healthz"), 503, "BOUNDCHECK_SECRET");
      await check({ BOUNDCHECK_KEYS: null }, 200, "BOUNDCHECK_KEYS");
    });
  });
});
