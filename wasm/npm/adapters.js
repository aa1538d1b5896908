// The gate behind the interrupts of agent frameworks. The app's own approval screen shows the
// gate's prompt and digest, an approver's key decides there as anywhere else, and what the
// framework calls an approval lets nothing run by itself. It imports no framework.
import { GateError, NotRun, endOf } from "./gate.js";

/** What an approval screen shows, as JSON. @param {import("./gate.js").Question} q */
export const shown = ({ record, decision, ...q }) => q;

/**
 * The tools of one conversation. A call is known by the conversation and its own id, so another
 * process can continue it.
 * @param {import("./gate.js").Gate} gate @param {{ session: string }} conversation
 * @returns {import("./adapters.js").GatedTools}
 */
export function gatedTools(gate, { session }) {
  /** @param {string} tool @param {unknown} input @param {string | undefined} callId */
  const named = (tool, input, callId) => {
    if (!session || !callId) throw new TypeError("missing session or id of the call");
    return /** @type {const} */ ([{ tool, arguments: input, session }, `${session} ${callId}`]);
  };

  /** @type {import("./adapters.js").GatedTools["question"]} */
  const question = async (tool, input, callId) => {
    const [call, key] = named(tool, input, callId);
    try {
      const q = await gate.ask(call, { key });
      if (q.decision === "confirm" && q.record && q.state !== "pending" && q.state !== "approved") throw endOf(q.record);
      return q.decision === "confirm" ? q : undefined;
    } catch (e) {
      if (e instanceof NotRun) return { decision: "none", reason: e.reason, message: e.message }; // run says it to the model
      if (e instanceof GateError) return { decision: "none", reason: "unavailable", message: e.message };
      throw e;
    }
  };

  /** @param {string} tool @param {unknown} input @param {string | undefined} callId */
  const waiting = async (tool, input, callId) => {
    const q = await question(tool, input, callId);
    return q?.decision === "confirm" && q.state === "pending" ? shown(q) : undefined;
  };

  /** @type {import("./adapters.js").GatedTools["run"]} */
  const run = async (tool, input, callId, execute) => {
    const [call, key] = named(tool, input, callId);
    try {
      const ran = await gate.run(call, execute, { key, wait: 0 });
      if (!ran.edited) return ran.value;
      const note = `[gate] An approver changed this call. Your arguments did not run; these did: ${ran.bytes}`;
      return typeof ran.value === "string" ? `${note}\n\n${ran.value}` : { note, result: ran.value };
    } catch (e) {
      if (e instanceof NotRun) return e.message;
      throw e;
    }
  };

  return {
    question,
    run,
    aiSDK: (name, tool) => ({
      ...tool,
      needsApproval: async (input, { toolCallId }) => (await waiting(name, input, toolCallId)) !== undefined,
      execute: (input, options) => run(name, input, options.toolCallId, (args) => tool.execute(args, options)),
    }),
    openAI: (options) => ({
      ...options,
      needsApproval: async (_, input, callId) => (await waiting(options.name, input, callId)) !== undefined,
      execute: (input, context, details) => run(options.name, input, details?.toolCall?.callId, (args) => options.execute(args, context, details)),
    }),
    langGraph: (name, execute, interrupt) => async (input, config) => {
      for (let q; (q = await waiting(name, input, config?.toolCall?.id)); ) interrupt(q); // asks again until somebody has decided
      return run(name, input, config?.toolCall?.id, (args) => execute(args, config));
    },
    mastra: (options) => ({
      ...options,
      execute: async (input, context) => {
        const q = await waiting(options.id, input, context?.agent?.toolCallId);
        if (q) return context.agent.suspend(q);
        return run(options.id, input, context?.agent?.toolCallId, (args) => options.execute(args, context));
      },
    }),
  };
}
