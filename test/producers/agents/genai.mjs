// The @google/genai package: a chat's history, the requests and answers, the stream's chunks.

import { GoogleGenAI } from "@google/genai";
import { question, run, schema, system, tools } from "../scenarios.mjs";

function attempt(c) {
  try {
    return { functionResponse: { name: c.name, response: { output: run(c.name, c.args) } } };
  } catch (e) {
    return { functionResponse: { name: c.name, response: { error: e.message } } };
  }
}

export default async function genai({ url, model, dump, begin }) {
  const ai = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
  const config = { systemInstruction: system, tools: [{ functionDeclarations: Object.keys(tools).map((name) => ({ name, description: tools[name].description, parametersJsonSchema: schema(name) })) }] };
  for (const stream of [false, true]) {
    begin();
    const contents = [{ role: "user", parts: [{ text: question }] }];
    const answers = [];
    const log = [];
    for (;;) {
      const request = { model, contents: structuredClone(contents), config };
      const parts = [];
      if (stream) {
        for await (const chunk of await ai.models.generateContentStream(request)) {
          answers.push(chunk);
          parts.push(...(chunk.candidates[0].content.parts ?? []));
        }
      } else {
        const response = await ai.models.generateContent(request);
        answers.push(response);
        log.push({ request, response });
        parts.push(...response.candidates[0].content.parts);
      }
      contents.push({ role: "model", parts });
      const calls = parts.filter((p) => p.functionCall);
      if (!calls.length) break;
      contents.push({ role: "user", parts: calls.map((p) => attempt(p.functionCall)) });
    }
    const kind = stream ? "stream-" : "";
    dump(kind + "contents", contents);
    dump(kind + "answers", answers, { answers: true, lines: stream });
    if (!stream) dump("log", log, { lines: true });
  }
}
