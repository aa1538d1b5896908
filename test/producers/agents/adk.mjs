// The @google/adk package: the events of a run and the session.

import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode } from "@google/adk";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function adk({ url, model, dump, begin }) {
  process.env.GOOGLE_GEMINI_BASE_URL = url;
  for (const stream of [false, true]) {
    begin();
    const mine = Object.keys(tools).map((name) => new FunctionTool({ name, description: tools[name].description, parameters: { ...schema(name), type: "OBJECT", additionalProperties: undefined }, execute: async (input) => run(name, input) }));
    const agent = new LlmAgent({ name: "books", model: new Gemini({ model, apiKey: "none" }), instruction: system, tools: mine });
    const runner = new InMemoryRunner({ agent, appName: "books" });
    const session = await runner.sessionService.createSession({ appName: "books", userId: "u" });
    const events = [];
    const options = { userId: "u", sessionId: session.id, newMessage: { role: "user", parts: [{ text: question }] } };
    if (stream) options.runConfig = { streamingMode: StreamingMode.SSE };
    for await (const e of runner.runAsync(options)) events.push(JSON.parse(JSON.stringify(e)));
    const kind = stream ? "stream-" : "";
    dump(kind + "events", events);
    dump(kind + "events", events, { lines: true });
    dump(kind + "session", await runner.sessionService.getSession({ appName: "books", userId: "u", sessionId: session.id }));
  }
}
