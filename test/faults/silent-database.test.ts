import { describe, expect, it } from '@jest/globals';
import { askAll, requestsOf, useDistantService } from '../support/distant-service.js';
import { waitFor } from '../support/wait-for.js';

const distant = useDistantService({
  timeouts: { connectionMs: 1500, statementMs: 2000, lockMs: 1000, idleMs: 10_000 },
});

async function expectRecovery(): Promise<void> {
  await waitFor('every request succeeds', async () =>
    (await askAll(distant())).every(({ status }) => status < 300),
  );
}

describe('An unresponsive database', () => {
  it('gets every request a 503 while nothing is forwarded, and recovers without a restart', async () => {
    await expectRecovery();
    distant().proxy.silence();
    await waitFor(
      'the caches are stale',
      async () => (await requestsOf(distant())['REST delivery']()).status === 503,
    );
    for (const { surface, status, code } of await askAll(distant())) {
      expect([surface, status]).toEqual([surface, 503]);
      expect([surface, code]).toEqual([surface, 'service_unavailable']);
    }
    distant().proxy.restore();
    await expectRecovery();
  }, 120_000);

  it('gets every request an answer while old connections alone are silent, and replaces them all', async () => {
    await expectRecovery();
    distant().proxy.silence({ oldOnly: true });
    for (const { surface, status } of await askAll(distant()))
      expect([surface, [200, 201, 503]]).toEqual([surface, expect.arrayContaining([status])]);
    await expectRecovery();
  });

  it('fails the readiness check instead of keeping it waiting, and again when it is repeated', async () => {
    await expectRecovery();
    distant().proxy.silence();
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await requestsOf(distant()).readiness();
      expect([status, body.error, body.details.reason]).toEqual([503, 'service_unavailable', 'database']);
    }
    distant().proxy.restore();
    await waitFor(
      'the service is ready',
      async () => (await requestsOf(distant()).readiness()).status === 200,
    );
  });
});

describe('The readiness check of an unresponsive database', () => {
  const patience = 600_000;
  const patient = useDistantService({
    timeouts: { connectionMs: patience, statementMs: patience, lockMs: patience, idleMs: patience },
  });

  it('responds with 503 within its own limit, long before the limit of a statement', async () => {
    await waitFor(
      'the service is ready',
      async () => (await requestsOf(patient()).readiness()).status === 200,
    );
    patient().proxy.silence();
    let isReadAnswered = false;
    const read = requestsOf(patient())
      ['REST list']()
      .then(({ status }) => {
        isReadAnswered = true;
        return status;
      });
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await requestsOf(patient()).readiness();
      expect([status, body.details.reason]).toEqual([503, 'database']);
      expect(body.details.checks).toMatchObject({ database: 'failing', migrations: 'failing' });
    }
    expect(isReadAnswered).toBe(false);
    patient().proxy.cut();
    expect(await read).toBe(503);
    patient().proxy.restore();
    await waitFor(
      'the service is ready',
      async () => (await requestsOf(patient()).readiness()).status === 200,
    );
  });
});
