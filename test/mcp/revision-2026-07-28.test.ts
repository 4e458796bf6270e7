import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { limits } from '../../contracts/limits.js';
import { toolsOf } from '../../src/surfaces/mcp/tools.js';
import { waitFor } from '../support/wait-for.js';
import { fakeOperations, secretOf, serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { full, sendTo } from './send.js';

const REVISION = '2026-07-28';
const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };

let endpoint: FakeEndpoint;
const clients: Client[] = [];

interface Choice {
  readonly key?: FakeKey;
  readonly onChange?: (list: string) => void;
}

async function connect({ key = full, onChange }: Choice = {}): Promise<Client> {
  const notify = (list: string) => ({
    autoRefresh: false,
    onChanged: () => onChange?.(list),
  });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: { pin: REVISION } },
      ...(onChange && { listChanged: { tools: notify('tools'), resources: notify('resources') } }),
    },
  );
  const requestInit = { headers: { authorization: `Bearer ${secretOf(key)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }));
  clients.push(client);
  return client;
}

beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, creator],
    useCases: {
      'contentTypes.list': ({ input }) => ({
        data: [],
        meta: { total: 0, page: 1, limit: input.limit, pages: 0 },
      }),
    },
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await endpoint.close();
});

/** The fields that every request of the revision carries. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const message = (method: string, params: object = {}, _meta: object = envelope) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
const headersOf = (method: string) => ({ 'mcp-protocol-version': REVISION, 'mcp-method': method });

describe(`A client of revision ${REVISION}`, () => {
  test('is told what the service is without an initialization', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'headwater', title: 'Headwater' });
    expect(client.getInstructions()).toMatch(/list_content_types/);
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, prompts: {} });
  });

  test('lists what a client of an older revision lists', async () => {
    const client = await connect();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(toolsOf(fakeOperations()).map(({ name }) => name));
    expect((await client.listResources()).resources).toHaveLength(3);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('translate');
  });

  test('may keep a list for a minute', async () => {
    const { body } = await sendTo(endpoint.url, {
      headers: headersOf('tools/list'),
      body: message('tools/list'),
    });
    expect(body.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private', resultType: 'complete' });
  });

  test('calls tools and reads resources with the rights of its key', async () => {
    const client = await connect();
    expect(await client.callTool({ name: 'list_content_types', arguments: {} })).toMatchObject({
      structuredContent: { data: [], meta: { total: 0 } },
    });
    const { contents } = await client.readResource({ uri: 'service://schema/content-types' });
    expect(contents).toMatchObject([{ text: '{"contentTypes":[]}' }]);
    const limited = await connect({ key: creator });
    expect(await limited.callTool({ name: 'list_content_types', arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { error: 'api_key_permission_denied' },
    });
  });

  test('receives the failures of an unknown tool, resource and prompt', async () => {
    const client = await connect();
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'service://users' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  test('is notified when the content model changes, and of nothing after it has left', async () => {
    const notified = new Set<string>();
    const client = await connect({ onChange: (list) => void notified.add(list) });
    let revision = 1;
    await waitFor('the client is notified of tools and resources', () => {
      revision += 1;
      endpoint.project.revision = String(revision);
      return notified.size === 2;
    });
    await client.close();
  });

  test('opens no more subscriptions than event streams are allowed', async () => {
    const open = await Promise.all(
      Array.from({ length: limits.eventStreamsPerKey }, () =>
        connect({ key: creator, onChange: () => undefined }),
      ),
    );
    const listening = { notifications: { toolsListChanged: true } };
    const refused = await sendTo(endpoint.url, {
      key: creator,
      headers: headersOf('subscriptions/listen'),
      body: message('subscriptions/listen', listening),
    });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded' } });
    await Promise.all(open.map((client) => client.close()));
  });
});

describe('A message', () => {
  test('of an unknown revision is told which ones exist', async () => {
    const unknown = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    const { status, body } = await sendTo(endpoint.url, {
      headers: { 'mcp-protocol-version': '2999-01-01', 'mcp-method': 'tools/list' },
      body: message('tools/list', {}, unknown),
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: -32022, data: { supported: [REVISION] } });
  });

  test('whose header contradicts its body is refused', async () => {
    const { status, body } = await sendTo(endpoint.url, {
      headers: headersOf('tools/list'),
      body: message('tools/call', { name: 'list_sites', arguments: {} }),
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: -32020 });
  });

  test('without a key is 401, whatever its revision', async () => {
    const sent = { key: null, headers: headersOf('tools/list'), body: message('tools/list') };
    expect(await sendTo(endpoint.url, sent)).toMatchObject({ status: 401 });
  });
});
