// Earlier majors of the ai package: 5 and 4.

import { createOpenAI as createOpenAI4 } from "ai4-openai";
import { generateText as generate4, jsonSchema as jsonSchema4, streamText as stream4, tool as tool4 } from "ai4";
import { createOpenAI as createOpenAI5 } from "ai5-openai";
import { generateText as generate5, jsonSchema as jsonSchema5, stepCountIs, streamText as stream5, tool as tool5 } from "ai5";
import { question, run, schema, system, tools } from "../scenarios.mjs";

const all = (make) => Object.fromEntries(Object.keys(tools).map((name) => [name, make(name)]));

export default async function aiSDKOld({ url, model, dump, begin }) {
  const key = { baseURL: url + "/v1", apiKey: "none" };
  const five = {
    model: createOpenAI5(key).chat(model), system, prompt: question, maxRetries: 0, stopWhen: stepCountIs(9),
    tools: all((name) => tool5({ description: tools[name].description, inputSchema: jsonSchema5(schema(name)), execute: async (input) => run(name, input) })),
  };
  begin();
  const result = await generate5(five);
  dump("5-result", result);
  dump("5-steps", result.steps);
  dump("5-messages", result.response.messages);
  begin();
  const text = await stream5(five).toUIMessageStreamResponse().text();
  dump("5-ui-stream", text, { text: "sse" });
  begin();
  const parts = [];
  for await (const part of stream5(five).fullStream) parts.push(part);
  dump("5-full-stream", parts, { lines: true });
  // an exception in a tool ends a run of version 4, so these tools return the error
  const gentle = (name, input) => {
    try {
      return run(name, input);
    } catch (e) {
      return { error: e.message };
    }
  };
  const four = {
    model: createOpenAI4({ ...key, compatibility: "strict" }).chat(model), system, prompt: question, maxRetries: 0, maxSteps: 9,
    tools: all((name) => tool4({ description: tools[name].description, parameters: jsonSchema4(schema(name)), execute: async (input) => gentle(name, input) })),
  };
  begin();
  const old = await generate4(four);
  dump("4-result", old);
  dump("4-steps", old.steps);
  dump("4-messages", old.response.messages);
  begin();
  const data = await stream4(four).toDataStreamResponse().text();
  dump("4-data-stream", data, { text: "txt" });
}
