import { beforeAll, describe, expect, it } from '@jest/globals';
import { issues, openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { createMember, createRole } from '../../support/members.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { define, report, run, table } from './desk.js';

const app = useOwnApp();

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(app());
  await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'One' } });
  await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Ada' } });
});

describe('A custom report of entries', () => {
  verifies('reports/custom-limits');

  const productDesk = async (): Promise<Desk> => {
    const own = await openDesk(app());
    await own.post('/content-types', {
      apiName: 'product',
      name: 'Product',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'price', type: 'number', localized: false },
        {
          apiName: 'kind',
          type: 'select',
          settings: { options: [{ value: 'a' }, { value: 'b' }].map((o) => ({ ...o, label: o.value })) },
        },
      ],
    });
    return own;
  };
  const product = { contentTypeApiName: ['product'] };

  it('equals a recount: numbers of fields by fields, with values that are missing', async () => {
    const own = await productDesk();
    const made = fc.record({
      price: fc.option(fc.integer({ min: -5, max: 100 }), { nil: undefined }),
      kind: fc.constantFrom('a', 'b', undefined),
      isPublished: fc.boolean(),
    });
    const products = fc.sample(made, { numRuns: 12 });
    for (const { isPublished, ...values } of products) {
      const fields = Object.fromEntries(
        Object.entries({ title: 'Lock', ...values }).filter(([, one]) => one !== undefined),
      );
      const { id } = await createEntry(app(), own.project, { contentTypeApiName: 'product', fields });
      if (isPublished) expect((await own.post(`/entries/${id}/publish`, {})).status).toBe(200);
    }
    const metrics = [
      { op: 'count' },
      { op: 'sum', field: 'fields.price' },
      { op: 'avg', field: 'fields.price' },
      { op: 'max', field: 'fields.price' },
    ];
    const result = await report(own, {
      source: 'entries',
      metrics,
      filters: product,
      groupBy: ['fields.kind', 'status'],
    });
    const groups = Map.groupBy(products, ({ kind, isPublished }) =>
      JSON.stringify([kind ?? null, isPublished ? 'published' : 'draft']),
    );
    const expected = [...groups].map(([key, group]) => {
      const prices = group.flatMap(({ price }) => price ?? []);
      const sum = prices.reduce((all, price) => all + price, 0);
      const numbers =
        prices.length === 0
          ? [null, null, null]
          : [sum, expect.closeTo(sum / prices.length), Math.max(...prices)];
      return [...(JSON.parse(key) as unknown[]), group.length, ...numbers];
    });
    const order = (rows: unknown[][]) =>
      rows.toSorted((a, b) => (JSON.stringify(a.slice(0, 2)) < JSON.stringify(b.slice(0, 2)) ? -1 : 1));
    expect(order(table(result))).toEqual(order(expected));
    expect(result.data.totals.count).toBe(products.length);
    const some = await report(own, { source: 'entries', filters: { ...product, 'fields.kind': ['a'] } });
    expect(some.data.totals.count).toBe(products.filter(({ kind }) => kind === 'a').length);
    expect([some.data.rows, some.meta]).toEqual([[], { groups: 0, truncated: false }]);
  });

  it('groups by a boolean field with booleans', async () => {
    const own = await openDesk(app());
    await createType(app(), own.project, {
      apiName: 'offer',
      fields: [{ apiName: 'open', type: 'boolean' }],
    });
    for (const open of [true, false, undefined])
      await createEntry(app(), own.project, { contentTypeApiName: 'offer', fields: { open } });
    const filters = { contentTypeApiName: ['offer'] };
    const { data } = await report(own, { source: 'entries', filters, groupBy: ['fields.open'] });
    const values = data.rows.map(({ groups }) => groups['fields.open']);
    expect(values).toEqual(
      expect.arrayContaining([
        { value: true, label: 'true' },
        { value: false, label: 'false' },
        { value: null, label: 'None' },
      ]),
    );
  });

  it('counts entries by counters and by rows alike', async () => {
    const own = await productDesk();
    for (const slug of ['one', 'two', 'three'])
      await createEntry(app(), own.project, { contentTypeApiName: 'article', slug, fields: { title: slug } });
    const { id } = await createEntry(app(), own.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await own.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { name: 'Ada' } });
    const groupBy = ['contentTypeApiName', 'locale'];
    const stored = await report(own, { source: 'entries', groupBy });
    expect(table(stored)).toEqual([
      ['article', 'en', 3],
      ['author', 'de', 1],
      ['author', 'en', 1],
    ]);
    const metrics = [{ op: 'count' }, { op: 'max', field: 'createdAt' }];
    const read = await report(own, { source: 'entries', groupBy, metrics, range: { days: 1 } });
    expect(table(read).map((row) => row.slice(0, 3))).toEqual(table(stored));
    expect(read.data.rows[0]?.values['max(createdAt)']).toMatch(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
    const shown = await report(own, { source: 'entries', groupBy: ['contentTypeApiName'] });
    expect(table(shown)).toEqual([
      ['article', 3],
      ['author', 1],
    ]);
    expect([shown.data.range, read.data.range?.timezone]).toEqual([null, 'UTC']);
    expect((await own.post(`/entries/${id}/publish`, { locale: 'en' })).status).toBe(200);
    const filters = { contentTypeApiName: ['author'] };
    const states = await report(own, { source: 'entries', groupBy: ['status'], filters });
    expect(table(states)).toEqual([['published', 1]]);
    const today = await report(own, { source: 'entries', groupBy: ['date'] });
    expect(table(today)).toEqual([[new Date().toISOString().slice(0, 10), 4]]);
  });

  it('fails with its path when a field it names is gone, and keeps the definition', async () => {
    const own = await productDesk();
    const { id } = await define(own, { source: 'entries', filters: product, groupBy: ['fields.kind'] });
    await own.delete('/content-types/product/fields/kind');
    expect(issues(await own.get(`/custom-reports/${id}/run`))).toEqual([['groupBy.0', 'unknown_field']]);
    expect((await own.get(`/custom-reports/${id}`)).body.data.groupBy).toEqual(['fields.kind']);
  });

  it('counts what the caller may read, in the environment of the call', async () => {
    const { id } = await define(desk, {
      source: 'entries',
      groupBy: ['contentTypeApiName'],
      visibility: 'shared',
    });
    expect(table(await run(desk, id))).toEqual([
      ['article', 1],
      ['author', 1],
    ]);
    const roleId = await createRole(app(), desk.project, [
      { resource: 'reports', action: 'read' },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ]);
    const { token } = await createMember(app(), desk.project, [roleId]);
    expect(table(await run(desk.as(token), id))).toEqual([['author', 1]]);
    expect(
      (await desk.post('/environments', { slug: 'empty', name: 'Empty', copyContent: false })).status,
    ).toBe(201);
    await app().composition.jobs.workOnEnvironments();
    expect(table(await run(desk.in('empty'), id))).toEqual([]);
  });
});

describe('A custom report of translations', () => {
  verifies('reports/custom-limits');

  it('counts translations by status and priority', async () => {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Two' },
    });
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Zwei' } });
    const counted = await report(desk, {
      source: 'translations',
      groupBy: ['locale', 'status'],
      filters: { locale: ['de'] },
    });
    const stats = (await desk.get('/translations/stats')).body.data as {
      byLocale: { locale: string; missing: number; inProgress: number }[];
    };
    const german = stats.byLocale.find(({ locale }) => locale === 'de');
    const numbers = Object.fromEntries(table(counted).map(([, status, count]) => [status, count])) as Record<
      string,
      number
    >;
    expect([numbers.missing ?? 0, numbers.in_progress ?? 0]).toEqual([german?.missing, german?.inProgress]);
    const read = await report(desk, {
      source: 'translations',
      groupBy: ['locale', 'priority'],
      filters: { locale: ['de'] },
      metrics: [{ op: 'count' }, { op: 'max', field: 'updatedAt' }],
    });
    expect(table(read)).toEqual([['de', 'normal', counted.data.totals.count, expect.any(String)]]);
  });
});
