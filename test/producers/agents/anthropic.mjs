// The @anthropic-ai/sdk package: messages, whole and streamed.

import Anthropic from "@anthropic-ai/sdk";
import { question, run, schema, system, tools } from "../scenarios.mjs";

function attempt(block) {
  try {
    return { type: "tool_result", tool_use_id: block.id, content: JSON.stringify(run(block.name, block.input)) };
  } catch (e) {
    return { type: "tool_result", tool_use_id: block.id, content: e.message, is_error: true };
  }
}

export default async function anthropic({ url, model, dump, begin }) {
  const ai = new Anthropic({ baseURL: url, apiKey: "none" });
  const list = Object.keys(tools).map((name) => ({ name, description: tools[name].description, input_schema: schema(name) }));
  for (const stream of [false, true]) {
    begin();
    const messages = [{ role: "user", content: question }];
    const answers = [];
    const log = [];
    const events = [];
    for (;;) {
      const request = { model, max_tokens: 99, system, tools: list, messages: structuredClone(messages) };
      let message;
      if (stream) {
        const live = ai.messages.stream(request);
        live.on("streamEvent", (e) => events.push(structuredClone(e)));
        message = await live.finalMessage();
      } else {
        message = await ai.messages.create(request);
      }
      answers.push(message);
      log.push({ request, response: message });
      messages.push({ role: "assistant", content: message.content });
      const calls = message.content.filter((b) => b.type === "tool_use");
      if (!calls.length) break;
      messages.push({ role: "user", content: calls.map(attempt) });
    }
    const kind = stream ? "stream-" : "";
    dump(kind + "messages", messages);
    dump(kind + "answers", answers, { answers: true });
    dump(kind + "log", log, { lines: true });
    if (stream) dump("stream-events", events, { lines: true, answers: true });
  }
}
