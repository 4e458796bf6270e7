import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { superAdmin } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { sendFrom } from './desk.js';

let ahead = 0;
const app = useOwnApp({ trustedProxies: 1, clock: () => new Date(Date.now() + ahead) });

const HOME = '198.51.100.7';
const AWAY = '192.0.2.9';

interface Caller {
  readonly desk: Desk;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Response>;
}

/** A project's management, called from an address. */
function callerOf(desk: Desk, from: string, key: string = desk.project.keys.management): Caller {
  return {
    desk,
    call: (method, path, body) =>
      sendFrom(app(), { method, path: `${desk.project.management}${path}`, body, key, from }),
  };
}

/** A project that answers management to one address only. */
async function guarded(appliesTo?: string[]): Promise<{ home: Caller; away: Caller; ruleId: string }> {
  const desk = await openDesk(app());
  const home = callerOf(desk, HOME);
  const rule = await home.call('POST', '/ip-allowlist', { cidr: HOME });
  const set = await home.call('PUT', '/ip-allowlist', { enabled: true, ...(appliesTo && { appliesTo }) });
  expect(set.status).toBe(200);
  return { home, away: callerOf(desk, AWAY), ruleId: rule.body.data.id as string };
}

describe('An allowlist that is on', () => {
  verifies('access/allowlist-operations', 'access/allowlist-enforced', 'access/allowlist');

  it('holds at once for management and agents, and for nothing else by default', async () => {
    const { home, away } = await guarded();
    expect((await home.call('GET', '/sites')).status).toBe(200);
    const refused = await away.call('GET', '/sites');
    expect(outcome(refused)).toEqual([403, 'ip_not_allowed']);
    expect(refused.headers['www-authenticate']).toContain('insufficient_scope');
    const { slug, keys } = home.desk.project;
    const mcp = await sendFrom(app(), {
      method: 'POST',
      path: `/api/mcp/${slug}`,
      key: keys.management,
      from: AWAY,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(outcome(mcp)).toEqual([403, 'ip_not_allowed']);
    const trpc = await sendFrom(app(), {
      method: 'GET',
      path: `/api/trpc/sites.list?input=${encodeURIComponent(JSON.stringify({ projectSlug: slug }))}`,
      key: keys.management,
      from: AWAY,
    });
    expect([trpc.status, trpc.body.error.data.error]).toEqual([403, 'ip_not_allowed']);
    const delivery = { method: 'GET', path: `/api/delivery/projects/${slug}/sites/main/content/article` };
    expect((await sendFrom(app(), { ...delivery, method: 'GET', from: AWAY })).status).toBe(200);
  });

  it('guards what it is told to guard', async () => {
    const { home } = await guarded(['graphql', 'delivery']);
    const { slug, keys } = home.desk.project;
    expect((await callerOf(home.desk, AWAY).call('GET', '/sites')).status).toBe(200);
    const graphql = (from: string) =>
      sendFrom(app(), {
        method: 'POST',
        path: `/api/graphql/${slug}`,
        key: keys.delivery,
        from,
        body: { query: '{ __typename }' },
      });
    const read = (from: string) =>
      sendFrom(app(), {
        method: 'GET',
        path: `/api/delivery/projects/${slug}/sites/main/content/article`,
        from,
      });
    expect([(await graphql(HOME)).status, (await read(HOME)).status]).toEqual([200, 200]);
    for (const answer of [await graphql(AWAY), await read(AWAY)])
      expect(outcome(answer)).toEqual([403, 'ip_not_allowed']);
  });

  it('forgets rules that are inactive, expired or deleted', async () => {
    const { home, away } = await guarded();
    const add = async (body: object) =>
      (await home.call('POST', '/ip-allowlist', { cidr: '192.0.2.0/24', ...body })).body.data.id as string;
    const isWelcome = async () => (await away.call('GET', '/sites')).status === 200;
    const id = await add({ isActive: false });
    expect(await isWelcome()).toBe(false);
    await home.call('PUT', `/ip-allowlist/${id}`, {
      isActive: true,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await isWelcome()).toBe(true);
    ahead = 61_000;
    expect(await isWelcome()).toBe(false);
    ahead = 0;
    await home.call('DELETE', `/ip-allowlist/${id}`);
    expect(await isWelcome()).toBe(false);
  });

  it('knows an IPv4 address that comes wrapped in IPv6', async () => {
    const { home } = await guarded();
    expect((await callerOf(home.desk, `::ffff:${HOME}`).call('GET', '/sites')).status).toBe(200);
    expect(outcome(await callerOf(home.desk, 'nonsense').call('GET', '/sites'))).toEqual([
      403,
      'ip_not_allowed',
    ]);
  });

  it('does not shut out super-admins, nor keep them from shutting out everybody', async () => {
    const desk = await openDesk(app());
    const admin = callerOf(desk, AWAY, await superAdmin(app()));
    expect((await admin.call('PUT', '/ip-allowlist', { enabled: true })).status).toBe(200);
    expect((await admin.call('GET', '/sites')).status).toBe(200);
    expect(outcome(await callerOf(desk, HOME).call('GET', '/sites'))).toEqual([403, 'ip_not_allowed']);
  });
});

describe('409 ip_lockout', () => {
  verifies('access/allowlist-enforced');

  it('keeps callers from shutting themselves out', async () => {
    const desk = await openDesk(app());
    const home = callerOf(desk, HOME);
    expect(outcome(await home.call('PUT', '/ip-allowlist', { enabled: true }))).toEqual([409, 'ip_lockout']);
    const { home: inside, ruleId } = await guarded();
    const rule = `/ip-allowlist/${ruleId}`;
    const locking = [
      await inside.call('DELETE', rule),
      await inside.call('PUT', rule, { cidr: AWAY }),
      await inside.call('PUT', rule, { isActive: false }),
    ];
    for (const answer of locking) expect(outcome(answer)).toEqual([409, 'ip_lockout']);
    expect((await inside.call('GET', '/ip-allowlist')).body.data).toMatchObject([
      { cidr: HOME, isActive: true },
    ]);
    await inside.call('POST', '/ip-allowlist', { cidr: '198.51.100.0/24' });
    expect((await inside.call('DELETE', rule)).status).toBe(200);
    expect((await inside.call('PUT', '/ip-allowlist', { enabled: false })).status).toBe(200);
  });
});

describe('The networks of a key', () => {
  verifies('access/key-bounds', 'access/allowlist-enforced');

  it('bind the key on every interface, whatever the project allows', async () => {
    const desk = await openDesk(app());
    const body = { name: 'K', type: 'management', ipAllowlist: ['198.51.100.0/24'] };
    const { secret } = (await desk.post('/api-keys', body)).body.data as { secret: string };
    expect((await callerOf(desk, HOME, secret).call('GET', '/sites')).status).toBe(200);
    expect(outcome(await callerOf(desk, AWAY, secret).call('GET', '/sites'))).toEqual([
      403,
      'ip_not_allowed',
    ]);
    const path = `/api/delivery/projects/${desk.project.slug}/sites/main/content/article`;
    const read = (from: string) => sendFrom(app(), { method: 'GET', path, key: secret, from });
    expect([(await read(HOME)).status, (await read(AWAY)).status]).toEqual([200, 403]);
  });
});

describe('Audit records', () => {
  verifies('access/client-address');

  it('contain the address of the client', async () => {
    const { home } = await guarded();
    const { tenantId } = home.desk.project;
    const rows = await app().rows<{ ip: string }>(
      tenantId,
      "SELECT context->>'ip' AS ip FROM audit_events WHERE tenant_id = $1 AND action LIKE 'ip%' ORDER BY id",
      [tenantId],
    );
    expect(rows.map(({ ip }) => ip)).toEqual([HOME, HOME]);
  });
});
