// The langgraph and langchain packages: what an agent returns, its states, and each mode of
// its stream.

import { tool } from "@langchain/core/tools";
import { mapChatMessagesToStoredMessages } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function langgraph({ url, model, dump, begin }) {
  const llm = (streaming) => new ChatOpenAI({ model, apiKey: "none", streaming, configuration: { baseURL: url + "/v1" }, useResponsesApi: false });
  const mine = Object.keys(tools).map((name) => tool(async (input) => JSON.stringify(run(name, input)), { name, description: tools[name].description, schema: schema(name) }));
  const input = { messages: [{ role: "user", content: question }] };
  const saver = new MemorySaver();
  const agent = createReactAgent({ llm: llm(false), tools: mine, prompt: system, checkpointSaver: saver });
  const config = (thread) => ({ configurable: { thread_id: thread }, recursionLimit: 30 });
  const out = await agent.invoke(input, config("a"));
  dump("invoke", out);
  dump("messages", out.messages);
  dump("stored", mapChatMessagesToStoredMessages(out.messages));
  dump("state", await agent.getState(config("a")));
  const history = [];
  for await (const s of agent.getStateHistory(config("a"))) history.push(s);
  dump("history", history);
  for (const streamMode of ["updates", "values", "messages", "debug", "tasks"]) {
    begin();
    const rows = [];
    for await (const row of await createReactAgent({ llm: llm(streamMode === "messages"), tools: mine, prompt: system }).stream(input, { streamMode, recursionLimit: 30 })) rows.push(row);
    dump("stream-" + streamMode, rows, { lines: true });
  }
  for (const streaming of [false, true]) {
    begin();
    const rows = [];
    for await (const e of createReactAgent({ llm: llm(streaming), tools: mine, prompt: system }).streamEvents(input, { version: "v2", recursionLimit: 30 })) rows.push(e);
    dump("events" + (streaming ? "-streaming" : ""), rows, { lines: true });
  }
}
