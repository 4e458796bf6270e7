import { describe, expect, it } from '@jest/globals';
import { useDistantService } from '../support/distant-service.js';
import { LogLines } from '../support/log-lines.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const lines = new LogLines();
const distant = useDistantService({ logger: lines.logger });

describe('Background work without a database', () => {
  verifies('limits/neighbours-logged');

  it('logs one line when an outage starts and one when it ends, whatever is attempted', async () => {
    const { composition, proxy } = distant();
    await composition.jobs.start();
    proxy.cut();
    await waitFor('the outage is noticed', () => lines.of('jobs wait for the database').length > 0);
    // Each task fails at its own interval of a few seconds.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    proxy.restore();
    await waitFor('work goes on', () => lines.of('jobs run again').length > 0);
    expect(lines.of('jobs wait for the database').length).toBe(1);
    expect(lines.of('jobs run again').length).toBe(1);
    expect(lines.of('running jobs failed')).toEqual([]);
  });
});
