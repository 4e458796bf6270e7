import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, otherSite } from './history.js';

const app = useApp();
const list = (desk: Desk, query = '') => desk.get(`/entries?orderBy=createdAt:asc&${query}`);
const idOf = async (desk: Desk, name: string): Promise<string> => {
  const keys = (await desk.get('/api-keys')).body.data as { id: string; name: string }[];
  return keys.find((key) => key.name === name)?.id ?? '';
};

describe('GET entries', () => {
  verifies('lists/pages', 'lists/filters-of-entries');

  it('filters by creator and last editor', async () => {
    const desk = await openDesk(app());
    const { secret, id: other } = await desk.newKey({ type: 'management', name: 'Other' });
    const mine = await article(desk, { title: 'Mine' });
    const both = await article(desk, { title: 'Both' });
    await change(desk.as(secret), both.id, { fields: { title: 'Changed' } });
    const me = await idOf(desk, 'management');
    expect(column(await list(desk, `createdBy=${me}`), 'id')).toEqual([mine.id, both.id]);
    expect(column(await list(desk, `updatedBy=${me}`), 'id')).toEqual([mine.id]);
    expect(column(await list(desk, `updatedBy=${other}`), 'id')).toEqual([both.id]);
    const either = await list(desk, `updatedBy=${other},${me}`);
    expect([column(either, 'id'), either.body.meta.total]).toEqual([[mine.id, both.id], 2]);
    expect((await list(desk, 'createdBy=nobody')).body.meta.total).toBe(0);
  });

  it('filters by a range of change times', async () => {
    const desk = await openDesk(app());
    const first = await article(desk, { title: 'First' });
    const second = await article(desk, { title: 'Second' });
    const times = (await list(desk)).body.data.map(
      ({ updatedAt }: { updatedAt: string }) => updatedAt,
    ) as string[];
    const [early = '', late = ''] = times;
    expect(column(await list(desk, `updatedAfter=${early}`), 'id')).toEqual([second.id]);
    expect(column(await list(desk, `updatedBefore=${late}`), 'id')).toEqual([first.id]);
    expect((await list(desk, `updatedAfter=${late}`)).body.meta.total).toBe(0);
    expect(column(await list(desk, 'updatedAfter=2020-01-01T00:00:00%2B02:00'), 'id')).toHaveLength(2);
    expect(outcome(await list(desk, 'updatedAfter=yesterday'))).toEqual([422, 'validation_failed']);
  });

  it('filters by pending schedules', async () => {
    const desk = await openDesk(app());
    const waiting = await article(desk, { title: 'Waiting' });
    const idle = await article(desk, { title: 'Idle' });
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await desk.post(`/entries/${waiting.id}/publish`, { scheduledAt })).status).toBe(202);
    const found = async (query: string) => {
      const response = await list(desk, query);
      return [column(response, 'id'), response.body.meta.total];
    };
    expect(await found('hasSchedule=true')).toEqual([[waiting.id], 1]);
    expect(await found('hasSchedule=false')).toEqual([[idle.id], 1]);
    expect(await found('hasSchedule=true&locale=de')).toEqual([[], 0]);
    expect(await found('hasSchedule=true&locale=en')).toEqual([[waiting.id], 1]);
    expect(outcome(await list(desk, 'hasSchedule=perhaps'))).toEqual([422, 'validation_failed']);
  });

  it('combines filters', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'River' });
    await article(desk, { title: 'Lock' });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'River' } });
    await publish(app(), desk.project, id);
    const me = await idOf(desk, 'management');
    const query = `contentTypeApiName=article&q=river&status=published,changed&createdBy=${me}&locale=en`;
    const { body } = await list(desk, query);
    expect([column({ body } as never, 'id'), body.meta.total]).toEqual([[id], 1]);
  });
});

describe('The total', () => {
  verifies('lists/filters-of-entries');

  it('keeps totals correct by type, site, locale and deletion without counting entries', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk);
    const [one, two] = [
      await article(desk, { title: 'One' }),
      await article(desk, { title: 'Two' }, { siteId }),
    ];
    await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    await change(desk, one.id, { locale: 'de', fields: { title: 'Eins' } });
    await change(desk, one.id, { locale: 'de', fields: { title: 'Zwei' } });
    await desk.post(`/entries/${one.id}/duplicate`, {});
    await desk.delete(`/entries/${two.id}`);
    const totals = async () => {
      const queries = ['', 'contentTypeApiName=article', `siteId=${siteId}`, 'locale=de', 'deleted=true'];
      const answers = await Promise.all(queries.map((query) => list(desk, query)));
      for (const { body } of answers) expect(body.meta.total).toBe(body.data.length);
      return answers.map(({ body }) => body.meta.total as number);
    };
    expect(await totals()).toEqual([3, 2, 0, 2, 1]);
    await desk.post(`/entries/${two.id}/undelete`, {});
    expect(await totals()).toEqual([4, 3, 1, 2, 0]);
    await desk.delete(`/entries/${two.id}`);
    await desk.delete('/sites/other');
    expect((await list(desk, 'deleted=true')).body.meta.total).toBe(0);
  });

  it('keeps totals correct when the status or the shown locale changes', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'River' });
    await change(desk, id, { locale: 'de', fields: { title: 'Fluss' } });
    await publish(app(), desk.project, id, 'de');
    const total = async (query: string) => (await list(desk, query)).body.meta.total as number;
    const seen = async () => [
      await total('status=draft'),
      await total('status=published'),
      await total('locale=de&status=published'),
      await total('q=river'),
      await total('q=fluss'),
    ];
    expect(await seen()).toEqual([1, 0, 1, 1, 0]);
    await desk.put('/sites/main', { defaultLocale: 'de' });
    expect(await seen()).toEqual([0, 1, 1, 0, 1]);
    await change(desk, id, { locale: 'en', fields: { code: 'shared' } });
    expect([await total('status=published'), await total('status=changed')]).toEqual([0, 1]);
    await desk.delete(`/entries/${id}`);
    expect([await total('status=changed'), await total('status=draft&deleted=true')]).toEqual([0, 1]);
  });

  it('sums stored counters for the total', async () => {
    const desk = await openDesk(app());
    await article(desk);
    const { statements } = await app().recordStatements(() =>
      list(desk, 'contentTypeApiName=article&locale=en&status=draft'),
    );
    expect(statements.filter((sql) => sql.includes('entry_counts'))).toHaveLength(1);
    expect(statements.filter((sql) => /count\(\*\).*FROM entries/s.test(sql))).toEqual([]);
  });
});
