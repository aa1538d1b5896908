// Clients of a model's API with nothing changed but their base URL. Each asks for an order and a
// cancellation, answers the gate's question, and prints what ran and what its user read.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool as agentTool } from "@openai/agents";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { tool as graphTool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { generateText, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";

const [url, apiKey] = process.argv.slice(2);
const baseURL = url + "/v1";
const parameters = z.object({ order_id: z.string() });
const names = ["get_order", "cancel_order"];
setTracingDisabled(true);

const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const schema = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"], additionalProperties: false };

/** The loop of an app on chat completions: it runs what the model calls, until there is a text. */
const chat = (stream) => (run) => {
  const messages = [];
  return async (text) => {
    messages.push({ role: "user", content: text });
    for (;;) {
      const body = { model: "m-1", messages, tools: names.map((name) => ({ type: "function", function: { name, parameters: schema } })) };
      const message = stream ? await openai.chat.completions.stream(body).finalMessage() : (await openai.chat.completions.create(body)).choices[0].message;
      messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const c of message.tool_calls) messages.push({ role: "tool", tool_call_id: c.id, content: await run(c.function.name, JSON.parse(c.function.arguments)) });
    }
  };
};

/** The same on responses. */
const responses = (stream) => (run) => {
  const input = [];
  return async (text) => {
    input.push({ role: "user", content: text });
    for (;;) {
      const body = { model: "m-1", input, store: false, tools: names.map((name) => ({ type: "function", name, parameters: schema, strict: true })) };
      const response = stream ? await openai.responses.stream(body).finalResponse() : await openai.responses.create(body);
      input.push(...response.output);
      const calls = response.output.filter((o) => o.type === "function_call");
      if (!calls.length) return response.output_text;
      for (const c of calls) input.push({ type: "function_call_output", call_id: c.call_id, output: await run(c.name, JSON.parse(c.arguments)) });
    }
  };
};

const agents = (run) => {
  const desk = new Agent({ name: "desk", model: "m-1", tools: names.map((name) => agentTool({ name, description: "x", parameters, execute: (args) => run(name, args) })) });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ baseURL, apiKey }) });
  let history = [];
  return async (text) => {
    const result = await runner.run(desk, [...history, { role: "user", content: text }]);
    history = result.history;
    return result.finalOutput;
  };
};

const aiSDK = (model, stream) => (run) => {
  const tools = Object.fromEntries(names.map((name) => [name, tool({ description: "x", inputSchema: parameters, execute: (args) => run(name, args) })]));
  const messages = [];
  return async (text) => {
    messages.push({ role: "user", content: text });
    const options = { model, tools, messages, stopWhen: stepCountIs(8), maxRetries: 0 };
    const result = stream ? streamText(options) : await generateText(options);
    const said = await result.text;
    messages.push(...(await result.responseMessages)); // of all steps
    return said;
  };
};

const langGraph = (run) => {
  const llm = new ChatOpenAI({ model: "m-1", apiKey, configuration: { baseURL }, maxRetries: 0 });
  const agent = createReactAgent({ llm, tools: names.map((name) => graphTool((args) => run(name, args), { name, description: "x", schema: parameters })) });
  let messages = [];
  return async (text) => {
    ({ messages } = await agent.invoke({ messages: [...messages, { role: "user", content: text }] }));
    return messages.at(-1).content;
  };
};

const compatible = createOpenAICompatible({ name: "gate", baseURL, apiKey });

const mastra = (run) => {
  const tools = Object.fromEntries(names.map((name) => [name, createTool({ id: name, description: "x", inputSchema: parameters, execute: (args) => run(name, args) })]));
  const agent = new MastraAgent({ id: "desk", name: "desk", instructions: "Help.", model: compatible("m-1"), tools });
  const messages = [];
  return async (text) => {
    messages.push({ role: "user", content: text });
    const result = await agent.generate(messages, { maxSteps: 8 });
    messages.push(...result.response.messages);
    return result.text;
  };
};

const ai = createOpenAI({ baseURL, apiKey });
const anthropic = createAnthropic({ baseURL, apiKey });
const clients = {
  "openai, chat completions": chat(false), "openai, chat completions, streamed": chat(true), "openai, responses": responses(false), "openai, responses, streamed": responses(true),
  "@openai/agents": agents, "ai and @ai-sdk/openai": aiSDK(ai("m-1"), false), "ai and @ai-sdk/openai, streamed": aiSDK(ai("m-1"), true),
  "ai and @ai-sdk/openai-compatible": aiSDK(compatible("m-1"), false), "ai and @ai-sdk/openai-compatible, streamed": aiSDK(compatible("m-1"), true),
  "ai and @ai-sdk/anthropic": aiSDK(anthropic("m-1"), false), "ai and @ai-sdk/anthropic, streamed": aiSDK(anthropic("m-1"), true),
  "@langchain/langgraph": langGraph, "@mastra/core": mastra,
};

let order = 0;
for (const [client, begin] of Object.entries(clients)) {
  for (const reply of ["yes", "no"]) {
    const ran = [];
    const id = `W-${++order}`;
    let question, said;
    try {
      const send = begin(async (name, args) => (ran.push(`${name} ${JSON.stringify(args)}`), name === "get_order" ? "not shipped" : "cancelled"));
      question = await send(`Cancel order ${id} if it is not shipped.`);
      ran.push("asked");
      said = await send(question.match(`"(${reply}[^"]*)"`)?.[1] ?? reply); // what the question says to type
    } catch (e) {
      said = `failed: ${e.stack ?? e}`;
    }
    console.log(JSON.stringify({ client, reply, id, question, ran, said }));
  }
}
