import type pg from 'pg';
import type { Jobs } from '../../../src/process/parts/jobs.js';
import type { NewContentType } from '../../../src/cli/client/rest-operations.js';
import { linkSql, seedEntries, type BulkPlace } from '../seed/bulk-entries.js';
import { seedTree } from '../seed/bulk-tree.js';

/** Pages below one root, which move together. */
export const BRANCH = 10_000;
/** Pages per author. */
const PAGES_PER_AUTHOR = 100;
/** Actors with a tenth of the pages each. */
const ACTORS = 10;

export const prefixes = {
  page: '01900000-0000-7000-a000-',
  node: '01900000-0000-7000-9000-',
  author: '01900000-0000-7000-b000-',
  topic: '01900000-0000-7000-8000-',
} as const;

const to = {
  author: { typeApiName: 'author', idPrefix: prefixes.author },
  topic: { typeApiName: 'topic', idPrefix: prefixes.topic },
} as const;

/** Pages, a hundredth as many authors, and one topic. */
export const types: readonly Omit<NewContentType, 'projectSlug'>[] = [
  { apiName: 'author', name: 'Author', fields: [{ apiName: 'name', type: 'text' }] },
  { apiName: 'topic', name: 'Topic', fields: [{ apiName: 'name', type: 'text' }] },
  {
    apiName: 'page',
    name: 'Page',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text', required: true, localized: true },
      { apiName: 'body', type: 'longText', localized: true },
      { apiName: 'size', type: 'number', localized: true },
      { apiName: 'author', type: 'reference', localized: false, settings: { contentTypes: ['author'] } },
      { apiName: 'topic', type: 'reference', localized: false, settings: { contentTypes: ['topic'] } },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    ],
  },
];

/** 2 KB. */
export const body = 'The quick brown fox jumps over the lazy dog, again. '.repeat(40).slice(0, 2048);

/** Number of authors of `count` pages. */
export const authorsOf = (count: number): number => Math.max(1, count / PAGES_PER_AUTHOR);

/**
 * Every tenth page is a draft, every hundredth has a newer draft. A branch has at most {@link BRANCH} pages: a
 * root, a hundred below it, the others below these.
 */
export async function seedPages(client: pg.Client, place: BulkPlace, count: number): Promise<void> {
  const locale = 'en';
  const name = (of: string) => `jsonb_build_object('name', '${of} ' || n)`;
  const authors = authorsOf(count);
  const seeded = [
    { ...to.author, count: authors, slug: "'author-' || n", title: "'Author ' || n", fields: name('Author') },
    { ...to.topic, count: 1, slug: "'topic-' || n", title: "'Topic ' || n", fields: name('Topic') },
  ];
  for (const entries of seeded) await seedEntries(client, place, { ...entries, locale });
  await seedEntries(client, place, {
    typeApiName: 'page',
    idPrefix: prefixes.page,
    count,
    locale,
    slug: "'page-' || n",
    title: "'Page ' || n",
    fields: `jsonb_build_object('title', 'Page ' || n, 'body', '${body}', 'size', n)`,
    sharedFields: `jsonb_build_object('code', 'code-' || n, 'author', ${linkSql(to.author, `1 + n % ${String(authors)}`)}, 'topic', ${linkSql(to.topic, '1')})`,
    isPublished: 'n % 10 <> 5',
    isChanged: 'n % 100 = 99',
    actorId: `'actor-' || n % ${String(ACTORS)}`,
    links: ['author', 'topic'],
    uniqueFields: ['code'],
  });
  const root = `n - (n - 1) % ${String(BRANCH)}`;
  const within = `(n - 1) % ${String(BRANCH)}`;
  await seedTree(client, place, {
    entryIdPrefix: prefixes.page,
    nodeIdPrefix: prefixes.node,
    locale,
    count,
    parent: `CASE WHEN ${within} = 0 THEN NULL WHEN ${within} <= 100 THEN ${root} ELSE ${root} + 1 + ${within} % 100 END`,
    depth: 2,
  });
  // Triggers note what is published, and were off.
  await client.query(
    'INSERT INTO filter_notes (environment_id, content_type_id) SELECT DISTINCT environment_id, content_type_id FROM published_entries WHERE environment_id = $1',
    [place.environmentId],
  );
  await client.query('ANALYZE');
}

/** Indexes seeded pages for delivery filters. */
export async function indexSeeded(client: pg.Client, jobs: Pick<Jobs, 'indexFilters'>): Promise<void> {
  await jobs.indexFilters();
  await client.query('VACUUM ANALYZE filter_documents, filter_keys');
}
