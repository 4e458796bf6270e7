import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OwnConnection } from '../../../contracts/access/me/caller.js';
import { callTool } from '../../mcp/send.js';
import { must, send } from '../../support/call.js';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createProject, superAdmin, type TestProject } from '../../support/factories/project.js';
import { createMember, systemRoleId, type TestMember } from '../../support/members.js';
import { approvedCode, clientKey, exchange, newClient } from '../../support/oauth-client.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  ({ project } = await openDesk(app()));
});

const newMember = async (): Promise<TestMember> =>
  createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);

type Session = Pick<TestMember, 'token'>;

const connectionsOf = ({ token: key }: Session, query = ''): Promise<OwnConnection[]> =>
  must<OwnConnection[]>(app(), { method: 'GET', path: `/api/v1/me/connections${query}`, key });

const end = ({ token: key }: Session, id: string) =>
  send(app(), { method: 'DELETE', path: `/api/v1/me/connections/${id}`, key });

const useTool = async (key: string, slug = project.slug): Promise<[number, string | undefined]> => {
  const response = await app()
    .request.post(`/api/mcp/${slug}`)
    .set('Authorization', `Bearer ${key}`)
    .set('Accept', 'application/json, text/event-stream')
    .set('Content-Type', 'application/json')
    .send(callTool('list_sites', {}));
  return [response.status, (response.body as { error?: string }).error];
};
const works = [200, undefined];
const revoked = [401, 'api_key_revoked'];

interface Noted {
  readonly action: string;
  readonly projectSlug: string | null;
  readonly type: string;
}

/** Records and events of a call, with their projects. */
async function notedBy({ headers }: { headers: Record<string, string> }): Promise<[Noted[], Noted[]]> {
  const id = [headers['x-request-id']];
  return [
    await app().rows<Noted>(
      null,
      `SELECT action, project_slug AS "projectSlug" FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY action, project_slug`,
      id,
    ),
    await app().rows<Noted>(
      null,
      `SELECT type, payload -> 'project' ->> 'slug' AS "projectSlug" FROM outbox_events
       WHERE payload ->> 'requestId' = $1 ORDER BY "projectSlug"`,
      id,
    ),
  ];
}

describe('The connections of a user', () => {
  verifies('access/connections');

  it('are the clients with keys that work, each with the limits the user chose', async () => {
    const member = await newMember();
    const client = await newClient(app(), { client_name: 'Writing host' });
    const first = await clientKey(app(), project, member, { client, toolsets: ['media'] });
    const shop = await must<{ id: string }>(app(), {
      method: 'POST',
      path: `${project.management}/sites`,
      key: await superAdmin(app()),
      body: { slug: 'shop', name: 'Shop', locales: ['en'], defaultLocale: 'en' },
    });
    const siteIds = [project.siteId, shop.id].sort();
    const choice = { siteIds, draftOnly: false, toolsets: ['content', 'structure'] };
    const second = await clientKey(app(), project, member, choice);
    await clientKey(app(), project, await newMember());
    expect(await connectionsOf(member)).toMatchObject([
      {
        id: second.client.client_id,
        clientName: 'Agent host',
        lastUsedAt: null,
        keys: [{ ...choice, project: { slug: project.slug }, lastUsedAt: null }],
      },
      {
        id: first.client.client_id,
        clientName: 'Writing host',
        keys: [{ toolsets: ['media'], siteIds: [], draftOnly: true }],
      },
    ]);
    expect(JSON.stringify(await connectionsOf(member))).not.toContain('hwm_');
  });

  it('are grouped by client, in the requested order and page', async () => {
    const member = await newMember();
    const { client } = await clientKey(app(), project, member);
    await clientKey(app(), project, member);
    await clientKey(app(), project, member, { client });
    await app().rows(
      project.tenantId,
      "UPDATE api_keys SET last_used_at = now() WHERE oauth_client_id = $1 AND created_by ->> 'id' = $2",
      [client.client_id, member.id],
    );
    const [used, ...others] = await connectionsOf(member, '?orderBy=lastUsedAt:desc&limit=1');
    expect([used?.id, used?.keys.length, others]).toEqual([client.client_id, 2, []]);
    expect(used?.lastUsedAt).toBe(used?.keys[0]?.lastUsedAt);
    const [, oldest] = await connectionsOf(member);
    expect([oldest?.id, oldest?.createdAt]).toEqual([client.client_id, oldest?.keys[1]?.createdAt]);
  });

  it('do not list keys that have expired or were revoked', async () => {
    const member = await newMember();
    await clientKey(app(), project, member);
    const { client } = await clientKey(app(), project, member);
    await app().rows(
      project.tenantId,
      "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE oauth_client_id = $1",
      [client.client_id],
    );
    expect(await connectionsOf(member)).toHaveLength(1);
    expect(outcome(await end(member, client.client_id))).toEqual([404, 'connection_not_found']);
  });

  it('end with every key of the client in every project, and of this user only', async () => {
    const admin = { token: await superAdmin(app()) };
    const elsewhere = await createProject(app());
    const { client, key } = await clientKey(app(), project, admin);
    const other = await clientKey(app(), elsewhere, admin, { client });
    const member = await newMember();
    const theirs = await clientKey(app(), project, member, { client });
    const listed = (await connectionsOf(admin)).find(({ id }) => id === client.client_id);
    expect(listed?.keys.map((one) => one.project.id)).toEqual([elsewhere.projectId, project.projectId]);
    const answer = await end(admin, client.client_id);
    expect(answer.body.data).toEqual({ id: client.client_id, deleted: true });
    expect([await useTool(key), await useTool(other.key, elsewhere.slug)]).toEqual([revoked, revoked]);
    expect(await useTool(theirs.key)).toEqual(works);
    const slugs = [elsewhere.slug, project.slug].sort();
    const inEach = <T extends object>(row: T) => slugs.map((projectSlug) => ({ ...row, projectSlug }));
    expect(await notedBy(answer)).toEqual([
      [...inEach({ action: 'api_key.revoke' }), { action: 'user.client_end', projectSlug: null }],
      inEach({ type: 'api_key.revoked' }),
    ]);
    expect((await connectionsOf(admin)).map(({ id }) => id)).not.toContain(client.client_id);
    expect(outcome(await end(admin, client.client_id))).toEqual([404, 'connection_not_found']);
  });

  it('end while the user has no role in the project', async () => {
    const member = await newMember();
    const { client, key } = await clientKey(app(), project, member);
    const path = `${project.management}/users/${member.id}`;
    await must(app(), { method: 'PUT', path, key: await superAdmin(app()), body: { roleIds: [] } });
    expect(outcome(await end(member, client.client_id))).toEqual([200, undefined]);
    expect(await useTool(key)).toEqual(revoked);
  });

  it('end with the codes that the client has not exchanged', async () => {
    const member = await newMember();
    const { client } = await clientKey(app(), project, member);
    const { code, verifier } = await approvedCode(app(), project, member, { client });
    await end(member, client.client_id);
    const given = { client_id: client.client_id, code, code_verifier: verifier };
    expect((await exchange(app(), given)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await connectionsOf(member)).toEqual([]);
  });

  it('return 404 for a client of another user, one without keys, and no id', async () => {
    const member = await newMember();
    const { client, key } = await clientKey(app(), project, await newMember());
    const unused = await newClient(app());
    for (const id of [client.client_id, unused.client_id, 'nonsense'])
      expect(outcome(await end(member, id))).toEqual([404, 'connection_not_found']);
    expect(await useTool(key)).toEqual(works);
  });
});
