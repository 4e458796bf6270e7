import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';
import { DatabaseClock } from '../../src/infrastructure/database-clock.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry } from '../support/factories/content.js';
import { startLimitedService, type LimitedService } from '../support/hung-neighbours.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
const HOUR = 3_600_000;

const processAt = (aheadMs: number): Promise<LimitedService> =>
  startLimitedService(app(), { processClock: () => new Date(Date.now() + aheadMs) });

async function schedule(desk: Desk, afterMs: number): Promise<string> {
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'Embargoed' },
  });
  const scheduledAt = new Date(Date.now() + afterMs).toISOString();
  const { status } = await desk.post(`/entries/${id}/publish`, { scheduledAt });
  expect(status).toBe(202);
  return id;
}

const isLive = async ({ project }: Desk, id: string): Promise<boolean> =>
  (await app().request.get(`${project.delivery}/entries/${id}`)).status === 200;

describe('A process whose clock is wrong', () => {
  verifies('limits/database-clock');

  it('an hour ahead publishes nothing early, stamps with the time of the database, and is degraded', async () => {
    const desk = await openDesk(app());
    const id = await schedule(desk, 20 * 60_000);
    const ahead = await processAt(HOUR);
    try {
      await ahead.composition.jobs.runDue();
      expect(await isLive(desk, id)).toBe(false);
      const { management, siteId, keys } = desk.project;
      const { body } = await ahead.send({
        method: 'POST',
        path: `${management}/entries`,
        key: keys.management,
        body: { contentTypeApiName: 'article', siteId },
      });
      const { createdAt } = body.data as { createdAt: string };
      expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(HOUR / 2);
      const ready = await ahead.send({ method: 'GET', path: '/readyz' });
      expect([ready.status, ready.body.data]).toMatchObject([
        200,
        { status: 'degraded', degraded: ['clock'], checks: { clock: 'degraded' } },
      ]);
      const reading = await ahead.metric('headwater_clock_ahead_seconds', 'process');
      expect(Math.abs((reading ?? 0) - 3600)).toBeLessThan(1800);
    } finally {
      await ahead.close();
    }
  });

  it('an hour behind publishes what is due', async () => {
    const desk = await openDesk(app());
    const id = await schedule(desk, 1000);
    const behind = await processAt(-HOUR);
    try {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await behind.composition.jobs.runDue();
      expect(await isLive(desk, id)).toBe(true);
    } finally {
      await behind.close();
    }
  });
});

describe('The clock of the database', () => {
  verifies('limits/database-clock');

  const lines: string[] = [];
  const logger = Object.assign(createLogger('silent'), {
    warn: (_fields: object, message: string) => lines.push(message),
    info: (message: string) => lines.push(message),
  });
  let aheadMs = 0;
  const clock = new DatabaseClock({
    database: { execute: () => Promise.resolve({ rows: [{ ms: String(1_000_000) }] }) },
    logger,
    processClock: () => new Date(1_000_000 + aheadMs),
  });
  const after = async (ahead: number) => {
    aheadMs = ahead;
    await clock.measure();
    return [clock.now().getTime() - 1_000_000, clock.state, lines.length];
  };

  it('corrects differences above a tenth of a second, and logs each outage above two seconds once', async () => {
    expect(await after(90)).toEqual([90, 'ok', 0]);
    expect(await after(1500)).toEqual([0, 'ok', 0]);
    expect(await after(-2500)).toEqual([0, 'ok', 1]);
    expect(await after(31_000)).toEqual([0, 'degraded', 1]);
    expect(await after(0)).toEqual([0, 'ok', 2]);
    expect(lines).toEqual([
      'the clock differs from that of the database',
      'the clock agrees with that of the database again',
    ]);
  });
});
