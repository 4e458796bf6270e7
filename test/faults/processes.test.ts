import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getFresh, hammer } from '../support/keep-alive.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

afterEach(() => ServiceProcess.killAll());

interface Line {
  readonly process: number;
  readonly msg: string;
  readonly pid?: number;
  readonly role?: string;
  readonly path?: string;
}

const linesOf = ({ lines }: ServiceProcess): Line[] =>
  lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

const serving = (service: ServiceProcess): Line[] =>
  linesOf(service).filter(({ msg, pid }) => msg === 'serving' && pid !== undefined);

/** The lines of both processes: each writes to the log by itself, so one may come after the service is found ready. */
async function bothServing(service: ServiceProcess): Promise<Line[]> {
  await waitFor('both processes serve', () => serving(service).length >= 2);
  return serving(service);
}

const start = (env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  ServiceProcess.start(database.url, {
    HEADWATER_PROCESSES: '2',
    DATABASE_POOL_SIZE: '2',
    SHUTDOWN_DELAY_SECONDS: '1',
    ...env,
  });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('Several processes', () => {
  verifies('operation/processes');

  it('distributes connections of one port, and replaces a killed process while requests continue', async () => {
    const service = await start();
    const [{ pid = 0 } = {}] = await bothServing(service);
    for (let count = 0; count < 4; count += 1)
      expect((await getFresh(`${service.url}/api/v1/nothing`)).status).toBe(404);
    const answered = () => linesOf(service).filter(({ path }) => path === '/api/v1/nothing');
    await waitFor('four lines of requests', () => answered().length >= 4);
    expect(new Set(answered().map((line) => line.process)).size).toBe(2);
    process.kill(pid, 'SIGKILL');
    while (serving(service).length < 3) {
      expect((await getFresh(`${service.url}/healthz`)).status).toBe(200);
      await delay(10);
    }
    expect((await getFresh(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('runs background jobs in only one of several processes', async () => {
    const service = await start({ SHUTDOWN_DELAY_SECONDS: '0' });
    const roles = (await bothServing(service)).map(({ role }) => role);
    expect(roles.sort()).toEqual(['all', 'api']);
    await service.kill('SIGTERM');
  });

  it('gives each process one arena of memory unless the environment has a number', async () => {
    for (const [env, expected] of [
      [{}, 'MALLOC_ARENA_MAX=1'],
      [{ MALLOC_ARENA_MAX: '3' }, 'MALLOC_ARENA_MAX=3'],
    ] as const) {
      const service = await start({ SHUTDOWN_DELAY_SECONDS: '0', ...env });
      for (const { pid = 0 } of await bothServing(service)) {
        const variables = await readFile(`/proc/${String(pid)}/environ`, 'utf8');
        expect(variables.split('\0')).toContain(expected);
      }
      await service.kill('SIGTERM');
    }
  });

  it('fails readiness of the fleet first at SIGTERM, serves clients that repeat a reset request once, and exits with 0', async () => {
    const service = await start({ SHUTDOWN_DELAY_SECONDS: '2' });
    // A connection may be lost on its way from the leader to a busy process; one process alone resets none.
    const clients = Array.from({ length: 10 }, () => hammer(`${service.url}/healthz`, 1));
    await Promise.all(clients.map(({ isConnected }) => isConnected));
    const ended = service.kill('SIGTERM');
    let answer = await getFresh(`${service.url}/readyz`);
    while (answer.status === 200) answer = await getFresh(`${service.url}/readyz`);
    expect(answer).toEqual({ status: 503, connection: 'close', body: expect.stringContaining('draining') });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await Promise.all(clients.map(({ end }) => end))).toEqual(
      Array.from({ length: 10 }, () => 'ECONNREFUSED'),
    );
    expect(serving(service).filter(({ pid = 0 }) => isAlive(pid))).toEqual([]);
  }, 120_000);

  it('serves the summed metrics of the fleet from every process', async () => {
    const service = await start({ METRICS_TOKEN: 'a-token-of-the-tests', SHUTDOWN_DELAY_SECONDS: '0' });
    for (let count = 0; count < 6; count += 1) await getFresh(`${service.url}/healthz`);
    for (let count = 0; count < 2; count += 1) {
      const headers = { Authorization: 'Bearer a-token-of-the-tests', Connection: 'close' };
      const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
      expect(text).toMatch(/headwater_requests_total\{[^}]*operation="\/healthz"[^}]*\} 6\n/);
      expect(text).toContain('headwater_processes{state="ready"} 2');
    }
    await service.kill('SIGTERM');
  });

  it('ends every process when the leader is killed', async () => {
    const service = await start();
    const pids = (await bothServing(service)).map(({ pid = 0 }) => pid);
    expect(pids).toHaveLength(2);
    await service.kill('SIGKILL');
    await waitFor('the other processes end', () => !pids.some(isAlive));
  }, 120_000);

  it('exits with one line when no process of the fleet can start', async () => {
    const refusal = start({ DATABASE_SERVICE_URL: database.url.replace(/\/\/[^@]*@/, '//nobody@') });
    await expect(refusal).rejects.toThrow(/the service ended:[^]*headwater: The database cannot be used/);
  });
});
