// A client of the official TypeScript SDK that speaks the transport of 2024-11-05: it reads,
// has a change held, approves it as its approver, and makes it again.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';

const [url, agent, approver] = process.argv.slice(2);
const headers = { authorization: `Bearer ${agent}` };
const transport = new SSEClientTransport(new URL(`${url}/mcp/up/sse`), { requestInit: { headers }, eventSourceInit: { fetch: (to, init) => fetch(to, { ...init, headers: { ...headers, accept: 'text/event-stream' } }) } });
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport);
const call = async (name) => (await client.callTool({ name, arguments: { id: '1' } })).content[0].text;
const said = [await call('get_order')];
said.push((await call('delete_order')).includes('Held for approval') ? 'held' : 'not held');
const api = (path, body) => fetch(`${url}/v1/proposals${path}`, { method: body ? 'POST' : 'GET', headers: { authorization: `Bearer ${approver}` }, body }).then((r) => r.json());
const [{ id, digest }] = (await api('')).pending;
await api(`/${id}/decision`, JSON.stringify({ approve: true, digest }));
said.push(await call('delete_order'));
await client.close();
console.log(said.join(', '));
