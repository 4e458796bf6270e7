import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { defaultTimeouts } from '../../src/persistence/connections/session-settings.js';
import { requestsOf, useDistantService } from '../support/distant-service.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const distant = useDistantService({ timeouts: { ...defaultTimeouts, connectionMs: 10_000 } });
const requests = () => requestsOf(distant());

describe('While the database is unavailable', () => {
  verifies('limits/database-away');

  it('returns 503 with Retry-After on every surface while the database is unavailable, and recovers', async () => {
    for (const [surface, ask] of Object.entries(requests()))
      expect([surface, (await ask()).status]).toEqual([surface, expect.any(Number)]);
    distant().proxy.cut();
    for (const [surface, ask] of Object.entries(requests())) {
      const { status, body, headers, text } = await ask();
      expect([surface, status]).toEqual([surface, 503]);
      expect(headers['retry-after']).toBeDefined();
      expect(body.error ?? body.error?.data?.error).toBeDefined();
      expect(text).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|node_modules|\.ts/);
    }
    distant().proxy.restore();
    await waitFor('the service is ready', async () => (await requests().readiness()).status === 200);
    for (const [surface, ask] of Object.entries(requests())) {
      const { status } = await ask();
      expect([surface, status]).toEqual([surface, surface === 'REST write' ? 201 : 200]);
    }
  });

  it('replaces connections that the database server ended', async () => {
    const superuser = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
    superuser.pathname = new URL(distant().app.databaseUrl).pathname;
    const client = new pg.Client({ connectionString: superuser.href });
    await client.connect();
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    await waitFor('the service recovers', async () => {
      const answers = await Promise.all(Object.values(requests()).map(async (ask) => (await ask()).status));
      expect(answers.filter((status) => status >= 400 && status !== 503)).toEqual([]);
      return answers.every((status) => status < 300);
    });
  });
});
