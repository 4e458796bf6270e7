import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { openDesk, type Desk } from '../support/desk.js';
import { unique } from '../support/factories/project.js';
import { LogLines } from '../support/log-lines.js';
import { makeRedisServer, type RedisServer } from '../support/redis-server.js';
import { hasRedis } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 0 };
const away = 'shared rate counting failed; each process limits by itself';
const back = 'shared rate counting recovered';

// Needs Redis: apt-get install redis-server, or name one in REDIS_SERVER.
(hasRedis ? describe : describe.skip)('Limits in Redis (needs /usr/bin/redis-server or REDIS_SERVER)', () => {
  verifies('access/rate-limits', 'access/rate-limits-exact');

  const lines = new LogLines();
  let redis: RedisServer;
  let one: TestApp;
  let other: TestApp;
  let desk: Desk;

  beforeAll(async () => {
    redis = await makeRedisServer();
    await redis.start();
    one = await startTestApp({ rateDefaults, redisUrl: redis.url, logger: lines.logger });
    other = await startBeside(one, { rateDefaults, redisUrl: redis.url });
    desk = await openDesk(one);
    await counted(one);
    await counted(other);
  });

  afterAll(async () => {
    redis.thaw();
    await other.close();
    await one.close();
    await redis.kill();
  });

  /** Counts one request of a new caller. */
  const counted = ({ composition }: TestApp) =>
    composition.services.rates?.limits.spend({ key: unique(), limit: 1, windowSeconds: 60 });

  const ask = async ({ baseUrl }: TestApp, secret: string): Promise<number> => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await fetch(`${baseUrl}${desk.project.management}/sites`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };

  const keyWith = async (rateLimit: number): Promise<string> =>
    (await desk.newKey({ type: 'management', rateLimit })).secret;

  const told = () => [lines.of(away).length, lines.of(back).length];

  /** Both processes count together again. */
  async function recovered(times: number): Promise<void> {
    while (lines.of(back).length < times) {
      await Promise.all([counted(one), counted(other)]);
      await delay(50);
    }
    // The other process was disconnected at about the same time.
    for (;;) {
      const secret = await keyWith(2);
      const statuses = [await ask(one, secret), await ask(one, secret), await ask(other, secret)];
      if (statuses.join() === '200,200,429') return;
      await delay(50);
    }
  }

  it('permits exactly 100 of 300 concurrent requests across two processes with Redis', async () => {
    const secret = await keyWith(100);
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_none, index) => ask(index % 2 === 0 ? one : other, secret)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200);
  });

  it('counts in Redis only, with keys that expire and reveal no secret', async () => {
    const secret = await keyWith(3);
    expect([await ask(one, secret), await ask(other, secret)]).toEqual([200, 200]);
    const client = new Redis(redis.url);
    try {
      const keys = await client.keys('*');
      const ends = await Promise.all(keys.map((key) => client.ttl(key)));
      expect(keys.length).toBeGreaterThan(1);
      expect(ends.every((seconds) => seconds > 0 && seconds <= 60)).toBe(true);
      expect(keys.some((key) => key.includes(secret.slice(4, 20)))).toBe(false);
    } finally {
      client.disconnect();
    }
    expect(await one.rows(null, 'SELECT key FROM rate_limits')).toEqual([]);
  });

  it('limits in each process while Redis is unavailable, and across processes after it returns', async () => {
    const secret = await keyWith(2);
    expect(told()).toEqual([0, 0]);
    await redis.kill();
    const alone = [];
    for (const app of [one, one, one, other, other, other]) alone.push(await ask(app, secret));
    expect(alone).toEqual([200, 200, 429, 200, 200, 429]);
    expect(told()).toEqual([1, 0]);
    await redis.start();
    await recovered(1);
    expect(told()).toEqual([1, 1]);
  });

  it('limits in each process while Redis accepts requests but does not respond', async () => {
    redis.freeze();
    const secret = await keyWith(2);
    const alone = [];
    for (const app of [one, one, one, other, other, other]) alone.push(await ask(app, secret));
    expect(alone).toEqual([200, 200, 429, 200, 200, 429]);
    expect(told()).toEqual([2, 1]);
    redis.thaw();
    await recovered(2);
    expect(told()).toEqual([2, 2]);
  });

  it('starts without a reachable Redis', async () => {
    await redis.kill();
    const late = await startBeside(one, { rateDefaults, redisUrl: redis.url });
    const secret = await keyWith(1);
    expect([await ask(late, secret), await ask(late, secret)]).toEqual([200, 429]);
    await late.close();
  });
});
