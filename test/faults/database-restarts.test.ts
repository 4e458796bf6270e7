import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseProxy } from '../support/database-proxy.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  let url: string;
  ({ proxy, url } = await DatabaseProxy.open(database.url));
  service = await ServiceProcess.start(url, { SHUTDOWN_DELAY_SECONDS: '0', RATE_LIMITS: '0' });
});

afterAll(async () => {
  await ServiceProcess.killAll();
  proxy.close();
  await database.drop();
});

const login = JSON.stringify({ email: 'nobody@example.com', password: 'a password of nobody' });

/** A request that reads, and a request that needs a transaction. */
async function ask(): Promise<number[]> {
  const headers = { 'Content-Type': 'application/json' };
  const answers = await Promise.all([
    fetch(`${service.url}/readyz`),
    fetch(`${service.url}/api/delivery/projects/none/sites/main/content/article`),
    fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', headers, body: login }),
  ]);
  return Promise.all(answers.map(async (answer) => (await answer.text(), answer.status)));
}

describe('Repeated database outages', () => {
  verifies('limits/database-away');

  it('keeps running, returns 503 during each outage and nothing worse, and recovers', async () => {
    for (let round = 0; round < 4; round += 1) {
      proxy.cut();
      for (let n = 0; n < 3; n += 1) {
        for (const status of await ask()) expect(status).toBe(503);
        await delay(100);
      }
      proxy.restore();
      let seen = await ask();
      while (seen[0] !== 200) {
        for (const status of seen) expect([200, 401, 404, 429, 503]).toContain(status);
        await delay(50);
        seen = await ask();
      }
      expect(await ask()).toEqual([200, 404, expect.any(Number)]);
    }
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
