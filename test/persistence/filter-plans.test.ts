import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Condition } from '../../src/features/publishing/delivery/content-filter.js';
import {
  PublishedDocuments,
  RouteReader,
  SitemapReader,
} from '../../src/features/publishing/delivery/index.js';
import type { ReadPool } from '../../src/persistence/connections/read-pool.js';
import { indexSeeded, prefixes, seedPages, types } from '../bench/growth/content.js';
import { seededId, type BulkPlace } from '../bench/seed/bulk-entries.js';
import { useOwnApp } from '../support/desk.js';
import { createType } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { genericPlan, notingPool, valuesPlan } from './plans.js';

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
  await indexSeeded(client, app().composition.jobs);
  // As autovacuum does: an index alone tells which rows are visible.
  await client.query('VACUUM ANALYZE published_entries, filter_keys, filter_documents');
  await client.end();
}, 120_000);

describe('Cost of a filtered list', () => {
  verifies('delivery/filters-by-system-keys');

  const one = { isList: false, operator: 'eq' } as const;
  it.each<[string, RegExp, Condition]>([
    ['a text', /published_by_value/, { ...one, apiName: 'code', comparison: 'string', values: ['code-77'] }],
    [
      'one of some texts',
      /published_by_value/,
      { ...one, operator: 'in', apiName: 'code', comparison: 'string', values: ['code-7', 'code-8'] },
    ],
    [
      'a reference',
      /published_by_value/,
      { ...one, apiName: 'author', comparison: 'link', values: [seededId(prefixes.author, 7)] },
    ],
    ['a slug', /published_by_slug/, { key: '_slug', operator: 'eq', values: ['page-77'] }],
    [
      'one of some ids',
      /published_entries_pkey/,
      { key: '_id', operator: 'in', values: [7, 8].map((n) => seededId(prefixes.page, n)) },
    ],
    [
      'a time of publication',
      /published_by_(?:site|type)/,
      {
        key: '_publishedAt',
        operator: 'gte',
        values: [new Date(Date.UTC(2026, 0, 1, 0, 0, PAGES - 20)).toISOString()],
      },
    ],
  ])('reads only the rows that match the filter: %s', async (_name, index, condition) => {
    const { pool, asked } = notingPool();
    await new PublishedDocuments(pool, place.environmentId).list({
      locales: ['en'],
      limit: 25,
      offset: 0,
      orderBy: 'updatedAt:desc',
      contentTypeId: pageTypeId,
      siteId: project.siteId,
      conditions: [condition],
    });
    expect(asked).toHaveLength(2);
    for (const statement of asked) {
      const { rows, scans } = await valuesPlan(app().databaseUrl, statement);
      expect(scans.join(' ')).toMatch(index);
      expect(rows).toBeLessThan(BOUND);
      expect(rows).toBeGreaterThan(0);
    }
  });
});

describe('Cost of a list filtered by comparisons', () => {
  verifies('delivery/filters-indexed');

  /** The statements of a list, whose index finds `total` documents if it is ready. */
  const listed = async (conditions: readonly Condition[], total: number, isReady = true) => {
    const { pool, asked } = notingPool([{ isReady, total, body: null, fields: {} }]);
    await new PublishedDocuments(pool, place.environmentId).list({
      locales: ['en'],
      limit: 25,
      offset: 0,
      orderBy: 'updatedAt:desc',
      contentTypeId: pageTypeId,
      siteId: project.siteId,
      conditions,
    });
    return asked;
  };

  const one = { isList: false } as const;
  const title = { ...one, apiName: 'title', comparison: 'string' } as const;
  const size = { ...one, apiName: 'size', comparison: 'number' } as const;
  const above: Condition = { ...size, operator: 'gt', values: [String(PAGES - 20)] };
  it.each<[string, RegExp, readonly Condition[]]>([
    ['part of a string', /filter_documents_terms/, [{ ...title, operator: 'contains', values: ['AGE 77'] }]],
    ['numbers above', /filter_keys_order/, [above]],
    ['numbers below', /filter_keys_order/, [{ ...size, operator: 'lte', values: ['20'] }]],
    [
      'numbers between, of half of the list each',
      /filter_keys_order/,
      [
        { ...size, operator: 'gt', values: [String(PAGES / 2)] },
        { ...size, operator: 'lt', values: [String(PAGES / 2 + 9)] },
      ],
    ],
    ['strings from', /filter_keys_order/, [{ ...title, operator: 'gte', values: ['Page 999'] }]],
    ['no value', /filter_documents_terms/, [{ ...title, operator: 'exists', values: ['false'] }]],
  ])('reads only what the index finds: %s', async (_name, index, conditions) => {
    const statements = await listed(conditions, 1);
    expect(statements).toHaveLength(3);
    for (const [at, statement] of statements.entries()) {
      const { rows, scans } = await valuesPlan(app().databaseUrl, statement);
      if (at > 0) expect(scans.join(' ')).toMatch(index);
      expect(rows).toBeLessThan(BOUND);
    }
  });

  it('walks the list in its order where many match, and stops at the end of the page', async () => {
    const statements = await listed([{ ...size, operator: 'gt', values: ['10'] }], PAGES / 2);
    expect(statements).toHaveLength(3);
    const page = statements.at(-1);
    if (page === undefined) throw new Error('no statement');
    const { rows, scans } = await valuesPlan(app().databaseUrl, page);
    expect(rows).toBeLessThan(100);
    expect(scans.join()).toMatch(/^published_by_(?:site|type)$/);
  });

  it('counts many matches by their keys, without reading their values', async () => {
    const [, count] = await listed([{ ...size, operator: 'gt', values: [String(PAGES / 2)] }], PAGES / 2);
    if (count === undefined) throw new Error('no statement');
    const { rows, scans } = await valuesPlan(app().databaseUrl, count);
    expect(scans.join(' ')).toMatch(/filter_keys_order/);
    expect(scans.join(' ')).toMatch(/published_by_(?:site|type)/);
    // The keys that match, and each document of the list in an index.
    expect(rows).toBeLessThan(PAGES * 1.6);
  });

  it('leaves the index out while a type is indexed again', async () => {
    const asked = await listed([above], 1, false);
    expect(asked.map(({ text }) => /filter_(?:keys|documents)/.test(text))).toEqual([false, false, false]);
  });
});

describe('Query plans of published reads', () => {
  const documents = (pool: ReadPool) => new PublishedDocuments(pool, place.environmentId);
  const inList = { locales: ['en'], limit: 25, offset: 0, orderBy: 'updatedAt:desc' } as const;
  it.each<[string, (pool: ReadPool) => Promise<unknown>]>([
    ['an entry', (pool) => documents(pool).byIds([seededId(prefixes.page, 9)], ['en'])],
    ['a slug', (pool) => documents(pool).bySlug({ slug: 'page-9', siteId: project.siteId, locales: ['en'] })],
    [
      'a list',
      (pool) => documents(pool).list({ ...inList, contentTypeId: pageTypeId, siteId: project.siteId }),
    ],
    [
      'a page by cursor',
      (pool) =>
        documents(pool).list({
          ...inList,
          contentTypeId: pageTypeId,
          siteId: project.siteId,
          walk: { after: ['1767226000000000', seededId(prefixes.page, 9)], total: PAGES },
        }),
    ],
    [
      'a list of every site',
      (pool) => documents(pool).list({ ...inList, contentTypeId: pageTypeId, siteId: null }),
    ],
    [
      'a path',
      (pool) =>
        new RouteReader(pool, place.environmentId).entryAt({
          siteId: project.siteId,
          locales: ['en'],
          path: '/page-1/page-2',
          isPreview: false,
        }),
    ],
    [
      'a page of a sitemap',
      (pool) =>
        new SitemapReader(pool, place.environmentId).listed({
          siteId: project.siteId,
          locale: 'en',
          after: '',
          limit: 25,
        }),
    ],
  ])('reads published content with a plan that holds for any values: %s', async (_name, read) => {
    const { pool, asked } = notingPool();
    await read(pool);
    expect(asked).not.toEqual([]);
    for (const statement of asked) {
      const { rows, scans } = await genericPlan(app().databaseUrl, statement);
      // Counters, and owners of blocks where there are few, fit on one page: a sequential scan is cheaper.
      expect(scans.filter((scan) => /^seq (?!published_counts|owned_blocks)/.test(scan))).toEqual([]);
      expect(rows).toBeLessThan(200);
    }
  });

  it('returns all published content in pages from either end', async () => {
    const found: string[] = [];
    const { publishedDocuments } = app().composition.services;
    for (let offset = 0; offset < PAGES * 0.9; offset += 100) {
      const query = { ...inList, limit: 100, offset, contentTypeId: pageTypeId, siteId: project.siteId };
      const { items } = await publishedDocuments(place.environmentId).list(query);
      found.push(...items.map(({ id }) => id));
    }
    const all = Array.from({ length: PAGES }, (_, index) => PAGES - index).filter((n) => n % 10 !== 5);
    expect(found).toEqual(all.map((n) => seededId(prefixes.page, n)));
  });
});
