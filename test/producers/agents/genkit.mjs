// The genkit package: the messages and the response of a generation.

import { genkit } from "genkit";
import { openAICompatible } from "@genkit-ai/compat-oai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

export default async function gen({ url, model, dump, begin }) {
  const ai = genkit({ plugins: [openAICompatible({ name: "local", apiKey: "none", baseURL: url + "/v1" })] });
  const mine = Object.keys(tools).map((name) => ai.defineTool({ name, description: tools[name].description, inputJsonSchema: schema(name) }, async (input) => {
    try {
      return run(name, input);
    } catch (e) {
      return { error: e.message };
    }
  }));
  const options = { model: "local/" + model, system, prompt: question, tools: mine, maxTurns: 9 };
  const response = await ai.generate(options);
  dump("messages", response.messages);
  dump("response", response);
  begin();
  const { stream, response: whole } = ai.generateStream(options);
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk.toJSON ? chunk.toJSON() : chunk);
  dump("stream-messages", (await whole).messages);
  dump("stream-chunks", chunks, { lines: true });
}
