import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { openDesk } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 0 };
let one: TestApp;
let other: TestApp;

beforeAll(async () => {
  one = await startTestApp({ rateDefaults });
  other = await startBeside(one, { rateDefaults });
});

afterAll(async () => {
  await other.close();
  await one.close();
});

describe('Two processes on one database', () => {
  verifies('access/rate-limits', 'access/rate-limits-exact');

  it('permits exactly 100 of 300 concurrent requests across two processes', async () => {
    const desk = await openDesk(one);
    // Reads with a preview key are never cached; cached responses would not count.
    const { secret } = await desk.newKey({ type: 'preview', rateLimit: 100 });
    const path = `${desk.project.delivery}/content/article`;
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_none, index) => {
        const { baseUrl } = index % 2 === 0 ? one : other;
        const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${secret}` } });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    const counts = Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([s, a]) => [s, a.length]),
    );
    expect(counts).toEqual({ 200: 100, 429: 200 });
  });

  it('counts a key across processes', async () => {
    const desk = await openDesk(one);
    const { secret } = await desk.newKey({ type: 'management', rateLimit: 4 });
    const ask = async ({ baseUrl }: TestApp) =>
      (
        await fetch(`${baseUrl}${desk.project.management}/sites`, {
          headers: { authorization: `Bearer ${secret}` },
        })
      ).status;
    expect([await ask(one), await ask(other), await ask(one), await ask(other)]).toEqual([
      200, 200, 200, 200,
    ]);
    expect([await ask(one), await ask(other)]).toEqual([429, 429]);
  });

  it('limits nothing when the default is 0 and the key has no limit', async () => {
    const desk = await openDesk(one);
    const { headers } = await desk.get('/sites');
    expect(headers['ratelimit-policy']).toBeUndefined();
  });

  it('deletes windows that ended an hour ago', async () => {
    await one.rows(null, "INSERT INTO rate_limits VALUES ('hw:old', 1, 1), ('hw:new', 1, $1)", [Date.now()]);
    await one.composition.jobs.prune();
    const kept = await one.rows<{ key: string }>(
      null,
      "SELECT key FROM rate_limits WHERE key IN ('hw:old', 'hw:new')",
    );
    expect(kept).toEqual([{ key: 'hw:new' }]);
  });
});
