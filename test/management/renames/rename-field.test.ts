import { beforeEach, describe, expect, it } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { useOwnApp } from '../../support/desk.js';

const app = useOwnApp();
let project: TestProject;

beforeEach(async () => {
  project = await createProject(app());
  await createType(app(), project, {
    apiName: 'article',
    displayField: 'title',
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'path', type: 'slug', localized: false, settings: { sourceField: 'title' } },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    ],
  });
});

const request = (method: 'GET' | 'POST' | 'PUT', suffix: string, body?: object) =>
  send(app(), { method, path: `${project.management}${suffix}`, key: project.keys.management, body });

const need = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', suffix: string, body?: object): Promise<T> =>
  must<T>(app(), { method, path: `${project.management}${suffix}`, key: project.keys.management, body });

const rename = (from: string, apiName: unknown) =>
  request('POST', `/content-types/article/fields/${from}/rename`, { apiName });

const article = (fields: Record<string, unknown>) =>
  createEntry(app(), project, { contentTypeApiName: 'article', fields });

const read = (id: string) => need<TestEntry>('GET', `/entries/${id}`);

describe('200', () => {
  verifies('content/renames');

  it('keeps values, statuses and versions of drafts, and published content', async () => {
    const live = await article({ title: 'Live', code: 'A' });
    await publish(app(), project, live.id);
    const changed = await article({ title: 'Before', code: 'B' });
    await publish(app(), project, changed.id);
    await need('PUT', `/entries/${changed.id}`, { version: 1, fields: { title: 'After' } });
    const draft = await article({ title: 'Draft' });

    for (const [from, to] of [
      ['title', 'headline'],
      ['code', 'reference_code'],
    ] as const) {
      const response = await rename(from, to);
      expect([response.status, response.body]).toMatchObject([200, { data: { apiName: to } }]);
    }

    const entries = await Promise.all([live, changed, draft].map(({ id }) => read(id)));
    expect(
      entries.map(({ status, version, fields }) => [status, version, fields.headline, fields.reference_code]),
    ).toEqual([
      ['published', 1, 'Live', 'A'],
      ['changed', 2, 'After', 'B'],
      ['draft', 1, 'Draft', undefined],
    ]);
    expect(entries.some(({ fields }) => 'title' in fields || 'code' in fields)).toBe(false);
    const delivered = await must<{ fields: object }>(app(), {
      method: 'GET',
      path: `${project.delivery}/entries/${changed.id}`,
    });
    expect(delivered.fields).toEqual({ headline: 'Before', path: 'before', reference_code: 'B' });
    const graphql = await send(app(), {
      method: 'POST',
      path: `/api/graphql/${project.slug}`,
      key: project.keys.delivery,
      body: { query: '{ articleCollection(locale: "en") { items { headline reference_code } } }' },
    });
    expect(graphql.body).not.toHaveProperty('errors');
  });

  it('updates displayField, sourceField, titles and unique values', async () => {
    const first = await article({ title: 'First', code: 'A' });
    await publish(app(), project, first.id);
    await rename('title', 'headline');
    await rename('code', 'sku');
    const type = await need<{ displayField: string; fields: { apiName: string; settings: object }[] }>(
      'GET',
      '/content-types/article',
    );
    expect(type.displayField).toBe('headline');
    expect(type.fields.map(({ apiName }) => apiName)).toEqual(['headline', 'path', 'sku']);
    expect(type.fields[1]?.settings).toEqual({ sourceField: 'headline' });
    const second = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { headline: 'Second Thing', sku: 'A' },
    });
    expect(second.slug).toBe('second-thing');
    const response = await request('POST', `/entries/${second.id}/publish`, {});
    expect(response.body).toMatchObject({
      error: 'entry_invalid',
      details: { issues: [{ path: ['fields', 'sku'], code: 'not_unique' }] },
    });
  });

  it('reads and restores versions under the new name', async () => {
    const { id } = await article({ title: 'One', code: 'A' });
    await need('PUT', `/entries/${id}`, { version: 1, fields: { title: 'Two' } });
    await rename('title', 'interim');
    await rename('interim', 'headline');
    await need('PUT', `/entries/${id}`, { version: 2, fields: { headline: 'Three' } });
    const versions = await need<{ changedFields: string[] }[]>(
      'GET',
      `/entries/${id}/versions?orderBy=createdAt:asc`,
    );
    expect(versions.map(({ changedFields }) => changedFields)).toEqual([
      expect.arrayContaining(['headline', 'code']),
      ['headline'],
      ['headline'],
    ]);
    const { snapshot } = await need<{ snapshot: { fields: object } }>('GET', `/entries/${id}/versions/1`);
    expect(snapshot.fields).toEqual({ en: { headline: 'One', path: 'one', code: 'A' } });
    const restored = await need<TestEntry>('POST', `/entries/${id}/restore`, { versionNum: 1 });
    expect(restored.fields).toEqual({ headline: 'One', path: 'one', code: 'A' });
  });

  it('does not confuse a later field of the old name with the renamed one', async () => {
    const { id } = await article({ title: 'One', code: 'A' });
    await rename('title', 'headline');
    await need('POST', '/content-types/article/fields', { apiName: 'title', type: 'text' });
    await need('PUT', `/entries/${id}`, { version: 1, fields: { title: 'Another field' } });
    const fieldsOf = async (version: number) =>
      (
        await need<{ snapshot: { fields: { en: object } } }>(
          'GET',
          `/entries/${id}/versions/${String(version)}`,
        )
      ).snapshot.fields.en;
    expect(await fieldsOf(1)).toEqual({ headline: 'One', path: 'one', code: 'A' });
    expect(await fieldsOf(2)).toEqual({ headline: 'One', path: 'one', code: 'A', title: 'Another field' });
  });

  it('swaps the names of two fields by way of a third', async () => {
    const { id } = await article({ title: 'T', code: 'C' });
    for (const [from, to] of [
      ['title', 'spare'],
      ['code', 'title'],
      ['spare', 'code'],
    ] as const)
      expect((await rename(from, to)).status).toBe(200);
    expect((await read(id)).fields).toEqual({ code: 'T', path: 't', title: 'C' });
    const { snapshot } = await need<{ snapshot: { fields: object } }>('GET', `/entries/${id}/versions/1`);
    expect(snapshot.fields).toEqual({ en: { code: 'T', path: 't', title: 'C' } });
  });

  it('writes one audit record and one event per rename, and none for an equal name', async () => {
    const { headers } = await rename('title', 'headline');
    const same = await rename('headline', 'headline');
    expect(same.status).toBe(200);
    const records = (id: unknown) =>
      app().rows<{ action: string }>(
        null,
        "SELECT action FROM audit_events WHERE context ->> 'requestId' = $1",
        [id],
      );
    expect(await records(headers['x-request-id'])).toEqual([{ action: 'field.rename' }]);
    expect(await records(same.headers['x-request-id'])).toEqual([]);
    const events = await app().rows<{ data: object }>(
      project.tenantId,
      "SELECT payload -> 'data' AS data FROM outbox_events WHERE type = 'content_type.updated'",
    );
    expect(events).toEqual([
      {
        data: {
          contentTypeApiName: 'article',
          renamedField: { id: expect.any(String), from: 'title', to: 'headline' },
        },
      },
    ]);
  });

  it('runs as many statements for many entries as for one', async () => {
    const counts: number[] = [];
    for (const [from, to] of [
      ['title', 'a1'],
      ['a1', 'a2'],
    ] as const) {
      // Otherwise the gate would load the catalog again.
      await need('GET', '/content-types');
      const { statements } = await app().recordStatements(async () => {
        expect((await rename(from, to)).status).toBe(200);
      });
      counts.push(statements.length);
      await Promise.all(Array.from({ length: 20 }, () => article({ [to]: 'T' })));
    }
    expect(counts[1]).toBe(counts[0]);
  });
});

describe('refusals', () => {
  it.each([
    ['a taken name', ['title', 'code'], [409, 'api_name_conflict']],
    ['a reserved name', ['title', 'constructor'], [422, 'reserved_api_name']],
    ['an ill-formed name', ['title', '1st'], [422, 'validation_failed']],
    ['two underscores', ['title', 'a__b'], [422, 'validation_failed']],
    ['no name', ['title', undefined], [422, 'validation_failed']],
    ['a field that does not exist', ['nothing', 'something'], [404, 'field_not_found']],
  ] as const)('returns an error for the rename of a field: %s', async (_what, [from, to], outcome) => {
    const response = await rename(from, to);
    expect([response.status, (response.body as { error: string }).error]).toEqual(outcome);
  });

  it('returns 404 for the rename of a field of an unknown type', async () => {
    const response = await request('POST', '/content-types/nothing/fields/title/rename', { apiName: 'x' });
    expect([response.status, (response.body as { error: string }).error]).toEqual([
      404,
      'content_type_not_found',
    ]);
  });
});
