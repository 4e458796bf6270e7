import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { outcome, useApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';
import { openHarbour, type Harbour } from '../delivery/harbour.js';

verifies('graphql/search-filters');

const app = useApp();
let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour(app());
});

interface GraphqlBody {
  readonly data?: {
    readonly search: { readonly total: number; readonly items: { readonly title: string }[] };
  };
  readonly errors?: { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

async function ask(query: string, variables: object = {}): Promise<{ status: number; body: GraphqlBody }> {
  const { slug, keys } = harbour.desk.project;
  const path = `/api/graphql/${slug}`;
  const response = await send(app(), { method: 'POST', path, key: keys.preview, body: { query, variables } });
  return { status: response.status, body: response.body as GraphqlBody };
}

/** Titles of the entries that the filter finds, among what is published. */
async function find(where: string, rest = ''): Promise<string> {
  const { body } = await ask(
    `{ search(site: "main", preview: false, limit: 50, where: ${where}${rest}) { total items { title } } }`,
  );
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  const titles = body.data?.search.items.map(({ title }) => title).toSorted() ?? [];
  expect(body.data?.search.total).toBe(titles.length);
  return titles.join('');
}

describe('The argument where of search', () => {
  const found: [filter: string, names: string][] = [
    ['{ name: { in: ["a", "c"] } }', 'ac'],
    ['{ size: { gt: -70.5, lte: 9.5 } }', 'ab'],
    ['{ isOld: { ne: true } }', 'bcd'],
    ['{ tags: { eq: "oak" } }', 'ab'],
    ['{ tags: { in: ["sail, white", "steam"] } }', 'ad'],
    ['{ size: { exists: false } }', 'd'],
    ['{ _slug: { eq: "b" } }', 'b'],
    ['{ _publishedAt: { gt: "2020-01-01T00:00:00Z" } }', 'abcd'],
    ['{}', 'abcd'],
    ['{ or: [{ name: { eq: "a" } }, { size: { gt: 60 } }], not: { name: { eq: "c" } } }', 'a'],
    ['{ and: [{ tags: { contains: "oa" } }, { isOld: { eq: false } }] }', 'b'],
    ['{ captain: { Captain: { name: { eq: "Ada" } } } }', 'a'],
    ['{ captain: { Captain: { age: { gt: 30 } } }, name: { ne: "a" } }', 'b'],
    ['{ captain: { Captain: { or: [{ name: { eq: "Ben" } }, { age: { exists: false } }] } } }', 'bc'],
    ['{ captain: { exists: true, Captain: { not: { name: { eq: "Ada" } } } } }', 'bc'],
    ['{ and: [{ name: { ne: "b" } }], captain: { exists: true, Captain: { age: { gt: 30 } } } }', 'a'],
    ['{ crew: { Captain: { age: { gte: 40 } } } }', 'ac'],
    ['{ crew: { Captain: { name: { eq: "Cleo" } }, Boat: { name: { eq: "Cleo" } } } }', 'a'],
    ['{ crew: { Boat: { name: { eq: "Cleo" } } } }', ''],
    ['{ crew: { Article: {} } }', ''],
  ];

  it.each(found)('finds %s as %s', async (filter, names) => {
    expect(await find(`{ Boat: ${filter} }`)).toBe(names);
  });

  it('finds references by id, as variables give them', async () => {
    const query = `query ($where: EntryFilter) { search(site: "main", where: $where) { total items { title } } }`;
    const captain = { in: [harbour.ids.get('Ada'), harbour.ids.get('Ben')] };
    const { body } = await ask(query, { where: { Boat: { captain } } });
    expect(body.data?.search.items.map(({ title }) => title).toSorted()).toEqual(['a', 'b']);
    expect((await ask(query, { where: null })).body.data?.search.total).toBe(7);
  });

  it('says the type, which sort and filter then need not', async () => {
    expect(await find('{ Boat: { size: { exists: true } } }', ', filter: { name: { in: "a,b" } }')).toBe(
      'ab',
    );
    const sorted = await ask(
      '{ search(site: "main", where: { Boat: {} }, sort: "fields.size:desc", limit: 1) { total items { title } } }',
    );
    expect(sorted.body.data?.search).toEqual({ total: 4, items: [{ title: 'c' }] });
    expect(await find('{ Boat: {} }', ', type: "boat"')).toBe('abcd');
  });

  const invalid: string[] = [
    '{ Boat: {}, Captain: {} }',
    '{}',
    '{ Ship: {} }',
    '{ Boat: { size: { gt: "large" } } }',
    '{ Boat: { size: { contains: 1 } } }',
    '{ Boat: { isOld: { gt: true } } }',
    '{ Boat: { names: { eq: "a" } } }',
    '{ Boat: { captain: { Boat: {} } } }',
    '{ Boat: { captain: { name: { eq: "Ada" } } } }',
  ];

  it.each(invalid)('is refused before it is read: %s', async (where) => {
    const { status, body } = await ask(`{ search(site: "main", where: ${where}) { total } }`);
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'graphql_validation_failed']);
  });

  const refused: [where: string, path: string, rest?: string][] = [
    ['{ Boat: { name: { eq: null } } }', 'where.name.eq'],
    ['{ Boat: { or: [] } }', 'where.or'],
    ['{ Boat: { _publishedAt: { gt: "yesterday" } } }', 'where._publishedAt.gt'],
    ['{ Captain: { home: { Article: { author: { Author: {} } } } } }', 'where.home.author'],
    [`{ Boat: { or: [${'{ name: { eq: "a" } }'.repeat(11)}] } }`, 'where'],
    [`{ Boat: { name: { contains: "${'a'.repeat(4000)}" } } }`, 'where'],
    ['{ Boat: {} }', 'type', ', type: "captain"'],
  ];

  it.each(refused)('is refused with the path of the mistake (case %#)', async (where, path, rest = '') => {
    const { body } = await ask(`{ search(site: "main", where: ${where}${rest}) { total } }`);
    const { code, issues } = (body.errors?.[0]?.extensions ?? {}) as {
      code?: string;
      issues?: { path: string[] }[];
    };
    expect([code, issues?.map((issue) => issue.path.join('.'))]).toEqual(['validation_failed', [path]]);
  });
});

describe('A select field', () => {
  it('is an enum where all options are names, in filters too', async () => {
    const { desk } = harbour;
    await createType(app(), desk.project, {
      apiName: 'berth',
      fields: [
        { apiName: 'title', type: 'text' },
        {
          apiName: 'state',
          type: 'select',
          settings: { options: [{ value: 'FREE' }, { value: 'taken' }, { value: 'closed' }] },
        },
        {
          apiName: 'uses',
          type: 'select',
          isList: true,
          settings: { options: [{ value: 'sail' }, { value: 'steam' }] },
        },
        { apiName: 'depth', type: 'select', settings: { options: [{ value: '3 m' }, { value: '5 m' }] } },
      ],
    });
    const ids: string[] = [];
    for (const fields of [
      { title: 'x', state: 'FREE', uses: ['sail', 'steam'], depth: '3 m' },
      { title: 'y', state: 'closed', uses: ['steam'] },
    ]) {
      const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'berth', fields });
      ids.push(id);
      await publish(app(), desk.project, id);
    }
    expect(await find('{ Berth: { state: { eq: FREE } } }')).toBe('x');
    expect(await find('{ Berth: { state: { nin: [FREE, taken] } } }')).toBe('y');
    expect(await find('{ Berth: { state: { contains: "los" } } }')).toBe('y');
    expect(await find('{ Berth: { uses: { eq: sail } } }')).toBe('x');
    expect(await find('{ Berth: { depth: { eq: "3 m" } } }')).toBe('x');
    const wrong = await ask('{ search(site: "main", where: { Berth: { state: { eq: GONE } } }) { total } }');
    expect(wrong.status).toBe(400);
    const read = () => ask('{ berthCollection { items { title state uses depth } } }');
    const [y, x] = [
      { title: 'y', state: 'closed', uses: ['steam'], depth: null },
      { title: 'x', state: 'FREE', uses: ['sail', 'steam'], depth: '3 m' },
    ];
    expect((await read()).body).toMatchObject({ data: { berthCollection: { items: [y, x] } } });
    const change = async (apiName: string, values: string[]) => {
      const settings = { options: values.map((value) => ({ value })) };
      const response = await desk.put(`/content-types/berth/fields/${apiName}`, { settings });
      expect(outcome(response)).toEqual([200, undefined]);
    };
    await change('state', ['FREE', 'taken']);
    await change('uses', ['sail']);
    const narrowed = await read();
    expect(narrowed.body.errors).toBeUndefined();
    expect(narrowed.body).toMatchObject({
      data: {
        berthCollection: {
          items: [
            { ...y, state: null, uses: [] },
            { ...x, uses: ['sail'] },
          ],
        },
      },
    });
  });
});
