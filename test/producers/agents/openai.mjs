// The openai package: chat completions and responses, whole and streamed.

import OpenAI from "openai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

const client = (url) => new OpenAI({ baseURL: url + "/v1", apiKey: "none" });

function attempt(name, text) {
  try {
    return JSON.stringify(run(name, JSON.parse(text)));
  } catch (e) {
    return "Error: " + e.message;
  }
}

async function chat({ url, model, dump, begin }, stream) {
  begin();
  const ai = client(url);
  const functions = Object.keys(tools).map((name) => ({ type: "function", function: { name, description: tools[name].description, parameters: schema(name) } }));
  const messages = [{ role: "system", content: system }, { role: "user", content: question }];
  const answers = [];
  const log = [];
  const chunks = [];
  for (;;) {
    const request = { model, messages: structuredClone(messages), tools: functions };
    let completion;
    if (stream) {
      const runner = ai.chat.completions.stream(request);
      for await (const chunk of runner) chunks.push(chunk);
      completion = await runner.finalChatCompletion();
    } else {
      completion = await ai.chat.completions.create(request);
    }
    answers.push(completion);
    log.push({ request, response: completion });
    const message = completion.choices[0].message;
    messages.push(message);
    if (!message.tool_calls?.length) break;
    for (const c of message.tool_calls) messages.push({ role: "tool", tool_call_id: c.id, content: attempt(c.function.name, c.function.arguments) });
  }
  const kind = stream ? "stream-" : "";
  dump(kind + "messages", messages);
  dump(kind + "request", { model, messages });
  dump(kind + "completions", answers, { answers: true });
  dump(kind + "log", log, { lines: true });
  if (stream) dump("stream-chunks", chunks, { lines: true, answers: true });
}

async function responses({ url, model, dump, begin }) {
  begin();
  const ai = client(url);
  const functions = Object.keys(tools).map((name) => ({ type: "function", name, description: tools[name].description, parameters: schema(name), strict: true }));
  let input = [{ role: "user", content: question }];
  const items = [...input];
  const answers = [];
  const log = [];
  const events = [];
  let previous_response_id;
  for (;;) {
    const request = { model, input, tools: functions, instructions: system, previous_response_id };
    const stream = await ai.responses.create({ ...request, stream: true });
    let response;
    for await (const e of stream) {
      events.push(e);
      if (e.type === "response.completed") response = e.response;
    }
    answers.push(response);
    log.push({ request, response });
    items.push(...response.output);
    const calls = response.output.filter((o) => o.type === "function_call");
    if (!calls.length) break;
    input = calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: attempt(c.name, c.arguments) }));
    items.push(...input);
    previous_response_id = response.id;
  }
  dump("responses-items", items);
  dump("responses-list", answers, { answers: true });
  dump("responses-lines", answers, { answers: true, lines: true });
  dump("responses-log", log);
  dump("responses-events", events, { lines: true, answers: true });
}

export default async function openai(about) {
  await chat(about, false);
  await chat(about, true);
  await responses(about);
}
