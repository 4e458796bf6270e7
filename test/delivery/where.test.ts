import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { sessionWith } from '../support/members.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/where', 'delivery/where-references', 'delivery/where-rejected');

const app = useApp();
let desk: Desk;
const ids = new Map<string, string>();

interface Captain {
  readonly name: string;
  readonly age?: number;
}
interface Boat {
  readonly name: string;
  readonly size?: number;
  readonly isOld?: boolean;
  readonly tags?: readonly string[];
  readonly captain?: string;
  readonly crew?: readonly string[];
}

const captains: readonly Captain[] = [{ name: 'Ada', age: 40 }, { name: 'Ben', age: 61 }, { name: 'Cleo' }];
const boats: readonly Boat[] = [
  { name: 'a', size: 9.5, isOld: true, tags: ['oak', 'sail, white'], captain: 'Ada', crew: ['Ben', 'Cleo'] },
  { name: 'b', size: -70, isOld: false, tags: ['oak'], captain: 'Ben' },
  { name: 'c', size: 70, captain: 'Cleo', crew: ['Ada'] },
  { name: 'd', tags: ['steam'] },
];

const linkTo = (name: string) => ({ _ref: ids.get(name) });

async function write(contentTypeApiName: string, fields: { readonly name: string }): Promise<void> {
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName, fields });
  ids.set(fields.name, id);
  await publish(app(), desk.project, id);
}

beforeAll(async () => {
  desk = await openDesk(app());
  await createType(app(), desk.project, {
    apiName: 'captain',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'age', type: 'integer' },
      { apiName: 'home', type: 'reference', settings: { contentTypes: ['article'] } },
    ],
  });
  await createType(app(), desk.project, {
    apiName: 'boat',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'size', type: 'number' },
      { apiName: 'isOld', type: 'boolean' },
      { apiName: 'tags', type: 'text', isList: true },
      { apiName: 'captain', type: 'reference', settings: { contentTypes: ['captain'] } },
      { apiName: 'crew', type: 'reference', isList: true },
    ],
  });
  for (const captain of captains) await write('captain', captain);
  for (const { captain, crew, ...boat } of boats)
    await write('boat', {
      ...boat,
      ...(captain && { captain: linkTo(captain) }),
      ...(crew && { crew: crew.map(linkTo) }),
    });
});

type Operators = Readonly<Record<string, string | number | boolean | readonly string[]>>;
type Where = { readonly [key: string]: Where | readonly Where[] | Operators | Operators[string] };

/** Each list that has filters, with the names of the boats that it finds. */
const lists = {
  delivery: (query: string) => list(`${desk.project.delivery}/content/boat?limit=50&${query}`),
  previews: (query: string) =>
    list(`${desk.project.delivery}/content/boat?limit=50&${query}`, desk.project.keys.preview),
  search: (query: string) =>
    list(`${desk.project.delivery}/search?limit=50&contentTypeApiName=boat&${query}`),
  drafts: (query: string) =>
    list(
      `${desk.project.management}/entries?limit=50&contentTypeApiName=boat&${query}`,
      desk.project.keys.management,
    ),
  'search of drafts': (query: string) =>
    list(
      `${desk.project.management}/search?limit=50&fields=name&contentTypeApiName=boat&${query}`,
      desk.project.keys.management,
    ),
};

async function list(path: string, key?: string): Promise<string> {
  const response = await send(app(), { method: 'GET', path, key });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  const rows = response.body.data as {
    fields?: { name: string };
    entry?: { fields: { name: string } };
  }[];
  const names = rows.map(({ fields, entry }) => fields?.name ?? entry?.fields.name).toSorted();
  expect(response.body.meta.total).toBe(names.length);
  return names.join('');
}

const asWhere = (where: Where): string => `where=${encodeURIComponent(JSON.stringify(where))}`;

async function expectFound(where: Where, expected: string): Promise<void> {
  for (const [name, find] of Object.entries(lists))
    expect([name, where, await find(asWhere(where))]).toEqual([name, where, expected]);
}

const comparison = fc.oneof(
  fc.record({
    field: fc.constantFrom('name', 'tags'),
    operator: fc.constantFrom('eq', 'ne', 'contains'),
    value: fc.constantFrom('a', 'b', 'oak', 'sail, white', 'nothing'),
  }),
  fc.record({
    field: fc.constantFrom('name', 'tags'),
    operator: fc.constantFrom('in', 'nin'),
    value: fc.constantFrom(['a'], ['b', 'oak'], ['steam', 'c', 'x']),
  }),
  fc.record({
    field: fc.constant('size'),
    operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
    value: fc.constantFrom(9.5, -70, 70, 0),
  }),
  fc.record({ field: fc.constant('isOld'), operator: fc.constantFrom('eq', 'ne'), value: fc.boolean() }),
  fc.record({
    field: fc.constantFrom('size', 'isOld', 'tags', 'captain', 'crew'),
    operator: fc.constant('exists'),
    value: fc.boolean(),
  }),
);
type Comparison = typeof comparison extends fc.Arbitrary<infer T> ? T : never;

const nestedForm = ({ field, operator, value }: Comparison): string =>
  [value]
    .flat()
    .map(
      (one) =>
        `filter[${field}][${operator}]=${encodeURIComponent(String(one).replaceAll(',', operator.endsWith('in') ? '\\,' : ','))}`,
    )
    .join('&');
const asMember = ({ field, operator, value }: Comparison): Where => ({ [field]: { [operator]: value } });

/** A tree of comparisons. */
type Tree = Comparison | { readonly combine: 'and' | 'or' | 'not'; readonly parts: readonly Tree[] };
const { tree } = fc.letrec<{ tree: Tree; combined: Tree }>((tie) => ({
  combined: fc.oneof(
    fc.record({
      combine: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ combine: fc.constant('not' as const), parts: fc.tuple(tie('tree')) }),
  ),
  tree: fc.oneof({ depthSize: 'small', maxDepth: 2, withCrossShrink: true }, comparison, tie('combined')),
}));
const whereOf = (one: Tree): Where => {
  if (!('combine' in one)) return asMember(one);
  const parts = one.parts.map(whereOf);
  return { [one.combine]: one.combine === 'not' ? (parts[0] ?? {}) : parts };
};
const leaves = (one: Tree): Comparison[] => ('combine' in one ? one.parts.flatMap(leaves) : [one]);

/** The names that a tree keeps, by those that each comparison finds in the nested form. */
function keptBy(one: Tree, found: ReadonlyMap<Comparison, string>): Set<string> {
  if (!('combine' in one)) return new Set(found.get(one));
  const parts = one.parts.map((part) => keptBy(part, found));
  const has = {
    and: (name: string) => parts.every((part) => part.has(name)),
    or: (name: string) => parts.some((part) => part.has(name)),
    not: (name: string) => !parts.some((part) => part.has(name)),
  };
  return new Set(boats.map(({ name }) => name).filter(has[one.combine]));
}

describe('The parameter where of a list', () => {
  it('finds what the nested form of the same comparison finds, in every list', async () => {
    await fc.assert(
      fc.asyncProperty(comparison, async (one) => {
        for (const find of Object.values(lists))
          expect(await find(asWhere(asMember(one)))).toBe(await find(nestedForm(one)));
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('combines comparisons by and, or and not as sets of what each finds', async () => {
    const trees = tree.filter((one) => leaves(one).length <= 10);
    await fc.assert(
      fc.asyncProperty(trees, async (one) => {
        const found = new Map<Comparison, string>();
        for (const leaf of leaves(one)) found.set(leaf, await lists.delivery(nestedForm(leaf)));
        const expected = [...keptBy(one, found)].toSorted().join('');
        for (const find of Object.values(lists)) expect(await find(asWhere(whereOf(one)))).toBe(expected);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('matches all members of an object, also beside a filter in the nested form', async () => {
    await expectFound({ size: { gt: 0, lt: 50 }, tags: { eq: 'oak' } }, 'a');
    await expectFound({ size: { gt: 0 }, or: [{ name: { eq: 'c' } }, { isOld: { eq: true } }] }, 'ac');
    for (const find of Object.values(lists))
      expect(await find(`filter[name][ne]=a&${asWhere({ tags: { eq: 'oak' } })}`)).toBe('b');
    await expectFound({}, 'abcd');
  });

  it('compares system keys', async () => {
    await expectFound({ or: [{ _id: { eq: ids.get('b') ?? '' } }, { _slug: { eq: 'c' } }] }, 'bc');
    await expectFound({ not: { _publishedAt: { exists: true } } }, '');
  });
});

describe('A reference in the parameter where', () => {
  it('takes a filter of the entries referred to, of which one has to match all of it', async () => {
    await expectFound({ captain: { name: { eq: 'Ada' } } }, 'a');
    await expectFound({ captain: { age: { gt: 30 } } }, 'ab');
    await expectFound({ captain: { name: { in: ['Ada', 'Cleo'] }, age: { exists: true } } }, 'a');
    await expectFound({ captain: { name: { eq: 'Nobody' } } }, '');
    await expectFound({ captain: { _id: { ne: ids.get('Ada') ?? '' } } }, 'bc');
    await expectFound({ captain: { eq: ids.get('Ada') ?? '' } }, 'a');
  });

  it('finds lists of references with an entry that matches, of any type that has the fields', async () => {
    await expectFound({ crew: { name: { eq: 'Cleo' } } }, 'a');
    await expectFound({ crew: { name: { eq: 'Ben' }, age: { lt: 50 } } }, '');
    await expectFound({ crew: { age: { gte: 40 } } }, 'ac');
  });

  it('combines with and, or and not, outside and inside', async () => {
    await expectFound({ not: { captain: { name: { eq: 'Ada' } } } }, 'bcd');
    await expectFound({ captain: { not: { name: { eq: 'Ada' } } } }, 'bc');
    await expectFound({ captain: { or: [{ name: { eq: 'Ben' } }, { age: { exists: false } }] } }, 'bc');
    await expectFound({ or: [{ captain: { age: { gt: 60 } } }, { name: { eq: 'd' } }] }, 'bd');
  });

  it('changes with a publication of the entry referred to', async () => {
    const find = () => lists.delivery(asWhere({ captain: { age: { eq: 33 } } }));
    expect(await find()).toBe('');
    const id = ids.get('Cleo') ?? '';
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.put(`/entries/${id}`, { version, fields: { age: 33 } });
    expect(await lists.drafts(asWhere({ captain: { age: { eq: 33 } } }))).toBe('c');
    expect(await find()).toBe('');
    await publish(app(), desk.project, id);
    expect(await find()).toBe('c');
    const path = `${desk.project.delivery}/content/boat?${asWhere({ captain: { age: { eq: 33 } } })}`;
    const { headers } = await send(app(), { method: 'GET', path });
    expect(String(headers['surrogate-key']).split(' ')).toContain('type:captain');
  });

  it('finds nothing by drafts that the caller does not read', async () => {
    const scope = { contentTypes: ['boat'] };
    const token = await sessionWith(app(), desk.project, [{ resource: 'entries', action: 'read', scope }]);
    const find = (where: Where) =>
      desk.as(token).get(`/entries?contentTypeApiName=boat&orderBy=createdAt:asc&${asWhere(where)}`);
    const found = await find({ captain: { name: { eq: 'Ada' } } });
    expect([found.status, found.body.data]).toEqual([200, []]);
    expect(column(await find({ name: { in: ['a', 'b'] } }), 'id')).toEqual([ids.get('a'), ids.get('b')]);
  });
});

describe('A parameter where that is refused', () => {
  const rejected: [where: string, path: string, code: string][] = [
    ['title', 'where', 'invalid_json'],
    ['{"name":{"eq":"a"}', 'where', 'invalid_json'],
    ['[]', 'where', 'invalid_filter'],
    ['{"names":{"eq":"a"}}', 'where.names.eq', 'invalid_filter'],
    ['{"name":"a"}', 'where.name', 'invalid_type'],
    ['{"name":["a"]}', 'where.name', 'invalid_type'],
    ['{"name":{"eq":null}}', 'where.name.eq', 'invalid_type'],
    ['{"name":{"in":[]}}', 'where.name.in', 'too_small'],
    ['{"name":{"eq":{"eq":"a"}}}', 'where.name.eq', 'invalid_type'],
    ['{"name":{"like":"a"}}', 'where.name.like', 'unrecognized_key'],
    ['{"size":{"gt":"large"}}', 'where.size.gt', 'invalid_filter'],
    ['{"isOld":{"gt":true}}', 'where.isOld.gt', 'invalid_filter'],
    ['{"or":[]}', 'where.or', 'invalid_filter'],
    ['{"or":{"name":{"eq":"a"}}}', 'where.or', 'invalid_filter'],
    ['{"or":[{"name":{"eq":"a"}},{"size":{"gt":"x"}}]}', 'where.or.1.size.gt', 'invalid_filter'],
    ['{"not":[{"name":{"eq":"a"}}]}', 'where.not', 'invalid_filter'],
    ['{"captain":{"rank":{"eq":"a"}}}', 'where.captain.rank.eq', 'invalid_filter'],
    ['{"crew":{"rank":{"eq":"a"}}}', 'where.crew.rank.eq', 'invalid_filter'],
    ['{"captain":{"home":{"title":{"eq":"a"}}}}', 'where.captain.home', 'invalid_filter'],
    [`${'{"not":'.repeat(6)}{}${'}'.repeat(6)}`, 'where.not.not.not.not.not.not', 'invalid_filter'],
    [`{"or":[${'{"name":{"eq":"a"}},'.repeat(10)}{"name":{"eq":"b"}}]}`, 'where', 'too_many'],
    [`{"crew":{"or":[${'{"name":{"eq":"a"}},'.repeat(10)}{"name":{"eq":"b"}}]}}`, 'where', 'too_many'],
    [`{"name":{"eq":"${'a'.repeat(1001)}"}}`, 'where.name.eq', 'too_big'],
    [`{"name":{"contains":"${'a'.repeat(4000)}"}}`, 'where', 'too_big'],
  ];

  it.each(rejected.map(([where, ...mistake]) => [...mistake, where]))(
    'names the mistake at %s as %s (case %#)',
    async (path, code, where) => {
      const query = `where=${encodeURIComponent(where)}`;
      const { delivery, management, keys } = desk.project;
      const paths: [string, string | undefined][] = [
        [`${delivery}/content/boat?${query}`, undefined],
        [`${delivery}/search?contentTypeApiName=boat&${query}`, undefined],
        [`${management}/entries?contentTypeApiName=boat&${query}`, keys.management],
        [`${management}/search?contentTypeApiName=boat&${query}`, keys.management],
      ];
      for (const [at, key] of paths) {
        const response = await send(app(), { method: 'GET', path: at, key });
        expect([at, outcome(response), issues(response)]).toEqual([
          at,
          [422, 'validation_failed'],
          [[path, code]],
        ]);
      }
    },
  );

  it('takes ten comparisons and five levels', async () => {
    const ten = Array.from({ length: 10 }, (_, at) => ({ size: { ne: at } }));
    await expectFound({ and: ten }, 'abcd');
    await expectFound({ not: { not: { not: { not: { not: { name: { eq: 'a' } } } } } } }, 'bcd');
  });

  it('needs one content type in lists of several', async () => {
    const { delivery, management, keys } = desk.project;
    for (const [path, key] of [
      [`${delivery}/search`, undefined],
      [`${management}/entries`, keys.management],
      [`${management}/search`, keys.management],
    ] as const) {
      const response = await send(app(), {
        method: 'GET',
        path: `${path}?${asWhere({ name: { eq: 'a' } })}`,
        key,
      });
      expect(issues(response)).toEqual([['where', 'content_type_required']]);
    }
  });
});
