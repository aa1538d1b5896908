// A server of the official TypeScript SDK over stdio that deletes nothing without a receipt,
// for stdio_test.go.
//   node receipts.mjs KEYS DECISION
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createVerifier, mcpTool, META, META_ARGUMENTS } from '../../../wasm/npm/receipt.js';

const [keys, decision] = process.argv.slice(2);
const verify = await createVerifier({ keys: JSON.parse(keys), issuer: 'the-gate', tenant: 'dev', audience: 'shop', decisions: [decision] });
const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'delete_order', inputSchema: { type: 'object' } }] }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, _meta = {} } }) => {
  try {
    await verify(_meta[META], mcpTool('shop', name), _meta[META_ARGUMENTS]);
    return { content: [{ type: 'text', text: 'deleted ' + JSON.parse(_meta[META_ARGUMENTS]).order }] };
  } catch (e) {
    return { content: [{ type: 'text', text: e.message }], isError: true };
  }
});
await server.connect(new StdioServerTransport());
