// A server and a client of the official TypeScript SDK over stdio, for stdio_test.go.
//   node stdio.mjs server
//   node stdio.mjs client PAGES COMMAND…
// The client prints a line of JSON for each step.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [role, mode, ...command] = process.argv.slice(2);
const say = (step, value) => console.log(JSON.stringify({ step, ...value }));

if (role === 'server') {
  console.error('the server has started');
  const server = new McpServer({ name: 'shop', version: '1' });
  let deleted = 0;
  const text = (s) => ({ content: [{ type: 'text', text: s }] });
  server.registerTool('get_order', { description: 'one order' }, () => text('an order'));
  server.registerTool('add_note', { description: 'a note' }, () => text('noted'));
  server.registerTool('delete_order', { description: 'deletes' }, () => text(`deleted ${++deleted}`));
  await server.connect(new StdioServerTransport());
} else {
  const elicitation = { form: { elicitation: { form: {} } }, none: {} }[mode];
  const client = new Client({ name: 'test', version: '1' }, { capabilities: elicitation });
  if (mode === 'form') {
    client.setRequestHandler(ElicitRequestSchema, (r) => {
      say('asked', { message: r.params.message });
      return { action: 'accept', content: { approve: true } };
    });
  }
  await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'inherit' }));
  say('tools', { names: (await client.listTools()).tools.map((t) => t.name) });
  for (const name of ['get_order', 'add_note', 'delete_order']) {
    const r = await client.callTool({ name, arguments: {} });
    say(name, { text: r.content[0].text, wrong: !!r.isError });
  }
  await client.close();
}
