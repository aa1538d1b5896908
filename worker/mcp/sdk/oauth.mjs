// A client of the official TypeScript SDK that signs in by OAuth: it is sent to the provider,
// gets a token, reads, has a change held, approves it as its approver, and makes it again.
//   node oauth.mjs GATE APPROVER http|sse register|preset
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, approver, wire, how] = process.argv.slice(2);
const back = 'http://127.0.0.1:9/back';
let [client, tokens, verifier, code] = [how === 'preset' ? { client_id: 'preset' } : undefined];
const authProvider = {
  redirectUrl: back,
  clientMetadata: { client_name: 'test', redirect_uris: [back], grant_types: ['authorization_code'], response_types: ['code'], token_endpoint_auth_method: 'none' },
  clientInformation: () => client,
  saveClientInformation: (c) => { client = c; },
  tokens: () => tokens,
  saveTokens: (t) => { tokens = t; },
  codeVerifier: () => verifier,
  saveCodeVerifier: (v) => { verifier = v; },
  redirectToAuthorization: async (to) => { // the person agrees in the browser
    const page = await fetch(to, { redirect: 'manual' });
    code = new URL(page.headers.get('location') ?? `error:${page.status} ${await page.text()}`).searchParams.get('code');
  },
};
const open = () => wire === 'sse' ? new SSEClientTransport(new URL(`${url}/mcp/up/sse`), { authProvider }) : new StreamableHTTPClientTransport(new URL(`${url}/mcp/up`), { authProvider });
const said = [];
const first = open();
await new Client({ name: 'test', version: '1' }).connect(first).then(() => said.push('not asked to sign in'), (e) => {
  if (!(e instanceof UnauthorizedError)) throw e;
  said.push('sent to sign in');
});
await first.finishAuth(code);
const mcp = new Client({ name: 'test', version: '1' });
await mcp.connect(open());
const call = async (name) => (await mcp.callTool({ name, arguments: { id: '1' } })).content[0].text;
said.push(await call('get_order'));
said.push((await call('delete_order')).includes('Held for approval') ? 'held' : 'not held');
const api = (path, body) => fetch(`${url}/v1/proposals${path}`, { method: body ? 'POST' : 'GET', headers: { authorization: `Bearer ${approver}` }, body }).then((r) => r.json());
const [{ id, digest }] = (await api('')).pending;
await api(`/${id}/decision`, JSON.stringify({ approve: true, digest }));
said.push(await call('delete_order'));
await mcp.close();
console.log(said.join(', '));
