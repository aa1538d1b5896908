// LangGraph: interrupt in a tool of a ToolNode, with a checkpoint between.
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { play } from "./common.mjs";

await play(async ({ tools, execute, tool: name, input, text, callId }) => {
  const heard = [];
  const model = async ({ messages }) => {
    const results = messages.filter((m) => m.getType() === "tool");
    heard.push(...results.map((m) => m.content));
    if (results.length) return { messages: [new AIMessage("done")] };
    return { messages: [new AIMessage({ content: text, tool_calls: [{ id: callId, name, args: input, type: "tool_call" }] })] };
  };
  const gated = tool(tools.langGraph(name, execute, interrupt), { name, description: "x", schema: z.object({ order_id: z.string() }) });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", model)
    .addNode("tools", new ToolNode([gated]))
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END), ["tools", END])
    .addEdge("tools", "model")
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: callId } };
  const first = await graph.invoke({ messages: [{ role: "user", content: "cancel W1" }] }, config);
  const [asked] = first.__interrupt__ ?? [];
  if (!asked) return { heard };
  return {
    waits: { tool: name, input, callId, seen: asked.value },
    resume: async () => {
      const next = await graph.invoke(new Command({ resume: "approved" }), config);
      return next.__interrupt__ ? ["asked again: " + next.__interrupt__[0].value.digest] : heard;
    },
  };
});
