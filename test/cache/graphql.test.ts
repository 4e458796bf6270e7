import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let desk: Desk;
let id: string;
beforeAll(async () => {
  desk = await openDesk(app());
  id = (await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Locks' } }))
    .id;
  await publish(app(), desk.project, id);
  await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Schleusen' } });
  await publish(app(), desk.project, id, 'de');
});

const titleOf = (more = ''): string =>
  `query=${encodeURIComponent(`{ entry(id: "${id}"${more}) { _locale ... on Article { title } } }`)}`;

/** @param key null for none */
function get(
  path: string,
  headers: Record<string, string> = {},
  key: string | null = desk.project.keys.delivery,
): Promise<Response> {
  const call = app().request.get(`/api/graphql/${desk.project.slug}${path}`).set(headers);
  return Promise.resolve(key === null ? call : call.set('Authorization', `Bearer ${key}`));
}

describe('A published result over GET', () => {
  verifies('graphql/get');

  it('is served from memory until the entry changes', async () => {
    const first = await get(`?${titleOf()}`);
    expect(first.body.data).toEqual({ entry: { _locale: 'en', title: 'Locks' } });
    const { result, statements } = await app().recordStatements(() => get(`?${titleOf()}`));
    expect([statements, result.body, result.headers.etag]).toEqual([[], first.body, first.headers.etag]);
    const condition = { 'If-None-Match': String(first.headers.etag) };
    expect((await get(`?${titleOf()}`, condition)).status).toBe(304);
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.put(`/entries/${id}`, { version, fields: { title: 'Sluices' } });
    await publish(app(), desk.project, id);
    const changed = await get(`?${titleOf()}`, condition);
    expect([changed.status, changed.body.data.entry.title]).toEqual([200, 'Sluices']);
  });

  it('is no page for browsers, which open the explorer', async () => {
    const html = { Accept: 'text/html' };
    const page = await get(`?${titleOf()}`, html, null);
    expect([page.headers['content-type'], page.text]).toEqual([
      'text/html; charset=utf-8',
      expect.stringMatching(/^<!doctype html>/i),
    ]);
    expect((await get(`?${titleOf()}`, html)).body.data.entry._locale).toBe('en');
  });

  it('is not shared with keys that read drafts, nor with what an extension names', async () => {
    await get(`?${titleOf()}`);
    const { headers } = await get(`?${titleOf()}`, {}, desk.project.keys.preview);
    expect([headers['cache-control'], headers.etag]).toEqual(['private, no-store', undefined]);
    const extensions = encodeURIComponent(JSON.stringify({ previewToken: 'wrong' }));
    const refused = await get(`?${titleOf()}&extensions=${extensions}`);
    expect([refused.status, refused.body.error]).toEqual([403, 'invalid_preview_token']);
  });

  it('of an entry is in the locale that the query names, with its fallbacks', async () => {
    const inLocale = async (more: string) => (await get(`?${titleOf(more)}`)).body;
    expect((await inLocale(', locale: "de"')).data.entry).toEqual({ _locale: 'de', title: 'Schleusen' });
    expect((await inLocale(', locale: null')).data.entry._locale).toBe('en');
    const unknown = await inLocale(', locale: "xx"');
    expect([unknown.data, unknown.errors[0].extensions.code]).toEqual([{ entry: null }, 'locale_not_found']);
  });
});

describe('The schema of a project', () => {
  verifies('graphql/sdl');

  it('is read as SDL by keys that may introspect', async () => {
    const { preview, management } = desk.project.keys;
    for (const key of [preview, management]) {
      const { status, text, headers } = await get('/schema.graphql', {}, key);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        ...[200, 'text/plain; charset=utf-8', 'private, no-store'],
      ]);
      expect(text).toMatch(/^ {2}entry\($/m);
      expect(text).toMatch(/^type Article implements ContentEntry \{$/m);
    }
    const refusals = await Promise.all([get('/schema.graphql'), get('/schema.graphql', {}, null)]);
    expect(refusals.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'introspection_disabled'],
      [401, 'unauthorized'],
    ]);
    const posted = await app().request.post(`/api/graphql/${desk.project.slug}/schema.graphql`);
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await get('/schema.json', {}, preview)).status).toBe(404);
  });
});
