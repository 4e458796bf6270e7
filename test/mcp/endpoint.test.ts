import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { limits } from '../../contracts/limits.js';
import { secretOf, serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { callOf, full, rpc, sendTo, type Sent } from './send.js';

const preview: FakeKey = { name: 'preview', type: 'preview' };
const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };
const delivery: FakeKey = { name: 'delivery', type: 'delivery' };
const foreign: FakeKey = { name: 'foreign', type: 'management', projectId: 'project-2' };
const revoked: FakeKey = { name: 'revoked', type: 'management', isRevoked: true };
const expired: FakeKey = { name: 'expired', type: 'management', isExpired: true };

let endpoint: FakeEndpoint;
const send = (sent: Sent) => sendTo(endpoint.url, sent);

beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, preview, creator, delivery, foreign, revoked, expired],
    allowedOrigins: ['https://agent.example'],
    useCases: { 'sites.get': () => ({ data: {} }) },
  });
});
afterAll(() => endpoint.close());

describe('the credential', () => {
  test.each<[string, FakeKey | null, number, string]>([
    ['none', null, 401, 'unauthorized'],
    ['an unknown key', { name: 'unknown', type: 'management' }, 401, 'invalid_api_key'],
    ['a revoked key', revoked, 401, 'api_key_revoked'],
    ['an expired key', expired, 401, 'api_key_expired'],
    ['a delivery key', delivery, 403, 'wrong_key_type'],
    ["another project's key", foreign, 403, 'wrong_project'],
  ])('%s is refused over HTTP', async (...[, key, status, error]) => {
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

  test('a session token is no key', async () => {
    const answer = await send({ key: null, headers: { authorization: 'Bearer a.b.c' }, body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_api_key']);
  });

  test('a missing project looks like a foreign one', async () => {
    const answer = await sendTo(endpoint.url.replace('demo', 'nowhere'), { body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([403, 'wrong_project']);
  });

  test('a deactivated tenant is refused', async () => {
    endpoint.project.isActive = false;
    const answer = await send({ body: rpc('ping') });
    endpoint.project.isActive = true;
    expect([answer.status, answer.body.error]).toEqual([403, 'tenant_inactive']);
  });

  test('a key without the read action may list the tools', async () => {
    const answer = await send({ key: creator, body: rpc('tools/list') });
    expect(answer.status).toBe(200);
    expect(answer.body.result.tools).toHaveLength(18);
  });

  test('a preview key is let in', async () => {
    expect((await send({ key: preview, body: rpc('ping') })).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    });
  });
});

describe('the origin', () => {
  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['https://agent.example', 200],
  ])('%s is answered with %d', async (origin, status) => {
    const answer = await send({ headers: { origin }, body: rpc('ping') });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error).toBe('origin_not_allowed');
  });

  test('of a page whose name was rebound to this machine is refused, though it equals the host', async () => {
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

  test('of the service itself is let in', async () => {
    expect(
      (await send({ headers: { origin: new URL(endpoint.url).origin }, body: rpc('ping') })).status,
    ).toBe(200);
  });
});

describe('methods and media types', () => {
  test.each(['DELETE', 'PUT', 'PATCH'])('%s is 405 and names what is allowed', async (method) => {
    const answer = await send({ method });
    expect([answer.status, answer.body.error, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, POST',
    ]);
  });

  test('GET without the event stream is 406', async () => {
    const answer = await send({ method: 'GET', headers: { accept: 'application/json' } });
    expect([answer.status, answer.body.error]).toEqual([406, 'not_acceptable']);
  });

  test('POST that takes no JSON is 406, that says nothing is served', async () => {
    expect((await send({ headers: { accept: 'text/html' }, body: rpc('ping') })).status).toBe(406);
    expect((await send({ headers: { accept: '*/*' }, body: rpc('ping') })).status).toBe(200);
  });

  test('another media type is 415', async () => {
    const answer = await send({ headers: { 'content-type': 'text/plain' }, body: rpc('ping') });
    expect([answer.status, answer.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  test('a body above the limit is 413', async () => {
    const answer = await send({ body: ' '.repeat(limits.requestBodyBytes + 1) });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });

  test('an unknown revision of the protocol is 400', async () => {
    const answer = await send({ headers: { 'mcp-protocol-version': '1999-01-01' }, body: rpc('ping') });
    expect([answer.status, answer.body.jsonrpc]).toEqual([400, '2.0']);
  });
});

describe('messages', () => {
  test.each(['{', '', '{"jsonrpc":"2.0",}'])('%j is no JSON: 400 and -32700', async (body) => {
    const answer = await send({ body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.any(String) },
    });
  });

  test.each([
    '[]',
    '{}',
    '3',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    `[${rpc('ping')},${rpc('ping')}]`,
  ])('%s is no message: 400 and -32600', async (body) => {
    const answer = await send({ body });
    expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
  });

  test('what could not be kept exactly is 400 with the issues', async () => {
    const answer = await send({ body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}' });
    expect([answer.status, answer.body.error.code, answer.body.error.data.error]).toEqual([
      400,
      -32600,
      'validation_failed',
    ]);
    expect(answer.body.error.data.details.issues[0].code).toBe('duplicate_key');
  });

  test('a batch is answered as a batch', async () => {
    const answer = await send({ body: `[${rpc('ping', {}, 1)},${rpc('tools/list', {}, 'two')}]` });
    expect((answer.body as { id: unknown }[]).map(({ id }) => id)).toEqual([1, 'two']);
  });

  test('a batch that cancels its own request is answered all the same', async () => {
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const answer = await send({ body: `[${callOf('get_site', { slug: 'a' })},${cancel}]` });
    expect(answer.body.result.isError).toBe(true);
  });

  test('a notification is 202 without a body', async () => {
    const answer = await send({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    expect([answer.status, answer.body]).toEqual([202, undefined]);
  });

  test('an unknown method is -32601', async () => {
    expect((await send({ body: rpc('prompts/list') })).body.error.code).toBe(-32601);
  });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('initialize speaks %s', async (protocolVersion) => {
    const answer = await send({
      body: rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } }),
    });
    expect(answer.body.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'headwater', version: '1.2.3' },
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
    });
    expect(answer.headers.get('mcp-session-id')).toBeNull();
  });
});

describe('connections', () => {
  test('an oversized body of unknown length is answered before the connection ends', async () => {
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
