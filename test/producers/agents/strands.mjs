// The @strands-agents/sdk package: the messages and the stream.

import { Agent, FunctionTool } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function strands({ url, model, dump, begin }) {
  const mine = () => Object.keys(tools).map((name) => new FunctionTool({ name, description: tools[name].description, inputSchema: schema(name), callback: async (input) => run(name, input) }));
  const make = () => new Agent({ model: new OpenAIModel({ api: "chat", modelId: model, apiKey: "none", clientConfig: { baseURL: url + "/v1" } }), tools: mine(), systemPrompt: system, printer: false });
  const agent = make();
  await agent.invoke(question);
  dump("messages", agent.messages);
  begin();
  const live = make();
  const events = [];
  for await (const e of live.stream(question)) events.push(JSON.parse(JSON.stringify(e)));
  dump("stream", events, { lines: true });
}
