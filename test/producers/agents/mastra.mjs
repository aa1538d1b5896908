// The @mastra/core package: the result of an agent, its steps, messages and stream.

import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { createOpenAI } from "ai5-openai";
import { z } from "zod";
import { question, run, system, tools } from "../scenarios.mjs";

const kinds = { string: z.string(), number: z.number() };

export default async function mastra({ url, model, dump, begin }) {
  const mine = Object.fromEntries(Object.keys(tools).map((name) => [name, createTool({
    id: name, description: tools[name].description,
    inputSchema: z.object(Object.fromEntries(Object.entries(tools[name].properties).map(([k, v]) => [k, kinds[v.type]]))),
    execute: async ({ context }) => run(name, context),
  })]));
  const agent = new Agent({ id: "books", name: "books", instructions: system, model: createOpenAI({ baseURL: url + "/v1", apiKey: "none" }).chat(model), tools: mine });
  const out = await agent.generate(question, { maxSteps: 9 });
  dump("result", out);
  dump("steps", out.steps);
  dump("messages", out.response.messages);
  dump("ui-messages", out.response.uiMessages ?? []);
  dump("tool-calls", { toolCalls: out.toolCalls, toolResults: out.toolResults });
  begin();
  const rows = [];
  const stream = await agent.stream(question, { maxSteps: 9 });
  for await (const row of stream.fullStream) rows.push(row);
  dump("stream", rows, { lines: true });
}
