import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { fc } from '../support/properties.js';
import { unique } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/filters-indexed');

const app = useOwnApp();
let desk: Desk;
const ids = new Map<string, string>();

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly size?: number;
  readonly at?: string;
  readonly tags?: readonly string[];
}

let rows: readonly Row[] = [
  { name: 'a', text: 'Upper LOCK of the Straße', size: 0, at: '2026-01-01T00:30:00+02:00', tags: ['Locks'] },
  { name: 'b', text: 'upper', size: -0.5, at: '2025-12-31T23:00:00Z', tags: ['weirs', 'locks'] },
  { name: 'c', size: 1e300 },
  { name: 'd', text: '水門の町 100%_', size: -1e-310, at: '1999-06-01T12:00:00Z' },
  { name: 'e', text: `${'x'.repeat(1400)} a hidden lock`, size: 42.000_000_1 },
  { name: 'f', text: "it's a \\ 'quoted' | lock & <-> :*", size: -7e200, tags: [] },
  { name: 'g', text: `${'x'.repeat(45)}y 😀 ΟΔΟΣ ΟΔΟΣΑ`, size: 42 },
  { name: 'h', text: 'upper weir', at: '9999-12-31T23:59:59Z', tags: ['upper'] },
];

async function write({ name, ...fields }: Row): Promise<void> {
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'row',
    fields: { name, ...fields },
  });
  ids.set(name, id);
  await publish(app(), desk.project, id);
}

beforeAll(async () => {
  desk = await openDesk(app());
  await createType(app(), desk.project, {
    apiName: 'row',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'text', type: 'longText' },
      { apiName: 'size', type: 'number' },
      { apiName: 'at', type: 'dateTime' },
      { apiName: 'tags', type: 'text', isList: true },
    ],
  });
  for (const row of rows) await write(row);
});

type Operator = 'contains' | 'exists' | 'gt' | 'gte' | 'lt' | 'lte' | 'ne';
interface Comparison {
  readonly field: 'text' | 'size' | 'at' | 'tags';
  readonly operator: Operator;
  readonly value: string;
}

/** Names of the rows that a filter keeps, as the list and its total have them. */
async function found(comparisons: readonly Comparison[], key?: string): Promise<string> {
  const filter = comparisons.map(
    ({ field, operator, value }) => `filter[${field}][${operator}]=${encodeURIComponent(value)}`,
  );
  const path = `${desk.project.delivery}/content/row?${filter.join('&')}&orderBy=createdAt:asc`;
  const { body } = await send(app(), { method: 'GET', path, key });
  const names = (body.data as { fields: Row }[]).map(({ fields }) => fields.name).join('');
  expect(body.meta.total).toBe(names.length);
  return names;
}

const kept: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function orderOf(field: Comparison['field'], item: string | number, value: string): number {
  if (field === 'size') return Math.sign(Number(item) - Number(value));
  if (field === 'at') return Math.sign(Date.parse(String(item)) - Date.parse(value));
  return Buffer.compare(Buffer.from(String(item)), Buffer.from(value));
}

/** A filter as its documentation states it, one row at a time. */
const keeps =
  (row: Row) =>
  ({ field, operator, value }: Comparison): boolean => {
    const given = row[field];
    const items: readonly (string | number)[] = typeof given === 'object' ? given : [given ?? []].flat();
    if (operator === 'exists') return String(items.length > 0) === value;
    if (operator === 'ne') return !items.some((item) => orderOf(field, item, value) === 0);
    if (operator === 'contains')
      return items.some((item) => String(item).toLowerCase().includes(value.toLowerCase()));
    return items.some((item) => kept[operator]?.(orderOf(field, item, value)));
  };

const expected = (comparisons: readonly Comparison[]): string =>
  rows
    .filter((row) => comparisons.every(keeps(row)))
    .map(({ name }) => name)
    .join('');

const strings = [
  ...['lock', 'LOCK', 'STRASSE', 'straße', 'up', 'upper ', '水門の', '門の町', '0%_', "'quoted' |", '\\ '],
  ...['xxx', 'nowhere', 'οδοσα', '😀 ο', `${'x'.repeat(45)}y`, 'x'.repeat(50), 'z', 'upper w'],
];
const values = {
  text: strings,
  tags: ['lock', 'eirs', 'upper', 'o'],
  size: ['0', '-0.5', '42', '42.00000001', '1e300', '-1e308', '1e308', '-1e-310', '1e-320'],
  at: ['2025-12-31T22:30:00Z', '2026-01-01T10:00:00+12:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
} as const;
const orders = ['gt', 'gte', 'lt', 'lte'] as const;
const operators = {
  text: ['contains', ...orders],
  tags: ['contains', ...orders],
  size: [...orders, 'ne'],
  at: orders,
} as const;

const comparison = fc.constantFrom('text', 'tags', 'size', 'at').chain((field) =>
  fc.oneof(
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom<Operator>(...operators[field]),
      value: fc.constantFrom<string>(...values[field]),
    }),
    fc.record({
      field: fc.constant(field),
      operator: fc.constant<Operator>('exists'),
      value: fc.constantFrom('true', 'false'),
    }),
  ),
);
const filter = fc.uniqueArray(comparison, {
  minLength: 1,
  maxLength: 3,
  selector: ({ field, operator }) => `${field} ${operator}`,
});

const waiting = async (): Promise<number> => {
  const [row] = await app().rows<{ waiting: number }>(
    desk.project.tenantId,
    'SELECT count(*)::int AS waiting FROM filter_notes n JOIN content_types t ON t.environment_id = n.environment_id AND t.id = n.content_type_id',
  );
  return row?.waiting ?? -1;
};

/** Every comparison alone, before and after what waits is indexed. */
async function expectNaive(): Promise<void> {
  const all = (Object.keys(operators) as Comparison['field'][]).flatMap((field) =>
    operators[field].map((operator): Comparison => ({ field, operator, value: values[field][0] })),
  );
  const exists = (['true', 'false'] as const).map((value): Comparison => ({
    field: 'tags',
    operator: 'exists',
    value,
  }));
  for (const one of [...all, ...exists]) expect([one, await found([one])]).toEqual([one, expected([one])]);
}

async function expectNaiveTwice(): Promise<void> {
  expect(await waiting()).toBeGreaterThan(0);
  await expectNaive();
  await app().composition.jobs.indexFilters();
  expect(await waiting()).toBe(0);
  await expectNaive();
}

describe('Comparisons of a delivery filter, by their index', () => {
  it('find what the values contain while documents wait to be indexed, and then', async () => {
    await expectNaiveTwice();
  });

  it('find what a naive filter finds, in published content and in drafts', async () => {
    const finds = async (comparisons: readonly Comparison[]): Promise<void> => {
      const names = expected(comparisons);
      expect(await found(comparisons)).toBe(names);
    };
    for (const field of ['text', 'size', 'at', 'tags'] as const)
      for (const operator of operators[field])
        for (const value of values[field]) await finds([{ field, operator, value }]);
    await fc.assert(fc.asyncProperty(filter, finds), { numRuns: 60 });
    const draft: Comparison = { field: 'text', operator: 'gte', value: 'upper' };
    expect(await found([draft], desk.project.keys.preview)).toBe(expected([draft]));
  }, 120_000);

  it('follow publications, withdrawals and deletions', async () => {
    const id = (name: string): string => ids.get(name) ?? '';
    const { version } = (await desk.get(`/entries/${id('b')}`)).body.data as { version: number };
    const fields = { size: 77, text: null, tags: ['lock'] };
    expect((await desk.put(`/entries/${id('b')}`, { version, fields })).status).toBe(200);
    await publish(app(), desk.project, id('b'));
    await desk.post(`/entries/${id('c')}/unpublish`, {});
    await desk.delete(`/entries/${id('d')}`);
    rows = rows
      .filter(({ name }) => name !== 'c' && name !== 'd')
      .map((row) =>
        row.name === 'b' ? { ...row, text: undefined, size: 77, tags: ['lock'] } : row,
      ) as Row[];
    await expectNaiveTwice();
  });

  it('find fields with and without a value that were added after a publication', async () => {
    await desk.post('/content-types/row/fields', { apiName: 'late', name: 'Late', type: 'text' });
    const path = `${desk.project.delivery}/content/row?filter[late][exists]=`;
    for (const run of [() => Promise.resolve(0), () => app().composition.jobs.indexFilters()]) {
      await run();
      const totals = ['true', 'false'].map(async (value) => {
        const { body } = await send(app(), { method: 'GET', path: `${path}${value}` });
        return body.meta.total as number;
      });
      expect(await Promise.all(totals)).toEqual([0, rows.length]);
    }
  });

  it('are indexed in a copy of an environment, and leave with it', async () => {
    const made = await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
    const { id, slug } = made.body.data as { id: string; slug: string };
    await app().composition.jobs.workOnEnvironments();
    await app().composition.jobs.indexFilters();
    const count = async (): Promise<number[]> => {
      const [row] = await app().rows<{ documents: number; keys: number; notes: number }>(
        desk.project.tenantId,
        `SELECT (SELECT count(*)::int FROM filter_documents WHERE environment_id = $1) AS documents,
           (SELECT count(DISTINCT entry_id)::int FROM filter_keys WHERE environment_id = $1) AS keys,
           (SELECT count(*)::int FROM filter_notes WHERE environment_id = $1) AS notes`,
        [id],
      );
      return Object.values(row ?? {});
    };
    expect(await count()).toEqual([rows.length, rows.length, 0]);
    await desk.delete(`/environments/${slug}`);
    await app().composition.jobs.workOnEnvironments();
    expect(await count()).toEqual([0, 0, 0]);
  });
});
