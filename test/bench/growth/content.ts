import type pg from 'pg';
import type { NewContentType } from '../../../src/cli/client/operations-client.js';
import { linkSql, seedEntries, type BulkPlace } from '../seed/bulk-entries.js';
import { seedTree } from '../seed/bulk-tree.js';

/** Pages below one root: moving it moves all of them. */
export const BRANCH = 10_000;
/** Pages that share an author; fewer authors than pages by this factor. */
const PAGES_PER_AUTHOR = 100;
/** Actors that write; each has a tenth of the pages. */
const ACTORS = 10;

/** Prefixes of the seeded ids. */
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

/** The types of a growing project: pages are the many, authors a hundredth of them, and there is one topic. */
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
      { apiName: 'author', type: 'reference', localized: false, settings: { contentTypes: ['author'] } },
      { apiName: 'topic', type: 'reference', localized: false, settings: { contentTypes: ['topic'] } },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    ],
  },
];

/** A body of 2 KB. */
export const body = 'The quick brown fox jumps over the lazy dog, again. '.repeat(40).slice(0, 2048);

/** How many of `count` pages have authors of their own. */
export const authorsOf = (count: number): number => Math.max(1, count / PAGES_PER_AUTHOR);

/**
 * Every tenth page is a draft, every hundredth has a newer draft. Pages stand in branches of at most
 * {@link BRANCH}: a root, a hundred pages below it, and the others below these.
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
    fields: `jsonb_build_object('title', 'Page ' || n, 'body', '${body}')`,
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
  await client.query('ANALYZE');
}
