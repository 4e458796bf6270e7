import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SitemapReader } from '../../src/features/publishing/delivery/index.js';
import {
  EntryListRepository,
  type EntryQuery,
} from '../../src/features/entries/entries/lists/entry-list.repository.js';
import { DependencyRepository } from '../../src/features/entries/entries/dependencies/dependency.repository.js';
import { ReferenceListRepository } from '../../src/features/entries/entries/lists/reference-list.repository.js';
import { prefixes, seedPages, types } from '../bench/growth/content.js';
import { seededId, type BulkPlace } from '../bench/seed/bulk-entries.js';
import { createType } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { explainedAt, genericPlan, notingPool, type RepositoryClass } from './plans.js';

const app = useOwnApp();
/** Enough rows for PostgreSQL to prefer an index. */
const PAGES = 4000;
/** Rows a page of 25 can touch. A sequential scan touches 8,000. */
const BOUND = 1000;

let project: TestProject;
let place: BulkPlace;
let pageTypeId: string;

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en'] });
  for (const type of types) {
    const { id } = await createType(app(), project, type);
    if (type.apiName === 'page') pageTypeId = id;
  }
  const [head] = await app().rows<{ environment_id: string }>(
    project.tenantId,
    'SELECT environment_id FROM environment_heads WHERE project_id = $1',
    [project.projectId],
  );
  place = { tenantId: project.tenantId, siteId: project.siteId, environmentId: head?.environment_id ?? '' };
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedPages(client, place, PAGES);
  // Index-only scans need to know which pages every transaction sees.
  await client.query('VACUUM ANALYZE entry_locales, draft_values');
  await client.end();
}, 120_000);

/** Runs a repository method and returns the plans of its statements. */
const explained = <T extends object, R>(
  repository: RepositoryClass<T>,
  call: (repository: T) => Promise<R>,
) => explainedAt(app(), { ...place, projectId: project.projectId }, { repository, call });

const everything = {
  contentTypeIds: null,
  siteIds: null,
  treeParentIds: null,
  externalIds: null,
  locale: null,
  forAll: [],
  statuses: null,
  states: null,
  assigneeIds: null,
  titleContains: null,
  createdBy: null,
  updatedBy: null,
  updatedAfter: null,
  updatedBefore: null,
  hasSchedule: null,
  isDeleted: false,
  conditions: [],
  orderBy: 'updatedAt:desc',
  limit: 25,
  offset: 0,
} as const satisfies EntryQuery;

const of = (apiName: string, comparison: 'string' | 'number' | 'link') => {
  const isLocalized = ['title', 'size'].includes(apiName);
  return { contentTypeId: pageTypeId, apiName, isLocalized, comparison };
};
const where = (field: ReturnType<typeof of>, operator: 'eq' | 'gt' | 'contains', value: string) => ({
  ...field,
  localized: field.isLocalized ? [field.apiName] : [],
  condition: { ...field, isList: false, operator, values: [value] },
});

const list = (query: Partial<EntryQuery>) =>
  explained(EntryListRepository, (entries) => entries.list({ ...everything, ...query }));

describe('Cost of a list of entries', () => {
  verifies('lists/filters-of-entries');

  const type = () => ({ contentTypeIds: [pageTypeId] });
  const since = new Date(Date.UTC(2026, 0, 1, 0, 0, PAGES - 20));
  it.each<[string, () => Partial<EntryQuery>]>([
    ['everything', () => ({})],
    ['oldest first', () => ({ orderBy: 'createdAt:asc' })],
    ['of a type', type],
    ['of a type, the last page', () => ({ ...type(), offset: PAGES - 25 })],
    ['of a site', () => ({ siteIds: [project.siteId] })],
    ['published', () => ({ ...type(), statuses: ['published'] })],
    ['drafts', () => ({ ...type(), statuses: ['draft'] })],
    ['changed, which are few', () => ({ statuses: ['changed'] })],
    ['published in a locale', () => ({ ...type(), locale: 'en', statuses: ['published'] })],
    ['written in a locale', () => ({ ...type(), locale: 'en' })],
    ['changed lately', () => ({ ...type(), updatedAfter: since })],
    ['in a state that few are in', () => ({ states: { keys: ['in_review'], based: [] } })],
    ['in the initial state', () => ({ states: { keys: ['draft'], based: 'all' } })],
    ['deleted', () => ({ isDeleted: true })],
    ['by title', () => ({ orderBy: 'title:asc' })],
    ['of a type by title', () => ({ ...type(), orderBy: 'title:desc' })],
    ['of a type by title in a locale', () => ({ ...type(), locale: 'en', orderBy: 'title:asc' })],
    ['by a number', () => ({ ...type(), orderBy: { ...of('size', 'number'), isAscending: false } })],
    ['by a string', () => ({ ...type(), orderBy: { ...of('code', 'string'), isAscending: true } })],
    ['with a value', () => ({ ...type(), conditions: [where(of('code', 'string'), 'eq', 'code-7')] })],
    ['with numbers', () => ({ ...type(), conditions: [where(of('size', 'number'), 'gt', '3950')] })],
    [
      'with a link',
      () => ({ ...type(), conditions: [where(of('author', 'link'), 'eq', seededId(prefixes.author, 3))] }),
    ],
    ['by title, the last page', () => ({ ...type(), orderBy: 'title:asc', offset: PAGES - 25 })],
  ])('reads only the rows of the page: %s', async (_name, query) => {
    const { taken } = await list(query());
    expect(taken).toHaveLength(2);
    for (const { rows } of taken) expect(rows).toBeLessThan(BOUND);
  });

  it.each(['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc'] as const)(
    'reads only the rows of a page by cursor, on the first page and in the middle: %s',
    async (orderBy) => {
      const middle = [String(Date.UTC(2026, 0, 1, 0, 0, PAGES / 2) * 1000), seededId(prefixes.page, 1)];
      const page = (after: readonly string[] | null) =>
        list({ ...type(), orderBy, walk: { after, total: PAGES } });
      for (const { result, taken } of [await page(null), await page(middle)]) {
        expect(result.items).toHaveLength(25);
        expect(taken.map(({ rows }) => rows < 10 * 25)).toEqual([true]);
      }
    },
  );

  it.each(['title:asc', 'title:desc'] as const)(
    'reads only the rows of a page by cursor: %s',
    async (orderBy) => {
      const page = (after: readonly string[] | null) =>
        list({ ...type(), locale: 'en', orderBy, walk: { after, total: PAGES } });
      for (const after of [null, ['Page 2000', seededId(prefixes.page, 2000)]]) {
        const { result, taken } = await page(after);
        expect(result.items).toHaveLength(25);
        expect(taken.map(({ rows }) => rows < 10 * 25)).toEqual([true]);
      }
    },
  );

  it('reads only the rows of a page by cursor: by a field', async () => {
    const orderBy = { ...of('size', 'number'), isAscending: true };
    const after = ['0', String(PAGES / 2), seededId(prefixes.page, PAGES / 2)];
    const { result, taken } = await list({ ...type(), orderBy, walk: { after, total: PAGES } });
    expect(result.items).toHaveLength(25);
    expect(taken.map(({ rows }) => rows < 10 * 26)).toEqual([true]);
  });

  it.each(['createdBy', 'updatedBy'] as const)(
    'reads only the rows of the page by %s; its total counts the entries of that actor',
    async (key) => {
      const { result, taken } = await list({ [key]: ['actor-3'] });
      expect(result.total).toBe(PAGES / 10);
      const [total, page] = taken;
      expect(page?.rows).toBeLessThan(BOUND);
      expect(total?.rows).toBeLessThanOrEqual(PAGES / 10);
    },
  );

  const contains = () => [where(of('code', 'string'), 'contains', 'ode-77')];
  it.each<[string, RegExp, () => Partial<EntryQuery>]>([
    ['part of a title', /^entry_locales_of_title/, () => ({ locale: 'en', titleContains: 'AGE 77' })],
    ['part of a title, in any locale', /^entry_locales_of_shown_title/, () => ({ titleContains: 'AGE 77' })],
    ['part of a string', /^draft_values_text/, () => ({ locale: 'en', conditions: contains() })],
  ])('searches an index once, and reads only the entries that it finds: %s', async (_name, index, query) => {
    const { result, taken } = await list({ ...type(), ...query() });
    const [search, page] = taken;
    expect([result.total, result.items.length, taken.length]).toEqual([11, 11, 2]);
    expect(search?.scans.join(' ')).toMatch(index);
    expect(search?.rows).toBeLessThan(PAGES + BOUND);
    expect(page?.rows).toBeLessThan(BOUND);
  });

  it('counts a filter that half of the entries match in indexes alone', async () => {
    const conditions = [where(of('size', 'number'), 'gt', String(PAGES / 2))];
    const { result, taken } = await list({ ...type(), locale: 'en', conditions });
    expect(result.total).toBe(PAGES / 2);
    expect(taken[0]?.scans.toSorted()).toEqual(['draft_values_number', 'entry_locales_of_title']);
  });

  it('returns the complete list in pages from either end', async () => {
    const limit = 100;
    const found: string[] = [];
    for (let offset = 0; offset < PAGES; offset += limit) {
      const { result } = await list({ ...type(), limit, offset });
      found.push(...result.items.map(({ id }) => id));
    }
    expect(found).toEqual(
      Array.from({ length: PAGES }, (_, index) => seededId(prefixes.page, PAGES - index)),
    );
  });

  it('reads only the rows of the page of references to an entry', async () => {
    const { result, taken } = await explained(ReferenceListRepository, (references) =>
      references.list(seededId(prefixes.author, 3), { limit: 25, offset: 0 }),
    );
    expect(result.total).toBe(100);
    for (const { rows } of taken) expect(rows).toBeLessThan(BOUND);
  });

  it('finds the published documents that name an entry without reading others', async () => {
    const { result, taken } = await explained(DependencyRepository, (links) =>
      links.inDocuments([seededId(prefixes.author, 3)], 'in'),
    );
    expect(new Set(result.map(({ entryId }) => entryId)).size).toBe(100);
    expect(taken).toMatchObject([{ rows: 100, scans: ['published_link_targets'] }]);
  });
});

describe('A page of a sitemap', () => {
  it('starts a sitemap page at the same path when counted from either end', async () => {
    const list = { siteId: project.siteId, locale: 'en' };
    const sitemap = app().composition.services.sitemaps(place.environmentId);
    const total = (await sitemap.countListed(list.siteId)).get('en') ?? 0;
    const all = await sitemap.listed({ ...list, after: '', limit: total + 1 });
    expect(all).toHaveLength(total);
    for (const skip of [1, 20, total / 2, total / 2 + 1, total - 20, total])
      expect(await sitemap.pathBefore({ ...list, skip, total })).toBe(all[skip - 1]?.path);
    expect(await sitemap.pathBefore({ ...list, skip: total + 5, total: 3 * total })).toBeUndefined();
  });

  it('reads a sitemap page with an index-only scan', async () => {
    const { pool, asked } = notingPool();
    const sitemap = new SitemapReader(pool, place.environmentId);
    for (const skip of [25, 3500])
      await sitemap.pathBefore({ siteId: project.siteId, locale: 'en', skip, total: 3600 });
    for (const statement of asked) {
      const { rows, scans } = await genericPlan(app().databaseUrl, statement);
      expect(scans).toEqual(['routes_listed']);
      expect(rows).toBeLessThanOrEqual(101);
    }
  });
});
