// A conversation of Anthropic's official client, for messages_test.go:
//   node messages.mjs URL KEY stream|whole
// It prints one line of JSON for each answer, and one for each error.
import Anthropic from '@anthropic-ai/sdk';

const [baseURL, apiKey, how] = process.argv.slice(2);
const client = new Anthropic({ baseURL, apiKey, maxRetries: 0 });
const tools = [{ name: 'issue_refund', input_schema: { type: 'object' } }, { name: 'get_order', input_schema: { type: 'object' } }];
const messages = [];

async function turn(...content) {
  messages.push({ role: 'user', content });
  const body = { model: 'claude-x', max_tokens: 1000, system: 'be careful', messages, tools };
  const got = how === 'stream' ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
  messages.push({ role: got.role, content: got.content });
  console.log(JSON.stringify({
    text: got.content.filter((b) => b.type === 'text').map((b) => b.text).join(''),
    calls: got.content.filter((b) => b.type === 'tool_use'),
    thought: got.content.filter((b) => b.type === 'thinking').map((b) => b.signature).join(),
    stop: got.stop_reason, tokens: got.usage.output_tokens,
  }));
  return got;
}
const text = (s) => ({ type: 'text', text: s });
const results = (got, s) => got.content.filter((b) => b.type === 'tool_use').map((b) => ({ type: 'tool_result', tool_use_id: b.id, content: s }));

let got = await turn(text('Refund order A-7, please. Its amount is 5.'));
got = await turn(...results(got, 'order A-7'));
got = await turn(text(/Reply "([^"]+)"/.exec(got.content.at(-1).text)[1]));
await turn(...results(got, 'refunded'));
console.log(JSON.stringify({ count: (await client.messages.countTokens({ model: 'claude-x', messages, tools })).input_tokens }));
for (const what of ['overloaded', 'hosted', 'cut']) {
  try {
    messages.length = 0;
    await turn(text(what));
  } catch (e) {
    console.log(JSON.stringify({ error: e.constructor.name, status: e.status, type: e.error?.error?.type, text: String(e.message) }));
  }
}
