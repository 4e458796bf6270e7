import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import process from 'node:process';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const withText = ({ lines }: ServiceProcess, text: string): string[] =>
  lines.filter((line) => line.includes(`"${text}"`));

/** Ids of the processes that were started. */
const started = (service: ServiceProcess): number[] =>
  withText(service, 'a process started').map((line) => (JSON.parse(line) as { pid: number }).pid);

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;

describe('Several processes', () => {
  it('share the port; one that ends is replaced, and a signal ends all of them in order', async () => {
    const service = await ServiceProcess.start(database.url, {
      HEADWATER_PROCESSES: '2',
      SHUTDOWN_DELAY_SECONDS: '0',
      PORT: String(20_000 + (process.pid % 20_000)),
    });
    while (withText(service, 'listening').length < 2) await delay(20);
    expect(await isReady(service.url)).toBe(true);
    const [victim] = started(service);
    if (victim === undefined) throw new Error('no process was started');
    process.kill(victim, 'SIGKILL');
    while (withText(service, 'listening').length < 3) await delay(20);
    expect(withText(service, 'a process ended')).toEqual([expect.stringContaining('SIGKILL')]);
    expect(started(service)).toHaveLength(3);
    expect(await isReady(service.url)).toBe(true);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await isReady(service.url)).toBe(false);
  });
});
