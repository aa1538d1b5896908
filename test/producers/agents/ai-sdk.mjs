// The ai package over OpenAI, Anthropic and Google: the result, its steps, the messages and
// the streams.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function aiSDK({ url, model, dump, begin }) {
  const mine = Object.fromEntries(Object.keys(tools).map((name) => [name, tool({ description: tools[name].description, inputSchema: jsonSchema(schema(name)), execute: async (input) => run(name, input) })]));
  const models = {
    chat: createOpenAI({ baseURL: url + "/v1", apiKey: "none" }).chat(model),
    responses: createOpenAI({ baseURL: url + "/v1", apiKey: "none" }).responses(model),
    anthropic: createAnthropic({ baseURL: url + "/v1", apiKey: "none" })(model),
    google: createGoogleGenerativeAI({ baseURL: url + "/v1beta", apiKey: "none" })(model),
  };
  for (const [kind, of] of Object.entries(models)) {
    const options = { model: of, system, prompt: question, tools: mine, stopWhen: stepCountIs(9), maxRetries: 0 };
    begin();
    const result = await generateText(options);
    dump(kind + "-result", result);
    dump(kind + "-steps", result.steps);
    dump(kind + "-messages", result.response.messages);
    dump(kind + "-response", result.response);
    begin();
    const parts = [];
    for await (const part of streamText(options).fullStream) parts.push(part);
    dump(kind + "-full-stream", parts, { lines: true });
    begin();
    const text = await streamText(options).toUIMessageStreamResponse().text();
    dump(kind + "-ui-stream", text, { text: "sse" });
  }
}
