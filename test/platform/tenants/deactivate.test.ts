import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { superAdmin } from '../../support/factories/project.js';
import { sessionWith } from '../../support/members.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

/** One call through every interface of a project. */
async function everywhere({ project }: Desk, { id, member }: { id: string; member: string }) {
  const { management, delivery, keys, slug } = project;
  const key = keys.management;
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const input = encodeURIComponent(JSON.stringify({ projectSlug: slug }));
  return Promise.all([
    send(app(), { method: 'GET', path: `${management}/entries`, key }),
    send(app(), { method: 'GET', path: `${management}/entries`, key: await superAdmin(app()) }),
    send(app(), { method: 'GET', path: `${management}/entries`, key: member }),
    send(app(), { method: 'GET', path: `${delivery}/entries/${id}` }),
    send(app(), { method: 'GET', path: `${delivery}/entries/${id}`, key: keys.delivery }),
    send(app(), { method: 'POST', path: `/api/graphql/${slug}`, key, body: { query: '{ __typename }' } }),
    app()
      .request.post(`/api/mcp/${slug}`)
      .set({ Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' })
      .send(rpc),
    send(app(), { method: 'GET', path: `/api/trpc/sites.list?input=${input}`, key }),
  ]);
}

describe('200', () => {
  verifies('access/tenants', 'access/inactive-tenant');

  it('blocks every interface of the tenant at once, until it is active again', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), desk.project, id);
    const member = await sessionWith(app(), desk.project, 'viewer');
    const { tenantSlug } = desk.project;
    const { status, body } = await platform(app(), `DELETE /tenants/${tenantSlug}`);
    expect([status, body]).toEqual([200, { data: { slug: tenantSlug, status: 'deactivated' } }]);
    for (const answer of await everywhere(desk, { id, member })) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('tenant_inactive');
    }
    expect((await platform(app(), `GET /tenants/${tenantSlug}`)).body.data.status).toBe('deactivated');
    await platform(app(), `PUT /tenants/${tenantSlug}`, { status: 'active' });
    for (const answer of await everywhere(desk, { id, member })) expect(answer.status).toBe(200);
  });

  it('changes nothing the second time a tenant is deactivated', async () => {
    const { project } = await openDesk(app());
    const path = `DELETE /tenants/${project.tenantSlug}` as const;
    const first = await platform(app(), path);
    const second = await platform(app(), path);
    expect(second.body).toEqual(first.body);
    const rows = await app().rows(null, "SELECT 1 FROM audit_events WHERE context ->> 'requestId' = $1", [
      second.headers['x-request-id'],
    ]);
    expect(rows).toEqual([]);
  });
});

describe('404', () => {
  it('returns 404 when deactivating an unknown tenant', async () => {
    expect(outcome(await platform(app(), 'DELETE /tenants/nothing'))).toEqual([404, 'tenant_not_found']);
  });
});
