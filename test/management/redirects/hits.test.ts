import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { RedirectDesk } from './desk.js';

const app = useOwnApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const visit = (path: string, { desk } = redirects) =>
  send(app(), { method: 'GET', path: `${desk.project.delivery}/routes?path=${path}` });
const count = () => app().composition.jobs.flushRedirectHits();
const hits = async ({ all } = { all: () => redirects.all() }) =>
  (await all()).map(({ source, hitCount, lastHitAt }) => [source, hitCount, typeof lastHitAt]);

describe('Hits', () => {
  verifies('routing/redirect-hits');

  it('counts every followed redirect and no other', async () => {
    await redirects.made('/a', '/b');
    await redirects.made('/b', '/c');
    await redirects.made('/never', '/c');
    for (let visits = 0; visits < 3; visits += 1) expect((await visit('/a')).status).toBe(200);
    await visit('/b');
    await visit('/nowhere');
    await count();
    expect(await hits()).toEqual([
      ['/a', 3, 'string'],
      ['/b', 4, 'string'],
      ['/never', 0, 'object'],
    ]);
  });

  it('adds up several flushes and changes nothing else of a redirect', async () => {
    const { updatedAt } = await redirects.made('/a', '/b');
    for (const expected of [1, 2]) {
      await visit('/a');
      await count();
      expect((await redirects.all())[0]).toMatchObject({ hitCount: expected, updatedAt });
    }
  });

  it('writes hits of several tenants in one statement and none while reading', async () => {
    const other = new RedirectDesk(await openDesk(app()));
    await redirects.made('/a', '/b');
    await other.made('/a', '/b');
    const reading = await app().recordStatements(() => Promise.all([visit('/a'), visit('/a', other)]));
    expect(reading.statements.filter((sql) => sql.includes('hit'))).toEqual([]);
    const { statements } = await app().recordStatements(count);
    expect(statements.filter((sql) => sql.includes('count_redirect_hits'))).toHaveLength(1);
    expect(await hits()).toEqual([['/a', 1, 'string']]);
    expect(await hits({ all: () => other.all() })).toEqual([['/a', 1, 'string']]);
  });

  it('drops hits of a redirect deleted since', async () => {
    const { id } = await redirects.made('/a', '/b');
    await redirects.made('/c', '/d');
    await visit('/a');
    await visit('/c');
    await redirects.desk.delete(`/redirects/${id}`);
    await count();
    expect(await hits()).toEqual([['/c', 1, 'string']]);
  });
});
