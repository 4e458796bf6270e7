import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { limits } from '../../contracts/limits.js';
import { toolsOf } from '../../src/surfaces/mcp/tools.js';
import { fakeOperations, secretOf, serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { callTool, full, rpc, sendTo, type RpcRequest } from './send.js';

const preview: FakeKey = { name: 'preview', type: 'preview' };
const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };
const delivery: FakeKey = { name: 'delivery', type: 'delivery' };
const foreign: FakeKey = { name: 'foreign', type: 'management', projectId: 'project-2' };
const revoked: FakeKey = { name: 'revoked', type: 'management', isRevoked: true };
const expired: FakeKey = { name: 'expired', type: 'management', isExpired: true };

let endpoint: FakeEndpoint;
const send = (request: RpcRequest) => sendTo(endpoint.url, request);

beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, preview, creator, delivery, foreign, revoked, expired],
    allowedOrigins: ['https://agent.example'],
    useCases: { 'sites.get': () => ({ data: {} }) },
  });
});
afterAll(() => endpoint.close());

describe('MCP credentials', () => {
  test.each<[string, FakeKey | null, number, string]>([
    ['a missing credential', null, 401, 'unauthorized'],
    ['an unknown key', { name: 'unknown', type: 'management' }, 401, 'invalid_api_key'],
    ['a revoked key', revoked, 401, 'api_key_revoked'],
    ['an expired key', expired, 401, 'api_key_expired'],
    ['a delivery key', delivery, 403, 'wrong_key_type'],
    ["another project's key", foreign, 403, 'wrong_project'],
  ])('rejects %s before the body is read', async (...[, key, status, error]) => {
    const answer = await send({ key, body: 'not JSON' });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error,
      message: expect.any(String),
      ...(answer.body.details && { details: answer.body.details }),
    });
    expect(answer.headers.get('www-authenticate')).toContain('realm="mcp"');
    expect(answer.headers.get('www-authenticate')?.includes('invalid_token')).toBe(
      status === 401 && key !== null,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('returns 401 for a session token', async () => {
    const answer = await send({ key: null, headers: { authorization: 'Bearer a.b.c' }, body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_api_key']);
  });

  test('returns wrong_project for a project that does not exist', async () => {
    const answer = await sendTo(endpoint.url.replace('demo', 'nowhere'), { body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([403, 'wrong_project']);
  });

  test('returns 403 when the tenant is deactivated', async () => {
    endpoint.project.isActive = false;
    const answer = await send({ body: rpc('ping') });
    endpoint.project.isActive = true;
    expect([answer.status, answer.body.error]).toEqual([403, 'tenant_inactive']);
  });

  test('lists the tools for a key without the read action', async () => {
    const answer = await send({ key: creator, body: rpc('tools/list') });
    expect(answer.status).toBe(200);
    expect(answer.body.result.tools).toHaveLength(toolsOf(fakeOperations()).length);
  });

  test('accepts a preview key', async () => {
    expect((await send({ key: preview, body: rpc('ping') })).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    });
  });
});

describe('MCP origin check', () => {
  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['https://agent.example', 200],
  ])('responds to origin %s with %d', async (origin, status) => {
    const answer = await send({ headers: { origin }, body: rpc('ping') });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error).toBe('origin_not_allowed');
  });

  test('rejects an origin that equals the host after DNS rebinding', async () => {
    const { port } = new URL(endpoint.url);
    const rebound = `rebound.example:${port}`;
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host: rebound,
        origin: `http://${rebound}`,
        authorization: `Bearer ${secretOf(full)}`,
        'content-type': 'application/json',
      };
      httpRequest(endpoint.url, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end(rpc('ping'));
    });
    expect(answer).toBe(403);
  });

  test("accepts the service's own origin", async () => {
    expect(
      (await send({ headers: { origin: new URL(endpoint.url).origin }, body: rpc('ping') })).status,
    ).toBe(200);
  });
});

describe('MCP methods and media types', () => {
  test.each(['DELETE', 'PUT', 'PATCH'])('returns 405 with Allow for %s', async (method) => {
    const answer = await send({ method });
    expect([answer.status, answer.body.error, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, POST',
    ]);
  });

  test('returns 406 for GET without text/event-stream', async () => {
    const answer = await send({ method: 'GET', headers: { accept: 'application/json' } });
    expect([answer.status, answer.body.error]).toEqual([406, 'not_acceptable']);
  });

  test('returns 406 for a POST that does not accept JSON', async () => {
    expect((await send({ headers: { accept: 'text/html' }, body: rpc('ping') })).status).toBe(406);
    expect((await send({ headers: { accept: '*/*' }, body: rpc('ping') })).status).toBe(200);
  });

  test('returns 415 for another media type', async () => {
    const answer = await send({ headers: { 'content-type': 'text/plain' }, body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  test('returns 413 for a body above the limit', async () => {
    const answer = await send({ body: ' '.repeat(limits.requestBodyBytes + 1) });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });

  test('returns 400 for an unknown protocol version', async () => {
    const answer = await send({ headers: { 'mcp-protocol-version': '1999-01-01' }, body: rpc('ping') });
    expect([answer.status, answer.body.jsonrpc]).toEqual([400, '2.0']);
  });
});

describe('MCP messages', () => {
  test.each(['{', '', '{"jsonrpc":"2.0",}'])(
    'returns 400 and -32700 for the invalid JSON %j',
    async (body) => {
      const answer = await send({ body });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: expect.any(String) },
      });
    },
  );

  test.each([
    '[]',
    '{}',
    '3',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    `[${rpc('ping')},${rpc('ping')}]`,
  ])('returns 400 and -32600 for the invalid message %s', async (body) => {
    const answer = await send({ body });
    expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
  });

  test('returns 400 with issues for JSON that cannot be stored exactly', async () => {
    const answer = await send({ body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}' });
    expect([answer.status, answer.body.error.code, answer.body.error.data.error]).toEqual([
      400,
      -32600,
      'validation_failed',
    ]);
    expect(answer.body.error.data.details.issues[0].code).toBe('duplicate_key');
  });

  test.each([
    rpc('tools/call', {}),
    rpc('tools/call', { name: 3 }),
    rpc('tools/call', { name: 'list_sites', arguments: 'none' }),
    rpc('tools/call', { name: 'no_such_tool' }),
    rpc('tools/list', { cursor: 3 }),
    rpc('resources/read', {}),
    rpc('resources/read', { uri: 3 }),
    rpc('initialize', { protocolVersion: 3 }),
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  ])('returns -32602 with the id for the invalid parameters of %s', async (body) => {
    const answer = await send({ body });
    expect([answer.status, answer.body.id, answer.body.error.code]).toEqual([200, 1, -32602]);
  });

  test.each(['3', '"a"', '[]', 'null', '{"_meta":3}'])(
    'returns 400 and -32602 for the parameters %s',
    async (params) => {
      const answer = await send({ body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}` });
      expect([answer.status, answer.body.error.code]).toEqual([400, -32602]);
    },
  );

  test('responds to a batch with a batch', async () => {
    const answer = await send({ body: `[${rpc('ping', {}, 1)},${rpc('tools/list', {}, 'two')}]` });
    expect((answer.body as { id: unknown }[]).map(({ id }) => id)).toEqual([1, 'two']);
  });

  test('responds to a request that is cancelled in its own batch', async () => {
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const answer = await send({ body: `[${callTool('get_site', { slug: 'a' })},${cancel}]` });
    expect(answer.body.result.isError).toBe(true);
  });

  test('returns 202 without a body for a notification', async () => {
    const answer = await send({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    expect([answer.status, answer.body]).toEqual([202, undefined]);
  });

  test('returns -32601 for an unknown method', async () => {
    expect((await send({ body: rpc('tasks/list') })).body.error.code).toBe(-32601);
  });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'initialize accepts protocol version %s',
    async (protocolVersion) => {
      const answer = await send({
        body: rpc('initialize', {
          protocolVersion,
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        }),
      });
      expect(answer.body.result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'headwater', version: '1.2.3' },
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true },
          prompts: {},
          completions: {},
        },
      });
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    },
  );
});

describe('MCP connections', () => {
  test('returns 413 for an oversized body of unknown length before closing the connection', async () => {
    const status = await new Promise<number | string>((resolve) => {
      const request = httpRequest(endpoint.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretOf(full)}`, 'content-type': 'application/json' },
      });
      request.on('response', (response) => resolve(response.statusCode ?? 0));
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      request.write(Buffer.alloc(limits.requestBodyBytes + 1, ' '));
    });
    expect(status).toBe(413);
  });
});
