// The OpenAI Agents SDK: needsApproval, interruptions, and a state that is stored as text.
import { Agent, RunState, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";
import { play } from "./common.mjs";

setTracingDisabled(true);
await play(async ({ tools, execute, tool: name, input, text, callId }) => {
  const heard = [];
  const say = (output) => ({ usage: new Usage(), output });
  const message = (text) => ({ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] });
  const model = {
    getResponse: async ({ input: items }) => {
      const results = typeof items === "string" ? [] : items.filter((i) => i.type === "function_call_result");
      heard.push(...results.map((r) => r.output));
      if (results.length) return say([message("done")]);
      return say([message(text), { type: "function_call", callId, name, arguments: JSON.stringify(input), status: "completed" }]);
    },
    async *getStreamedResponse() {},
  };
  const agent = new Agent({ name: "desk", model, tools: [tool(tools.openAI({ name, description: "x", parameters: z.object({ order_id: z.string() }), execute }))] });
  const runner = new Runner({ modelProvider: { getModel: () => model } });
  const first = await runner.run(agent, "cancel W1");
  const [item] = first.interruptions ?? [];
  if (!item) return { heard };
  return {
    waits: { tool: item.rawItem.name, input: JSON.parse(item.rawItem.arguments), callId: item.rawItem.callId },
    resume: async () => {
      const state = await RunState.fromString(agent, first.state.toString());
      for (const one of state.getInterruptions()) state.approve(one);
      await runner.run(agent, state);
      return heard;
    },
  };
});
