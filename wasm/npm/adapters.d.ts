// The gate behind the interrupts of agent frameworks. docs/gate-agents.md has recipes.
import type { Gate, How, Question, Reason } from "./gate.js";

/** A question as an approval screen shows it, as JSON. */
export type Shown = Omit<Question, "record" | "decision">;

export declare function shown(question: Question): Shown;

/** Why there is no question about a call that does not run: "unavailable" if the gate does not answer. */
export interface NoQuestion {
  decision: "none";
  reason: Reason;
  message: string;
}

export interface GatedTools {
  /**
   * The question about a call, as it stands now; for an approval screen. Its state says whether it
   * waits or is approved. Undefined if the policy allows the call without a question. If the call
   * does not run, or has been handed out, the answer says why.
   */
  question(tool: string, input: unknown, callId: string | undefined): Promise<Question | NoQuestion | undefined>;
  /** Runs a call if it is decided. A call that does not run returns the reason as a text for the model. */
  run(tool: string, input: unknown, callId: string | undefined, execute: (args: any, how: How) => unknown): Promise<unknown>;
  /** A tool of the AI SDK. */
  aiSDK<T extends { execute?: (input: any, options: any) => any }>(name: string, tool: T & { execute: (input: any, options: any) => any }): T & { needsApproval: (input: any, options: { toolCallId: string }) => Promise<boolean>; execute: (input: any, options: any) => Promise<any> };
  /** The options of tool() of the OpenAI Agents SDK. */
  openAI<T extends { name: string; execute: (input: any, context?: any, details?: any) => any }>(options: T): T & { needsApproval: (context: any, input: any, callId?: string) => Promise<boolean>; execute: (input: any, context?: any, details?: any) => Promise<any> };
  /** The function of a LangChain tool, with LangGraph's interrupt. */
  langGraph(name: string, execute: (input: any, config?: any) => unknown, interrupt: (question: Shown) => unknown): (input: any, config?: any) => Promise<any>;
  /** The options of Mastra's createTool(). */
  mastra<T extends { id: string; execute: (input: any, context: any) => any }>(options: T): T & { execute: (input: any, context: any) => Promise<any> };
}

export declare function gatedTools(gate: Gate, conversation: { session: string }): GatedTools;
