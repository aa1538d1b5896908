// The llamaindex packages: the memory and the events of an agent.

import { OpenAI } from "@llamaindex/openai";
import { agent } from "@llamaindex/workflow";
import { createMemory, tool } from "llamaindex";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function llama({ url, model, dump }) {
  const llm = new OpenAI({ model, apiKey: "none", baseURL: url + "/v1", supportToolCall: true });
  Object.defineProperty(llm, "supportToolCall", { value: true });
  const mine = Object.keys(tools).map((name) => tool({ name, description: tools[name].description, parameters: schema(name), execute: async (input) => run(name, input) }));
  const memory = createMemory();
  const events = [];
  const context = agent({ llm, tools: mine, systemPrompt: system, memory }).runStream(question);
  for await (const e of context) events.push({ type: e.constructor?.name, data: e.data });
  dump("events", JSON.parse(JSON.stringify(events)));
  dump("memory", await memory.getLLM());
  dump("memory-all", await memory.get());
}
