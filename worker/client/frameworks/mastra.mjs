// Mastra: a tool that suspends.
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";
import { play } from "./common.mjs";

await play(async ({ tools, execute, tool: name, input, text, callId }) => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const heard = [];
  const parts = (prompt) => {
    const results = prompt.filter((m) => m.role === "tool").flatMap((m) => m.content).filter((c) => c.type === "tool-result");
    heard.push(...results.map((c) => c.output));
    return results.length ? { text: "done", reason: "stop" } : { text, call: { type: "tool-call", toolCallId: callId, toolName: name, input: JSON.stringify(input) }, reason: "tool-calls" };
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const p = parts(prompt);
      return { content: [{ type: "text", text: p.text }, ...(p.call ? [p.call] : [])], finishReason: { unified: p.reason }, usage, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const p = parts(prompt);
      const chunks = [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: p.text }, { type: "text-end", id: "1" }, ...(p.call ? [p.call] : []), { type: "finish", finishReason: { unified: p.reason }, usage }];
      return { stream: new ReadableStream({ start: (c) => (chunks.forEach((x) => c.enqueue(x)), c.close()) }) };
    },
  });
  const gated = createTool(tools.mastra({ id: name, description: "x", inputSchema: z.object({ order_id: z.string() }), suspendSchema: z.any(), resumeSchema: z.any(), execute }));
  const agent = new Agent({ id: "desk", name: "desk", instructions: "x", model, tools: { [name]: gated } });
  const mastra = new Mastra({ agents: { desk: agent }, storage: new InMemoryStore(), logger: false });
  const desk = mastra.getAgent("desk");
  const first = await desk.generate("cancel W1");
  if (first.finishReason !== "suspended") return { heard };
  return {
    waits: { tool: name, input, callId, seen: first.suspendPayload?.suspendPayload ?? first.suspendPayload },
    resume: async () => {
      const next = await desk.resumeGenerate({ approved: true }, { runId: first.runId, toolCallId: callId });
      return next.finishReason === "suspended" ? ["asked again: " + JSON.stringify(next.suspendPayload)] : heard;
    },
  };
});
