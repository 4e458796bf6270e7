import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, everyField, paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
const missing = '00000000-0000-7000-8000-000000000000';

const create = (desk: Desk, body: object): Promise<Response> =>
  desk.post('/entries', { contentTypeApiName: 'article', siteId: desk.project.siteId, ...body });
const author = (desk: Desk) => createEntry(app(), desk.project, { contentTypeApiName: 'author' });

describe('201', () => {
  verifies('entries/operations', 'http/status-of-create-and-delete');

  it('returns the complete draft in the site’s default locale with its Location', async () => {
    const desk = await openDesk(app());
    const { status, body, headers } = await create(desk, { fields: { title: 'The upper lock' } });
    expect(status).toBe(201);
    expect(headers.location).toBe(`${desk.project.management}/entries/${String(body.data.id)}`);
    const actor = { type: 'api_key', id: expect.any(String), name: 'management' };
    const { createdAt } = body.data;
    expect(body.data).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/),
      contentTypeApiName: 'article',
      siteId: desk.project.siteId,
      environment: 'main',
      externalId: null,
      slug: 'the-upper-lock',
      locale: 'en',
      fields: { title: 'The upper lock' },
      version: 1,
      status: 'draft',
      locales: [
        {
          locale: 'en',
          slug: 'the-upper-lock',
          status: 'draft',
          publishedAt: null,
          publishedVersion: null,
          updatedAt: createdAt,
          scheduled: [],
        },
      ],
      treeNodeId: null,
      treeParentId: null,
      workflow: { slug: 'default', state: 'draft' },
      assigneeId: null,
      createdAt,
      createdBy: actor,
      updatedAt: createdAt,
      updatedBy: actor,
      deletedAt: null,
    });
    expect((await desk.get(`/entries/${String(body.data.id)}`)).body.data).toEqual(body.data);
  });

  it('creates a draft without values', async () => {
    const desk = await openDesk(app());
    const { status, body } = await create(desk, {});
    expect([status, body.data.fields, body.data.slug]).toEqual([201, {}, body.data.id]);
  });

  it('keeps values of every field kind as written', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'sample', fields: everyField });
    const link = { _ref: (await author(desk)).id, _type: 'author' };
    const fields = {
      title: ' Spaces stay ',
      summary: 'Two\nlines',
      body: paragraphs('Words', 'More'),
      handle: 'Ünïcode-handle',
      count: 9007199254740991,
      ratio: -0.1,
      isFine: false,
      day: '2026-02-28',
      moment: '2026-03-01T09:30:00+01:00',
      level: 'high',
      link: 'https://example.com/a?b=c#d',
      contact: 'a@example.com',
      data: { nested: [1, null, { deep: '✓' }] },
      related: [link],
      parts: [link, link],
    };
    const { body } = await create(desk, { contentTypeApiName: 'sample', fields });
    expect(body.data.fields).toEqual(fields);
  });

  it('applies field defaults to omitted values but not to nulls', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'offer',
      fields: [
        { apiName: 'level', type: 'text', defaultValue: 'low' },
        { apiName: 'count', type: 'integer', defaultValue: 0 },
        { apiName: 'isOpen', type: 'boolean', defaultValue: false },
        { apiName: 'tags', type: 'text', isList: true, defaultValue: ['new'] },
      ],
    });
    const offer = async (fields: object) =>
      (await create(desk, { contentTypeApiName: 'offer', fields })).body.data.fields as object;
    expect(await offer({})).toEqual({ level: 'low', count: 0, isOpen: false, tags: ['new'] });
    expect(await offer({ level: 'high', count: null, tags: [] })).toEqual({
      level: 'high',
      isOpen: false,
      tags: [],
    });
  });

  it('keeps localized values per locale and shares the others', async () => {
    const desk = await openDesk(app());
    const { body } = await create(desk, { locale: 'de', fields: { title: 'Titel', code: 'A' } });
    expect(body.data).toMatchObject({ locale: 'de', fields: { title: 'Titel', code: 'A' } });
    const english = await desk.get(`/entries/${String(body.data.id)}?locale=en`);
    expect(english.body.data.fields).toEqual({ code: 'A' });
  });

  it('writes the site’s default locale when none is named', async () => {
    const desk = await openDesk(app());
    const site = await desk.post('/sites', { slug: 'de', name: 'Deutsch', locales: ['de'] });
    const { body } = await create(desk, { siteId: site.body.data.id, fields: { title: 'Titel' } });
    expect(body.data.locale).toBe('de');
  });

  it('accepts a site id in capitals', async () => {
    const desk = await openDesk(app());
    const { body } = await create(desk, { siteId: desk.project.siteId.toUpperCase() });
    expect(body.data.siteId).toBe(desk.project.siteId);
  });
});

describe('links', () => {
  verifies('content/values-missing-links');

  it('completes links with the type of their target', async () => {
    const desk = await openDesk(app());
    const { id } = await author(desk);
    const { body } = await create(desk, { fields: { author: { _ref: id } } });
    expect(body.data.fields.author).toEqual({ _ref: id, _type: 'author' });
  });

  it('accepts a link to a missing entry with the given type or the first allowed one', async () => {
    const desk = await openDesk(app());
    const { status, body } = await create(desk, {
      fields: { author: { _ref: missing }, related: [{ _ref: missing, _type: 'article' }] },
    });
    expect([status, body.data.fields]).toEqual([
      201,
      {
        author: { _ref: missing, _type: 'author' },
        related: [{ _ref: missing, _type: 'article' }],
      },
    ]);
  });

  it('returns 422 when a link names another type than its target has', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'page',
      fields: [{ apiName: 'any', type: 'reference' }],
    });
    const { id } = await author(desk);
    const fields = { any: { _ref: id, _type: 'article' } };
    const response = await create(desk, { contentTypeApiName: 'page', fields });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([['fields.any', 'wrong_type']]);
  });

  it('returns 422 when the field does not allow the target’s type', async () => {
    const desk = await openDesk(app());
    const { id } = await author(desk);
    const response = await create(desk, { fields: { related: [{ _ref: id }] } });
    expect(issues(response)).toEqual([['fields.related', 'content_type_not_allowed']]);
    const named = await create(desk, { fields: { related: [{ _ref: id, _type: 'author' }] } });
    expect(issues(named)).toEqual([['fields.related.0._type', 'type_not_allowed']]);
  });

  it('treats an entry of another project as a missing link target', async () => {
    const [desk, other] = [await openDesk(app()), await openDesk(app())];
    const { id } = await author(other);
    const { status, body } = await create(desk, { fields: { author: { _ref: id } } });
    expect(status).toBe(201);
    const published = await desk.post(`/entries/${String(body.data.id)}/publish`, {});
    expect(issues(published)).toContainEqual(['fields.author', 'broken_reference']);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it.each([
    ['contentTypeApiName', { contentTypeApiName: 'nothing' }, 'content_type_not_found'],
    ['siteId', { siteId: missing }, 'site_not_found'],
    ['locale', { locale: 'es' }, 'locale_not_found'],
    ['treeParentId', { treeParentId: missing }, 'tree_node_not_found'],
  ])('returns 404 for an unknown %s in the body', async (key, body, error) => {
    const desk = await openDesk(app());
    const response = await create(desk, body);
    expect(outcome(response)).toEqual([404, error]);
    expect(response.body.details.path).toEqual([key]);
  });

  it('returns 404 for a locale of the tenant that the site does not have', async () => {
    const desk = await openDesk(app());
    const site = await desk.post('/sites', { slug: 'de', name: 'Deutsch', locales: ['de'] });
    const response = await create(desk, { siteId: site.body.data.id, locale: 'en' });
    expect(outcome(response)).toEqual([404, 'locale_not_found']);
  });
});

describe('422', () => {
  verifies('http/input-shape');

  it('reports every value that does not match its field kind', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'sample', fields: everyField });
    const wrong = {
      title: 1,
      summary: [],
      body: { type: 'paragraph' },
      handle: 'a/b',
      count: 1.5,
      ratio: '1',
      isFine: 'true',
      day: '2026-02-30',
      moment: '2026-03-01T09:30:00',
      level: 'medium',
      link: 'javascript:alert(1)',
      contact: 'nobody',
      related: { _ref: missing },
      parts: ['x'],
    };
    const response = await create(desk, { contentTypeApiName: 'sample', fields: wrong });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    const named = new Set(issues(response).map(([path]) => path.split('.')[1]));
    expect([...named]).toEqual(Object.keys(wrong));
  });

  it('returns 422 for fields that the type does not have', async () => {
    const desk = await openDesk(app());
    const response = await create(desk, { fields: { tilte: 'x' } });
    expect(outcome(response)).toEqual([422, 'unknown_field']);
    expect(issues(response)).toEqual([['fields.tilte', 'unknown_field']]);
  });

  it('requires a type and a site', async () => {
    const desk = await openDesk(app());
    const response = await desk.post('/entries', {});
    expect(issues(response)).toEqual([
      ['contentTypeApiName', 'invalid_type'],
      ['siteId', 'invalid_type'],
    ]);
  });

  it('creates one of 10 concurrent entries of a single-entry type per site, and another after deletion', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'settings', isSingleton: true });
    const site = await desk.post('/sites', { slug: 'other', name: 'Other' });
    const made = await Promise.all(
      Array.from({ length: 10 }, () => create(desk, { contentTypeApiName: 'settings' })),
    );
    const won = made.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    expect(outcome(made.find(({ status }) => status !== 201)!)).toEqual([422, 'limit_reached']);
    const elsewhere = { contentTypeApiName: 'settings', siteId: site.body.data.id };
    expect((await create(desk, elsewhere)).status).toBe(201);
    await desk.delete(`/entries/${String(won[0]?.body.data.id)}`);
    expect((await create(desk, { contentTypeApiName: 'settings' })).status).toBe(201);
  });
});
