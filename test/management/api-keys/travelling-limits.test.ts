import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { createMember, createRole, sessionWith, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** Limits that no role can have. */
const keyOnlyLimits = [
  { expiresAt: '2030-01-01T00:00:00.000Z' },
  { ipAllowlist: ['127.0.0.0/8'] },
  { requireConfirmation: true },
];

async function limitedDesk(limits: object): Promise<{ desk: Desk; limited: Desk; viewer: string }> {
  const desk = await openDesk(app());
  const limited = desk.as((await desk.newKey({ type: 'management', ...limits })).secret);
  return { desk, limited, viewer: await systemRoleId(app(), desk.project, 'viewer') };
}

describe('Users of a limited key', () => {
  verifies('access/key-limits');

  it.each(keyOnlyLimits)('receive no permissions from a key with %j', async (limits) => {
    const { desk, limited, viewer } = await limitedDesk(limits);
    const member = await createMember(app(), desk.project, [viewer]);
    const roleId = await createRole(app(), desk.project, []);
    const email = `${unique()}@example.com`;
    const refused = [
      await limited.post('/users', { email, roleIds: [viewer] }),
      await limited.post(`/roles/${roleId}/permissions`, { resource: 'sites', action: 'read' }),
      await limited.put(`/users/${member.id}`, { roleIds: [] }),
      await limited.put(`/users/${member.id}`, { status: 'suspended' }),
      await limited.put(`/users/${member.id}`, { name: 'Renamed' }),
      await limited.delete(`/users/${member.id}`),
    ];
    for (const answer of refused) expect(outcome(answer)).toEqual([403, 'privilege_escalation']);
    const invited = await limited.post('/users', { email });
    expect([invited.status, invited.body.data.status]).toEqual([201, 'invited']);
    const later = await limited.put(`/users/${String(invited.body.data.id)}`, { roleIds: [viewer] });
    expect(outcome(later)).toEqual([403, 'privilege_escalation']);
    expect((await limited.delete(`/users/${String(invited.body.data.id)}`)).status).toBe(
      'requireConfirmation' in limits ? 409 : 200,
    );
  });

  it('cannot be reactivated by a key that may not give their permissions', async () => {
    const { desk, limited, viewer } = await limitedDesk({ requireConfirmation: true });
    const { id } = await createMember(app(), desk.project, [viewer]);
    expect((await desk.put(`/users/${id}`, { status: 'suspended' })).status).toBe(200);
    const answer = await limited.put(`/users/${id}`, { status: 'active' });
    expect(outcome(answer)).toEqual([403, 'privilege_escalation']);
  });

  it('cannot receive a password from any key', async () => {
    const { desk, viewer } = await limitedDesk({});
    const password = 'a password that no key may set';
    const email = `${unique()}@example.com`;
    const made = await desk.post('/users', { email, roleIds: [viewer], password });
    const { id } = (await desk.post('/users', { email, roleIds: [viewer] })).body.data;
    const changed = await desk.put(`/users/${String(id)}`, { password });
    for (const answer of [made, changed]) {
      expect(outcome(answer)).toEqual([422, 'validation_failed']);
      expect(issues(answer)).toEqual([['password', 'not_allowed']]);
    }
    expect((await desk.get(`/users/${String(id)}`)).body.data.status).toBe('invited');
  });
});

describe('DELETE api-keys/{id} of a key with more rights', () => {
  verifies('access/key-limits', 'access/key-bounds');

  it.each([{ permissions: ['read', 'delete'] }, ...keyOnlyLimits])(
    'returns 403 to a key with %j',
    async (limits) => {
      const { desk, limited } = await limitedDesk(limits);
      const full = await desk.newKey({ type: 'management' });
      const equal = await desk.newKey({ type: 'management', ...limits });
      const path = `/api-keys/${full.id}`;
      expect(outcome(await limited.delete(path))).toEqual([403, 'permission_denied']);
      expect((await desk.get(path)).body.data.status).toBe('active');
      expect((await limited.delete(`/api-keys/${equal.id}`)).status).toBe(
        'requireConfirmation' in limits ? 409 : 200,
      );
    },
  );

  it('returns 403 to a key of an environment, because keys belong to none', async () => {
    const { desk, limited } = await limitedDesk({ environment: 'main' });
    for (const body of [{}, { environment: 'main' }]) {
      const { id } = await desk.newKey({ type: 'management', ...body });
      expect(outcome(await limited.delete(`/api-keys/${id}`))).toEqual([403, 'permission_denied']);
      expect((await desk.get(`/api-keys/${id}`)).body.data.status).toBe('active');
    }
  });

  it('returns 403 to a member who could not create the key', async () => {
    const desk = await openDesk(app());
    const developer = desk.as(await sessionWith(app(), desk.project, 'developer'));
    const full = await desk.newKey({ type: 'management' });
    const reading = await desk.newKey({ type: 'delivery' });
    expect(outcome(await developer.delete(`/api-keys/${full.id}`))).toEqual([403, 'privilege_escalation']);
    expect((await developer.delete(`/api-keys/${reading.id}`)).status).toBe(200);
  });
});
