import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { send } from '../support/call.js';
import { column, issues, openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { byCursor, byPage } from '../support/walk.js';
import { verifies } from '../support/verifies.js';

let time = Date.UTC(2026, 0, 1);
// Several writes share a millisecond, so that ties are broken by id.
const app = useOwnApp({ clock: () => new Date((time += 0.1)) });
const keys = ['delivery', 'preview'] as const;
let desk: Desk;

async function article(title: string, isPublished = true): Promise<string> {
  const fields = { title };
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
  if (isPublished) await publish(app(), desk.project, id);
  return id;
}

const list = (query: string, key: (typeof keys)[number] = 'delivery'): Promise<Response> => {
  const { delivery, keys: secrets } = desk.project;
  return send(app(), { method: 'GET', path: `${delivery}/content/article?${query}`, key: secrets[key] });
};
const reading = (query: string, key: (typeof keys)[number]) => (paging: string) =>
  list(`${query}&${paging}`, key);

interface Collection {
  readonly items: readonly { readonly _id: string }[];
  readonly total: number;
  readonly skip: number;
  readonly nextCursor: string | null;
}

function ask(given: string, key: (typeof keys)[number] = 'delivery'): Promise<Response> {
  const query = `{ articleCollection(${given}) { items { _id } total skip limit nextCursor } }`;
  const { slug, keys: secrets } = desk.project;
  return send(app(), { method: 'POST', path: `/api/graphql/${slug}`, key: secrets[key], body: { query } });
}

async function collection(given: string, key?: (typeof keys)[number]): Promise<Collection> {
  const { body } = await ask(given, key);
  expect(body.errors).toBeUndefined();
  return body.data.articleCollection as Collection;
}

beforeAll(async () => {
  desk = await openDesk(app());
  for (let index = 0; index < 11; index += 1) await article(`Lock ${String(index)}`, index % 5 !== 4);
});

describe('Published entries by cursor', () => {
  verifies('lists/cursors');

  const queries = [
    'orderBy=updatedAt:desc',
    'orderBy=updatedAt:asc',
    'orderBy=createdAt:desc&fields=title',
    'orderBy=createdAt:asc&include=1',
    'filter[title][contains]=lock&locale=en',
  ];
  it.each(queries)('are those of its pages, and drafts, too: %s', async (query) => {
    for (const key of keys)
      for (const limit of [1, 3]) {
        const expected = await byPage(reading(query, key), { limit, key: '_id' });
        expect(expected).toHaveLength(key === 'preview' ? 11 : 9);
        expect(await byCursor(reading(query, key), { limit, key: '_id' })).toEqual(expected);
      }
  });

  it('have pagination only if a cursor is sent, with the headers of a page', async () => {
    const page = await list('limit=4');
    const start = await list('limit=4&cursor=*');
    expect(page.body.meta).toEqual({ total: 9, page: 1, limit: 4, pages: 3 });
    expect(start.body).toEqual({
      data: page.body.data,
      meta: { ...page.body.meta, nextCursor: expect.any(String) },
    });
    for (const header of ['cache-control', 'surrogate-key'])
      expect(start.headers[header]).toBe(page.headers[header]);
    const next = await list(`limit=8&cursor=${String(start.body.meta.nextCursor)}`);
    expect(next.body.meta).toEqual({ total: 9, page: 1, limit: 8, pages: 2, nextCursor: null });
    expect(column(next, '_id')).toEqual((await byPage(list, { limit: 9, key: '_id' })).slice(4));
  });

  it('are each returned once while others are published and unpublished', async () => {
    const before = (await byPage(list, { limit: 100, key: '_id' })) as string[];
    const gone = [before[0], before[5]];
    const between = async (pages: number) => {
      await article(`Weir ${String(pages)}`);
      const id = gone[pages - 1];
      if (id !== undefined) await desk.post(`/entries/${id}/unpublish`, {});
    };
    const found = await byCursor(list, { limit: 2, key: '_id', between });
    const stayed = before.filter((id) => !gone.includes(id));
    expect(found.filter((id) => stayed.includes(id as string))).toEqual(stayed);
    expect(new Set(found).size).toBe(found.length);
  });

  it('are all returned in the order of their creation while each is republished, which the default order misses', async () => {
    const before = (await byPage(reading('orderBy=createdAt:asc', 'delivery'), {
      limit: 100,
      key: '_id',
    })) as string[];
    const republish = async (id: string | undefined) => {
      if (id === undefined) return;
      const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
      await desk.put(`/entries/${id}`, { version, fields: { title: `Again ${String(version)}` } });
      await publish(app(), desk.project, id);
    };
    // One that is still to come, and one that was returned.
    const between = async (pages: number) => {
      await republish(before[2 * pages]);
      await republish(before[2 * pages - 1]);
    };
    const byCreation = await byCursor(reading('orderBy=createdAt:asc', 'delivery'), {
      limit: 2,
      key: '_id',
      between,
    });
    expect(byCreation).toEqual(before);
    const newest = (await byPage(list, { limit: 100, key: '_id' })) as string[];
    const found = await byCursor(list, {
      limit: 2,
      key: '_id',
      between: (pages) => republish(newest[newest.length - pages]),
    });
    expect(found.length).toBeLessThan(newest.length);
  });

  it('name the order that misses none where the cursor is described', async () => {
    interface Parameter {
      readonly name: string;
      readonly description: string;
    }
    interface Document {
      readonly paths: Record<
        string,
        { readonly get: { readonly parameters: (Parameter | { $ref: string })[] } }
      >;
      readonly components: { readonly parameters: Record<string, Parameter> };
    }
    const { paths, components } = (await app().request.get('/openapi.json')).body as Document;
    const { get } = paths['/api/delivery/projects/{slug}/sites/{siteSlug}/content/{contentTypeApiName}'] ?? {
      get: { parameters: [] },
    };
    const cursor = get.parameters
      .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
      .find((one) => one?.name === 'cursor');
    expect(cursor?.description).toContain('`orderBy=createdAt:asc`, where the list has it, misses none');
  });

  it('are cached by cursor until the list changes', async () => {
    const { nextCursor } = (await list('limit=2&cursor=*')).body.meta as { nextCursor: string };
    const query = `limit=2&cursor=${nextCursor}`;
    const first = await list(query);
    const { result, statements } = await app().recordStatements(() =>
      list(`cursor=${nextCursor}&limit=2&page=1`),
    );
    expect([statements, result.body]).toEqual([[], first.body]);
    expect((await list('limit=2&cursor=*')).body.data).not.toEqual(first.body.data);
    const [id] = column(first, '_id') as string[];
    await desk.post(`/entries/${id ?? ''}/unpublish`, {});
    expect(column(await list(query), '_id')).not.toContain(id);
  });

  it('are refused with a cursor of another list, a page, or an invalid cursor', async () => {
    const { nextCursor } = (await list('limit=2&cursor=*')).body.meta as { nextCursor: string };
    const { nextCursor: draft } = (await list('limit=2&cursor=*', 'preview')).body.meta as {
      nextCursor: string;
    };
    const queries = [
      `orderBy=updatedAt:asc&cursor=${nextCursor}`,
      `cursor=${draft}`,
      'cursor=%00',
      'cursor=abc',
    ];
    for (const query of [...queries, `filter[title][eq]=a&cursor=${nextCursor}`]) {
      const answer = await list(query);
      expect([query, ...outcome(answer)]).toEqual([query, 422, 'validation_failed']);
    }
    expect(issues(await list(`page=3&cursor=${nextCursor}`))).toEqual([['page', 'page_with_cursor']]);
  });
});

describe('GraphQL collections by cursor', () => {
  verifies('lists/cursors');

  it.each(['site: "main"', 'locale: "en"', 'site: "", preview: true'])(
    'have the items of the whole collection: %s',
    async (given) => {
      const key = given.includes('preview') ? 'preview' : 'delivery';
      const all = await collection(`${given}, limit: 100`, key);
      expect(all.nextCursor).toBeNull();
      const found: unknown[] = [];
      for (let cursor: string | null = '*'; cursor !== null;) {
        const page: Collection = await collection(`${given}, limit: 2, cursor: "${cursor}"`, key);
        expect([page.total, page.skip]).toEqual([all.total, found.length]);
        found.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(found).toEqual(all.items);
    },
  );

  it('are refused with a cursor of another collection, skip, or an invalid cursor', async () => {
    const { nextCursor } = await collection('site: "main", limit: 2, cursor: "*"');
    const given = [
      `cursor: "${nextCursor ?? ''}"`,
      'site: "main", skip: 1, cursor: "*"',
      'cursor: ""',
      'cursor: "\\u0000"',
    ];
    for (const one of given) {
      const { body } = await ask(one);
      expect([one, body.errors?.[0]?.extensions?.code]).toEqual([one, 'validation_failed']);
    }
  });
});
