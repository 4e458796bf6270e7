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
  await createType(app(), project, { apiName: 'author', fields: [{ apiName: 'name', type: 'text' }] });
  await createType(app(), project, {
    apiName: 'article',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
      { apiName: 'shared', type: 'reference', localized: false, isList: true },
      { apiName: 'data', type: 'json' },
    ],
  });
});

const request = (method: 'GET' | 'POST', suffix: string, body?: object) =>
  send(app(), { method, path: `${project.management}${suffix}`, key: project.keys.management, body });

const need = <T>(method: 'GET' | 'POST' | 'PUT', suffix: string, body?: object): Promise<T> =>
  must<T>(app(), { method, path: `${project.management}${suffix}`, key: project.keys.management, body });

const rename = (from: string, apiName: unknown) =>
  request('POST', `/content-types/${from}/rename`, { apiName });

const entry = (contentTypeApiName: string, fields: Record<string, unknown>) =>
  createEntry(app(), project, { contentTypeApiName, fields });

const read = (id: string) => need<TestEntry>('GET', `/entries/${id}`);

const LOOKALIKE = { _ref: 'x', _type: 'author' };

describe('200', () => {
  verifies('content/renames');

  it('updates every link in drafts and published documents and keeps statuses', async () => {
    const author = await entry('author', { name: 'Ann' });
    await publish(app(), project, author.id);
    const link = { _ref: author.id };
    const fields = { title: 'T', author: link, shared: [link, link], data: LOOKALIKE };
    const live = await entry('article', fields);
    await publish(app(), project, live.id);
    const changed = await entry('article', fields);
    await publish(app(), project, changed.id);
    await need('PUT', `/entries/${changed.id}`, { version: 1, fields: { author: null } });

    const response = await rename('author', 'writer');
    expect([response.status, response.body]).toMatchObject([
      200,
      { data: { apiName: 'writer', fields: [{ apiName: 'name' }], entryCount: 1 } },
    ]);

    const writer = { _ref: author.id, _type: 'writer' };
    const [isLive, isChanged, ofType] = await Promise.all([live.id, changed.id, author.id].map(read));
    expect([isLive?.status, isLive?.fields]).toEqual([
      'published',
      { title: 'T', author: writer, shared: [writer, writer], data: LOOKALIKE },
    ]);
    expect([isChanged?.status, isChanged?.fields]).toEqual([
      'changed',
      { title: 'T', shared: [writer, writer], data: LOOKALIKE },
    ]);
    expect(ofType).toMatchObject({ contentTypeApiName: 'writer', status: 'published', version: 1 });
    const delivered = await must<{ fields: object }>(app(), {
      method: 'GET',
      path: `${project.delivery}/entries/${changed.id}`,
    });
    expect(delivered.fields).toMatchObject({ author: writer, shared: [writer, writer], data: LOOKALIKE });
    expect((await request('GET', '/content-types/author')).status).toBe(404);
  });

  it('updates what texts may embed and link to', async () => {
    const validations = { allowedEmbeds: ['image/*', 'author'], allowedLinks: ['author', 'article'] };
    await createType(app(), project, {
      apiName: 'page',
      fields: [{ apiName: 'body', type: 'richText', validations }],
    });
    await rename('author', 'writer');
    const { fields } = await need<{ fields: { validations: object }[] }>('GET', '/content-types/page');
    expect(fields[0]?.validations).toEqual({
      allowedEmbeds: ['image/*', 'writer'],
      allowedLinks: ['writer', 'article'],
    });
  });

  it('updates the allowed types of fields, and GraphQL', async () => {
    await rename('author', 'writer');
    const { fields } = await need<{ fields: { settings: object }[] }>('GET', '/content-types/article');
    expect(fields[1]?.settings).toEqual({ contentTypes: ['writer'] });
    const writer = await entry('writer', { name: 'Ann' });
    const article = await entry('article', { title: 'T', author: { _ref: writer.id, _type: 'writer' } });
    await publish(app(), project, writer.id);
    await publish(app(), project, article.id);
    const graphql = await send(app(), {
      method: 'POST',
      path: `/api/graphql/${project.slug}`,
      key: project.keys.delivery,
      body: {
        query:
          '{ articleCollection(locale: "en") { items { author { __typename name } } } writerCollection { total } }',
      },
    });
    expect(graphql.body).toMatchObject({
      data: { articleCollection: { items: [{ author: { __typename: 'Writer', name: 'Ann' } }] } },
    });
  });

  it('restores versions whose links have the former name', async () => {
    const author = await entry('author', { name: 'Ann' });
    const article = await entry('article', { title: 'T', author: { _ref: author.id } });
    await need('PUT', `/entries/${article.id}`, { version: 1, fields: { author: null } });
    await rename('author', 'writer');
    const restored = await need<TestEntry>('POST', `/entries/${article.id}/restore`, { versionNum: 1 });
    expect(restored.fields).toEqual({ title: 'T', author: { _ref: author.id, _type: 'writer' } });
  });

  it('renames a type that references itself', async () => {
    await createType(app(), project, {
      apiName: 'page',
      fields: [{ apiName: 'parent', type: 'reference', settings: { contentTypes: ['page'] } }],
    });
    const root = await entry('page', {});
    const child = await entry('page', { parent: { _ref: root.id } });
    const response = await rename('page', 'sheet');
    expect(response.body).toMatchObject({ data: { fields: [{ settings: { contentTypes: ['sheet'] } }] } });
    expect((await read(child.id)).fields).toEqual({ parent: { _ref: root.id, _type: 'sheet' } });
  });

  it('accepts another spelling of the same name', async () => {
    await createType(app(), project, { apiName: 'blogPost' });
    expect((await rename('blogPost', 'blog_post')).status).toBe(200);
  });

  it('writes one audit record and one event for the rename of a type', async () => {
    const { headers } = await rename('author', 'writer');
    const records = await app().rows<{ action: string; before: object; after: object }>(
      null,
      "SELECT action, before, after FROM audit_events WHERE context ->> 'requestId' = $1",
      [headers['x-request-id']],
    );
    expect(records).toEqual([
      expect.objectContaining({
        action: 'content_type.rename',
        before: expect.objectContaining({ apiName: 'author' }),
        after: expect.objectContaining({ apiName: 'writer' }),
      }),
    ]);
    const events = await app().rows<{ data: object }>(
      project.tenantId,
      "SELECT payload -> 'data' AS data FROM outbox_events WHERE type = 'content_type.updated'",
    );
    expect(events).toEqual([
      {
        data: {
          contentTypeApiName: 'writer',
          renamed: { id: expect.any(String), from: 'author', to: 'writer' },
        },
      },
    ]);
  });
});

describe('refusals', () => {
  it.each([
    ['a taken name', 'article', 409, 'api_name_conflict'],
    ['a name that GraphQL would take for a taken one', 'Article', 409, 'api_name_conflict'],
    ['a reserved name', 'query', 422, 'reserved_api_name'],
    ['the name of a collection', 'thingCollection', 422, 'reserved_api_name'],
    ['an ill-formed name', 'not a name', 422, 'validation_failed'],
  ])('returns an error for the rename of a type: %s', async (_what, to, status, error) => {
    const response = await rename('author', to);
    expect([response.status, (response.body as { error: string }).error]).toEqual([status, error]);
  });

  it.each(['spot', 'spot_at'])('returns 409 for %s, the GraphQL name of a custom field type', async (to) => {
    const at = { type: 'object', properties: { x: { type: 'number' } } };
    const jsonSchema = { type: 'object', properties: { at } };
    const body = { apiName: 'place', name: 'Place', graphqlTypeName: 'Spot', jsonSchema };
    const path = `${project.management}/custom-field-types`;
    const made = await send(app(), { method: 'POST', path, key: project.keys.management, body });
    expect(made.status).toBe(201);
    const response = await rename('author', to);
    expect([response.status, (response.body as { error: string }).error]).toEqual([
      409,
      'graphql_type_name_conflict',
    ]);
  });

  it('returns 404 for the rename of an unknown type and of a type of another tenant', async () => {
    await createType(app(), await createProject(app()), { apiName: 'theirs' });
    for (const name of ['nothing', 'theirs'])
      expect((await rename(name, 'mine')).body).toMatchObject({ error: 'content_type_not_found' });
  });
});
