// Servers and a client with tasks, for tasks_test.go.
//   node tasks.mjs extension           a server of the extension of 2026-07-28, over HTTP; it prints its port
//   node tasks.mjs server              a server of the official TypeScript SDK (2025-11-25), over stdio
//   node tasks.mjs http                the same over HTTP, or with sse over HTTP+SSE; it prints its port
//   node tasks.mjs client URL KEY KEY  a client of the SDK over HTTP; with sse behind them, over HTTP+SSE; over stdio: client COMMAND…
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

const [role, ...rest] = process.argv.slice(2);
const text = (s) => ({ content: [{ type: 'text', text: s }] });
const listen = (handler) => {
  const server = createServer(handler).listen(0, '127.0.0.1', () => console.log(server.address().port));
};
const read = async (request) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body === '' ? undefined : JSON.parse(body);
};

function official() {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer({ name: 'shop', version: '1' }, {
    capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore, taskMessageQueue: new InMemoryTaskMessageQueue(),
  });
  for (const [name, taskSupport] of [['get_report', 'optional'], ['delete_order', 'optional'], ['delete_item', 'required']]) {
    server.experimental.tasks.registerToolTask(name, { description: name, execution: { taskSupport } }, {
      async createTask(extra) {
        const task = await extra.taskStore.createTask({ ttl: 60000, pollInterval: 50 });
        setTimeout(() => extra.taskStore.storeTaskResult(task.taskId, 'completed', text(`${name} is done`)), 100);
        return { task };
      },
      getTask: (extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: (extra) => extra.taskStore.getTaskResult(extra.taskId),
    });
  }
  return server;
}

async function client() {
  const c = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  const http = rest[0].startsWith('http');
  const [url, agent, approver, old] = rest;
  const headers = { authorization: `Bearer ${agent}` };
  await c.connect(http && old
    ? new SSEClientTransport(new URL(`${url}/mcp/up/sse`), { requestInit: { headers }, eventSourceInit: { fetch: (to, init) => fetch(to, { ...init, headers: { ...headers, accept: 'text/event-stream' } }) } })
    : http ? new StreamableHTTPClientTransport(new URL(`${url}/mcp/up`), { requestInit: { headers } })
    : new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: 'inherit' }));
  const said = [JSON.stringify(c.getServerCapabilities().tasks)];
  const call = async (name, waits = () => {}) => {
    for await (const m of c.experimental.tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema, { task: {} })) {
      if (m.type === 'taskStatus' && m.task.status === 'input_required') await waits();
      if (m.type === 'result') return m.result.content[0].text;
      if (m.type === 'error') return `error: ${m.error.message}`;
    }
  };
  const api = (path, body) => fetch(`${url}/v1/proposals${path}`, { method: body ? 'POST' : 'GET', headers: { authorization: `Bearer ${approver}` }, body }).then((r) => r.json());
  const approve = async () => {
    const [{ id, digest }] = (await api('')).pending;
    await api(`/${id}/decision`, JSON.stringify({ approve: true, digest }));
  };
  await c.listTools();
  said.push(await call('get_report'));
  if (http) {
    said.push(await call('delete_order', approve)); // the task waits for the decision
    said.push((await call('delete_item')).includes('Held for approval') ? 'held' : 'not held');
    await approve();
    said.push(await call('delete_item'));
  } else {
    said.push((await call('delete_order')).includes('Held for approval') ? 'held' : 'not held');
  }
  await c.close();
  console.log(said.join(', '));
}

const meta = 'io.modelcontextprotocol/';
const elicit = (key) => ({ method: 'elicitation/create', params: { mode: 'form', message: key, requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } } } });

// extension answers one message of the revision 2026-07-28.
function extension(tasks, m, headers) {
  const can = m.params?._meta?.[`${meta}clientCapabilities`] ?? {};
  const declares = can.extensions?.[`${meta}tasks`];
  const fail = (code, message, data) => ({ error: { code, message, ...(data && { data }) } });
  const missing = () => fail(-32021, 'missing capability', { requiredCapabilities: { extensions: { [`${meta}tasks`]: {} } } });
  const done = (result) => ({ result: { resultType: 'complete', ...result } });
  if (headers['mcp-method'] !== undefined && headers['mcp-method'] !== m.method) return fail(-32020, 'header mismatch');
  if (m.method === 'server/discover') {
    return done({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, extensions: { [`${meta}tasks`]: {} } }, serverInfo: { name: 'up', version: '1' }, ttlMs: 1000, cacheScope: 'public' });
  }
  const tools = ['greet', 'slow_compute', 'failing_job', 'protocol_error_job', 'confirm_delete', 'multi_input', 'test_tool_with_task'];
  if (m.method === 'tools/list') {
    return done({ tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })), ttlMs: 1000, cacheScope: 'public' });
  }
  const now = () => new Date().toISOString();
  const task = tasks.get(m.params?.taskId);
  if (m.method.startsWith('tasks/')) {
    if (!['tasks/get', 'tasks/update', 'tasks/cancel'].includes(m.method)) return fail(-32601, 'no such method');
    if (headers['mcp-name'] !== m.params.taskId) return fail(-32020, 'header mismatch');
    if (!declares) return missing();
    if (!task) return fail(-32602, 'no such task');
    const end = task.status !== 'working' && task.status !== 'input_required';
    if (m.method === 'tasks/cancel' && !end) Object.assign(task, { status: 'cancelled', inputRequests: undefined, lastUpdatedAt: now() });
    if (m.method === 'tasks/update' && !end) {
      for (const key of Object.keys(m.params.inputResponses)) delete task.inputRequests?.[key];
      if (Object.keys(task.inputRequests ?? {}).length === 0) Object.assign(task, { status: 'completed', inputRequests: undefined, result: text('done') });
    }
    return done(m.method === 'tasks/get' ? task : {});
  }
  if (m.method !== 'tools/call') return fail(-32601, 'no such method');
  const { name, arguments: a = {} } = m.params;
  if (name === 'greet') return done(text(`Hello, ${a.name}!`));
  if (!declares) return name === 'slow_compute' ? done(text('done')) : missing();
  const answers = m.params.inputResponses;
  if (name === 'test_tool_with_task' && !answers) return { result: { resultType: 'input_required', inputRequests: { user_name: elicit('user_name') }, requestState: 'first' } };
  const made = { taskId: `task-${tasks.size + 1}-${Math.random()}`, status: 'working', createdAt: now(), lastUpdatedAt: now(), ttlMs: 60000, pollIntervalMs: 50 };
  const live = { ...made };
  tasks.set(made.taskId, live);
  const later = (ms, change) => setTimeout(() => live.status === 'working' && Object.assign(live, change, { lastUpdatedAt: now() }), ms);
  if (name === 'slow_compute') later(1000 * (a.seconds ?? 0), { status: 'completed', result: text('done') });
  if (name === 'failing_job') later(100, { status: 'completed', result: { ...text('failed'), isError: true } });
  if (name === 'protocol_error_job') later(100, { status: 'failed', error: { code: -32603, message: 'broken' } });
  if (name === 'confirm_delete') later(10, { status: 'input_required', inputRequests: { confirm: elicit('confirm') } });
  if (name === 'multi_input') later(10, { status: 'input_required', inputRequests: { one: elicit('one'), two: elicit('two') } });
  if (name === 'test_tool_with_task') later(10, { status: 'completed', result: text(`Hello, ${JSON.stringify(answers)}`) });
  return { result: { resultType: 'task', ...made } };
}

if (role === 'client') await client();
if (role === 'server') await official().connect(new StdioServerTransport());
if (role === 'http') {
  const sessions = new Map();
  listen(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => `s${sessions.size + 1}`, onsessioninitialized: (id) => { sessions.set(id, transport); } });
      await official().connect(transport);
    }
    await transport.handleRequest(request, response, request.method === 'POST' ? await read(request) : undefined);
  });
}
if (role === 'sse') {
  const sessions = new Map();
  listen(async (request, response) => {
    if (request.method !== 'GET') return sessions.get(new URL(request.url, 'http://x').searchParams.get('sessionId')).handlePostMessage(request, response);
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    await official().connect(transport);
  });
}
if (role === 'extension') {
  const tasks = new Map();
  listen(async (request, response) => {
    const m = await read(request);
    if (m?.id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const answer = extension(tasks, m, request.headers);
    response.writeHead(answer.error ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: m.id, ...answer }));
  });
}
