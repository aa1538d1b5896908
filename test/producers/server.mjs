// A model server that follows a script. It speaks OpenAI's chat completions and
// responses, Anthropic's messages, Gemini's contents and Bedrock's Converse, in one piece
// or streamed. It keeps no state: the calls in a request determine the turn.

import http from "node:http";
import { scenarios } from "./scenarios.mjs";

let last = 0;
const id = (prefix) => prefix + String(++last).padStart(6, "0");

const arrays = (v) => (Array.isArray(v) ? v : []);

/** The number of earlier calls of the model in a request. */
const made = {
  chat: (b) => arrays(b.messages).reduce((n, m) => n + arrays(m.tool_calls).length, 0),
  responses: (b) => Number(/-calls(\d+)$/.exec(b.previous_response_id ?? "")?.[1] ?? 0) + arrays(b.input).filter((i) => i.type === "function_call").length,
  messages: (b) => arrays(b.messages).reduce((n, m) => n + arrays(m.content).filter((c) => m.role === "assistant" && (c.type === "tool_use" || c.toolUse)).length, 0),
  contents: (b) => arrays(b.contents).reduce((n, m) => n + arrays(m.parts).filter((p) => p.functionCall).length, 0),
};

/** The turn after so many calls. */
function turn(model, calls) {
  const script = scenarios[model.replace(/^.*\//, "")] ?? scenarios.pay;
  for (const t of script) {
    if (calls <= 0) return t;
    calls -= t.calls?.length ?? 0;
  }
  return script.at(-1);
}

const half = (text) => [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))].filter(Boolean);

function chat(b) {
  const t = turn(b.model, made.chat(b));
  const calls = (t.calls ?? []).map((c) => ({ id: id("call_"), type: "function", function: { name: c.name, arguments: JSON.stringify(c.input) } }));
  const base = { id: id("chatcmpl-"), created: 1760000000, model: b.model };
  const reason = calls.length ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  if (!b.stream) {
    const message = { role: "assistant", content: t.text ?? null, ...(calls.length && { tool_calls: calls }) };
    return { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason: reason, logprobs: null }], usage };
  }
  const chunk = (delta, finish_reason = null) => ({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const out = [chunk({ role: "assistant", content: "" })];
  for (const part of half(t.text ?? "")) out.push(chunk({ content: part }));
  calls.forEach((c, index) => {
    out.push(chunk({ tool_calls: [{ index, id: c.id, type: "function", function: { name: c.function.name, arguments: "" } }] }));
    for (const part of half(c.function.arguments)) out.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
  });
  return { events: [...out, chunk({}, reason), { ...base, object: "chat.completion.chunk", choices: [], usage }], end: "[DONE]" };
}

function responses(b) {
  const before = made.responses(b);
  const t = turn(b.model, before);
  const output = [];
  if (t.text) output.push({ type: "message", id: id("msg_"), role: "assistant", status: "completed", content: [{ type: "output_text", text: t.text, annotations: [] }] });
  for (const c of t.calls ?? []) output.push({ type: "function_call", id: id("fc_"), call_id: id("call_"), name: c.name, arguments: JSON.stringify(c.input), status: "completed" });
  const whole = {
    id: id("resp_") + "-calls" + (before + (t.calls?.length ?? 0)), object: "response", created_at: 1760000000, status: "completed", model: b.model, output, parallel_tool_calls: true, tool_choice: "auto",
    tools: b.tools ?? [], error: null, incomplete_details: null, instructions: b.instructions ?? null, metadata: {}, temperature: 1, top_p: 1, previous_response_id: b.previous_response_id ?? null,
    usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
  if (!b.stream) return whole;
  let sequence_number = 0;
  const events = [];
  const say = (type, more) => events.push({ type, sequence_number: sequence_number++, ...more });
  say("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  output.forEach((item, output_index) => {
    const begun = item.type === "message" ? { ...item, content: [], status: "in_progress" } : { ...item, arguments: "", status: "in_progress" };
    say("response.output_item.added", { output_index, item: begun });
    if (item.type === "message") {
      const where = { item_id: item.id, output_index, content_index: 0 };
      say("response.content_part.added", { ...where, part: { type: "output_text", text: "", annotations: [] } });
      for (const delta of half(item.content[0].text)) say("response.output_text.delta", { ...where, delta });
      say("response.output_text.done", { ...where, text: item.content[0].text });
      say("response.content_part.done", { ...where, part: item.content[0] });
    } else {
      for (const delta of half(item.arguments)) say("response.function_call_arguments.delta", { item_id: item.id, output_index, delta });
      say("response.function_call_arguments.done", { item_id: item.id, output_index, name: item.name, arguments: item.arguments });
    }
    say("response.output_item.done", { output_index, item });
  });
  say("response.completed", { response: whole });
  return { events, named: true };
}

function messages(b) {
  const t = turn(b.model, made.messages(b));
  const content = [];
  if (t.text) content.push({ type: "text", text: t.text });
  for (const c of t.calls ?? []) content.push({ type: "tool_use", id: id("toolu_"), name: c.name, input: c.input });
  const whole = { id: id("msg_"), type: "message", role: "assistant", model: b.model, content, stop_reason: t.calls ? "tool_use" : "end_turn", stop_sequence: null, usage: { input_tokens: 9, output_tokens: 5 } };
  if (!b.stream) return whole;
  const events = [{ type: "message_start", message: { ...whole, content: [], stop_reason: null } }];
  content.forEach((block, index) => {
    const text = block.type === "text";
    events.push({ type: "content_block_start", index, content_block: text ? { ...block, text: "" } : { ...block, input: {} } });
    for (const part of half(text ? block.text : JSON.stringify(block.input)))
      events.push({ type: "content_block_delta", index, delta: text ? { type: "text_delta", text: part } : { type: "input_json_delta", partial_json: part } });
    events.push({ type: "content_block_stop", index });
  });
  events.push({ type: "message_delta", delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }, { type: "message_stop" });
  return { events, named: true };
}

function contents(b, model, stream) {
  const t = turn(model, made.contents(b));
  const parts = [];
  if (t.text) parts.push({ text: t.text });
  for (const c of t.calls ?? []) parts.push({ functionCall: { name: c.name, args: c.input } });
  const answer = (some, finishReason) => ({ candidates: [{ index: 0, content: { role: "model", parts: some }, ...(finishReason && { finishReason }) }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 }, modelVersion: model });
  if (!stream) return answer(parts, "STOP");
  return { events: parts.map((p, i) => answer([p], i === parts.length - 1 ? "STOP" : undefined)) };
}

function converse(b, model) {
  const t = turn(model, made.messages(b));
  const content = [];
  if (t.text) content.push({ text: t.text });
  for (const c of t.calls ?? []) content.push({ toolUse: { toolUseId: id("tooluse_"), name: c.name, input: c.input } });
  return { output: { message: { role: "assistant", content } }, stopReason: t.calls ? "tool_use" : "end_turn", usage: { inputTokens: 9, outputTokens: 5, totalTokens: 14 }, metrics: { latencyMs: 1 } };
}

function answer(path, body) {
  const gemini = /\/models\/([^/:]+):(generateContent|streamGenerateContent)/.exec(path);
  const bedrock = /\/model\/([^/]+)\/converse$/.exec(path);
  if (gemini) return contents(body, decodeURIComponent(gemini[1]), gemini[2] !== "generateContent");
  if (bedrock) return converse(body, decodeURIComponent(bedrock[1]));
  if (path.endsWith("/chat/completions")) return chat(body);
  if (path.endsWith("/responses")) return responses(body);
  if (path.endsWith("/messages")) return messages(body);
  return null;
}

/** Starts the server on a free port of this machine. Each request and its answer are passed to log. */
export function start(log = () => {}) {
  const server = http.createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = pieces.length ? JSON.parse(Buffer.concat(pieces).toString()) : {};
    const out = answer(new URL(request.url, "http://x").pathname, body);
    if (!out) return response.writeHead(404).end("{}");
    log({ path: request.url, request: body, response: out.events ?? out });
    if (!out.events) return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(out));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const e of out.events) response.write((out.named ? `event: ${e.type}\n` : "") + `data: ${JSON.stringify(e)}\n\n`);
    response.end(out.end ? `data: ${out.end}\n\n` : "");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() })));
}
