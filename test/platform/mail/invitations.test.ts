import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  actionsOn,
  again,
  auth,
  invite,
  login,
  mailedToken,
  newPassword,
  publicBaseUrl,
  onUser,
  reasonOf,
  shownToken,
  spend,
  tokenIn,
  startMailing,
  type MailServicesOfTest,
} from '../../support/account-links.js';
import { outcome } from '../../support/desk.js';
import { createProject, unique } from '../../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../../support/members.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

let { sink, mailing, silent, close } = {} as MailServicesOfTest;
let now = new Date();

beforeAll(async () => {
  ({ sink, mailing, silent, close } = await startMailing(() => now));
});
afterAll(() => close());
beforeEach(() => {
  now = new Date();
});

describe('An invitation by mail', () => {
  verifies('access/account-links');

  it('is a link that sets the first password once, and is not in the response', async () => {
    const project = await createProject(mailing);
    const { email, id, body } = await invite(mailing, project);
    expect(body.data).toMatchObject({
      status: 'invited',
      invitationUrl: null,
      invitation: { mail: 'pending' },
    });
    const token = await mailedToken(mailing, sink, email);
    expect(sink.to(email)?.text).toContain(`${publicBaseUrl}/admin/invitation#token=${token}`);
    expect((await onUser(mailing, project, { method: 'GET', id })).body.data.invitation.mail).toBe('sent');
    expect((await spend(mailing, token)).body).toEqual({ data: { changed: true } });
    expect((await login(mailing, email, newPassword)).status).toBe(200);
    expect(await reasonOf(mailing, token)).toEqual([401, 'used']);
    const { data } = (await onUser(mailing, project, { method: 'GET', id })).body;
    expect([data.status, data.invitation]).toEqual(['active', null]);
    const actions = ['user.create', 'user.invite', 'user.password_reset', 'session.create'];
    expect(await actionsOn(mailing, id)).toEqual(actions);
  });

  it('works for seven days, and not after', async () => {
    const project = await createProject(mailing);
    const made = await invite(mailing, project);
    const token = await mailedToken(mailing, sink, made.email);
    const days = (Date.parse(made.body.data.invitation.expiresAt as string) - now.getTime()) / 86_400_000;
    expect(days).toBe(7);
    now = new Date(now.getTime() + 7 * 86_400_000);
    expect(await reasonOf(mailing, token)).toEqual([401, 'expired']);
  });

  it('is sent again, to keys as well, which replaces the earlier link, and revoked', async () => {
    const project = await createProject(mailing);
    const { email, id } = await invite(mailing, project, { key: project.keys.management });
    const first = await mailedToken(mailing, sink, email);
    expect((await again(mailing, project, id)).body.data).toMatchObject({ id, invitationUrl: null });
    const second = await mailedToken(mailing, sink, email);
    expect(second).not.toBe(first);
    expect(await reasonOf(mailing, first)).toEqual([401, 'replaced']);
    const revoked = await onUser(mailing, project, { method: 'DELETE', id, path: '/invitation' });
    expect([revoked.status, revoked.body.data.status, revoked.body.data.invitation]).toEqual([
      200,
      'invited',
      null,
    ]);
    expect(await reasonOf(mailing, second)).toEqual([401, 'revoked']);
    expect((await actionsOn(mailing, id)).slice(1)).toEqual([
      ...['user.invite', 'user.invite', 'user.invitation_revoke'],
    ]);
    await again(mailing, project, id);
    expect((await spend(mailing, await mailedToken(mailing, sink, email))).status).toBe(200);
    expect(outcome(await again(mailing, project, id))).toEqual([409, 'conflict']);
  });

  it('shows that its mail could not be delivered', async () => {
    const project = await createProject(mailing);
    sink.behavior.refuseRecipient = 550;
    const { id } = await invite(mailing, project);
    await mailing.composition.jobs.sendMails();
    sink.behavior.refuseRecipient = undefined;
    const { body } = await onUser(mailing, project, { method: 'GET', id });
    expect(body.data.invitation.mail).toBe('failed');
  });
});

describe('An invitation without a mail server', () => {
  verifies('access/account-links');

  it('is returned to the inviter once, and never to a key', async () => {
    const project = await createProject(silent);
    const { body, id, email, token } = await shownToken(silent, project);
    expect(body.data.invitationUrl).toBe(`${publicBaseUrl}/admin/invitation#token=${token}`);
    expect(body.data.invitation.mail).toBeNull();
    expect((await onUser(silent, project, { method: 'GET', id })).text).not.toContain('hwt_');
    expect((await spend(silent, token)).status).toBe(200);
    expect((await login(silent, email, newPassword)).status).toBe(200);
    const byKey = await invite(silent, project, { key: project.keys.management });
    expect(byKey.body.data).toMatchObject({ invitationUrl: null, invitation: null });
    expect((await again(silent, project, byKey.id, project.keys.management)).status).toBe(403);
    expect(tokenIn((await again(silent, project, byKey.id)).body.data.invitationUrl as string)).not.toBe('');
  });

  it('ends with the membership, a change of roles, suspension, a first password and a later invitation', async () => {
    const project = await createProject(silent);
    const editor = await systemRoleId(silent, project, 'editor');
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => onUser(silent, project, { method: 'DELETE', id }),
      (id) => onUser(silent, project, { method: 'PUT', id, body: { roleIds: [editor] } }),
      (id) => onUser(silent, project, { method: 'PUT', id, body: { roleIds: [] } }),
      (id) => onUser(silent, project, { method: 'PUT', id, body: { status: 'suspended' } }),
      (id) => onUser(silent, project, { method: 'PUT', id, body: { password: memberPassword } }),
    ];
    for (const change of changes) {
      const { id, token } = await shownToken(silent, project);
      await change(id);
      expect(await reasonOf(silent, token)).toEqual([401, 'revoked']);
    }
    const renamed = await shownToken(silent, project);
    await onUser(silent, project, { method: 'PUT', id: renamed.id, body: { name: 'Other' } });
    expect((await spend(silent, renamed.token)).status).toBe(200);
  });

  it('gives no user a link to projects or rights that they do not have', async () => {
    const [one, two] = [await createProject(silent), await createProject(silent)];
    const admin = await createMember(silent, one, [await systemRoleId(silent, one, 'admin')]);
    const owner = await shownToken(silent, one, { roles: ['owner'] });
    expect(outcome(await again(silent, one, owner.id, admin.token))).toEqual([403, 'privilege_escalation']);
    const firstPassword = {
      method: 'PUT',
      id: owner.id,
      body: { password: newPassword },
      key: admin.token,
    } as const;
    expect(outcome(await onUser(silent, one, firstPassword))).toEqual([403, 'privilege_escalation']);
    // The same account in another project of the tenant.
    const second = { slug: `p-${unique()}`, name: 'Second' };
    await platform(silent, `POST /tenants/${one.tenantSlug}/projects`, second);
    const beside = { ...one, slug: second.slug, management: `/api/v1/projects/${second.slug}` };
    const invited = await shownToken(silent, one);
    const joined = await invite(silent, beside, { email: invited.email, roles: ['owner'] });
    expect([joined.status, joined.id]).toEqual([201, invited.id]);
    expect(await reasonOf(silent, invited.token)).toEqual([401, 'replaced']);
    expect(outcome(await again(silent, one, invited.id, admin.token))).toEqual([403, 'privilege_escalation']);
    expect(outcome(await again(silent, two, invited.id))).toEqual([404, 'user_not_found']);
    const member = await createMember(silent, one, []);
    const reset = await onUser(silent, one, { method: 'POST', id: member.id, path: '/password-reset' });
    await invite(silent, beside, { email: member.email, roles: ['owner'] });
    expect(await reasonOf(silent, reset.body.data.resetToken as string)).toEqual([401, 'replaced']);
  });

  it('refuses tokens of another service and made-up ones alike, and in deactivated tenants', async () => {
    const project = await createProject(silent);
    const { token } = await shownToken(silent, project);
    const foreign = `hwt_${'0'.repeat(64)}`;
    expect(await reasonOf(silent, foreign)).toEqual([401, 'unknown']);
    expect(await reasonOf(mailing, token)).toEqual([401, 'unknown']);
    await platform(silent, `DELETE /tenants/${project.tenantSlug}`);
    expect(outcome(await spend(silent, token))).toEqual([403, 'tenant_inactive']);
    await platform(silent, `PUT /tenants/${project.tenantSlug}`, { status: 'active' });
    expect((await spend(silent, token)).status).toBe(200);
  });

  it('says whose account it is for, as long as it works, and nothing otherwise', async () => {
    const read = (token: string) => auth(silent, 'account-link', { resetToken: token });
    const project = await createProject(silent);
    const { token, email } = await shownToken(silent, project);
    const tenant = (await platform(silent, `GET /tenants/${project.tenantSlug}`)).body.data as {
      name: string;
    };
    const account = { kind: 'invitation', email, name: 'Ada', tenantName: tenant.name };
    for (const answer of [await read(token), await read(token)])
      expect(answer.body).toEqual({ data: account });
    const member = await createMember(silent, project, [], 'Grace');
    const reset = await onUser(silent, project, { method: 'POST', id: member.id, path: '/password-reset' });
    expect((await read(reset.body.data.resetToken as string)).body.data).toMatchObject({
      kind: 'reset',
      name: 'Grace',
    });
    expect((await spend(silent, token)).status).toBe(200);
    for (const [bad, reason] of [
      [token, 'used'],
      [`hwt_${'0'.repeat(64)}`, 'unknown'],
    ] as const) {
      const { status, body } = await read(bad);
      expect([status, body.details]).toEqual([401, { reason }]);
      expect(JSON.stringify(body)).not.toContain(email);
    }
  });

  it('is mailed to the owner of a new tenant, with and without a first project', async () => {
    for (const project of [undefined, { slug: `first-${unique()}`, name: 'First' }]) {
      const [slug, email] = [`tenant-${unique()}`, `${unique()}@example.com`];
      const body = { slug, name: 'Acme', locales: ['en'], ownerEmail: email, ...(project && { project }) };
      await platform(mailing, 'POST /tenants', body);
      const token = await mailedToken(mailing, sink, email);
      expect(sink.to(email)?.text).toContain(project?.name ?? 'Acme');
      const link = await auth(mailing, 'account-link', { resetToken: token });
      expect(link.body.data).toMatchObject({ email, tenantName: 'Acme' });
      expect((await spend(mailing, token)).status).toBe(200);
      expect((await login(mailing, email, newPassword)).status).toBe(200);
    }
  });

  it('sets one password when its link is used twice at once', async () => {
    const { token } = await shownToken(silent, await createProject(silent));
    const statuses = (await Promise.all([1, 2, 3].map(() => spend(silent, token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 401, 401]);
  });
});

describe('A reset by an admin', () => {
  verifies('access/account-links');

  it('is mailed to the user, or a link to pass on without a mail server', async () => {
    for (const app of [mailing, silent]) {
      const project = await createProject(app);
      const { id, email } = await createMember(app, project, []);
      const { data } = (await onUser(app, project, { method: 'POST', id, path: '/password-reset' })).body;
      expect(data.url).toBe(`${publicBaseUrl}/admin/password#token=${data.resetToken as string}`);
      expect(data.mailedTo).toBe(app === mailing ? email : null);
      if (app === mailing) expect(await mailedToken(mailing, sink, email)).toBe(data.resetToken);
    }
  });
});
