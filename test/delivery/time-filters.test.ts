import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { column, Desk, issues, outcome, useOwnApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { report, table } from '../management/custom-reports/desk.js';
import { find, indexAll } from '../management/search/scene.js';

verifies('delivery/filters', 'lists/text-times');

const app = useOwnApp();
let desk: Desk;
const ids: Record<string, string> = {};

const written = {
  may: { title: 'may', day: '2026-05-31', days: ['2026-05-31'], moment: '2026-05-31T23:30:00-02:00' },
  june: {
    title: 'june',
    day: '2026-06-01',
    days: ['2026-06-01', '2026-07-01'],
    moment: '2026-06-01T02:00:00Z',
  },
  none: { title: 'none' },
};

beforeAll(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en'] }));
  await createType(app(), desk.project, {
    apiName: 'diary',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'day', type: 'date' },
      { apiName: 'days', type: 'date', isList: true },
      { apiName: 'moment', type: 'dateTime' },
    ],
  });
  for (const [name, fields] of Object.entries(written)) {
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'diary', fields });
    ids[name] = id;
    await publish(app(), desk.project, id);
  }
  await indexAll(app());
});

const delivered = (query: string, key?: string) =>
  send(app(), {
    method: 'GET',
    path: `${desk.project.delivery}/content/diary?orderBy=createdAt:asc&${query}`,
    key,
  });
const searched = (query: string) =>
  send(app(), {
    method: 'GET',
    path: `${desk.project.delivery}/search?contentTypeApiName=diary&sort=createdAt:asc&${query}`,
  });
const drafts = (query: string) => find(desk, `contentTypeApiName=diary&sort=createdAt:asc&${query}`);

interface Found {
  readonly data: { readonly list: { readonly items: { readonly title: string }[] } } | null;
  readonly errors?: { readonly extensions: { readonly code: string } }[];
}

async function graphqlSearch(field: string, operator: string, value: string): Promise<Found> {
  const filter = `{ ${field}: { ${operator}: ${JSON.stringify(value)} } }`;
  const query = `{ list: search(site: "main", type: "diary", sort: "createdAt:asc", filter: ${filter}) { items { title } } }`;
  const { body } = await send(app(), {
    method: 'POST',
    path: `/api/graphql/${desk.project.slug}`,
    key: desk.project.keys.delivery,
    body: { query },
  });
  return body as Found;
}

const titlesOf = ({ body }: { body: { data: { fields?: { title?: string }; title?: string }[] } }) =>
  body.data.map(({ fields, title }) => fields?.title ?? title);

describe('A filter of a date', () => {
  it.each([
    ['gte', '2026-06-01', ['june']],
    ['gte', '2026-06-01T00:00:00Z', ['june']],
    ['gte', '2026-06-01T23:59:59.999Z', ['june']],
    ['gt', '2026-05-31T12:00:00Z', ['june']],
    ['lt', '2026-06-01T12:00:00+00:00', ['may']],
    ['lte', '2026-06-01T01:00:00+02:00', ['may']],
    ['eq', '2026-05-31T23:00:00-01:00', ['june']],
    ['ne', '2026-06-01T09:30:00.000Z', ['may', 'none']],
    ['in', '2026-06-01T00:00Z,2026-05-31', ['may', 'june']],
    ['nin', '2026-06-01T00:00:00Z', ['may', 'none']],
  ])(
    'with %s %s compares dates, of an instant that in UTC, on every surface',
    async (operator, value, kept) => {
      const query = `filter[day][${operator}]=${encodeURIComponent(value)}`;
      expect(titlesOf(await delivered(query))).toEqual(kept);
      expect(titlesOf(await delivered(query, desk.project.keys.preview))).toEqual(kept);
      expect(titlesOf(await searched(query))).toEqual(kept);
      expect(column(await drafts(query), 'title')).toEqual(kept);
      const { data, errors } = await graphqlSearch('day', operator, value);
      expect([errors, data?.list.items.map(({ title }) => title)]).toEqual([undefined, kept]);
    },
  );

  it.each(['eq', 'contains', 'gt', 'lte'])('with %s reads instants for items of a list', async (operator) => {
    const kept = { eq: ['june'], contains: ['june'], gt: [], lte: ['may', 'june'] }[operator];
    expect(titlesOf(await delivered(`filter[days][${operator}]=2026-07-01T10:00:00Z`))).toEqual(kept);
  });

  it.each([
    ['day', 'lt', 'garbage'],
    ['day', 'gte', '2026-3-1'],
    ['day', 'gte', '2026-03'],
    ['day', 'eq', '2026-02-30'],
    ['day', 'eq', ''],
    ['day', 'gt', '0000-01-01'],
    ['day', 'in', '2026-06-01,today'],
    ['day', 'gt', '2026-06-01T00:00:00'],
    ['day', 'gt', '2026-06-01T24:00:00Z'],
    ['day', 'gt', '2026-06-01T00:00:00+23:00'],
    ['day', 'contains', '2026'],
    ['moment', 'gt', '2026-06-01'],
    ['moment', 'gt', '2026-06-01T00:00:00+16:00'],
    ['moment', 'gt', '2026-02-29T00:00:00Z'],
    ['moment', 'gt', '0001-01-01T00:00:00+01:00'],
  ])('that is of %s with %s %s is 422 on every surface', async (field, operator, value) => {
    const query = `filter[${field}][${operator}]=${encodeURIComponent(value)}`;
    const refusals = [
      await delivered(query),
      await delivered(query, desk.project.keys.preview),
      await searched(query),
      await drafts(query),
    ];
    for (const refusal of refusals) {
      expect(outcome(refusal)).toEqual([422, 'validation_failed']);
      expect(issues(refusal)).toEqual([[`filter.${field}.${operator}`, 'invalid_filter']]);
    }
    const { errors } = await graphqlSearch(field, operator, value);
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
  });
});

describe('A filter of a custom report', () => {
  const of = (filters: object) => ({
    source: 'entries',
    groupBy: ['fields.title'],
    filters: { contentTypeApiName: ['diary'], ...filters },
  });

  it('compares dates and times as filters of lists do', async () => {
    const dated = await report(desk, of({ 'fields.day': ['2026-06-01T00:00:00Z'] }));
    expect(table(dated)).toEqual([['june', 1]]);
    const timed = await report(desk, of({ 'fields.moment': ['2026-06-01T01:30:00Z'] }));
    expect(table(timed)).toEqual([['may', 1]]);
  });

  it('with a value that the field cannot have is 422', async () => {
    for (const key of ['fields.day', 'fields.moment']) {
      const refused = await desk.post('/custom-reports', {
        name: 'Refused',
        metrics: [{ op: 'count' }],
        ...of({ [key]: ['garbage'] }),
      });
      expect([outcome(refused), issues(refused)]).toEqual([
        [422, 'validation_failed'],
        [[`filters.${key}.0`, 'invalid_filter']],
      ]);
    }
  });
});

describe('A time that PostgreSQL cannot hold', () => {
  const create = (fields: object) =>
    desk.post('/entries', { contentTypeApiName: 'diary', siteId: desk.project.siteId, locale: 'en', fields });

  it.each([
    ['day', '0000-01-01'],
    ['moment', '0000-01-01T00:00:00Z'],
    ['moment', '2026-01-01T00:00:00+16:00'],
    ['moment', '2026-01-01T00:00:00-23:59'],
    ['moment', '9999-12-31T23:59:59-01:00'],
  ])('is 422 as a value of %s: %s', async (field, value) => {
    const refused = await create({ [field]: value });
    expect([outcome(refused), issues(refused)]).toEqual([
      [422, 'validation_failed'],
      [[`fields.${field}`, 'invalid_format']],
    ]);
  });

  it.each([
    ['the due time of a translation', 'PUT', '/translations/{id}/en', 'dueAt'],
    ['the expiry of a key', 'POST', '/api-keys', 'expiresAt'],
    ['the time of a publication', 'POST', '/entries/{id}/publish', 'scheduledAt'],
  ] as const)('is 422 as %s', async (_what, method, path, name) => {
    for (const value of ['0000-06-01T00:00:00Z', '2999-06-01T00:00:00+20:00', '9999-12-31T23:00:00-02:00']) {
      const body = { ...(name === 'expiresAt' && { name: 'Key', type: 'delivery' }), [name]: value };
      const named = path.replace('{id}', ids.may ?? '');
      const refused = await (method === 'PUT' ? desk.put(named, body) : desk.post(named, body));
      expect([outcome(refused), issues(refused)]).toEqual([
        [422, 'validation_failed'],
        [[name, expect.any(String)]],
      ]);
    }
  });

  it('is 422 as a local time of a publication', async () => {
    for (const scheduledAt of ['0000-06-01T00:00:00', '9999-12-31T23:00:00']) {
      const body = { scheduledAt, timezone: 'America/New_York' };
      const refused = await desk.post(`/entries/${ids.may ?? ''}/publish`, body);
      expect([outcome(refused), issues(refused)]).toEqual([
        [422, 'validation_failed'],
        [['scheduledAt', expect.any(String)]],
      ]);
    }
  });

  it('is 422 as a bound or default of a field', async () => {
    const field = (options: object) =>
      desk.post('/content-types/diary/fields', { apiName: 'until', type: 'dateTime', ...options });
    const moment = '2026-01-01T00:00:00+16:00';
    expect(issues(await field({ validations: { min: moment } }))).toEqual([
      ['validations.min', expect.any(String)],
    ]);
    expect(issues(await field({ defaultValue: moment }))).toEqual([['defaultValue', expect.any(String)]]);
  });

  it.each([
    ['0000-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00+23:59'],
    ['2026-02-30T00:00:00Z'],
    ['some time'],
    [7],
    [['2026-01-01T00:00:00Z']],
  ])('that was stored before, %j, hides no other entry from a filter', async (stored) => {
    const value = JSON.stringify({ moment: stored });
    for (const [table, name] of [
      ['published_entries', 'entry_id'],
      ['entry_locales', 'entry_id'],
      ['entries', 'id'],
    ])
      await app().rows(
        desk.project.tenantId,
        `UPDATE ${table ?? ''} SET ${table === 'entries' ? 'shared_fields = shared_fields' : 'fields = fields'} || $1::jsonb WHERE ${name ?? ''} = $2`,
        [value, ids.none],
      );
    await indexAll(app());
    const query = 'filter[moment][gt]=2026-06-01T01:45:00Z';
    for (const found of [
      await delivered(query),
      await delivered(query, desk.project.keys.preview),
      await searched(query),
    ])
      expect([found.status, titlesOf(found)]).toEqual([200, ['june']]);
    expect(column(await drafts(query), 'title')).toEqual(['june']);
    expect(column(await find(desk, 'contentTypeApiName=diary&sort=fields.moment:asc'), 'title')).toEqual([
      'may',
      'june',
      'none',
    ]);
    expect(titlesOf(await delivered('filter[moment][ne]=2026-06-01T02:00:00Z'))).toEqual(['may', 'none']);
  });
});
