import type { RichTextNode } from '../../contracts/rich-text.js';
import { referencesOf } from '../../src/content/field-kinds/rich-text.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importPages, type ImportOptions } from '../../src/cli/import/import-pages.js';
import { type ImportReport, summarize } from '../../src/cli/import/import-run.js';
import type { PageLine } from '../../src/cli/import/read-lines.js';
import type { OperationsClient } from '../../src/cli/client/operations-client.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';
import { linesOf, routesIn, routesOf, sitemapOf } from './page-routes.js';
import { verifies } from '../support/verifies.js';

verifies('routing/tree-import');

const fixture = fileURLToPath(new URL('../fixtures/pages.jsonl', import.meta.url));
const noProgress = { start: () => undefined, advance: () => undefined, stop: () => undefined };

let host: CliHost;
let client: OperationsClient;
let directory: string;

beforeAll(async () => {
  host = await openCliHost();
  client = await adminOf(host);
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-import-'));
});

afterAll(async () => {
  await host.close();
  await rm(directory, { recursive: true });
});

const run = (project: string, file = fixture, more: Partial<ImportOptions> = {}): Promise<ImportReport> =>
  importPages({
    client,
    file,
    destination: { project, site: 'main' },
    isPublishing: true,
    concurrency: 4,
    progress: noProgress,
    ...more,
  });

async function fileOf(...lines: (object | string)[]): Promise<string> {
  const file = path.join(directory, `${String(Math.random()).slice(2)}.jsonl`);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, texts.join('\n'));
  return file;
}

const page = (key: string, more: object = {}): object => ({
  key,
  parent: null,
  position: 0,
  locale: 'en',
  slug: key,
  title: key.toUpperCase(),
  html: `<p>${key}</p>`,
  links: [],
  ...more,
});

async function entriesOf(projectSlug: string, locale: string) {
  const { data } = await client.call('entries', 'list', {
    projectSlug,
    locale,
    limit: 100,
    orderBy: 'createdAt:asc',
  });
  return new Map(data.map((entry) => [String(entry.fields.key), entry]));
}

/** Keys in tree order, indented by depth. */
async function treeOf(projectSlug: string): Promise<string[]> {
  const keys = new Map([...(await entriesOf(projectSlug, 'en'))].map(([key, { id }]) => [id, key]));
  const { data } = await client.call('tree', 'get', { projectSlug, siteSlug: 'main', flat: true });
  return data.map(({ depth, entryId }) => '  '.repeat(depth) + (keys.get(entryId ?? '') ?? '?'));
}

const treeOfFixture = [
  ...['afloat', '  before', '  lock', '  signals', '  gauge'],
  ...['ashore', '  mooring', '  tea', '  addresses'],
  ...['wildlife', '  otter', '  owl'],
];

describe('The imported fixture', () => {
  let first: ImportReport;

  beforeAll(async () => {
    first = await run('afloat');
  });

  test('creates the missing tenant, project, site and type, and publishes every page in every locale', async () => {
    expect(first.created).toEqual(['tenant afloat', 'project afloat', 'site main', 'content type page']);
    expect(first.problems).toEqual(new Map());
    expect(first.versions).toEqual({ created: 36, updated: 0, unchanged: 0, published: 36 });
    const entries = await entriesOf('afloat', 'de');
    expect(entries.size).toBe(12);
    expect([...entries.values()].every(({ locales }) => locales.length === 3)).toBe(true);
    expect(
      [...entries.values()].every(({ locales }) => locales.every(({ status }) => status === 'published')),
    ).toBe(true);
  });

  test('has the title and slug of each locale and the shared values', async () => {
    const entries = await entriesOf('afloat', 'fr');
    const lock = entries.get('lock');
    const idOf = (key: string) => ({ _ref: entries.get(key)?.id, _type: 'page' });
    expect(lock).toMatchObject({
      slug: 'passer-une-ecluse',
      fields: { title: 'Passer une écluse', key: 'lock', position: 1 },
    });
    expect(lock?.fields.parent).toEqual(idOf('afloat'));
    expect(lock?.fields.related).toEqual([idOf('before')]);
  });

  test('links pages as entries where their HTML links to the anchor of one', async () => {
    const entries = await entriesOf('afloat', 'fr');
    const { body } = entries.get('lock')?.fields as { body: RichTextNode };
    const entryId = entries.get('before')?.id;
    expect(referencesOf(body)).toEqual([{ to: 'entry', id: entryId, as: 'link' }]);
    expect(JSON.stringify(body)).not.toContain('"href":"#before"');
  });

  test('uses and counts the default locale’s shared values when lines differ', async () => {
    expect(first.deviatingLines).toBe(4);
    expect((await entriesOf('afloat', 'de')).get('wildlife')?.fields.position).toBe(2);
  });

  test('counts links to unknown pages and dropped content', () => {
    expect(first.linksWithoutPage).toEqual({ links: 7, anchors: 3 });
    expect(first.tally.refusedLinks).toEqual(new Map([['ftp', 3]]));
    expect(first.tally.droppedTags.get('img')).toBe(3);
    expect(summarize(first)).toContain(
      'Locale versions:     36 created, 0 updated, 0 unchanged, 36 published',
    );
  });

  test("has the tree of the file and resolves each page's path in every locale", async () => {
    expect(await routesOf(host, 'afloat')).toEqual(routesIn(await linesOf(fixture), 'en'));
    expect(await treeOf('afloat')).toEqual(treeOfFixture);
  });

  test('lists each page and locale once in the sitemap, with its alternates', async () => {
    const urls = await sitemapOf(host, 'afloat');
    expect(urls).toHaveLength(36);
    expect(new Set(urls.map(({ loc }) => loc)).size).toBe(36);
    expect(
      urls.find(({ path: outside }) => outside === '/fr/sur-l-eau/passer-une-ecluse')?.alternates,
    ).toEqual([
      { hreflang: 'en', href: `${host.baseUrl}/afloat/through-a-lock` },
      { hreflang: 'de', href: `${host.baseUrl}/de/unterwegs/durch-die-schleuse` },
      { hreflang: 'fr', href: `${host.baseUrl}/fr/sur-l-eau/passer-une-ecluse` },
      { hreflang: 'x-default', href: `${host.baseUrl}/afloat/through-a-lock` },
    ]);
  });

  test('creates no redirects, because parents are published before their children', async () => {
    expect((await client.call('redirects', 'list', { projectSlug: 'afloat' })).meta.total).toBe(0);
  });

  test('is unchanged by a second import', async () => {
    const before = await entriesOf('afloat', 'en');
    const second = await run('afloat');
    expect(second.moved).toBe(0);
    expect(second.versions).toEqual({ created: 0, updated: 0, unchanged: 36, published: 0 });
    expect(second.created).toEqual([]);
    expect(await entriesOf('afloat', 'en')).toEqual(before);
  });

  test('is changed only where the file differs', async () => {
    const lines = (await readFile(fixture, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const changed = lines.map((line) => {
      if (line.key === 'owl' && line.locale === 'de') return { ...line, title: 'Der Kauz' };
      return line.key === 'tea' ? { ...line, position: 7 } : line;
    });
    const report = await run('afloat', await fileOf(...changed));
    // A position is shared, so changing it publishes each locale again.
    expect(report.versions).toEqual({ created: 0, updated: 2, unchanged: 34, published: 4 });
    expect((await entriesOf('afloat', 'de')).get('owl')?.fields.title).toBe('Der Kauz');
    expect(report.moved).toBe(1);
    expect((await treeOf('afloat')).slice(6, 9)).toEqual(['  mooring', '  addresses', '  tea']);
  });

  test('moves flat pages into the tree and redirects their old paths', async () => {
    const entries = await entriesOf('afloat', 'en');
    const nodeOf = (key: string) => entries.get(key)?.treeNodeId ?? '';
    for (const key of ['before', 'lock', 'signals', 'gauge', 'mooring', 'addresses', 'otter', 'owl'])
      await client.call('tree', 'moveNode', {
        projectSlug: 'afloat',
        id: nodeOf(key),
        parentId: null,
        position: 0,
      });
    await client.call('tree', 'deleteNode', { projectSlug: 'afloat', id: nodeOf('tea') });
    const report = await run('afloat');
    expect(report.problems).toEqual(new Map());
    expect(report.moved).toBe(9);
    expect(report.versions.created).toBe(0);
    expect(await treeOf('afloat')).toEqual(treeOfFixture);
    expect(await routesOf(host, 'afloat')).toEqual(routesIn(await linesOf(fixture), 'en'));
    const { data } = await host.request
      .get('/api/delivery/projects/afloat/sites/main/routes?path=/de/die-eule')
      .then(({ body }) => body as { data: unknown });
    expect(data).toEqual({ kind: 'redirect', target: '/de/tierwelt/die-eule', status: 301 });
    expect((await run('afloat')).moved).toBe(0);
  });
});

test('import without publishing keeps drafts, which a later import publishes', async () => {
  const file = await fileOf(page('a'), page('b'));
  expect((await run('drafts', file, { isPublishing: false })).versions).toEqual({
    created: 2,
    updated: 0,
    unchanged: 0,
    published: 0,
  });
  expect((await entriesOf('drafts', 'en')).get('a')?.status).toBe('draft');
  expect((await run('drafts', file)).versions).toEqual({
    created: 0,
    updated: 0,
    unchanged: 2,
    published: 2,
  });
});

test('import reports each invalid line with number and reason and imports the others', async () => {
  const { parent: _parent, ...parentless } = page('e') as Record<string, unknown>;
  const file = await fileOf(
    '\uFEFF' + JSON.stringify(page('a', { links: ['b', 'nowhere'] })),
    'not JSON',
    '',
    '[1]',
    page('a'),
    parentless,
    page('c', { parent: 'nobody' }),
    page('b', { slug: 'a' }),
    page('d', { locale: 'EN_us', title: '' }),
    page('deep', { html: '<div>'.repeat(60_000) }),
    page('z', { parent: 'a' }),
    page('snake', { parent: 'tail' }),
    page('tail', { parent: 'snake' }),
  );
  const { problems, versions, linksWithoutPage } = await run('bad', file, { concurrency: 1 });
  expect([...problems.keys()].sort((a, b) => a - b)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 12, 13]);
  expect(versions.created).toBe(2);
  expect(linksWithoutPage.links).toBe(0);
  expect(problems.get(2)).toBe('is not JSON');
  expect(problems.get(4)).toBe('is not an object');
  expect(problems.get(5)).toBe('repeats a in en of line 1');
  expect(problems.get(6)).toBe('lacks the key parent');
  expect(problems.get(7)).toBe('has the parent nobody, which is not a page');
  expect(problems.get(8)).toMatch(/^slug_conflict: /);
  expect(problems.get(9)).toMatch(/^locale: .*; title: /);
  expect(problems.get(10)).toBe('its HTML is nested too deeply');
  expect(problems.get(12)).toBe('its parents form a cycle');
});

test('import builds the same tree for any order of lines', async () => {
  const lines = await linesOf<PageLine>(fixture);
  await run('backwards', await fileOf(...lines.toReversed()));
  expect(await treeOf('backwards')).toEqual(treeOfFixture);
});

test('import links to pages of an earlier import', async () => {
  await run('parts', await fileOf(page('top')));
  const { problems } = await run('parts', await fileOf(page('below', { parent: 'top', links: ['top'] })));
  expect(problems).toEqual(new Map());
  const entries = await entriesOf('parts', 'en');
  expect(entries.get('below')?.fields.parent).toEqual({ _ref: entries.get('top')?.id, _type: 'page' });
});

test('import rejects lines in a locale that the site does not have', async () => {
  await run('english', await fileOf(page('a')));
  const { problems } = await run('english', await fileOf(page('a'), page('a', { locale: 'ja' })));
  expect([...problems]).toEqual([[2, expect.stringMatching(/^is in ja, which the site main does not have/)]]);
});

test('import fails with one line when the file or the destination is unusable', async () => {
  await expect(run('none', path.join(directory, 'missing.jsonl'))).rejects.toThrow('no such file');
  await run('typed', await fileOf(page('a')));
  await client.call('fields', 'delete', {
    projectSlug: 'typed',
    contentTypeApiName: 'page',
    fieldApiName: 'related',
  });
  await expect(run('typed', await fileOf(page('a')))).rejects.toThrow('lacks the fields related (reference)');
});
