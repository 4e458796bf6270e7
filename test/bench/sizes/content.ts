import type pg from 'pg';
import type { NewContentType } from '../../../src/cli/client/rest-operations.js';
import { linkSql, seedEntries, type BulkPlace } from '../seed/bulk-entries.js';
import { seedTree } from '../seed/bulk-tree.js';

/** Articles below one tree root. */
const BRANCH = 10_000;
const ARTICLES_PER_AUTHOR = 20;
const CATEGORIES = 100;
/** Articles per seed transaction. */
const CHUNK = 50_000;

export const prefixes = {
  article: '01900000-0000-7000-a000-',
  node: '01900000-0000-7000-9000-',
  author: '01900000-0000-7000-b000-',
  category: '01900000-0000-7000-8000-',
} as const;

const to = {
  author: { typeApiName: 'author', idPrefix: prefixes.author },
  category: { typeApiName: 'category', idPrefix: prefixes.category },
} as const;

const name = { apiName: 'name', type: 'text' } as const;

/** The types of the benchmark, with articles in the tree so that paths and sitemap grow. */
export const types: readonly Omit<NewContentType, 'projectSlug'>[] = [
  { apiName: 'author', name: 'Author', fields: [name] },
  { apiName: 'category', name: 'Category', fields: [name] },
  {
    apiName: 'article',
    name: 'Article',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'body', type: 'longText' },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
      { apiName: 'categories', type: 'reference', isList: true, settings: { contentTypes: ['category'] } },
    ],
  },
];

/** 2 KB. */
export const body = 'The quick brown fox jumps over the lazy dog, again. '.repeat(40).slice(0, 2048);

export const authorsOf = (count: number): number => Math.max(1, Math.ceil(count / ARTICLES_PER_AUTHOR));

export function pathOf(n: number): string {
  const within = (n - 1) % BRANCH;
  const root = n - within;
  if (within === 0) return `/article-${String(n)}`;
  if (within <= 100) return `/article-${String(root)}/article-${String(n)}`;
  return `/article-${String(root)}/article-${String(root + 1 + (within % 100))}/article-${String(n)}`;
}

const root = `n - (n - 1) % ${String(BRANCH)}`;
const within = `(n - 1) % ${String(BRANCH)}`;
const parent = `CASE WHEN ${within} = 0 THEN NULL WHEN ${within} <= 100 THEN ${root} ELSE ${root} + 1 + ${within} % 100 END`;

const articleFields = (authors: number): string => {
  const categories = [0, 1, 2].map((step) =>
    linkSql(to.category, `1 + (n + ${String(step)}) % ${String(CATEGORIES)}`),
  );
  return `jsonb_build_object('title', 'Article ' || n, 'body', '${body}', 'author', ${linkSql(to.author, `1 + n % ${String(authors)}`)},
    'categories', jsonb_build_array(${categories.join(', ')}))`;
};

/** Tables whose foreign keys the seed satisfies by construction; checking them would take most of its time. */
const tables = [
  'entries',
  'entry_locales',
  'entry_versions',
  'entry_publications',
  'entry_links',
  'published_entries',
  'tree_nodes',
  'routes',
];

/** Runs `work` without foreign key checks; counting triggers still run. */
async function withoutKeyChecks(superuser: pg.Client, work: () => Promise<void>): Promise<void> {
  for (const table of tables)
    await superuser.query(
      `ALTER TABLE ${table} DISABLE TRIGGER ALL; ALTER TABLE ${table} ENABLE TRIGGER USER`,
    );
  await work();
  for (const table of tables) await superuser.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
}

/**
 * Published articles with an author, three categories and a tree node each. @param superuser needed to disable
 * foreign key checks
 */
export async function seedArticles(superuser: pg.Client, place: BulkPlace, count: number): Promise<void> {
  const locale = 'en';
  const nameOf = (of: string) => `jsonb_build_object('name', '${of} ' || n)`;
  const authors = authorsOf(count);
  await superuser.query(
    "SET work_mem = '128MB'; SET temp_buffers = '128MB'; SET max_parallel_workers_per_gather = 0; SET max_parallel_maintenance_workers = 0",
  );
  await withoutKeyChecks(superuser, async () => {
    for (const entries of [
      {
        ...to.author,
        count: authors,
        slug: "'author-' || n",
        title: "'Author ' || n",
        fields: nameOf('Author'),
      },
      {
        ...to.category,
        count: CATEGORIES,
        slug: "'category-' || n",
        title: "'Category ' || n",
        fields: nameOf('Category'),
      },
    ])
      await seedEntries(superuser, place, { ...entries, locale });
    for (let from = 1; from <= count; from += CHUNK)
      await seedEntries(superuser, place, {
        typeApiName: 'article',
        idPrefix: prefixes.article,
        from,
        count: Math.min(CHUNK, count - from + 1),
        locale,
        slug: "'article-' || n",
        title: "'Article ' || n",
        fields: articleFields(authors),
        isInTree: true,
        links: ['author', 'categories'],
      });
    const at = { entryIdPrefix: prefixes.article, nodeIdPrefix: prefixes.node, locale };
    await seedTree(superuser, place, { ...at, count, parent, depth: 2 });
  });
  await superuser.query('VACUUM (ANALYZE)');
}
