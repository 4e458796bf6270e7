import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool } from '../../mcp/send.js';
import { must, send, type RestCall } from '../../support/call.js';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createProject, superAdmin, type TestProject } from '../../support/factories/project.js';
import { createMember, createRole, systemRoleId, type TestMember } from '../../support/members.js';
import { answerRequest, clientKey, newClient, requestOf, revokeToken } from '../../support/oauth-client.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  ({ project } = await openDesk(app()));
});

const newMember = async (role: string): Promise<TestMember> =>
  createMember(app(), project, [await systemRoleId(app(), project, role)]);

const admin = async <T = { id: string }>(
  method: RestCall['method'],
  path: string,
  body?: object,
): Promise<T> =>
  must<T>(app(), { method, path: project.management + path, key: await superAdmin(app()), body });

interface Called {
  readonly status: number;
  readonly error: string | undefined;
  readonly result: { readonly data?: { readonly id: string } };
}

/** One call of a tool, with what refused it: the endpoint or the tool. */
async function tool(key: string, name: string, values: object = {}, slug = project.slug): Promise<Called> {
  const response = await app()
    .request.post(`/api/mcp/${slug}`)
    .set('Authorization', `Bearer ${key}`)
    .set('Accept', 'application/json, text/event-stream')
    .set('Content-Type', 'application/json')
    .send(callTool(name, values));
  const body = response.body as {
    error?: string;
    result?: { structuredContent: Called['result'] & { error?: string } };
  };
  const result = body.result?.structuredContent ?? {};
  return { status: response.status, error: body.error ?? body.result?.structuredContent.error, result };
}

const create = (key: string, siteId = project.siteId): Promise<Called> =>
  tool(key, 'create_entry', { contentTypeApiName: 'article', siteId, fields: { title: 'By an agent' } });
const revoked = { status: 401, error: 'api_key_revoked' };

describe('The key of an OAuth client', () => {
  verifies('access/oauth');

  it('has the rights that its user has at the time of the call', async () => {
    const member = await newMember('editor');
    const { key } = await clientKey(app(), project, member, { draftOnly: false });
    expect(await create(key)).toMatchObject({ status: 200, error: undefined });
    await admin('PUT', `/users/${member.id}`, { roleIds: [await systemRoleId(app(), project, 'viewer')] });
    expect(await create(key)).toMatchObject({ status: 200, error: 'api_key_permission_denied' });
    expect(await tool(key, 'list_sites')).toMatchObject({ status: 200, error: undefined });
    await admin('PUT', `/users/${member.id}`, { roleIds: [] });
    expect((await tool(key, 'list_sites')).error).toBe('api_key_permission_denied');
  });

  it('has the limits of a scoped role and its own at once', async () => {
    const site = await admin('POST', '/sites', { name: 'Second', slug: 'second', defaultLocale: 'en' });
    const grants = [
      { resource: 'entries', action: 'read' },
      { resource: 'entries', action: 'create', scope: { siteIds: [project.siteId] } },
      { resource: 'contentTypes', action: 'read' },
    ];
    const member = await createMember(app(), project, [await createRole(app(), project, grants)]);
    const all = await clientKey(app(), project, member, { draftOnly: false });
    expect((await create(all.key)).error).toBeUndefined();
    expect((await create(all.key, site.id)).error).toBe('api_key_permission_denied');
    const other = await clientKey(app(), project, member, { draftOnly: false, siteIds: [site.id] });
    expect((await create(other.key)).error).toBe('api_key_permission_denied');
    expect((await create(other.key, site.id)).error).toBe('api_key_permission_denied');
    expect((await tool(all.key, 'list_sites')).error).toBe('api_key_permission_denied');
  });

  it('edits drafts only, unless its user says otherwise', async () => {
    const member = await newMember('owner');
    const drafts = await clientKey(app(), project, member);
    const { result } = await create(drafts.key);
    const publication = { id: result.data?.id, locale: 'en' };
    expect((await tool(drafts.key, 'publish_entry', publication)).error).toBe('api_key_permission_denied');
    const all = await clientKey(app(), project, member, { draftOnly: false });
    expect((await tool(all.key, 'publish_entry', publication)).error).toBeUndefined();
  });

  it('works over MCP only, in its project only', async () => {
    const member = await newMember('owner');
    const { key } = await clientKey(app(), project, member, { draftOnly: false });
    for (const path of [
      `${project.management}/entries`,
      `${project.delivery}/tree`,
      '/api/v1/me',
      '/api/v1/me/keys',
    ])
      expect(outcome(await send(app(), { method: 'GET', path, key }))).toEqual([403, 'wrong_key_type']);
    const graphql = await app()
      .request.post(`/api/graphql/${project.slug}`)
      .set('Authorization', `Bearer ${key}`)
      .send({ query: '{ __typename }' });
    expect(graphql.status).toBe(403);
    const other = await createProject(app());
    expect(await tool(key, 'list_sites', {}, other.slug)).toMatchObject({
      status: 403,
      error: 'wrong_project',
    });
  });

  it('expires when its user has chosen, by default after 30 days', async () => {
    const member = await newMember('editor');
    const soon = new Date(app().now().getTime() + 86_400_000).toISOString();
    await clientKey(app(), project, member, { expiresAt: soon });
    const { key, client } = await clientKey(app(), project, member);
    const rows = await app().rows<{ days: number }>(
      project.tenantId,
      `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM api_keys
       WHERE created_by ->> 'id' = $1 ORDER BY created_at`,
      [member.id],
    );
    expect(rows).toEqual([{ days: 1 }, { days: 30 }]);
    await app().rows(
      project.tenantId,
      "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE oauth_client_id = $1",
      [client.client_id],
    );
    expect(await tool(key, 'list_sites')).toMatchObject({ status: 401, error: 'api_key_expired' });
  });

  it('is revoked by who may delete keys, and cannot be rotated', async () => {
    const member = await newMember('editor');
    const { key, client } = await clientKey(app(), project, member);
    const keys = await admin<{ id: string; oauthClientId: string | null }[]>('GET', '/api-keys?limit=100');
    const path = `/api-keys/${keys.find(({ oauthClientId }) => oauthClientId === client.client_id)?.id ?? ''}`;
    const rotated = await send(app(), {
      method: 'POST',
      path: `${project.management}${path}/rotate`,
      key: await superAdmin(app()),
      body: {},
    });
    expect(outcome(rotated)).toEqual([403, 'permission_denied']);
    expect((await tool(key, 'list_sites')).status).toBe(200);
    await admin('DELETE', path);
    expect(await tool(key, 'list_sites')).toMatchObject(revoked);
  });

  it('ends for good with the membership and its suspension', async () => {
    const member = await newMember('editor');
    const { key } = await clientKey(app(), project, member);
    await admin('PUT', `/users/${member.id}`, { status: 'suspended' });
    expect(await tool(key, 'list_sites')).toMatchObject(revoked);
    await admin('PUT', `/users/${member.id}`, { status: 'active' });
    expect(await tool(key, 'list_sites')).toMatchObject(revoked);
    const second = await newMember('editor');
    const { key: removed } = await clientKey(app(), project, second);
    await admin('DELETE', `/users/${second.id}`);
    expect(await tool(removed, 'list_sites')).toMatchObject(revoked);
  });

  it('is refused while the account is suspended', async () => {
    const member = await newMember('editor');
    const { key } = await clientKey(app(), project, member);
    const setStatus = (status: string) =>
      app().rows(null, 'UPDATE users SET status = $2 WHERE id = $1', [member.id, status]);
    await setStatus('suspended');
    expect(await tool(key, 'list_sites')).toMatchObject(revoked);
    await setStatus('active');
    expect((await tool(key, 'list_sites')).status).toBe(200);
  });

  it('is refused while the tenant requires a second factor that its user lacks', async () => {
    const own = await createProject(app());
    const role = await systemRoleId(app(), own, 'owner');
    const member = await createMember(app(), own, [role]);
    const { key } = await clientKey(app(), own, member);
    const path = `/api/v1/platform/tenants/${own.tenantSlug}`;
    const set = async (requireSecondFactor: boolean) =>
      must(app(), { method: 'PUT', path, key: await superAdmin(app()), body: { requireSecondFactor } });
    await set(true);
    expect(await tool(key, 'list_sites', {}, own.slug)).toMatchObject({
      status: 403,
      error: 'second_factor_required',
    });
    await set(false);
    expect((await tool(key, 'list_sites', {}, own.slug)).status).toBe(200);
  });

  it('of a super-admin is limited by what they chose', async () => {
    const { key } = await clientKey(app(), project, { token: await superAdmin(app()) });
    const { result } = await create(key);
    expect((await tool(key, 'publish_entry', { id: result.data?.id, locale: 'en' })).error).toBe(
      'api_key_permission_denied',
    );
  });

  it('ends only by its own client', async () => {
    const member = await newMember('editor');
    const { key, client } = await clientKey(app(), project, member);
    const other = await newClient(app());
    expect((await revokeToken(app(), other, key)).status).toBe(200);
    expect((await revokeToken(app(), client, `${key.slice(0, -1)}x`)).status).toBe(200);
    expect((await revokeToken(app(), client, project.keys.management)).status).toBe(200);
    expect((await tool(key, 'list_sites')).status).toBe(200);
    expect((await tool(project.keys.management, 'list_sites')).status).toBe(200);
    expect((await revokeToken(app(), client, key)).status).toBe(200);
    expect(await tool(key, 'list_sites')).toMatchObject(revoked);
  });
});

describe('A consent', () => {
  verifies('access/oauth');

  it('is recorded with what the user permitted', async () => {
    const member = await newMember('editor');
    await clientKey(app(), project, member, { toolsets: ['media'] });
    const records = await app().rows<{ action: string; after: object }>(
      null,
      `SELECT action, after FROM audit_events WHERE actor ->> 'id' = $1 AND action IN ('user.client_approve', 'api_key.create')
       ORDER BY at, action`,
      [member.id],
    );
    const limits = { toolsets: ['media'], draftOnly: true };
    expect(records).toMatchObject([
      { action: 'user.client_approve', after: { ...limits, projectSlug: project.slug } },
      { action: 'api_key.create', after: limits },
    ]);
    expect(JSON.stringify(records)).not.toContain('hwc_');
  });

  it('is limited to projects, sites and times that exist', async () => {
    const member = await newMember('editor');
    const foreign = await createProject(app());
    const consent = async (choice: object) =>
      outcome(
        await answerRequest(app(), member, {
          requestId: await requestOf(app(), await newClient(app())),
          approve: true,
          projectSlug: project.slug,
          ...choice,
        }),
      );
    const inDays = (days: number) => new Date(app().now().getTime() + days * 86_400_000).toISOString();
    expect(await consent({ projectSlug: undefined })).toEqual([422, 'validation_failed']);
    expect(await consent({ projectSlug: foreign.slug })).toEqual([403, 'wrong_project']);
    expect(await consent({ projectSlug: 'no-such-project' })).toEqual([403, 'wrong_project']);
    expect(await consent({ siteIds: [foreign.siteId] })).toEqual([404, 'site_not_found']);
    expect(await consent({ expiresAt: inDays(-1) })).toEqual([422, 'validation_failed']);
    expect(await consent({ expiresAt: inDays(366) })).toEqual([422, 'validation_failed']);
    expect(await consent({ toolsets: ['everything'] })).toEqual([422, 'validation_failed']);
  });
});
