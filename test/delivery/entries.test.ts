import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, createType, everyField, paragraphs, publish } from '../support/factories/content.js';
import { send } from '../support/call.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp({ dataRegion: 'eu-central' });

const read = ({ project }: Desk, path: string, key?: string) =>
  send(app(), { method: 'GET', path: `${project.delivery}${path}`, key });

async function live(desk: Desk, fields: Record<string, unknown>) {
  const made = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
  return publish(app(), desk.project, made.id);
}

describe('A published entry', () => {
  verifies('delivery/entry-shape', 'content/rich-text', 'delivery/entry', 'access/anonymous-delivery');

  it('returns a published entry with the underscore keys and every field, and nothing else', async () => {
    const desk = await openDesk(app());
    const entry = await live(desk, { title: 'River', body: paragraphs('One & two', 'Three') });
    const { status, body } = await read(desk, `/entries/${entry.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        _id: entry.id,
        _type: 'article',
        _slug: 'river',
        _siteId: desk.project.siteId,
        _locale: 'en',
        _publishedAt: entry.locales[0]?.publishedAt,
        fields: {
          title: 'River',
          body: {
            raw: paragraphs('One & two', 'Three'),
            html: '<p>One &amp; two</p><p>Three</p>',
            text: 'One & two\n\nThree',
          },
          author: null,
          related: [],
          code: null,
        },
      },
    });
  });

  it('returns values of every kind as they were written', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'sample', fields: everyField });
    const link = { _ref: (await live(desk, { title: 'Target' })).id, _type: 'article' };
    const plain = {
      title: ' Sample ',
      summary: 'Two\nlines',
      handle: 'a-handle',
      count: -3,
      ratio: 0.1,
      isFine: false,
      day: '2026-02-28',
      moment: '2026-03-01T09:30:00+01:00',
      level: 'high',
      link: 'https://example.com/a?b=c#d',
      contact: 'a@example.com',
      data: { nested: [1, null, { deep: '✓' }] },
      paint: '#336699',
      place: { lat: 52.5, lng: 13.4 },
      related: [link],
      parts: [link],
    };
    const fields = { ...plain, body: paragraphs('Words') };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'sample', fields });
    await publish(app(), desk.project, id);
    const { data } = (await read(desk, `/entries/${id}`)).body;
    expect(data.fields).toEqual({ ...plain, body: expect.any(Object) });
    expect(Object.keys(data.fields as object)).toEqual(everyField.map(({ apiName }) => apiName));
  });

  it('returns null for fields added to the type after publishing', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    await desk.post('/content-types/article/fields', { apiName: 'lead', type: 'text', position: 0 });
    await desk.post('/content-types/article/fields', { apiName: 'tags', type: 'text', isList: true });
    const { fields } = (await read(desk, `/entries/${id}`)).body.data;
    expect(fields).toMatchObject({ lead: null, title: 'Live', tags: [] });
    expect(Object.keys(fields as object)).toEqual([
      'lead',
      'title',
      'body',
      'author',
      'related',
      'code',
      'tags',
    ]);
  });

  it('keeps the published entry unchanged while its draft changes', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Draft' } });
    expect((await read(desk, `/entries/${id}`)).body.data.fields.title).toBe('Live');
    await publish(app(), desk.project, id);
    expect((await read(desk, `/entries/${id}`)).body.data.fields.title).toBe('Draft');
  });

  it('reads an entry by its id in upper case', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    expect((await read(desk, `/entries/${id.toUpperCase()}`)).body.data._id).toBe(id);
  });
});

describe('Headers', () => {
  verifies('http/delivery-headers', 'http/data-region-header', 'access/preview-key-drafts');

  it('allows caches to store public responses', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    for (const key of [undefined, desk.project.keys.delivery]) {
      const { headers } = await read(desk, `/entries/${id}`, key);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=60, stale-while-revalidate=3600',
        'surrogate-key': `entry:${id} type:article site:main project:${desk.project.slug}`,
        'x-service-data-region': 'eu-central',
        vary: expect.stringContaining('Authorization'),
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('prevents caches from storing responses to preview and management keys', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    for (const key of [desk.project.keys.preview, desk.project.keys.management]) {
      const { headers, status } = await read(desk, `/entries/${id}`, key);
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    }
  });

  it('prevents caches from storing failures', async () => {
    const desk = await openDesk(app());
    const { headers, status } = await read(desk, '/entries/nothing');
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('sets a surrogate key for every entry in the body, expanded ones included', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), desk.project, author.id);
    const { id } = await live(desk, { title: 'Live', author: { _ref: author.id } });
    const tags = async (include: number) =>
      String((await read(desk, `/entries/${id}?include=${String(include)}`)).headers['surrogate-key']).split(
        ' ',
      );
    expect(await tags(0)).not.toContain(`entry:${author.id}`);
    expect(await tags(1)).toEqual(
      expect.arrayContaining([`entry:${id}`, `entry:${author.id}`, 'type:author']),
    );
  });
});

describe('A draft', () => {
  verifies('access/preview-key-drafts', 'access/anonymous-delivery', 'delivery/entry-not-found');

  it('shows drafts to preview and management keys but not to delivery keys', async () => {
    const desk = await openDesk(app());
    const fields = { title: 'Draft', body: paragraphs('Not yet') };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    for (const key of [desk.project.keys.preview, desk.project.keys.management]) {
      const { body } = await read(desk, `/entries/${id}`, key);
      expect(body.data).toMatchObject({ _publishedAt: null, _slug: 'draft', fields: { title: 'Draft' } });
      expect(body.data.fields.body.text).toBe('Not yet');
    }
    for (const key of [undefined, desk.project.keys.delivery])
      expect(outcome(await read(desk, `/entries/${id}`, key))).toEqual([404, 'entry_not_found']);
  });

  it('shows preview keys the newest form of a published entry with a draft', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Draft' } });
    const { body } = await read(desk, `/entries/${id}`, desk.project.keys.preview);
    expect(body.data.fields.title).toBe('Draft');
    expect(body.data._publishedAt).not.toBeNull();
  });
});

describe('404', () => {
  verifies('delivery/entry-not-found', 'delivery/entry-of-site', 'http/missing-things', 'entries/delete');

  it('returns 404 for an unpublished or deleted entry', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    await desk.post(`/entries/${id}/unpublish`);
    expect(outcome(await read(desk, `/entries/${id}`))).toEqual([404, 'entry_not_found']);
    await publish(app(), desk.project, id);
    await desk.delete(`/entries/${id}`);
    for (const key of [undefined, desk.project.keys.preview])
      expect(outcome(await read(desk, `/entries/${id}`, key))).toEqual([404, 'entry_not_found']);
  });

  it('returns 404 for an entry of another site, drafts included', async () => {
    const desk = await openDesk(app());
    await desk.post('/sites', { slug: 'other', name: 'Other' });
    const { id } = await live(desk, { title: 'Live' });
    const path = `/api/delivery/projects/${desk.project.slug}/sites/other/entries/${id}`;
    for (const key of [undefined, desk.project.keys.preview]) {
      const answer = await send(app(), { method: 'GET', path, key });
      expect(outcome(answer)).toEqual([404, 'entry_not_found']);
    }
  });

  it('returns a different 404 code for an unknown project, site and locale', async () => {
    const desk = await openDesk(app());
    const { id } = await live(desk, { title: 'Live' });
    const at = (project: string, site: string, query = '') =>
      app().request.get(`/api/delivery/projects/${project}/sites/${site}/entries/${id}${query}`);
    expect(outcome(await at('nothing', 'main'))).toEqual([404, 'project_not_found']);
    expect(outcome(await at(desk.project.slug, 'nothing'))).toEqual([404, 'site_not_found']);
    expect(outcome(await at(desk.project.slug, 'main', '?locale=xx'))).toEqual([404, 'locale_not_found']);
    expect(outcome(await at(desk.project.slug, 'main', '?locale=%F0%9F%92%A9'))).toEqual([
      404,
      'locale_not_found',
    ]);
  });

  it.each(['nothing', '%00', '..%2F..', '0198c0de-0000-7000-8000-000000000000'])(
    'returns 404 for the entry id %s',
    async (id) => {
      const desk = await openDesk(app());
      expect((await read(desk, `/entries/${id}`)).status).toBe(404);
    },
  );
});

describe('422', () => {
  it.each(['include=4', 'include=-1', 'include=1.5', 'include=one', 'include=1&include=2'])(
    'returns 422 for %s',
    async (query) => {
      const desk = await openDesk(app());
      const { id } = await live(desk, { title: 'Live' });
      expect(outcome(await read(desk, `/entries/${id}?${query}`))).toEqual([422, 'validation_failed']);
    },
  );
});
