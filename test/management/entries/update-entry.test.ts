import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

verifies('entries/write-one-winner');

const article = (desk: Desk, fields: Record<string, unknown> = { title: 'Title' }): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
const update = (desk: Desk, id: string, body: object): Promise<Response> => desk.put(`/entries/${id}`, body);
const versionsOf = (desk: Desk, id: string) =>
  app().rows<{ num: number; locale: string; changed: string[]; comment: string | null }>(
    desk.project.tenantId,
    `SELECT version_num AS num, locale, changed_fields AS changed, comment FROM entry_versions
     WHERE entry_id = $1 ORDER BY version_num`,
    [id],
  );

describe('200', () => {
  verifies('entries/operations', 'entries/write', 'http/put-partial');

  it('merges fields, raises the version and stores a snapshot', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Old', code: 'A' });
    const { status, body } = await update(desk, id, {
      version: 1,
      fields: { title: 'New' },
      comment: 'Corrected.',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ version: 2, fields: { title: 'New', code: 'A' }, slug: 'old' });
    expect((await desk.get(`/entries/${id}`)).body.data).toEqual(body.data);
    expect(await versionsOf(desk, id)).toEqual([
      { num: 1, locale: 'en', changed: ['title', 'code'], comment: null },
      { num: 2, locale: 'en', changed: ['title'], comment: 'Corrected.' },
    ]);
  });

  it('clears a value with null', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Title', code: 'A' });
    const { body } = await update(desk, id, { version: 1, fields: { code: null, body: null } });
    expect(body.data.fields).toEqual({ title: 'Title' });
  });

  it('starts another locale with the shared values and a separate slug', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    const { body } = await update(desk, id, { version: 1, locale: 'de', fields: { title: 'Schleuse' } });
    expect(body.data).toMatchObject({
      locale: 'de',
      slug: 'schleuse',
      version: 2,
      status: 'draft',
      fields: { title: 'Schleuse', code: 'A' },
    });
    expect(body.data.locales.map(({ locale }: { locale: string }) => locale)).toEqual(['en', 'de']);
    expect((await desk.get(`/entries/${id}`)).body.data.fields).toEqual({ title: 'Lock', code: 'A' });
  });

  it('gives a locale without a title the slug of the first one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    const { body } = await update(desk, id, { version: 1, locale: 'fr', fields: {} });
    expect(body.data).toMatchObject({ locale: 'fr', slug: 'lock', fields: {} });
  });

  it('changes a shared value in every locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    await update(desk, id, { version: 1, locale: 'de', fields: { title: 'Schleuse', code: 'B' } });
    expect((await desk.get(`/entries/${id}?locale=en`)).body.data.fields.code).toBe('B');
  });

  it('changes the slug on request and keeps it when only the title changes', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect((await update(desk, id, { version: 1, slug: 'chosen' })).body.data).toMatchObject({
      slug: 'chosen',
      version: 2,
    });
    const { body } = await update(desk, id, { version: 2, fields: { title: 'Another title' } });
    expect(body.data).toMatchObject({ slug: 'chosen', version: 3 });
  });

  it('updates the slug when the slug field changes', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'page',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'handle', type: 'slug' },
      ],
    });
    const { id, slug } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'page',
      fields: { title: 'Page', handle: 'one' },
    });
    expect(slug).toBe('one');
    const { body } = await update(desk, id, { version: 1, fields: { handle: 'two' } });
    expect(body.data.slug).toBe('two');
  });

  it('completes links of an update with the type of their target', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    const { id } = await article(desk);
    const { body } = await update(desk, id, { version: 1, fields: { author: { _ref: author.id } } });
    expect(body.data.fields.author).toEqual({ _ref: author.id, _type: 'author' });
  });
});

describe('200 for equal values', () => {
  verifies('entries/versions-equal');

  it('creates no version, snapshot or audit record for equal values', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    const fields = { title: 'Same', code: 'A', author: { _ref: author.id } };
    const entry = await article(desk, fields);
    for (const body of [{ fields }, { fields: {} }, { slug: entry.slug }, { fields: { body: null } }]) {
      const response = await update(desk, entry.id, { version: 1, ...body });
      expect([response.status, response.body.data]).toEqual([200, entry]);
      const records = await app().rows(
        desk.project.tenantId,
        "SELECT 1 FROM audit_events WHERE context ->> 'requestId' = $1",
        [response.headers['x-request-id']],
      );
      expect(records).toEqual([]);
    }
    expect(await versionsOf(desk, entry.id)).toHaveLength(1);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it('returns 404 when the entry does not exist or is deleted', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    for (const gone of [id, 'nothing', '00000000-0000-7000-8000-000000000000'])
      expect(outcome(await update(desk, gone, { version: 1, fields: {} }))).toEqual([404, 'entry_not_found']);
  });

  it.each([
    ['locale', { locale: 'es', fields: {} }, 'locale_not_found'],
    ['treeParentId', { treeParentId: '00000000-0000-7000-8000-000000000000' }, 'tree_node_not_found'],
  ])('returns 404 for an unknown %s in the body', async (key, body, error) => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await update(desk, id, { version: 1, ...body });
    expect(outcome(response)).toEqual([404, error]);
    expect(response.body.details.path).toEqual([key]);
  });
});

describe('409', () => {
  verifies('entries/write', 'entries/version-conflict');

  it('reports fields changed since an outdated version with both values', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Base', code: 'A' });
    const newer = await update(desk, id, { version: 1, fields: { title: 'Current', code: 'B' } });
    const response = await update(desk, id, { version: 1, fields: { title: 'Mine' } });
    expect(outcome(response)).toEqual([409, 'version_conflict']);
    expect(response.body.details).toEqual({
      expectedVersion: 1,
      currentVersion: 2,
      updatedAt: newer.body.data.updatedAt,
      updatedBy: newer.body.data.updatedBy,
      changedFields: [
        { field: 'code', base: 'A', current: 'B', yours: 'A' },
        { field: 'title', base: 'Base', current: 'Current', yours: 'Mine' },
      ],
    });
    expect((await desk.get(`/entries/${id}`)).body.data).toEqual(newer.body.data);
  });

  it('lists a changed slug only for a caller who sends one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Base' });
    await update(desk, id, { version: 1, slug: 'newer', fields: { title: 'Current' } });
    const fieldsFor = async (body: object): Promise<unknown[]> => {
      const { details } = (await update(desk, id, { version: 1, ...body })).body as {
        details: { changedFields: { field: string }[] };
      };
      return details.changedFields.map(({ field }) => field);
    };
    expect(await fieldsFor({ fields: { title: 'Mine' } })).toEqual(['title']);
    expect(await fieldsFor({ slug: 'mine' })).toEqual(['title', '_slug']);
  });

  it('returns 409 for a future version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(outcome(await update(desk, id, { version: 2, fields: {} }))).toEqual([409, 'version_conflict']);
  });

  it('lets exactly one of 50 concurrent writers of a version win', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        update(desk, id, { version: 1, fields: { title: `Writer ${index}` } }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    const now = (await desk.get(`/entries/${id}`)).body.data;
    expect([now.version, now.fields]).toEqual([2, won[0]?.body.data.fields]);
    expect(await versionsOf(desk, id)).toHaveLength(2);
  });

  it('returns 409 when another entry has the slug', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Taken' });
    const { id } = await article(desk, { title: 'Free' });
    const response = await update(desk, id, { version: 1, slug: 'taken' });
    expect(outcome(response)).toEqual([409, 'slug_conflict']);
    expect((await update(desk, id, { version: 1, locale: 'de', slug: 'taken' })).status).toBe(200);
  });
});

describe('422', () => {
  verifies('http/put-partial', 'http/input-shape');

  it.each([{}, { locale: 'de' }, { comment: 'Nothing.' }])(
    'returns no_update_fields for %j',
    async (body) => {
      const desk = await openDesk(app());
      const { id } = await article(desk);
      expect(outcome(await update(desk, id, { version: 1, ...body }))).toEqual([422, 'no_update_fields']);
    },
  );

  it('returns 422 for an update without a version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await update(desk, id, { fields: { title: 'New' } });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([['version', 'invalid_type']]);
  });

  it('reports each field that the type does not have', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await update(desk, id, {
      version: 1,
      fields: { title: 'New', tilte: 1, constructor: 2 },
    });
    expect(outcome(response)).toEqual([422, 'unknown_field']);
    expect(issues(response)).toEqual([
      ['fields.tilte', 'unknown_field'],
      ['fields.constructor', 'unknown_field'],
    ]);
  });

  it('returns 422 for values of the wrong type and changes nothing', async () => {
    const desk = await openDesk(app());
    const entry = await article(desk);
    const response = await update(desk, entry.id, {
      version: 1,
      fields: { title: 5, related: {}, body: 'x' },
    });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response).map(([path]) => path)).toEqual(['fields.title', 'fields.body', 'fields.related']);
    expect((await desk.get(`/entries/${entry.id}`)).body.data).toEqual(entry);
  });
});
