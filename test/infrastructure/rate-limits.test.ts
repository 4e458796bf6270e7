import { describe, expect, it } from '@jest/globals';
import { memoryCounter, openCounter, type SharedCounter } from '../../src/infrastructure/rate-counter.js';
import { RateLimits } from '../../src/infrastructure/rate-limits.js';
import { verifies } from '../support/verifies.js';

/** A process over a counter; `asked` counts its calls. */
function createProcess(counter: SharedCounter, now?: () => number) {
  const told: string[] = [];
  let asked = 0;
  const limits = new RateLimits({
    counter: {
      ...counter,
      add: (quota, points) => {
        asked += 1;
        return counter.add(quota, points);
      },
    },
    onOutage: () => told.push('outage'),
    onRecovery: () => told.push('recovery'),
    ...(now && { now }),
  });
  return { limits, told, asked: () => asked };
}

/** A process over a counter whose window the test ends. */
function processWithClock() {
  let time = Date.now();
  let spent = 0;
  const counter = {
    add: (_quota: unknown, points: number) => Promise.resolve({ spent: (spent += points), msLeft: 60_000 }),
    forget: () => Promise.resolve(),
  };
  const nextWindow = (): void => {
    time += 60_000;
    spent = 0;
  };
  return { limits: createProcess(counter, () => time).limits, nextWindow };
}

const quota = (limit: number) => ({ key: 'key', limit, windowSeconds: 60 });

async function allowed(limits: RateLimits, limit: number, times: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: times }, () => limits.spend(quota(limit))));
  return answers.filter(({ isAllowed }) => isAllowed).length;
}

describe('Leases', () => {
  verifies('access/rate-limits', 'access/rate-limits-exact');

  it('permits exactly the limit when every process is busy', async () => {
    const shared = memoryCounter();
    const processes = [createProcess(shared), createProcess(shared), createProcess(shared)];
    const counts = await Promise.all(processes.map(({ limits }) => allowed(limits, 100, 100)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
  });

  it('calls the shared counter less often the busier the caller is', async () => {
    const { limits, asked } = createProcess(memoryCounter());
    for (let call = 0; call < 600; call += 1) await limits.spend(quota(6000));
    expect(asked()).toBeLessThanOrEqual(5);
  });

  it('takes the next lease before the last point is spent, never beyond the limit', async () => {
    const shared = memoryCounter();
    const processes = [createProcess(shared), createProcess(shared)];
    for (const { limits } of processes) await limits.spend(quota(2000));
    let held = 2;
    let waited = 2;
    for (let call = 0; call < 3000; call += 1) {
      for (const { limits } of processes) {
        if (limits.spendHeld(quota(2000)) !== undefined) held += 1;
        else if ((await limits.spend(quota(2000))).isAllowed) waited += 1;
      }
      await Promise.resolve();
    }
    expect(held + waited - 2).toBe(2000);
    expect(held).toBeGreaterThan(waited);
  });

  it('does not spend leftover points in the next window', async () => {
    const { limits, nextWindow } = processWithClock();
    await limits.spend(quota(1000));
    expect(limits.spendHeld(quota(1000))).toMatchObject({ isAllowed: true });
    nextWindow();
    expect(limits.spendHeld(quota(1000))).toBeUndefined();
    expect(await allowed(limits, 1000, 1500)).toBe(1000);
  });

  it('discards a lease when its limit is lowered', async () => {
    const { limits } = createProcess(memoryCounter());
    await limits.spend(quota(1000));
    expect(limits.spendHeld(quota(10))).toBeUndefined();
    expect(await allowed(limits, 10, 20)).toBe(0);
  });

  it('stops calling the shared counter when nothing is left', async () => {
    const { limits, asked } = createProcess(memoryCounter());
    expect(await allowed(limits, 5, 20)).toBe(5);
    const before = asked();
    expect(await allowed(limits, 5, 20)).toBe(0);
    expect(asked()).toBe(before);
  });

  it('takes a new lease in a new window', async () => {
    const { limits, nextWindow } = processWithClock();
    expect(await allowed(limits, 3, 5)).toBe(3);
    nextWindow();
    expect(await allowed(limits, 3, 5)).toBe(3);
  });

  it('applies a limit that changes within the window', async () => {
    const { limits } = createProcess(memoryCounter());
    expect(await allowed(limits, 2, 5)).toBe(2);
    expect(await allowed(limits, 10, 20)).toBeGreaterThan(0);
    expect(await allowed(limits, 2, 5)).toBe(0);
  });

  it('restores the limit when the key is reset', async () => {
    const { limits } = createProcess(memoryCounter());
    expect(await allowed(limits, 2, 3)).toBe(2);
    await limits.reset('key');
    expect(await allowed(limits, 2, 3)).toBe(2);
  });
});

describe('Without the shared counter', () => {
  verifies('access/rate-limit-outage');

  it('limits in one process during an outage, and reports its start and end once', async () => {
    let isAway = true;
    let time = Date.now();
    const kept = memoryCounter();
    const counter = {
      ...kept,
      add: (...given: Parameters<SharedCounter['add']>) =>
        isAway ? Promise.reject(new Error('away')) : kept.add(...given),
    };
    const { limits, told, asked } = createProcess(counter, () => time);
    expect(await allowed(limits, 3, 10)).toBe(3);
    for (let index = 0; index < 5; index += 1) await limits.spend({ ...quota(3), key: String(index) });
    expect([told, asked()]).toEqual([['outage'], 1]);
    time += 5001;
    isAway = false;
    await limits.spend({ ...quota(3), key: 'later' });
    expect(told).toEqual(['outage', 'recovery']);
  });

  it('limits in one process during an outage of Redis', async () => {
    const counter = openCounter({
      redisUrl: 'redis://127.0.0.1:1',
      database: { execute: () => Promise.reject(new Error('not asked')) },
    });
    const { limits, told } = createProcess(counter);
    expect(await allowed(limits, 3, 10)).toBe(3);
    expect(told).toEqual(['outage']);
    counter.close();
  });
});
