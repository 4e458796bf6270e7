import { describe, expect, it } from '@jest/globals';
import { Readiness, type PartState } from '../../src/infrastructure/readiness.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();

describe('GET /readyz', () => {
  verifies('operation/readiness');

  it('reports the database, the migrations and the queue', async () => {
    const { status, body } = await app().request.get('/readyz');
    expect([status, body]).toEqual([
      200,
      {
        data: {
          status: 'ready',
          checks: { database: 'ok', migrations: 'ok', queue: 'off', writes: 'ok', clock: 'ok' },
        },
      },
    ]);
  });

  it('fails when a migration of this release is missing, without revealing secrets', async () => {
    const [last] = await app().rows<{ name: string; applied_at: Date }>(
      null,
      'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING *',
    );
    const { status, body, headers } = await app().request.get('/readyz');
    expect([status, body.error, body.details]).toEqual([
      503,
      'service_unavailable',
      {
        reason: 'migrations',
        checks: { database: 'ok', migrations: 'failing', queue: 'off', writes: 'ok', clock: 'ok' },
      },
    ]);
    expect(headers['retry-after']).toBeDefined();
    await app().rows(null, 'INSERT INTO schema_migrations (name) VALUES ($1)', [last?.name]);
    expect((await app().request.get('/readyz')).status).toBe(200);
  });

  it('reports the queue as ok when the process runs jobs', async () => {
    await app().composition.jobs.start();
    expect((await app().request.get('/readyz')).body.data.checks.queue).toBe('ok');
  });

  it('fails during shutdown, while liveness still succeeds', async () => {
    app().composition.beginDrain();
    const { status, body } = await app().request.get('/readyz');
    expect([status, body.details]).toEqual([503, { reason: 'draining' }]);
    expect((await app().request.get('/healthz')).status).toBe(200);
  });
});

describe('Concurrent probes', () => {
  verifies('operation/readiness');

  it('shares one check of the database between concurrent probes', async () => {
    let looks = 0;
    const readiness = new Readiness({
      database: async (): Promise<PartState> => {
        looks += 1;
        await Promise.resolve();
        return 'ok';
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
    expect(looks).toBe(1);
    await readiness.check();
    expect(looks).toBe(2);
  });
});

describe('A check without a result', () => {
  verifies('operation/readiness');

  it('counts as failing once its time is over, while other parts are reported', async () => {
    const parts = { database: () => new Promise<PartState>(() => undefined), queue: (): PartState => 'ok' };
    const { checks } = await new Readiness(parts, { limitMs: 1 }).check();
    expect(checks).toEqual({ database: 'failing', queue: 'ok' });
  });
});
