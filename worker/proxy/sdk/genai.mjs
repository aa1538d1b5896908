// A conversation of Google's official client, for parcels_test.go:
//   node genai.mjs URL KEY stream|whole
// It prints one line of JSON for each answer, and one for each error.
import { GoogleGenAI } from '@google/genai';

const [baseUrl, apiKey, how] = process.argv.slice(2);
const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl, retryOptions: { attempts: 1 } } });
const tools = [{ functionDeclarations: [{ name: 'issue_refund', parametersJsonSchema: { type: 'object' } }, { name: 'get_order', parametersJsonSchema: { type: 'object' } }] }];
const begin = () => ai.chats.create({ model: 'gemini-x', config: { systemInstruction: 'be careful', tools } });
let chat = begin();

async function turn(message) {
  const all = [];
  if (how === 'stream') {
    for await (const chunk of await chat.sendMessageStream({ message })) all.push(chunk);
  } else {
    all.push(await chat.sendMessage({ message }));
  }
  const parts = all.flatMap((a) => a.candidates?.[0]?.content?.parts ?? []);
  const got = {
    text: parts.filter((p) => p.text && !p.thought).map((p) => p.text).join(''),
    calls: parts.filter((p) => p.functionCall).map((p) => p.functionCall),
    thought: parts.filter((p) => p.thought).map((p) => p.text).join(''),
    stop: all.at(-1).candidates?.[0]?.finishReason, tokens: all.at(-1).usageMetadata?.candidatesTokenCount,
  };
  console.log(JSON.stringify(got));
  return got;
}
const results = (got, result) => got.calls.map((c) => ({ functionResponse: { id: c.id, name: c.name, response: { result } } }));

let got = await turn('Refund order A-7, please. Its amount is 5.');
got = await turn(results(got, 'order A-7'));
got = await turn(/Reply "([^"]+)"/.exec(got.text)[1]);
await turn(results(got, 'refunded'));
console.log(JSON.stringify({ count: (await ai.models.countTokens({ model: 'gemini-x', contents: 'hi' })).totalTokens }));
for (const what of ['overloaded', 'hosted', 'cut']) {
  try {
    chat = begin();
    await turn(what);
  } catch (e) {
    console.log(JSON.stringify({ error: e.constructor.name, status: e.status ?? 0, text: String(e.message) }));
  }
}
