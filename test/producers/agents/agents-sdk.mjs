// The @openai/agents package over both of OpenAI's APIs: history, new items, the state,
// the result, the stream's events and the exported trace.

import { Agent, BatchTraceProcessor, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, setTraceProcessors, tool } from "@openai/agents";
import OpenAI from "openai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function agentsSDK({ url, model, dump, begin }) {
  const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none" });
  const mine = Object.keys(tools).map((name) => tool({ name, description: tools[name].description, parameters: schema(name), strict: true, execute: async (input) => run(name, typeof input === "string" ? JSON.parse(input) : input) }));
  for (const [kind, Model] of [["chat", OpenAIChatCompletionsModel], ["responses", OpenAIResponsesModel]]) {
    for (const stream of [false, true]) {
      begin();
      const exported = [];
      const processor = new BatchTraceProcessor({ export: async (items) => void exported.push(...items.map((i) => i.toJSON())) }, { scheduleDelay: 10 });
      setTraceProcessors([processor]);
      const agent = new Agent({ name: "Books", instructions: system, tools: mine, model: new Model(client, model) });
      const result = await new Runner({ tracingDisabled: false }).run(agent, question, { stream, maxTurns: 9 });
      const events = [];
      if (stream) for await (const e of result) events.push(JSON.parse(JSON.stringify(e)));
      await processor.forceFlush();
      const name = kind + (stream ? "-stream" : "");
      dump(name + "-history", result.history);
      dump(name + "-new-items", result.newItems);
      dump(name + "-state", JSON.parse(result.state.toString()));
      if (!stream) dump(name + "-result", result);
      if (stream) dump(name + "-events", events, { lines: true });
      dump(name + "-trace", { data: exported });
    }
  }
}
