import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';
import { Metrics } from '../../src/infrastructure/metrics.js';
import { EarlyRefusal } from '../../src/surfaces/http/early-refusal.js';
import { ConcurrencyLimit } from '../../src/surfaces/http/limit-concurrency.js';
import { listenerOf } from '../support/pipeline.js';
import { verifies } from '../support/verifies.js';

/** Responses sent when the test says so. */
const waiting: http.ServerResponse[] = [];
const server = http.createServer(
  listenerOf(
    ({ request, response }) => {
      if (request.method === 'POST') request.resume();
      if (request.url === '/now' || request.url === '/healthz') response.end('now');
      else waiting.push(response);
      return undefined;
    },
    { maximum: 2 },
  ),
);
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const status = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;

describe('Overload', () => {
  verifies('limits/overload');

  it('returns 503 at once in the failure envelope while the process is at its request limit', async () => {
    const busy = [fetch(`${url}/slow`), fetch(`${url}/slow`)];
    await until(() => waiting.length === 2);
    const refused = await fetch(`${url}/now`);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-request-id')]).toEqual(
      [503, expect.stringMatching(/^[1-9]/), expect.any(String)],
    );
    expect(await refused.json()).toMatchObject({
      error: 'service_unavailable',
      details: { reason: 'overloaded' },
    });
    expect(await status('/healthz')).toBe(200);
    for (const response of waiting.splice(0)) response.end();
    await Promise.all(busy);
    await until(() => server.listening);
    expect(await status('/now')).toBe(200);
  });

  it('does not count requests whose body is still arriving', async () => {
    const senders = Array.from({ length: 5 }, () => {
      const request = http.request(`${url}/slow`, { method: 'POST', headers: { 'Content-Length': '10' } });
      request.on('error', () => undefined);
      request.write('x');
      return request;
    });
    await until(() => waiting.length === 5);
    expect(await status('/now')).toBe(200);
    for (const request of senders) request.destroy();
    waiting.splice(0);
  });
});

describe('Slots of requests with a credential', () => {
  verifies('limits/overload');

  it('are a fifth of all, which requests without one cannot take', () => {
    const limit = new ConcurrencyLimit(10);
    const request = (headers: http.IncomingHttpHeaders) =>
      ({ method: 'GET', url: '/api/v1/me', headers }) as http.IncomingMessage;
    const anonymous = Array.from({ length: 9 }, () => limit.enter(request({})));
    expect(anonymous.map((leave) => leave !== undefined)).toEqual([...Array<boolean>(8).fill(true), false]);
    const known = Array.from({ length: 3 }, () => limit.enter(request({ authorization: 'Bearer a' })));
    expect(known.map((leave) => leave !== undefined)).toEqual([true, true, false]);
    anonymous[0]?.();
    anonymous[0]?.();
    expect(limit.enter(request({}))).toBeUndefined();
    known[0]?.();
    expect(limit.enter(request({}))).toBeUndefined();
    known[1]?.();
    expect(limit.enter(request({}))).toBeDefined();
  });
});

describe('An early refusal', () => {
  verifies('limits/overload');

  const read = { method: 'GET', url: '/api/v1/me', headers: { authorization: 'Bearer a' } };
  const open = () => {
    const limit = new ConcurrencyLimit(1);
    const metrics = new Metrics();
    const refusal = new EarlyRefusal(limit, { logger: createLogger('silent'), metrics }, ['X-Shared', 'yes']);
    return { limit, metrics, refusal, leave: limit.enter(read as http.IncomingMessage) };
  };

  it('is the response that the pipeline would send', async () => {
    const { refusal, metrics } = open();
    const text = refusal.refusalOf(read, '') ?? '';
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({
      error: 'service_unavailable',
      details: { reason: 'overloaded' },
    });
    const [line, ...headers] = head.split('\r\n');
    expect(line).toBe('HTTP/1.1 503 Service Unavailable');
    const names = headers.map((header) => header.split(': ')[0]);
    expect(names).toEqual([
      ...['X-Shared', 'Cache-Control', 'Retry-After', 'Connection', 'Content-Type', 'Content-Length'],
      ...['X-Request-Id', 'Date'],
    ]);
    expect(head).toContain(`Content-Length: ${String(Buffer.byteLength(body))}`);
    expect((refusal.refusalOf({ ...read, method: 'HEAD' }, '') ?? '').endsWith('\r\n\r\n')).toBe(true);
    expect((await metrics.render()).text).toMatch(/status="503"[^\n]* 2\n/);
  });

  it("has the caller's request id if it is a UUID, as every response", () => {
    const { refusal } = open();
    const id = '019A3B5E-7C1A-7F00-8000-3F1D2C4B5A69';
    const answer = (sent: string) =>
      refusal.refusalOf(
        read,
        `GET /api/v1/me HTTP/1.1\r\nHost: a\r\nx-request-id: ${sent}\r\nAccept: a\r\n\r\n`,
      ) ?? '';
    expect(answer(id)).toContain(`X-Request-Id: ${id.toLowerCase()}\r\n`);
    for (const sent of ['x', id.replaceAll('-', 'a')]) {
      expect(answer(sent)).not.toContain(sent.toLowerCase().padEnd(36, ' '));
      expect(answer(sent)).toMatch(/X-Request-Id: [0-9a-f]{8}-[0-9a-f-]{27}\r\n/);
    }
  });

  it('refuses nothing that takes no slot, and nothing while a slot is free', () => {
    const { refusal, leave } = open();
    const spared = [
      '/healthz',
      '/readyz',
      '/metrics',
      '/media/a',
      '/api/delivery/projects/a',
      '/api/graphql/a',
    ];
    expect(spared.map((url) => refusal.refusalOf({ method: 'GET', url }, ''))).toEqual(
      spared.map(() => undefined),
    );
    const write = { method: 'POST', url: '/api/v1/me' };
    expect([refusal.mayRefuse(), refusal.refusalOf(write, '') === undefined]).toEqual([true, false]);
    leave?.();
    expect([refusal.mayRefuse(), refusal.refusalOf(write, '')]).toEqual([false, undefined]);
  });

  it('is possible for a connection accepted while only the slots of callers with a credential are free', () => {
    const limit = new ConcurrencyLimit(10);
    const observer = { logger: createLogger('silent'), metrics: new Metrics() };
    const refusal = new EarlyRefusal(limit, observer, []);
    const states = Array.from({ length: 10 }, () => {
      limit.enter(read as http.IncomingMessage);
      return [refusal.mayRefuse(), refusal.refusalOf(read, '') !== undefined];
    });
    expect(states.slice(6)).toEqual([[false, false], ...[8, 9].map(() => [true, false]), [true, true]]);
  });
});
