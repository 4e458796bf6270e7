import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { getFresh, hammer } from '../support/keep-alive.js';
import pg from 'pg';
import { serviceCommand } from '../support/service-command.js';
import { environment, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

afterEach(() => ServiceProcess.killAll());

async function untilEntriesExist(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET headwater.backup = 'on'");
  while ((await client.query('SELECT FROM entries LIMIT 1')).rowCount === 0) await delay(50);
  await client.end();
}

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

  it.each([1, 2])(
    'loads no more of the demo and exits with 0 and no failure, in %i processes',
    async (count) => {
      const empty = await createTestDatabase();
      const folder = await mkdtemp(path.join(tmpdir(), 'headwater-stop-'));
      const child = spawn(process.execPath, [...serviceCommand], {
        env: environment(empty.url, {
          HEADWATER_SEED_DEMO: '1',
          HEADWATER_DATA_DIR: folder,
          HEADWATER_PROCESSES: String(count),
          PORT: String(await freePort()),
        }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const closed = once(child, 'close');
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      try {
        await untilEntriesExist(empty.url);
        child.kill('SIGTERM');
        expect(await closed).toEqual([0, null]);
        expect(output).not.toMatch(/headwater: |more than once|failed|Login:/);
      } finally {
        child.kill('SIGKILL');
        await empty.drop();
        await rm(folder, { recursive: true });
      }
    },
    120_000,
  );
});
