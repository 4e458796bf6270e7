import { authorsOf, body, prefixes } from './content.js';
import { seededId } from '../seed/bulk-entries.js';
import type { Stage } from './stage.js';

/** One request measured on both projects in turn. */
export interface Measure {
  readonly name: string;
  /** Runs before the clock starts; its result is passed to `run`. */
  prepare?(stage: Stage, round: number): Promise<string>;
  /** Sends one request, different in each `round`, so that no cache has it. */
  run(stage: Stage, round: number, prepared: string): Promise<unknown>;
  /** Runs only every n-th round, for slow requests. */
  readonly every?: number;
  /** Divides the time before comparison. */
  per?(stage: Stage): number;
}

/** A published page number, spread over all pages. */
function pageNumber({ count }: Stage, round: number): number {
  const n = 1 + ((round * 7919) % count);
  return n % 10 === 5 ? n + 1 : n;
}
const pageId = (stage: Stage, round: number): string => seededId(prefixes.page, pageNumber(stage, round));

/** Path of a seeded page, three levels deep in its branch. */
function pathOf(n: number): string {
  const within = (n - 1) % 10_000;
  const root = n - within;
  if (within === 0) return `/page-${String(n)}`;
  if (within <= 100) return `/page-${String(root)}/page-${String(n)}`;
  return `/page-${String(root)}/page-${String(root + 1 + (within % 100))}/page-${String(n)}`;
}

const list = (query: (stage: Stage, round: number) => string): Measure['run'] => {
  return (stage, round) => stage.call('GET', `{main}/entries?contentTypeApiName=page&${query(stage, round)}`);
};
const lastPage = (stage: Stage): string => `page=${String(Math.floor(stage.count / 25))}`;
/** A different limit each round makes a different request. */
const limit = (round: number): string => `limit=${String(20 + (round % 10))}`;

/** The filter is different in each round, with the same matches. */
const filtered = (filter: (stage: Stage, round: number) => string): Measure['run'] => {
  return (stage, round) => stage.call('GET', `{site}/content/page?limit=25&${filter(stage, round)}`);
};
/** Just above a whole number, which no page is between. */
const above = (number: number, round: number): string =>
  `${String(number)}.${String(round).padStart(6, '0')}1`;

const walks = new WeakMap<Stage, Promise<string[]>>();

/** Cursors of ten pages in a row that begin in the middle of the list. */
async function walk(stage: Stage): Promise<string[]> {
  const next = async (cursor: string, size: number): Promise<string> => {
    const path = `{main}/entries?contentTypeApiName=page&cursor=${encodeURIComponent(cursor)}&limit=${String(size)}`;
    return ((await stage.call('GET', path)) as { meta: { nextCursor: string } }).meta.nextCursor;
  };
  let cursor = '*';
  for (let passed = 0; passed < stage.count / 2; passed += 100) cursor = await next(cursor, 100);
  const cursors = [cursor];
  while (cursors.length < 10) cursors.push((cursor = await next(cursor, 25)));
  return cursors;
}

async function middleCursor(stage: Stage, round: number): Promise<string> {
  const walked = walks.get(stage) ?? walk(stage);
  walks.set(stage, walked);
  const cursors = await walked;
  return cursors[round % cursors.length] ?? '';
}

const dataOf = (answer: unknown) => (answer as { data: { id: string; version: number } }).data;

const create = async (stage: Stage, round: number, fields: object = {}): Promise<string> => {
  const name = `new-${String(round)}-${Math.random().toString(36).slice(2)}`;
  const answer = await stage.call('POST', '{main}/entries', {
    contentTypeApiName: 'page',
    siteId: stage.place.siteId,
    treeParentId: seededId(prefixes.node, 2),
    slug: name,
    fields: { title: name, body, ...fields },
  });
  return dataOf(answer).id;
};

const unique = (round: number): string => `new-code-${String(round)}-${Math.random().toString(36).slice(2)}`;
const publish = (stage: Stage, id: string) => stage.call('POST', `{main}/entries/${id}/publish`, {});

const reads: readonly Measure[] = [
  { name: 'list, first page', run: list((_stage, round) => limit(round)) },
  { name: 'list, page 30', run: list((_stage, round) => `page=30&${limit(round)}`) },
  { name: 'list, last page', run: list((stage) => lastPage(stage)) },
  {
    name: 'list, cursor in the middle',
    prepare: middleCursor,
    run: (stage, round, cursor) =>
      list(() => `cursor=${encodeURIComponent(cursor)}&${limit(round)}`)(stage, round, cursor),
  },
  { name: 'list of drafts (a tenth)', run: list((_stage, round) => `status=draft&${limit(round)}`) },
  { name: 'list of changed (a hundredth)', run: list((_stage, round) => `status=changed&${limit(round)}`) },
  {
    name: 'list in a locale, published',
    run: list((_s, round) => `locale=en&status=published&${limit(round)}`),
  },
  {
    name: 'list by creator (a tenth)',
    run: list((_s, round) => `createdBy=actor-${String(round % 10)}&${limit(round)}`),
  },
  {
    name: 'list of a site by last change',
    run: list((s, round) => `siteId=${s.place.siteId}&orderBy=updatedAt:asc&${limit(round)}`),
  },
  {
    name: 'list changed after (last 500)',
    run: list(
      (s, round) =>
        `updatedAfter=${encodeURIComponent(new Date(Date.UTC(2026, 0, 1, 0, 0, s.count - 500)).toISOString())}&${limit(round)}`,
    ),
  },
  { name: 'list by a number field', run: list((_s, round) => `orderBy=fields.size:desc&${limit(round)}`) },
  { name: 'list by a string field', run: list((_s, round) => `orderBy=fields.code:asc&${limit(round)}`) },
  {
    name: 'list, field equals (one)',
    run: list((s, round) => `filter[code][eq]=code-${String(pageNumber(s, round))}&${limit(round)}`),
  },
  {
    name: 'list, number above (last 50)',
    run: list((s, round) => `filter[size][gt]=${above(s.count - 50, round)}&${limit(round)}`),
  },
  {
    name: 'list, number above (half)',
    run: list((s, round) => `filter[size][gt]=${above(s.count / 2, round)}&${limit(round)}`),
  },
  {
    name: 'list, field contains (a hundredth)',
    run: list((_s, round) => `filter[code][contains]=99${String(round % 10)}&${limit(round)}`),
  },
  {
    name: 'list, title contains',
    run: list((stage, round) => `q=${encodeURIComponent(`page ${String(pageNumber(stage, round))}`)}`),
  },
  { name: 'one entry', run: (stage, round) => stage.call('GET', `{main}/entries/${pageId(stage, round)}`) },
  {
    name: 'where used, by 100',
    run: (stage, round) =>
      stage.call(
        'GET',
        `{main}/entries/${seededId(prefixes.author, 1 + (round % authorsOf(stage.count)))}/references?${limit(round)}`,
      ),
  },
  {
    name: 'where used, by every page',
    run: (stage, round) =>
      stage.call('GET', `{main}/entries/${seededId(prefixes.topic, 1)}/references?${limit(round)}`),
  },
  { name: 'tree, one level', run: (stage) => stage.call('GET', `{main}/tree/main?depth=1&locale=en`) },
  {
    name: 'delivery: list, first page',
    run: (stage, round) => stage.call('GET', `{site}/content/page?${limit(round)}`),
  },
  {
    name: 'delivery: list, last page',
    run: (stage) =>
      stage.call('GET', `{site}/content/page?page=${String(Math.floor((stage.count * 0.9) / 25))}`),
  },
  {
    name: 'delivery: title contains (one)',
    run: filtered(
      (stage, round) =>
        `filter[title][contains]=${encodeURIComponent(`age ${String(pageNumber(stage, round))}`)}`,
    ),
  },
  {
    name: 'delivery: number above (last 50)',
    run: filtered((stage, round) => `filter[size][gt]=${above(stage.count - 50, round)}`),
  },
  {
    name: 'delivery: string from (last 10)',
    // All that begins with code-998 is before it.
    run: filtered((_stage, round) => `filter[code][gte]=code-998~${String(round)}`),
  },
  {
    name: 'delivery: body missing (none)',
    run: (stage, round) =>
      stage.call('GET', `{site}/content/page?filter[body][exists]=false&limit=${String(1 + (round % 100))}`),
  },
  {
    name: 'delivery: number above (half)',
    run: filtered((stage, round) => `filter[size][gt]=${above(stage.count / 2, round)}`),
  },
  {
    name: 'delivery: entry by id',
    run: (stage, round) => stage.call('GET', `{site}/entries/${pageId(stage, round)}`),
  },
  {
    name: 'delivery: entry, include=2',
    run: (stage, round) => stage.call('GET', `{site}/entries/${pageId(stage, round)}?include=2`),
  },
  {
    name: 'delivery: route by path',
    run: (stage, round) => stage.call('GET', `{site}/routes?path=${pathOf(pageNumber(stage, round))}`),
  },
  {
    name: 'delivery: sitemap page, a URL',
    every: 7,
    per: ({ count }) => Math.min(50_000, count * 0.9),
    run: (stage) => stage.call('GET', '{site}/sitemap?format=json'),
  },
];

const writes: readonly Measure[] = [
  { name: 'create, its slug looked up', run: (stage, round) => create(stage, round) },
  {
    name: 'create with a unique field',
    run: (stage, round) => create(stage, round, { code: unique(round) }),
  },
  {
    name: 'update',
    prepare: (stage, round) => create(stage, round),
    run: (stage, round, id) =>
      stage.call('PUT', `{main}/entries/${id}`, { version: 1, fields: { title: `Again ${String(round)}` } }),
  },
  {
    name: 'publish with a unique field',
    prepare: (stage, round) => create(stage, round, { code: unique(round) }),
    run: (stage, _round, id) => publish(stage, id),
  },
  {
    name: 'unpublish',
    prepare: async (stage, round) => {
      const id = await create(stage, round);
      await publish(stage, id);
      return id;
    },
    run: (stage, _round, id) => stage.call('POST', `{main}/entries/${id}/unpublish`, {}),
  },
  {
    name: 'delete',
    prepare: (stage, round) => create(stage, round),
    run: (stage, _round, id) => stage.call('DELETE', `{main}/entries/${id}`),
  },
];

/** All measures in report order. */
export const measures: readonly Measure[] = [...reads, ...writes];
