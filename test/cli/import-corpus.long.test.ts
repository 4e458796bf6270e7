import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importPages } from '../../src/cli/import/import-pages.js';
import type { OperationsClient } from '../../src/cli/client/operations-client.js';
import { searchQuality } from '../bench/search/quality.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';
import { linesOf, routesIn, routesOf, sitemapOf } from './page-routes.js';

const corpus = fileURLToPath(new URL('../../../shared/corpus/debian-faq.jsonl', import.meta.url));
const hasCorpus = existsSync(corpus);
const skipReason = hasCorpus ? '' : ' (skipped: shared/corpus/debian-faq.jsonl is not beside the checkout)';
const testWithCorpus = hasCorpus ? test : test.skip;

const projectSlug = 'debian-faq';
const noProgress = { start: () => undefined, advance: () => undefined, stop: () => undefined };
const sampledLocales = ['en', 'ja', 'de'];

interface CorpusLine {
  readonly key: string;
  readonly parent: string | null;
  readonly locale: string;
  readonly slug: string;
  readonly title: string;
  readonly html: string;
}

interface DeliveredList {
  readonly data: readonly {
    readonly _slug: string;
    readonly _locale: string;
    readonly fields: {
      readonly key: string;
      readonly title: string;
      readonly body: { readonly text: string };
    };
  }[];
  readonly meta: { readonly pages: number };
}

interface QueryAnswer {
  readonly errors?: unknown;
  readonly data: {
    readonly pageCollection: {
      readonly total: number;
      readonly items: readonly {
        readonly _slug: string;
        readonly _locale: string;
        readonly key: string;
        readonly title: string;
        readonly body: { readonly text: string };
      }[];
    };
  };
}

/** Title, slug and text of each page by key. */
type Pages = ReadonlyMap<string, readonly [title: string, slug: string, text: string]>;

const inlineTags = /<\/?(?:a|code|em|span|strong|sup)\b[^>]*>/g;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', amp: '&' };
const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The text of HTML without a parser: block tags become spaces, others vanish. */
function textOf(html: string): string {
  const text = html.replace(inlineTags, '').replace(/<[^>]*>/g, ' ');
  return collapseSpace(text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole));
}

let host: CliHost;
let key: string;
let client: OperationsClient;

beforeAll(async () => {
  if (!hasCorpus) return;
  host = await openCliHost();
  client = await adminOf(host);
  const options = { isPublishing: true, concurrency: 6, progress: noProgress };
  const report = await importPages({
    client,
    file: corpus,
    destination: { project: projectSlug, site: 'main' },
    ...options,
  });
  expect(report.problems).toEqual(new Map());
  expect(report.pages).toBe(162);
  expect(report.versions).toEqual({ created: 1620, updated: 0, unchanged: 0, published: 1620 });
  key = (await client.call('apiKeys', 'create', { projectSlug, name: 'Reader', type: 'delivery' })).data
    .secret;
}, 180_000);

afterAll(async () => {
  if (hasCorpus) await host.close();
});

async function pagesInFile(locale: string): Promise<Pages> {
  const lines = await linesOf<CorpusLine>(corpus);
  const wanted = lines.filter((line) => line.locale === locale);
  return new Map(wanted.map(({ key: page, title, slug, html }) => [page, [title, slug, textOf(html)]]));
}

async function pagesByRest(locale: string): Promise<Pages> {
  const pages = new Map<string, [string, string, string]>();
  for (let page = 1, last = 1; page <= last; page += 1) {
    const path = `/api/delivery/projects/${projectSlug}/sites/main/content/page?locale=${locale}&limit=100&page=${String(page)}`;
    const response = await host.request.get(path);
    expect(response.status).toBe(200);
    const { data, meta } = response.body as DeliveredList;
    for (const { _slug, _locale, fields } of data) {
      expect(_locale).toBe(locale);
      pages.set(fields.key, [fields.title, _slug, collapseSpace(fields.body.text)]);
    }
    last = meta.pages;
  }
  return pages;
}

const query = `query ($locale: String!, $skip: Int!) {
  pageCollection(site: "main", locale: $locale, limit: 100, skip: $skip) {
    total
    items { _slug _locale key title body { text } parent { key } }
  }
}`;

async function pagesByGraphql(locale: string): Promise<Pages> {
  const pages = new Map<string, [string, string, string]>();
  for (let skip = 0, total = 1; skip < total; skip += 100) {
    const response = await host.request
      .post(`/api/graphql/${projectSlug}`)
      .set('Authorization', `Bearer ${key}`)
      .send({ query, variables: { locale, skip } });
    const { errors, data } = response.body as QueryAnswer;
    expect(errors).toBeUndefined();
    const collection = data.pageCollection;
    for (const item of collection.items) {
      expect(item._locale).toBe(locale);
      pages.set(item.key, [item.title, item._slug, collapseSpace(item.body.text)]);
    }
    total = collection.total;
  }
  return pages;
}

testWithCorpus.each(sampledLocales)(
  `serves every corpus page in %s as in the file, over REST and GraphQL${skipReason}`,
  async (locale) => {
    const expected = await pagesInFile(locale);
    expect(expected.size).toBe(162);
    expect(await pagesByRest(locale)).toEqual(expected);
    expect(await pagesByGraphql(locale)).toEqual(expected);
  },
);

testWithCorpus(
  `resolves the path of every corpus page in every locale${skipReason}`,
  async () => {
    const expected = routesIn(await linesOf(corpus), 'en');
    expect(expected.size).toBe(1620);
    expect(await routesOf(host, projectSlug)).toEqual(expected);
  },
  180_000,
);

testWithCorpus(`lists each of the 1,620 corpus URLs with its ten alternates${skipReason}`, async () => {
  const urls = await sitemapOf(host, projectSlug);
  expect(new Set(urls.map(({ loc }) => loc)).size).toBe(1620);
  const hrefs = new Set(urls.flatMap(({ alternates }) => alternates.map(({ href }) => href)));
  expect(hrefs).toEqual(new Set(urls.map(({ loc }) => loc)));
  expect(urls.every(({ alternates }) => alternates.length === 11)).toBe(true);
});

testWithCorpus(
  `finds what the labelled queries of ten languages expect${skipReason}`,
  async () => {
    await host.composition.jobs.indexSearch();
    const { queries, first, firstFive, missed } = await searchQuality(client, projectSlug);
    expect(queries).toBeGreaterThanOrEqual(120);
    const isGood = first >= 0.85 && firstFive >= 0.95;
    expect({ isGood, first, firstFive, missed }).toEqual({ isGood: true, first, firstFive, missed });
  },
  180_000,
);
