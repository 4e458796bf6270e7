import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { limits } from '../../contracts/limits.js';
import type { AssetFilter } from '../../src/features/media/media/assets/asset-filter-sql.js';
import { AssetListRepository } from '../../src/features/media/media/assets/asset-list.repository.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { assetPrefixes, seedAssets } from '../bench/growth/assets.js';
import { seededId } from '../bench/seed/bulk-entries.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { explaining, type Touched } from './plans.js';

const app = useOwnApp();
/** Enough rows for PostgreSQL to prefer an index. */
const ASSETS = 4000;
/** Rows that the statements of a page of 25 can touch. A sequential scan touches 4,000 or more. */
const BOUND = 1000;

let project: TestProject;
let environmentId: string;

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en', 'de'] });
  const [head] = await app().rows<{ environment_id: string }>(
    project.tenantId,
    'SELECT environment_id FROM environment_heads WHERE project_id = $1',
    [project.projectId],
  );
  environmentId = head?.environment_id ?? '';
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedAssets(client, { tenantId: project.tenantId, siteId: project.siteId, environmentId }, ASSETS);
  await client.end();
});

interface Query extends Partial<AssetFilter> {
  readonly orderBy?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const everything: AssetFilter = {
  folderId: null,
  mimeType: null,
  tags: null,
  siteIds: null,
  missingAltText: null,
  ids: null,
  sourceChecksums: null,
  isUnused: null,
  contains: null,
};

/** Runs a list and returns the plans of its statements. */
async function list({ orderBy = 'updatedAt:desc', limit = 25, offset = 0, ...filter }: Query) {
  const taken: Touched[] = [];
  const { tenantId, projectId } = project;
  const scope = {
    ...systemScope({ command: 'test' }),
    tenantId,
    projectId,
    environmentId,
    isPlatform: false,
  };
  const request = { scope, isReadOnly: true, lock: 'none' } as const;
  const { items, total } = await app().composition.services.units.run(request, (work) =>
    work
      .use(explaining(AssetListRepository, taken))
      .list({ ...everything, ...filter }, { orderBy, limit, offset, locales: ['en'] }),
  );
  return { ids: items.map(({ asset }) => asset.id), total, taken };
}

/** What is seeded under a number, newest first. */
const seeded = Array.from({ length: ASSETS }, (_, index) => {
  const n = index + 1;
  return {
    id: seededId(assetPrefixes.asset, n),
    name: `file-${String(n)}`,
    isUnused: n % 2 === 1,
    type: ['application/pdf', 'image/jpeg', 'image/png'][n % 3] ?? '',
    isOnSite: n % 4 === 0,
    isHalf: n % 2 === 0,
    group: Math.floor(n / 20),
    hasText: n % 3 === 1,
  };
});
type Seeded = (typeof seeded)[number];

const isPicture = ({ type }: Seeded): boolean => type.startsWith('image/');
const lacks = (asset: Seeded): boolean => isPicture(asset) && !asset.hasText;

const site = (): Query => ({ siteIds: [project.siteId] });
const half: Query = { tags: ['half'] };
const missing: Query = { missingAltText: 'en' };
const png: Query = { mimeType: 'image/png' };
const pictures: Query = { mimeType: 'image/' };
const folder = (group: number): Query => ({ folderId: seededId(assetPrefixes.folder, group) });

type Case = readonly [name: string, query: () => Query, matches: (asset: Seeded) => boolean];

const counted: readonly Case[] = [
  ['everything', () => ({}), () => true],
  ['of a folder', () => folder(7), ({ group }) => group === 7],
  [
    'of a folder and a type',
    () => ({ ...folder(7), ...png }),
    ({ group, type }) => group === 7 && type === 'image/png',
  ],
  ['unused pictures', () => ({ isUnused: true, ...pictures }), (asset) => asset.isUnused && isPicture(asset)],
  ['of a site', site, ({ isOnSite }) => isOnSite],
  ['of a site, pictures', () => ({ ...site(), ...pictures }), (asset) => asset.isOnSite && isPicture(asset)],
  ['of a rare tag', () => ({ tags: ['group-9'] }), ({ group }) => group === 9],
  ['of a tag of half of them', () => half, ({ isHalf }) => isHalf],
  ['without text', () => missing, lacks],
  ['without text in a locale that no asset has', () => ({ missingAltText: 'de' }), isPicture],
  ['of a site, without text', () => ({ ...site(), ...missing }), (asset) => asset.isOnSite && lacks(asset)],
  ['part of a name', () => ({ contains: 'ILE-12' }), ({ name }) => name.includes('ile-12')],
  ['a title', () => ({ contains: 'title 1000' }), ({ name }) => name === 'file-1000'],
  ['two letters', () => ({ contains: '-7' }), ({ name }) => name.includes('-7')],
  ['a letter that occurs nowhere', () => ({ contains: 'ß' }), () => false],
  ['a pattern of LIKE', () => ({ contains: '%' }), () => false],
];

/** Totals of these count the rows that the first filter matches. */
const walked: readonly Case[] = [
  ['of two tags', () => ({ tags: ['half', 'group-9'] }), ({ isHalf, group }) => isHalf || group === 9],
  ['of a site and a tag', () => ({ ...site(), ...half }), ({ isOnSite, isHalf }) => isOnSite && isHalf],
  [
    'of a tag, unused',
    () => ({ tags: ['group-9'], isUnused: true }),
    ({ group, isUnused }) => group === 9 && isUnused,
  ],
  [
    'without text, of a type',
    () => ({ ...missing, ...png }),
    (asset) => lacks(asset) && asset.type === 'image/png',
  ],
  [
    'of a site, part of a name',
    () => ({ ...site(), contains: 'e-12' }),
    ({ isOnSite, name }) => isOnSite && name.includes('e-12'),
  ],
];

describe('Lists of assets', () => {
  verifies('media/filters');

  it.each([...counted, ...walked])(
    'have the matches in order, and their number: %s',
    async (_name, query, matches) => {
      const expected = seeded.filter(matches).map(({ id }) => id);
      for (const [orderBy, ids] of [
        ['updatedAt:desc', expected],
        ['updatedAt:asc', expected.toReversed()],
        ['createdAt:desc', expected],
      ] as const) {
        const page = await list({ ...query(), orderBy, limit: 20, offset: 5 });
        expect(page.ids).toEqual(ids.slice(5, 25));
        expect(page.total).toBe(ids.length);
      }
    },
  );

  it('stop counting the matches of a common string, and list them in order', async () => {
    for (const [contains, matches] of [
      ['file', () => true],
      ['e-3', ({ name }) => name.includes('e-3')],
    ] as readonly (readonly [string, (asset: Seeded) => boolean])[]) {
      const expected = seeded.filter(matches).map(({ id }) => id);
      for (const offset of [0, 900]) {
        const { ids, total } = await list({ contains, offset });
        expect(total).toBe(Math.min(expected.length, limits.mediaMatchesCounted));
        expect(ids).toEqual(expected.slice(offset, offset + 25));
      }
    }
  });
});

describe('Cost of a list of assets', () => {
  verifies('media/list-totals');

  it.each(counted)('is that of a page and of counters: %s', async (_name, query) => {
    const { taken } = await list(query());
    expect(taken).toHaveLength(query().contains === undefined ? 2 : 1);
    for (const { rows } of taken) expect(rows).toBeLessThan(BOUND);
  });

  it.each(walked)('is that of a page, and of the matches for the total: %s', async (_name, query) => {
    const { taken } = await list(query());
    const [fewer = 0] = taken.map(({ rows }) => rows).sort((a, b) => a - b);
    expect(fewer).toBeLessThan(BOUND);
  });

  it.each(['name:asc', 'name:desc'])('is that of a page and of counters in the order %s', async (orderBy) => {
    const { taken } = await list({ orderBy, offset: 100 });
    expect(taken).toHaveLength(2);
    for (const { rows } of taken) expect(rows).toBeLessThan(BOUND);
  });

  it('is bounded for a string that every name contains', async () => {
    const { taken } = await list({ contains: 'file' });
    const [total, page] = taken;
    expect(total?.rows).toBeLessThanOrEqual(3 * limits.mediaMatchesCounted);
    expect(page?.rows).toBeLessThan(BOUND);
  });
});
