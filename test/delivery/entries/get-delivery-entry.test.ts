import { describe, expect, it, beforeAll } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { issues, outcome, useApp } from '../../support/desk.js';
import { createArticleTypes, createEntry, createType, everyField } from '../../support/factories/content.js';
import { paragraphs, publish } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createLive, readerOf, type Reader } from '../reader.js';

const app = useApp();
let project: TestProject;
let read: Reader;

beforeAll(async () => {
  project = await createProject(app());
  read = readerOf(app(), project);
  await createArticleTypes(app(), project);
});

const live = (fields: Record<string, unknown> = { title: 'Live' }) =>
  createLive(app(), project, { contentTypeApiName: 'article', fields });

describe('200', () => {
  verifies('spec-2.1-entry', 'spec-4.1-entry', 'spec-5-1', 'spec-4-envelopes');

  it('answers exactly the keys of the delivery shape', async () => {
    const { id, locales } = await live({ title: 'The upper lock', code: 'A1' });
    const { status, body } = await read(`/entries/${id}`);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      data: {
        _id: id,
        _type: 'article',
        _slug: 'the-upper-lock',
        _siteId: project.siteId,
        _locale: 'en',
        _publishedAt: locales[0]?.publishedAt,
        fields: { title: 'The upper lock', body: null, author: null, related: [], code: 'A1' },
      },
    });
    expect(body.data._publishedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('answers values of every kind as they were written', async () => {
    await createType(app(), project, { apiName: 'sample', fields: everyField });
    const target = await live();
    const link = { _ref: target.id, _type: 'article' };
    const plain = {
      title: 'Sample',
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
      paint: '#1A2b3c',
      place: { lat: 47.376887, lng: 8.541694 },
      data: { nested: [1, null, { deep: '✓' }] },
      related: [link],
      parts: [link],
    };
    const fields = { ...plain, body: paragraphs('Words') };
    const { id } = await createLive(app(), project, { contentTypeApiName: 'sample', fields });
    const { data } = (await read(`/entries/${id}`)).body;
    expect(data.fields).toEqual({ ...plain, body: expect.any(Object) });
    expect(Object.keys(data.fields as object)).toEqual(everyField.map(({ apiName }) => apiName));
  });

  it('shows what was published, not what was written since', async () => {
    const { id } = await live({ title: 'Before' });
    const { management, keys } = project;
    const path = `${management}/entries/${id}`;
    const body = { version: 1, fields: { title: 'After' } };
    await must(app(), { method: 'PUT', path, key: keys.management, body });
    expect((await read(`/entries/${id}`)).body.data.fields.title).toBe('Before');
    await publish(app(), project, id);
    expect((await read(`/entries/${id}`)).body.data.fields.title).toBe('After');
  });

  it('answers each locale with its own values and slug', async () => {
    const { id } = await live({ title: 'Lock', code: 'shared' });
    const { management, keys } = project;
    const body = { version: 1, locale: 'de', fields: { title: 'Schleuse' } };
    await must(app(), { method: 'PUT', path: `${management}/entries/${id}`, key: keys.management, body });
    await publish(app(), project, id, 'de');
    const { data } = (await read(`/entries/${id}?locale=de`)).body;
    expect(data).toMatchObject({ _locale: 'de', _slug: 'schleuse' });
    expect(data.fields).toMatchObject({ title: 'Schleuse', code: 'shared' });
    expect((await read(`/entries/${id}?locale=en`)).body.data).toMatchObject({
      _locale: 'en',
      _slug: 'lock',
    });
  });

  it('reads nobody, a delivery key and an id in capitals alike', async () => {
    const { id } = await live();
    const expected = (await read(`/entries/${id}`)).body;
    expect((await readerOf(app(), project, project.keys.delivery)(`/entries/${id}`)).body).toEqual(expected);
    expect((await read(`/entries/${id.toUpperCase()}`)).body).toEqual(expected);
  });
});

describe('rich text', () => {
  verifies('spec-2.1-rich-text');

  it('is delivered as the tree that was written, as escaped HTML and as text', async () => {
    const raw = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'A < B' }] },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'Some ' },
            { type: 'text', text: 'bold', marks: [{ type: 'bold' }] },
            { type: 'text', text: ' words.' },
          ],
        },
      ],
    };
    const { id } = await live({ title: 'Rich', body: raw });
    expect((await read(`/entries/${id}`)).body.data.fields.body).toEqual({
      raw,
      html: '<h2>A &lt; B</h2><p>Some <strong>bold</strong> words.</p>',
      text: 'A < B\n\nSome bold words.',
    });
  });
});

describe('headers', () => {
  verifies('spec-8-headers');

  it('let a CDN keep the answer and purge it by entry, type, site and project', async () => {
    const { id } = await live();
    const { headers } = await read(`/entries/${id}`);
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
    expect(String(headers['surrogate-key']).split(' ').sort()).toEqual(
      [`entry:${id}`, 'type:article', 'site:main', `project:${project.slug}`].sort(),
    );
    expect(headers.vary).toContain('Authorization');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('name the expanded entries, too', async () => {
    const author = await createLive(app(), project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const { id } = await live({ title: 'With author', author: { _ref: author.id } });
    const tagsOf = async (include: number) =>
      String((await read(`/entries/${id}?include=${include}`)).headers['surrogate-key']).split(' ');
    expect(await tagsOf(0)).not.toContain(`entry:${author.id}`);
    expect(await tagsOf(1)).toEqual(expect.arrayContaining([`entry:${author.id}`, 'type:author']));
  });

  it('let nobody keep a failure', async () => {
    const { headers } = await read('/entries/nothing');
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('404', () => {
  verifies('dec-2.13-delivery', 'dec-2.29-missing', 'dec-2.29-cross-site');

  it.each(['nothing', '00000000-0000-7000-8000-000000000000', '%00', '%20', '1'])(
    'is entry_not_found for the id %s',
    async (id) => {
      expect(outcome(await read(`/entries/${id}`))).toEqual([404, 'entry_not_found']);
    },
  );

  it('is entry_not_found for a draft, and again once it is unpublished or deleted', async () => {
    const { management, keys } = project;
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Draft' },
    });
    const seen = async () => outcome(await read(`/entries/${id}`));
    expect(await seen()).toEqual([404, 'entry_not_found']);
    await publish(app(), project, id);
    expect(await seen()).toEqual([200, undefined]);
    const path = `${management}/entries/${id}`;
    await must(app(), { method: 'POST', path: `${path}/unpublish`, key: keys.management, body: {} });
    expect(await seen()).toEqual([404, 'entry_not_found']);
    await publish(app(), project, id);
    await must(app(), { method: 'DELETE', path, key: keys.management });
    expect(await seen()).toEqual([404, 'entry_not_found']);
  });

  it('is entry_not_found under another site of the project', async () => {
    const slug = `s-${unique()}`;
    const { management, keys } = project;
    await must(app(), {
      method: 'POST',
      path: `${management}/sites`,
      key: keys.management,
      body: { slug, name: 'Other' },
    });
    const { id } = await live();
    const elsewhere = `/api/delivery/projects/${project.slug}/sites/${slug}/entries/${id}`;
    expect(outcome(await send(app(), { method: 'GET', path: elsewhere }))).toEqual([404, 'entry_not_found']);
  });

  it('is entry_not_found in another project', async () => {
    const { id } = await live();
    const other = readerOf(app(), await createProject(app()));
    expect(outcome(await other(`/entries/${id}`))).toEqual([404, 'entry_not_found']);
  });

  it.each(['es', 'EN', 'not a locale', '', 'en_US'])(
    'is locale_not_found for the locale "%s"',
    async (code) => {
      const { id } = await live();
      const path = `/entries/${id}?locale=${encodeURIComponent(code)}`;
      expect(outcome(await read(path))).toEqual([404, 'locale_not_found']);
    },
  );

  it('is site_not_found and project_not_found for what the path names', async () => {
    const at = async (project_: string, site: string) =>
      outcome(
        await send(app(), {
          method: 'GET',
          path: `/api/delivery/projects/${project_}/sites/${site}/entries/x`,
        }),
      );
    expect(await at(project.slug, 'nothing')).toEqual([404, 'site_not_found']);
    expect(await at('no-such-project', 'main')).toEqual([404, 'project_not_found']);
  });
});

describe('422', () => {
  verifies('spec-7-422', 'dec-2.6');

  it.each([
    ['include=4', 'too_big'],
    ['include=-1', 'too_small'],
    ['include=one', 'invalid_type'],
    ['include=1.5', 'invalid_type'],
    ['include=', 'invalid_type'],
    ['include=1&include=2', 'invalid_type'],
  ])('refuses %s rather than bend it', async (query, code) => {
    const response = await read(`/entries/nothing?${query}`);
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([['include', code]]);
  });
});
