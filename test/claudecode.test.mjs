// Real Claude Code against a scripted model, with the gate at each of its places: the base URL,
// the command hook, the HTTP hook, and the tool for --permission-prompt-tool. A call that
// waits for its time after the yes is one of the cases. "make clients" installs Claude Code.
//
// $BOUNDCHECK_CLAUDE is its program, $BOUNDCHECK_PROGRAM the command, whose name is boundcheck.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

const claude = process.env.BOUNDCHECK_CLAUDE;
const program = resolve(process.env.BOUNDCHECK_PROGRAM ?? "dist/boundcheck");
const skip = claude ? false : "BOUNDCHECK_CLAUDE is not set: make clients installs Claude Code";
const dir = mkdtempSync(join(tmpdir(), "boundcheck-claude-"));
let model;
let gate;
let told = ""; // the result of the call, as the model got it
let order = 0;

/** Answers as the Messages API: the first turn writes a file, the next one ends. */
function answer(request, response) {
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", () => {
    if (request.method !== "POST" || request.url.includes("count_tokens")) {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end('{"input_tokens":42}');
    }
    const body = JSON.parse(text);
    const last = JSON.stringify(body.messages.at(-1).content);
    const file = /write to (\S+?\.txt)/.exec(JSON.stringify(body.messages))?.[1];
    const results = body.messages.flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((b) => b.type === "tool_result");
    if (results.length > 0) told = JSON.stringify(results.at(-1).content);
    const again = told.includes("exactly the same call again") && results.length < 2; // it waits for its time
    const call = file && body.tools?.some((t) => t.name === "Write") && (!last.includes("tool_result") || again);
    const reply = () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (type, rest) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
      order++;
      send("message_start", { message: { id: `msg_${order}`, type: "message", role: "assistant", model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } } });
      if (call) {
        send("content_block_start", { index: 0, content_block: { type: "tool_use", id: `toolu_${order}`, name: "Write", input: {} } });
        send("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify({ file_path: file, content: "hello" }) } });
      } else {
        send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
        send("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Done." } });
      }
      send("content_block_stop", { index: 0 });
      send("message_delta", { delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 7 } });
      send("message_stop", {});
      response.end();
    };
    setTimeout(reply, again ? 4000 : 0);
  });
}

async function startGate(policy, ...flags) {
  const file = join(dir, `policy${++order}.json`);
  writeFileSync(file, JSON.stringify(policy));
  const child = spawn(program, ["gate", "--dev", "--policy", file, "--upstream", `${model.url}/v1`, "--ask", "page", "--wait", "20s", ...flags], { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, BOUNDCHECK_UPSTREAM_KEY: "upstream" } });
  const line = await new Promise((done) => {
    let text = "";
    child.stdout.on("data", (piece) => (text += piece).includes("\n") && done(text));
  });
  return { ...JSON.parse(line), child };
}

async function api(method, path, body) {
  const answer = await fetch(gate.url + path, { method, headers: { authorization: `Bearer ${gate.approverKey}` }, body: body && JSON.stringify(body) });
  return answer.json();
}

/** Decides the first call that waits. */
async function decide(approve) {
  for (;;) {
    const { pending } = await api("GET", "/v1/proposals");
    if (pending.length > 0) {
      const { id, digest } = pending[0];
      await api("POST", `/v1/proposals/${id}/decision`, { approve, digest, reason: approve ? undefined : "not on a Sunday" });
      return id;
    }
    await new Promise((next) => setTimeout(next, 100));
  }
}

before(async () => {
  if (skip) return;
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  model = { url: `http://127.0.0.1:${server.address().port}`, server };
  gate = await startGate({ cooldown: "none", tools: { Write: { wait: "1s" } } });
});

after(() => {
  gate?.child.kill();
  model?.server.closeAllConnections();
  model?.server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs Claude Code in a home and a project of its own, and returns what it says. */
async function run(name, base, key, settings, args) {
  const home = join(dir, name);
  mkdirSync(join(home, "project"), { recursive: true });
  mkdirSync(join(home, ".claude"), { recursive: true });
  const file = join(home, "project", "out.txt");
  const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: key, BOUNDCHECK_AGENT_KEY: gate.agentKey, GATE: gate.agentKey, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" };
  settings(home, env);
  told = "";
  const child = spawn(claude, ["-p", `write to ${file} now`, "--output-format", "json", ...args], { cwd: join(home, "project"), env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout.on("data", (piece) => (text += piece));
  child.stderr.on("data", (piece) => (text += piece));
  const ended = new Promise((done) => child.once("close", done));
  return { file, said: () => ended.then(() => text) };
}

const accepts = ["--permission-mode", "acceptEdits"];
const httpHook = (event) => ({ [event]: [{ matcher: "*", hooks: [{ type: "http", url: `${gate.url}/v1/hooks/claude-code?wait=15`, timeout: 60, headers: { Authorization: "Bearer $GATE" }, allowedEnvVars: ["GATE"] }] }] });
const writeSettings = (home, hooks) => writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify({ hooks }));
const places = {
  "base URL": () => [gate.url, gate.agentKey, () => {}, accepts],
  "command hook": () => [model.url, "k", (home, env) => execFileSync(program, ["hook", "install", "claude-code", "--gate", gate.url, "--deadline", "20s"], { env }), accepts],
  "HTTP hook": () => [model.url, "k", (home) => writeSettings(home, { ...httpHook("PreToolUse"), ...httpHook("PostToolUse") }), accepts],
  "permission tool": () => {
    const servers = { mcpServers: { gate: { type: "http", url: `${gate.url}/v1/hooks/claude-code/permission?wait=15`, headers: { Authorization: `Bearer ${gate.agentKey}` } } } };
    return [model.url, "k", () => {}, ["--mcp-config", JSON.stringify(servers), "--permission-prompt-tool", "mcp__gate__approve"]];
  },
};

for (const [name, place] of Object.entries(places)) {
  for (const approve of [true, false]) {
    test(`${name}: ${approve ? "a yes, and the wait after it" : "a no"}`, { skip, timeout: 60_000 }, async () => {
      const { file, said } = await run(`${name} ${approve}`.replaceAll(" ", "-"), ...place());
      const id = await decide(approve);
      assert.equal(existsSync(file), false, "it ran before its time");
      const text = await said();
      assert.equal(existsSync(file), approve, `${text}\nthe model was told ${told}`);
      if (approve) assert.equal(readFileSync(file, "utf8"), "hello");
      else assert.match(told, name === "base URL" ? /denied by (user|the approver)/i : /not on a Sunday/);
      const { state } = await api("GET", `/v1/proposals/${id}`);
      assert.equal(state, approve ? (name === "permission tool" ? "claimed" : "executed") : "denied");
    });
  }
}
