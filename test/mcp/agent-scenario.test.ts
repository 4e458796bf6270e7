import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { must, send } from '../support/call.js';
import { createArticleTypes, createEntry, paragraphs } from '../support/factories/content.js';
import { createProject, superAdmin, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { Agents, useTool } from './agents.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let project: TestProject;
let agents: Agents;

const agent = (key: string) => agents.connect(key);

const textIn = ([content]: readonly object[]) => JSON.parse((content as { text: string }).text);

const newKey = (body: object) => agents.newKey(body);

beforeAll(async () => {
  project = await createProject(app());
  agents = new Agents(app(), project);
  await createArticleTypes(app(), project);
});

afterAll(async () => {
  await agents.close();
});

describe('An agent with a management key', () => {
  verifies('mcp/transport', 'mcp/tools', 'mcp/resources', 'events/records-of-mcp-calls');

  it('discovers types, drafts from them, fixes reported issues, publishes and unpublishes', async () => {
    const client = await agent(project.keys.management);
    const types = await useTool(client, 'list_content_types');
    expect(types.structuredContent.data?.map(({ apiName }) => apiName).sort()).toEqual(['article', 'author']);
    const type = await useTool(client, 'get_content_type', { apiName: 'article' });
    expect(type.structuredContent.data).toMatchObject({ apiName: 'article', fieldCount: 5 });
    const sites = await useTool(client, 'list_sites');
    const siteId = sites.structuredContent.data?.[0]?.id;
    expect((await useTool(client, 'get_site', { slug: 'main' })).structuredContent.data).toMatchObject({
      id: siteId,
    });

    const wrong = await useTool(client, 'create_entry', {
      contentTypeApiName: 'article',
      siteId,
      fields: { titel: 'A lock' },
    });
    expect(wrong.isError).toBe(true);
    expect(wrong.structuredContent.details?.issues[0]).toMatchObject({
      path: ['fields', 'titel'],
      code: 'unknown_field',
    });
    const empty = await useTool(client, 'create_entry', {
      contentTypeApiName: 'article',
      siteId,
      fields: {},
    });
    const id = empty.structuredContent.data?.id;
    const refused = await useTool(client, 'publish_entry', { id });
    expect(refused.structuredContent).toMatchObject({
      error: 'entry_invalid',
      details: { issues: [{ path: ['fields', 'title'], code: 'required' }] },
    });

    const fixed = await useTool(client, 'update_entry', { id, version: 1, fields: { title: 'A lock' } });
    expect(fixed.structuredContent.data).toMatchObject({ version: 2, status: 'draft' });
    expect((await useTool(client, 'publish_entry', { id })).structuredContent.data).toMatchObject({
      status: 'published',
    });
    const live = await send(app(), { method: 'GET', path: `${project.delivery}/entries/${String(id)}` });
    expect(live.body.data.fields.title).toBe('A lock');

    expect((await useTool(client, 'get_entry', { id })).structuredContent.data).toMatchObject({ version: 2 });
    const values = await useTool(client, 'get_entry_values', { id, locale: 'en', fields: ['title'] });
    expect(values.structuredContent.data).toEqual({ id, locale: 'en', fields: { title: 'A lock' } });
    await app().composition.jobs.indexSearch();
    const found = await useTool(client, 'search_content', {
      contentTypeApiName: 'article',
      status: 'published',
      query: 'lock',
    });
    expect(found.structuredContent.data).toHaveLength(1);

    expect((await useTool(client, 'unpublish_entry', { id })).structuredContent.data).toMatchObject({
      status: 'draft',
    });
    expect((await useTool(client, 'delete_entry', { id, version: 2 })).structuredContent.data).toEqual({
      id,
      deleted: true,
    });
    expect((await useTool(client, 'get_entry', { id })).structuredContent.error).toBe('entry_not_found');
  });

  interface Found {
    readonly data?: readonly Record<string, unknown>[];
    readonly meta: { readonly facets: Readonly<Record<string, object>> };
  }

  it('searches drafts with parts, filters, an order and few values of facets', async () => {
    const long = `${'Mill race. '.repeat(60)}`.repeat(5);
    const { id: author } = await createEntry(app(), project, {
      contentTypeApiName: 'author',
      fields: { name: 'Mill keeper' },
    });
    const titles = Array.from({ length: 22 }, (_, number) => `Sluice ${String(number).padStart(2, '0')}`);
    for (const title of titles)
      await createEntry(app(), project, {
        contentTypeApiName: 'article',
        fields: { title, body: paragraphs(`A mill. ${long}`), author: { _ref: author } },
      });
    await app().composition.jobs.indexSearch();
    const client = await agent(project.keys.preview);
    const search = (args: Record<string, unknown>) => useTool(client, 'search', args);
    const { data = [], meta } = (
      await search({
        query: 'mill',
        contentTypeApiName: ['article'],
        sort: 'title:desc',
        limit: 2,
        filter: { title: { lt: 'Sluice 21' } },
        facets: ['status', 'fields.title', 'fields.author'],
      })
    ).structuredContent as unknown as Found;
    expect(data.map(({ title }) => title)).toEqual(['Sluice 20', 'Sluice 19']);
    for (const { highlights, fields } of data) {
      const parts = Object.values(highlights as Record<string, string[]>).flat();
      expect([parts.length, fields]).toEqual([3, undefined]);
      for (const part of parts) expect(part).toContain('<em>');
    }
    expect(meta).toMatchObject({ total: 21, provider: 'database' });
    expect(meta.facets.status).toEqual({ draft: 21 });
    expect(meta.facets['fields.author']).toEqual({ [author]: 21 });
    expect(meta).toMatchObject({ facetTitles: { 'fields.author': { [author]: 'Mill keeper' } } });
    expect(Object.keys(meta.facets['fields.title'] ?? {})).toHaveLength(20);
    const grouped = (await search({ query: 'sluice', group: 'entry', limit: 1 })).structuredContent;
    expect(grouped.data).toMatchObject([{ locales: ['en'], path: null }]);
    const misspelt = (await search({ query: 'sluise' })).structuredContent;
    expect([misspelt.data?.length, Object.keys(misspelt)]).toEqual([10, ['data', 'meta']]);
    for (const [args, path] of [
      [{ filter: { title: { eq: 'x' } } }, ['filter']],
      [{ limit: 51 }, ['limit']],
      [{ q: 'lock' }, ['q']],
    ] as const)
      expect((await search(args)).structuredContent.details?.issues[0]).toMatchObject({ path });
  });

  it('is recorded with its key in the audit records of its calls', async () => {
    const client = await agent(project.keys.management);
    const made = await useTool(client, 'create_entry', {
      contentTypeApiName: 'author',
      siteId: project.siteId,
      fields: { name: 'Ada' },
    });
    const [record] = await app().rows<{ metadata: object; context: object }>(
      project.tenantId,
      "SELECT metadata, context FROM audit_events WHERE target ->> 'id' = $1",
      [made.structuredContent.data?.id],
    );
    expect(record?.metadata).toEqual({
      mcpApiKeyId: expect.any(String),
      mcpApiKeyType: 'management',
      tool: 'create_entry',
    });
    expect(record?.context).toMatchObject({ interface: 'mcp' });
  });

  it('reads content types and sites as resources', async () => {
    const client = await agent(project.keys.management);
    const { contents } = await client.readResource({ uri: 'service://schema/content-types' });
    expect(textIn(contents).contentTypes).toHaveLength(2);
    const sites = await client.readResource({ uri: 'service://sites' });
    expect(textIn(sites.contents).sites[0].slug).toBe('main');
  });
});

describe('An agent with a restricted key', () => {
  verifies(
    'mcp/credentials',
    'access/actions-of-tools',
    'mcp/reads-not-scoped-to-sites',
    'access/writes-within-sites',
    'access/permission-denied',
    'access/sessions-for-management-only',
  );

  it('is rejected with a delivery key or a session', async () => {
    const path = `/api/mcp/${project.slug}`;
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const delivery = await send(app(), { method: 'POST', path, body, key: project.keys.delivery });
    expect([delivery.status, delivery.body.error]).toEqual([403, 'wrong_key_type']);
    const session = await send(app(), { method: 'POST', path, body, key: await superAdmin(app()) });
    expect([session.status, session.body.error]).toEqual([401, 'invalid_api_key']);
  });

  it("is limited to its key's permissions on every surface", async () => {
    const key = await newKey({ type: 'management', permissions: ['create'] });
    const client = await agent(key);
    const fields = { name: 'Ben' };
    expect(
      (
        await useTool(client, 'create_entry', {
          contentTypeApiName: 'author',
          siteId: project.siteId,
          fields,
        })
      ).isError,
    ).toBeFalsy();
    expect((await useTool(client, 'list_sites')).structuredContent.error).toBe('api_key_permission_denied');
    const rest = await send(app(), { method: 'GET', path: `${project.management}/entries`, key });
    expect([rest.status, rest.body.error, rest.body.details]).toEqual([
      403,
      'permission_denied',
      { resource: 'entries', action: 'read' },
    ]);
  });

  it('is unrestricted with an empty permission list, with a preview key as well', async () => {
    const client = await agent(project.keys.preview);
    const fields = { name: 'Cleo' };
    expect(
      (
        await useTool(client, 'create_entry', {
          contentTypeApiName: 'author',
          siteId: project.siteId,
          fields,
        })
      ).isError,
    ).toBeFalsy();
    const reader = await agent(await newKey({ type: 'preview' }));
    const refused = await useTool(reader, 'create_entry', {
      contentTypeApiName: 'author',
      siteId: project.siteId,
      fields,
    });
    expect(refused.structuredContent.error).toBe('api_key_permission_denied');
  });

  it('reads every site and writes only to its own sites', async () => {
    const { management, keys } = project;
    const other = await must(app(), {
      method: 'POST',
      path: `${management}/sites`,
      key: keys.management,
      body: { slug: 'other', name: 'Other' },
    });
    const elsewhere = await createEntry(app(), project, {
      contentTypeApiName: 'author',
      siteId: other.id,
      fields: { name: 'Dora' },
    });
    const key = await newKey({ type: 'management', siteIds: [project.siteId] });
    const client = await agent(key);
    expect((await useTool(client, 'get_entry', { id: elsewhere.id })).isError).toBeFalsy();
    const refused = await useTool(client, 'delete_entry', { id: elsewhere.id, version: 1 });
    expect(refused.structuredContent).toMatchObject({
      error: 'api_key_permission_denied',
      details: { siteId: other.id },
    });
    const rest = await send(app(), { method: 'DELETE', path: `${management}/entries/${elsewhere.id}`, key });
    expect([rest.status, rest.body.error, rest.body.details.siteId]).toEqual([
      403,
      'permission_denied',
      other.id,
    ]);
  });
});
