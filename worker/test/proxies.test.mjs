// The proxies in real workerd: an agent uses a model and an MCP server through the
// Worker. The model and the server are local ones that speak the real protocols and also
// misbehave.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { gate, keys } from "./gated.mjs";
import { buildWorker, migrate, missing, scratch, send } from "./processes.mjs";

const skip = missing();
if (skip) console.error(`\n*** SKIPPED: the proxies' tests in workerd: ${skip}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const read = (req) => new Promise((resolve) => {
  let text = "";
  req.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
});

// listen returns the address of a new server. Like those of models, it keeps connections:
// Node would close an idle one after 5 s, which a busy workerd notices only after it has sent
// the next request there.
const listen = (server) => new Promise((resolve) => {
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
});

// model streams the answer for which the last user message asks, with one piece for each
// event.
function model() {
  const asked = [];
  const gone = [];
  const event = (delta, finish = null) => `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = (name, text) => [event({ role: "assistant", content: null, tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: "" } }] }),
    ...[...text].map((c) => event({ tool_calls: [{ index: 0, function: { arguments: c } }] })), event({}, "tool_calls"), "data: [DONE]\n\n"];
  const server = http.createServer(async (req, res) => {
    const body = JSON.parse(await read(req));
    asked.push({ body, key: req.headers.authorization });
    const last = body.messages.at(-1);
    const word = last.role === "user" ? last.content : "thanks";
    req.socket.on("close", () => gone.push(word));
    if (word.startsWith("fail")) return res.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"overloaded"}}');
    res.writeHead(200, { "content-type": "text/event-stream" });
    const events = word.startsWith("read") ? call("get_order", '{"id": 1.0}') : word.startsWith("cancel") ? call("update_order", `{"id": "${word}"}`)
      : word.startsWith("hidden") ? [event({ role: "assistant", content: "Reply yes.\n\n<!--" }), ...call("update_order", `{"id": "${word}"}`)]
      : word.startsWith("written") ? [event({ role: "assistant", content: "<tool_" }), event({ content: 'call>{"name":"update_order","arguments":{"id":9}}</tool_call>' }), event({}, "stop"), "data: [DONE]\n\n"] : [event({ role: "assistant", content: "Hello" }), event({ content: ` ${word}` }), event({}, "stop"), "data: [DONE]\n\n"];
    for (const [i, text] of events.entries()) {
      if (word.startsWith("half") && i === 1) return res.destroy();
      if (word.startsWith("slow")) await pause(60);
      if (word.startsWith("endless") && i === 1) return; // sends nothing more
      res.write(text);
      if (i % 5 === 4) await pause(1);
    }
    res.end();
  });
  return { server, asked, gone, sent: (word) => call(...word).join("") };
}

// shop is an MCP server of the revision 2026-07-28.
function shop() {
  const ran = [];
  const tools = [{ name: "get_order", description: "Reads an order", inputSchema: { type: "object", properties: { id: {}, slow: {} } } }, { name: "delete_order", description: "Deletes an order", inputSchema: { type: "object", properties: { id: {} } } }];
  const server = http.createServer(async (req, res) => {
    const m = JSON.parse(await read(req));
    const answer = (result) => res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: m.id, result: { resultType: "complete", ...result } }));
    if (m.method === "tools/list") return answer({ tools, ttlMs: 0, cacheScope: "private" });
    if (m.method === "tools/call") {
      if (m.params.arguments.slow) {
        await pause(17_000);
        return answer({ content: [{ type: "text", text: "at last" }] });
      }
      ran.push([m.params.name, m.params.arguments, req.headers.authorization]);
      return answer({ content: [{ type: "text", text: `ran ${m.params.name}` }] });
    }
    answer({});
  });
  return { server, ran };
}

describe("proxies in workerd", { skip: skip || false, timeout: 300_000 }, () => {
  let place, g, upstream, tools, slow, left;
  let ids = 0;
  before(async () => {
    place = scratch();
    const entry = buildWorker(place.dir);
    const state = mkdtempSync(join(place.dir, "state-"));
    migrate(place, state);
    upstream = model();
    tools = shop();
    g = await gate(entry, place, state, {
      BOUNDCHECK_UPSTREAM: (await listen(upstream.server)) + "/v1",
      BOUNDCHECK_UPSTREAM_KEY: "sk-upstream",
      BOUNDCHECK_MCP: `shop=${await listen(tools.server)}/mcp`,
      BOUNDCHECK_MCP_SHOP: "Authorization: Bearer shop-secret",
    });
    slow = tool("tools/call", { name: "get_order", arguments: { slow: 1 } }, (response) => response.text()); // takes as long as the other tests
    left = leave();
  });
  after(async () => {
    await g?.stop();
    upstream?.server.close();
    tools?.server.close();
    place?.remove();
  });

  const chat = (messages, more = {}, init = {}) => send(g.url + "/v1/chat/completions", {
    method: "POST", headers: { authorization: `Bearer ${keys.agent}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages, tools: [{ type: "function", function: { name: "get_order" } }, { type: "function", function: { name: "update_order" } }], ...more }), ...init,
  });
  const user = (content) => ({ role: "user", content });

  // leave leaves a stream whose model is silent, and reports whether the gate then leaves
  // the model. The connection is that of this request: idle ones close by themselves.
  async function leave() {
    const leaving = new AbortController();
    const silent = await chat([user("endless")], {}, { signal: leaving.signal });
    assert.equal(silent.status, 200);
    await silent.body.getReader().read();
    assert.ok(!upstream.gone.includes("endless"));
    leaving.abort();
    for (let i = 0; i < 1200 && !upstream.gone.includes("endless"); i++) await pause(50);
    return upstream.gone.includes("endless");
  }

  // said joins the pieces of a stream as a client does.
  function said(text) {
    const out = { content: "", calls: [], finish: null };
    for (const line of text.split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const choice = JSON.parse(line.slice(6)).choices[0];
      out.content += choice?.delta?.content ?? "";
      for (const c of choice?.delta?.tool_calls ?? []) {
        const at = (out.calls[c.index] ??= { id: "", name: "", arguments: "" });
        at.id ||= c.id ?? "";
        at.name ||= c.function?.name ?? "";
        at.arguments += c.function?.arguments ?? "";
      }
      out.finish = choice?.finish_reason ?? out.finish;
    }
    return out;
  }

  test("what only reads comes byte for byte, with the Worker's key", async () => {
    const response = await chat([user("read 1")]);
    assert.equal(response.status, 200, await (response.ok ? "" : response.text()));
    assert.equal(await response.text(), upstream.sent(["get_order", '{"id": 1.0}']));
    assert.equal(upstream.asked.at(-1).key, "Bearer sk-upstream");
  });

  test("a change is a question; yes hands the stored call over, and the model is not asked", async () => {
    const history = [user("cancel a")];
    const question = said(await (await chat(history)).text());
    assert.equal(question.finish, "stop");
    assert.equal(question.calls.length, 0);
    assert.match(question.content, /update_order/);
    const before = upstream.asked.length;
    const yes = said(await (await chat([...history, { role: "assistant", content: question.content }, user("yes")])).text());
    assert.deepEqual(yes.calls, [{ id: "call_1", name: "update_order", arguments: '{"id": "cancel a"}' }]);
    assert.equal(yes.finish, "tool_calls");
    assert.equal(upstream.asked.length, before);
    const no = [user("cancel b")];
    const second = said(await (await chat(no)).text());
    said(await (await chat([...no, { role: "assistant", content: second.content }, user("no")])).text());
    assert.match(JSON.stringify(upstream.asked.at(-1).body.messages), /denied by user/);
  });

  test("without a stream too", async () => {
    const response = await chat([user("hello")], { stream: false });
    const text = await response.text();
    assert.notEqual(response.status, 200, text); // the model streams although the request did not ask for it
    assert.ok(JSON.parse(text).error.message, text);
  });

  test("words come at once", async () => {
    const response = await chat([user("slow words")]);
    const reader = response.body.getReader();
    const pieces = [];
    for (let piece; !(piece = await reader.read()).done;) pieces.push(Date.now());
    assert.ok(pieces.length > 1 && pieces.at(-1) - pieces[0] > 50, `${pieces.length} pieces`);
  });

  test("many at once, each its own answer", async () => {
    const words = Array.from({ length: 100 }, (_, i) => (i % 3 ? `slow ${i}` : `read ${i}`));
    const answers = await Promise.all(words.map(async (w) => said(await (await chat([user(w)])).text())));
    answers.forEach((a, i) => (i % 3 ? assert.equal(a.content, `Hello slow ${i}`) : assert.equal(a.calls[0]?.arguments, '{"id": 1.0}', JSON.stringify(a))));
    const memory = await g.probe("memory");
    assert.ok(memory.gate > 0 && memory.gate + memory.core < 64 << 20, `${JSON.stringify(memory)}: an isolate has 128 MB`);
  });

  test("an upstream that fails, halves or goes silent passes no call, and the next request works", async () => {
    const failed = await chat([user("fail")]);
    assert.ok(failed.status >= 500, String(failed.status));
    await failed.text();
    const half = said(await (await chat([user("half")])).text());
    assert.equal(half.calls.length, 0);
    assert.notEqual(half.finish, "stop");
    assert.ok(await left, "the model goes on although nobody listens");
    assert.equal(said(await (await chat([user("again")])).text()).content, "Hello again");
  });

  test("words of the model above a question: they are closed, and a plain yes is none", async () => {
    const history = [user("hidden")];
    const question = said(await (await chat(history)).text());
    assert.match(question.content, /^Reply yes\.\n\n<!--\n\n<!-- \?> ]]> "'> -->\n\n\[confirmation (\w{5})]\n/);
    assert.equal(question.calls.length, 0);
    const again = [...history, { role: "assistant", content: question.content }];
    const plain = said(await (await chat([...again, user("yes")])).text());
    assert.equal(plain.calls.length, 0);
    const code = /Reply "(yes \w{5})"/.exec(plain.content)[1];
    const yes = said(await (await chat([...again, user("yes"), { role: "assistant", content: plain.content }, user(code)])).text());
    assert.deepEqual(yes.calls, [{ id: "call_1", name: "update_order", arguments: '{"id": "hidden"}' }]);
    const { body } = await g.call("GET", "/v1/proposals", keys.alice);
    assert.doesNotMatch(JSON.stringify(body), /"by":"alice"/);
  });

  test("a call that is written as text is held", async () => {
    const question = said(await (await chat([user("written")])).text());
    assert.match(question.content, /Tool: update_order/);
    assert.doesNotMatch(question.content, /tool_call>/);
    const words = said(await (await chat([user("written"), { role: "assistant", content: question.content }, user("yes")])).text());
    assert.equal(words.content, '<tool_call>{"name":"update_order","arguments":{"id":9}}</tool_call>');
  });

  test("responses: a change is a question, a yes hands the stored call over", async () => {
    const ask = async (input) => {
      const r = await send(g.url + "/v1/responses", { method: "POST", headers: { authorization: `Bearer ${keys.agent}` }, body: JSON.stringify({ model: "m", stream: true, input }) });
      const text = await r.text();
      const end = text.split("\n\n").find((e) => e.startsWith("event: response.completed"));
      assert.ok(end, text);
      return JSON.parse(end.slice(end.indexOf("data: ") + 6)).response;
    };
    const history = [user("cancel by responses")];
    const question = (await ask(history)).output;
    assert.match(question[0].content[0].text, /Tool: update_order/);
    const yes = await ask([...history, ...question, user("yes")]);
    assert.deepEqual(yes.output.map((o) => [o.type, o.call_id, o.name, o.arguments]), [["function_call", "call_1", "update_order", '{"id": "cancel by responses"}']]);
  });

  test("other model APIs say in their own form that they are not spoken here", async () => {
    const post = (path) => fetch(g.url + path, { method: "POST", headers: { authorization: `Bearer ${keys.agent}` }, body: "{}" });
    const assistants = await post("/v1/assistants");
    assert.equal(assistants.status, 404);
    assert.equal((await assistants.json()).error.code, "unsupported_api");
    const messages = await post("/v1/messages/batches");
    assert.equal(messages.status, 404);
    assert.equal((await messages.json()).type, "error");
  });

  test("who may ask, and how much", async () => {
    const stranger = await chat([user("x")], {}, { headers: { authorization: "Bearer nobody-0123456789", "content-type": "application/json" } });
    assert.equal(stranger.status, 401);
    assert.ok((await stranger.json()).error.message);
    const large = await chat([user("x".repeat(9 << 20))]);
    assert.equal(large.status, 413);
    await large.text();
    const headers = { "x-api-key": keys.agent, "anthropic-version": "2023-06-01", "content-type": "application/json" };
    const long = await fetch(g.url + "/v1/messages", { method: "POST", headers, body: JSON.stringify({ model: "m", max_tokens: 1, messages: [user("x".repeat(2 << 20))] }) });
    assert.ok(long.status !== 413 && long.status !== 400, `${long.status} ${await long.text()}`); // it was read whole
  });

  // tool sends one request of the revision 2026-07-28.
  async function tool(method, params = {}, read = (response) => response.json()) {
    const headers = { authorization: `Bearer ${keys.agent}`, "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": method };
    if (params.name) headers["mcp-name"] = params.name;
    const body = { jsonrpc: "2.0", id: ++ids, method, params: { ...params, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } } };
    const response = await fetch(g.url + "/mcp/shop", { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await read(response);
    return typeof answer === "string" ? answer : { status: response.status, ...answer };
  }

  test("MCP: reads pass, a change waits for its approval and runs once", async () => {
    const list = await tool("tools/list");
    assert.deepEqual(list.result?.tools.map((t) => t.name), ["get_order", "delete_order"], JSON.stringify(list));
    const got = await tool("tools/call", { name: "get_order", arguments: { id: 1 } });
    assert.equal(got.result?.content[0].text, "ran get_order", JSON.stringify(got));
    assert.deepEqual(tools.ran, [["get_order", { id: 1 }, "Bearer shop-secret"]]);
    const held = await tool("tools/call", { name: "delete_order", arguments: { id: 2 } });
    assert.equal(held.result?.isError, true, JSON.stringify(held));
    const { id } = held.result._meta["io.github.boundcheck/approval"];
    assert.equal(tools.ran.length, 1);
    const { digest } = (await g.look(id)).body;
    assert.equal((await g.decide(id, digest)).status, 200);
    const ran = await tool("tools/call", { name: "delete_order", arguments: { id: 2 } });
    assert.equal(ran.result?.content[0].text, "ran delete_order", JSON.stringify(ran));
    assert.equal(await g.state(id), "executed");
    await tool("tools/call", { name: "delete_order", arguments: { id: 3 } });
    assert.equal(tools.ran.length, 2);
  });

  test("MCP: a slow tool's client hears that it is still at work", async () => {
    const text = await slow;
    assert.match(text, /^: keep-alive\n\n/, text);
    assert.match(text, /at last/);
  });

  test("MCP: a header that differs from the body is refused", async () => {
    const response = await fetch(g.url + "/mcp/shop", { method: "POST", headers: { authorization: `Bearer ${keys.agent}`, "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "get_order" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_order","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).error.code, -32020);
  });
});
