import { beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from '../support/desk.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';
import { asWhere, boats, openHarbour, type Harbour, type Where } from './harbour.js';

verifies('delivery/where');

const app = useApp();
let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour(app());
});

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
        for (const find of Object.values(harbour.lists))
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
        for (const leaf of leaves(one)) found.set(leaf, await harbour.lists.delivery(nestedForm(leaf)));
        const expected = [...keptBy(one, found)].toSorted().join('');
        for (const find of Object.values(harbour.lists))
          expect(await find(asWhere(whereOf(one)))).toBe(expected);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('matches all members of an object, also beside a filter in the nested form', async () => {
    await harbour.expectFound({ size: { gt: 0, lt: 50 }, tags: { eq: 'oak' } }, 'a');
    await harbour.expectFound(
      { size: { gt: 0 }, or: [{ name: { eq: 'c' } }, { isOld: { eq: true } }] },
      'ac',
    );
    for (const find of Object.values(harbour.lists))
      expect(await find(`filter[name][ne]=a&${asWhere({ tags: { eq: 'oak' } })}`)).toBe('b');
    await harbour.expectFound({}, 'abcd');
  });

  it('compares system keys', async () => {
    await harbour.expectFound(
      { or: [{ _id: { eq: harbour.ids.get('b') ?? '' } }, { _slug: { eq: 'c' } }] },
      'bc',
    );
    await harbour.expectFound({ not: { _publishedAt: { exists: true } } }, '');
  });
});
