// A conversation of Ollama's official client, for parcels_test.go:
//   node ollama.mjs URL KEY stream|whole
// It prints one line of JSON for each answer, and one for each error.
import { Ollama } from 'ollama';

const [host, key, how] = process.argv.slice(2);
const client = new Ollama({ host, headers: { Authorization: `Bearer ${key}` } });
const tools = ['issue_refund', 'get_order'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object', properties: {} } } }));
const messages = [{ role: 'system', content: 'be careful' }];

async function turn(...more) {
  messages.push(...more);
  const body = { model: 'llama-x', messages, tools };
  const message = { role: 'assistant', content: '' };
  let last;
  const add = (part) => {
    last = part;
    message.content += part.message.content;
    if (part.message.thinking) message.thinking = (message.thinking ?? '') + part.message.thinking;
    if (part.message.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...part.message.tool_calls];
  };
  if (how === 'stream') {
    for await (const part of await client.chat({ ...body, stream: true })) add(part);
  } else {
    add(await client.chat(body));
  }
  messages.push(message);
  const calls = (message.tool_calls ?? []).map((c) => ({ name: c.function.name, args: c.function.arguments }));
  console.log(JSON.stringify({ text: message.content, calls, thought: message.thinking ?? '', stop: last.done_reason, tokens: last.eval_count }));
  return { text: message.content, calls };
}
const results = (got, content) => got.calls.map((c) => ({ role: 'tool', content, tool_name: c.name }));
const user = (content) => ({ role: 'user', content });

let got = await turn(user('Refund order A-7, please. Its amount is 5.'));
got = await turn(...results(got, 'order A-7'));
got = await turn(user(/Reply "([^"]+)"/.exec(got.text)[1]));
await turn(...results(got, 'refunded'));
console.log(JSON.stringify({ count: (await client.list()).models.length }));
for (const what of ['overloaded', 'hosted', 'cut']) {
  try {
    messages.length = 0;
    await turn(user(what));
  } catch (e) {
    console.log(JSON.stringify({ error: e.constructor.name, status: e.status_code ?? 0, text: String(e.message) }));
  }
}
