import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import { KeyCredentials } from '../../src/procedures/index.js';
import { CatalogStore } from '../../src/features/environments/catalog/index.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';

const app = useOwnApp({ dataRegion: 'eu-central' });

afterEach(() => {
  jest.restoreAllMocks();
});

interface Question {
  readonly path: string;
  readonly key?: string | undefined;
  readonly method?: 'get' | 'head';
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ project }: Desk, { path, key, method = 'get', headers = {} }: Question) {
  const request = app().request[method](`${project.delivery}${path}`).set(headers);
  return key === undefined ? request : request.set('Authorization', `Bearer ${key}`);
}

/** The statements of EnvironmentHeads and ApiKeyLookup. */
const CATALOG_LOOKUP = 'FROM environment_heads';
const KEY_LOOKUP = 'FROM find_api_key(';

/** Omits times and ids. */
const shown = ({ status, text, headers }: Response): unknown => {
  const { date: _date, 'x-request-id': _id, ratelimit: _left, ...rest } = headers as Record<string, string>;
  return { status, text, headers: Object.entries(rest).sort() };
};

/** The response without and with a cached caller, both past the response cache. */
async function bothWays(
  desk: Desk,
  question: Question,
): Promise<{ awaited: Response; remembered: Response }> {
  const { coherence, services } = app().composition;
  const keys = jest.spyOn(KeyCredentials.prototype, 'peek').mockReturnValue(undefined);
  const catalogs = jest.spyOn(CatalogStore.prototype, 'peek').mockReturnValue(undefined);
  coherence.purgeAll();
  const { statements: awaitedStatements, result: awaited } = await app().recordStatements(() =>
    ask(desk, question),
  );
  // The same strings must match nothing below, so they must match here.
  expect(awaitedStatements.some((text) => text.includes(CATALOG_LOOKUP))).toBe(true);
  expect(awaitedStatements.some((text) => text.includes(KEY_LOOKUP))).toBe(question.key !== undefined);
  keys.mockRestore();
  catalogs.mockRestore();
  coherence.purgeAll();
  // Caches the key and the catalog.
  await ask(desk, { path: '/entries/nothing', key: question.key });
  expect(services.catalogs.peek(desk.project.slug, null)).toBeDefined();
  const { statements, result: remembered } = await app().recordStatements(() => ask(desk, question));
  const lookups = statements.filter((text) => text.includes(CATALOG_LOOKUP) || text.includes(KEY_LOOKUP));
  expect(lookups).toEqual([]);
  return { awaited, remembered };
}

async function content() {
  const desk = await openDesk(app());
  const { id: author } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'author',
    fields: { name: 'Zoë — naïve 水' },
  });
  await publish(app(), desk.project, author);
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'Über “Locks” 水', author: { _ref: author } },
  });
  await publish(app(), desk.project, id);
  return { desk, id };
}

describe('Reads with a cached credential', () => {
  it.each([
    ['an entry', (id: string) => `/entries/${id}`],
    ['an entry with its references', (id: string) => `/entries/${id}?include=1`],
    ['a list', () => '/content/article?limit=2&include=1'],
    ['some fields of a list', () => '/content/article?fields=title&filter[title][contains]=Locks'],
    ['a path', () => '/routes?path=/nowhere'],
    ['an entry that is not there', () => '/entries/019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'],
    ['a locale that is not there', (id: string) => `/entries/${id}?locale=xx`],
    ['input that is none', (id: string) => `/entries/${id}?include=9`],
    ['a query that is no text', (id: string) => `/entries/${id}?locale=%ff`],
    ['a preview token that is none', (id: string) => `/entries/${id}?previewToken=x.y.z`],
  ])('returns the same response from the fast path as from the full gate: %s', async (_name, pathOf) => {
    const { desk, id } = await content();
    for (const key of [undefined, desk.project.keys.delivery]) {
      const { awaited, remembered } = await bothWays(desk, { path: pathOf(id), key });
      expect(shown(remembered)).toEqual(shown(awaited));
      expect(remembered.headers['x-service-data-region']).toBe('eu-central');
    }
  });

  it('returns no body to HEAD and 304 for a known ETag', async () => {
    const { desk, id } = await content();
    const path = `/entries/${id}`;
    const head = await bothWays(desk, { path, method: 'head' });
    expect(shown(head.remembered)).toEqual(shown(head.awaited));
    const headers = { 'If-None-Match': `"other", ${String(head.remembered.headers.etag)}` };
    const known = await bothWays(desk, { path, headers });
    expect(known.remembered.status).toBe(304);
    expect(shown(known.remembered)).toEqual(shown(known.awaited));
  });

  it('shows drafts to callers with a preview token, uncached', async () => {
    const { desk, id } = await content();
    const made = await desk.post(`/entries/${id}/preview`, { locale: 'en' });
    const { token } = (made.body as { data: { token: string } }).data;
    const { awaited, remembered } = await bothWays(desk, { path: `/entries/${id}?previewToken=${token}` });
    expect(remembered.headers['cache-control']).toBe('private, no-store');
    expect(shown(remembered)).toEqual(shown(awaited));
  });

  it('returns the request id of the caller with every outcome', async () => {
    const { desk, id } = await content();
    const requestId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    const headers = { 'X-Request-Id': requestId };
    for (const path of [`/entries/${id}`, '/entries/019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69']) {
      const { remembered } = await bothWays(desk, { path, headers });
      expect(remembered.headers['x-request-id']).toBe(requestId);
    }
  });

  it('runs one statement for an entry and one more for its references', async () => {
    const { desk, id } = await content();
    await ask(desk, { path: '/entries/nothing' });
    const read = (path: string) => app().recordStatements(() => ask(desk, { path }));
    expect((await read(`/entries/${id}`)).statements).toHaveLength(1);
    expect((await read(`/entries/${id}?include=1`)).statements).toHaveLength(2);
  });
});
