import { once } from 'node:events';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getFresh, hammer } from '../support/keep-alive.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

afterEach(() => ServiceProcess.killAll());

describe('A process that receives SIGTERM', () => {
  verifies('operation/stop', 'operation/readiness');

  it('fails readiness first, resets no client and exits with 0', async () => {
    const service = await ServiceProcess.start(database.url, { SHUTDOWN_DELAY_SECONDS: '2' });
    const { url } = service;
    const fresh = () => getFresh(`${url}/readyz`);
    expect((await fresh()).status).toBe(200);
    const clients = Array.from({ length: 10 }, () => hammer(`${url}/healthz`));
    await Promise.all(clients.map(({ isConnected }) => isConnected));
    const ended = service.kill('SIGTERM');
    let answer = await fresh();
    while (answer.status === 200) answer = await fresh();
    expect(answer).toEqual({ status: 503, connection: 'close', body: expect.stringContaining('draining') });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await Promise.all(clients.map(({ end }) => end))).toEqual(
      Array.from({ length: 10 }, () => 'ECONNREFUSED'),
    );
    expect(service.lines.filter((line) => /timed out|were aborted|failed/.test(line))).toEqual([]);
  });

  it('aborts a request that does not end when the shutdown times out', async () => {
    const service = await ServiceProcess.start(database.url, {
      SHUTDOWN_DELAY_SECONDS: '0',
      SHUTDOWN_TIMEOUT_SECONDS: '2',
    });
    const request = http.request(`${service.url}/api/v1/auth/login`, {
      method: 'POST',
      // The response to it shows that the request has arrived.
      headers: { 'Content-Type': 'application/json', 'Content-Length': '100', Expect: '100-continue' },
    });
    request.on('error', () => undefined);
    request.write('{');
    await once(request, 'continue');
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.lines.join('\n')).toContain('were aborted');
  });
});
