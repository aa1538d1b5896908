// The @aws-sdk/client-bedrock-runtime package: Converse.

import { BedrockRuntimeClient, ConverseCommand } from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { question, run, schema, system, tools } from "../scenarios.mjs";

function attempt({ toolUse: use }) {
  try {
    return { toolResult: { toolUseId: use.toolUseId, content: [{ json: { result: run(use.name, use.input) } }], status: "success" } };
  } catch (e) {
    return { toolResult: { toolUseId: use.toolUseId, content: [{ text: e.message }], status: "error" } };
  }
}

export default async function bedrock({ url, model, dump }) {
  const client = new BedrockRuntimeClient({ region: "us-east-1", endpoint: url, requestHandler: new NodeHttpHandler(), credentials: { accessKeyId: "none", secretAccessKey: "none" } });
  const toolConfig = { tools: Object.keys(tools).map((name) => ({ toolSpec: { name, description: tools[name].description, inputSchema: { json: schema(name) } } })) };
  const messages = [{ role: "user", content: [{ text: question }] }];
  const answers = [];
  const log = [];
  for (;;) {
    const request = { modelId: model, system: [{ text: system }], messages: structuredClone(messages), toolConfig };
    const response = await client.send(new ConverseCommand(request));
    answers.push(response);
    log.push({ request, response });
    messages.push(response.output.message);
    const calls = response.output.message.content.filter((b) => b.toolUse);
    if (!calls.length) break;
    messages.push({ role: "user", content: calls.map(attempt) });
  }
  dump("messages", messages);
  dump("answers", answers, { answers: true });
  dump("log", log, { lines: true });
}
