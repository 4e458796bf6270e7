import { describe, expect, it } from '@jest/globals';
import { askAll, useDistantService } from '../support/distant-service.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const timeouts = { connectionMs: 1500, statementMs: 1000, lockMs: 500, idleMs: 10_000 };
const distant = useDistantService({ timeouts });

async function expectSuccess(): Promise<void> {
  await waitFor('every request succeeds', async () =>
    (await askAll(distant())).every(({ status }) => status < 300),
  );
}

describe('A slow path to the database', () => {
  verifies('limits/statement-timeouts');

  it('still answers every request when each packet is late and small', async () => {
    await expectSuccess();
    distant().proxy.slow({ latencyMs: 5, bytesAtOnce: 512 });
    await expectSuccess();
  });

  it('refuses every request, readiness included, when packets are later than the limits, and recovers', async () => {
    await expectSuccess();
    distant().proxy.slow({ latencyMs: 10_000 });
    await waitFor('no request succeeds', async () => {
      const answers = await askAll(distant());
      for (const { surface, status } of answers) {
        expect([surface, [200, 201, 503]]).toEqual([surface, expect.arrayContaining([status])]);
      }
      return answers.every(({ status }) => status === 503);
    });
    distant().proxy.restore();
    await expectSuccess();
  });
});
