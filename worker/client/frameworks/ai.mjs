// The AI SDK: needsApproval.
import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";
import { play } from "./common.mjs";

await play(async ({ tools, execute, tool: name, input, text, callId }) => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const heard = [];
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const results = prompt.filter((m) => m.role === "tool").flatMap((m) => m.content).filter((c) => c.type === "tool-result");
      heard.push(...results.map((c) => c.output));
      if (results.length) return { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage, warnings: [] };
      return { content: [{ type: "text", text }, { type: "tool-call", toolCallId: callId, toolName: name, input: JSON.stringify(input) }], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
    },
  });
  const options = { model, stopWhen: stepCountIs(5), tools: { [name]: tools.aiSDK(name, tool({ description: "x", inputSchema: z.object({ order_id: z.string() }), execute })) } };
  const messages = [{ role: "user", content: "cancel W1" }];
  const first = await generateText({ ...options, messages });
  const request = first.content.find((c) => c.type === "tool-approval-request");
  if (!request) return { heard };
  return {
    waits: { tool: request.toolCall.toolName, input: request.toolCall.input, callId: request.toolCall.toolCallId },
    resume: async () => {
      const answer = { role: "tool", content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }] };
      await generateText({ ...options, messages: [...messages, ...first.response.messages, answer] });
      return heard;
    },
  };
});
