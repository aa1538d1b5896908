// The recipes of docs/gate-agents.md, for the type check. Nothing here runs.
import { tool as langchainTool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { createTool } from "@mastra/core/tools";
import { tool as agentTool } from "@openai/agents";
import { tool as aiTool, type ToolSet } from "ai";
import { z } from "zod";
import { gatedTools } from "../../../wasm/npm/adapters.js";
import { Gate, type Ran } from "../../../wasm/npm/gate.js";

const gate = new Gate({ url: "https://gate.example", key: "k" });
const tools = gatedTools(gate, { session: "s" });
const order = z.object({ order_id: z.string() });
const cancelOrder = async ({ order_id }: { order_id: string }) => `cancelled ${order_id}`;

export const ai: ToolSet = { cancel_order: tools.aiSDK("cancel_order", aiTool({ description: "x", inputSchema: order, execute: cancelOrder })) };
export const openai = agentTool(tools.openAI({ name: "cancel_order", description: "x", parameters: order, execute: cancelOrder }));
export const langgraph = langchainTool(tools.langGraph("cancel_order", cancelOrder, interrupt), { name: "cancel_order", description: "x", schema: order });
export const mastra = createTool(tools.mastra({ id: "cancel_order", description: "x", inputSchema: order, suspendSchema: z.any(), resumeSchema: z.any(), execute: cancelOrder }));

export const ran: Promise<Ran<string>> = gate.run({ tool: "cancel_order", arguments: { order_id: "W1" } }, cancelOrder);
// @ts-expect-error: the API has no such member
export const misspelt = gate.postProposalClaim("p_1", { digset: "x" });
