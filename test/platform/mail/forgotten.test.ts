import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  actionsOn,
  auth,
  invite,
  login,
  mailedToken,
  newPassword,
  publicBaseUrl,
  reasonOf,
  spend,
  startMailing,
  type MailServicesOfTest,
} from '../../support/account-links.js';
import { send } from '../../support/call.js';
import { createProject, superAdmin, unique } from '../../support/factories/project.js';
import { createMember, memberPassword } from '../../support/members.js';
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

describe('A forgotten password', () => {
  verifies('access/account-links', 'access/login-attempts');
  const forget = (body: object, app = mailing) => auth(app, 'forgot-password', body);

  it('is replaced by a link that works for an hour, in each tenant of the address', async () => {
    const [one, two] = [await createProject(mailing), await createProject(mailing)];
    const { email, id } = await createMember(mailing, one, []);
    const body = { email, password: memberPassword };
    const key = await superAdmin(mailing);
    await send(mailing, { method: 'POST', path: `${two.management}/users`, key, body });
    expect((await forget({ email: email.toUpperCase() })).body).toEqual({ data: { accepted: true } });
    await mailing.composition.jobs.sendMails();
    const mails = sink.mails.filter(({ recipients }) => recipients.includes(email));
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain(`${publicBaseUrl}/admin/password#token=`);
    await forget({ email, tenantSlug: one.tenantSlug });
    const token = await mailedToken(mailing, sink, email);
    expect((await spend(mailing, token)).status).toBe(200);
    expect(
      (await auth(mailing, 'login', { email, password: newPassword, tenantSlug: one.tenantSlug })).status,
    ).toBe(200);
    expect(await reasonOf(mailing, token)).toEqual([401, 'used']);
    expect(await actionsOn(mailing, id)).toContain('user.password_reset_request');
    await forget({ email, tenantSlug: two.tenantSlug });
    const late = await mailedToken(mailing, sink, email);
    now = new Date(now.getTime() + 3_600_000);
    expect(await reasonOf(mailing, late)).toEqual([401, 'expired']);
  });

  it('does the same work and has the same response for every address', async () => {
    const project = await createProject(mailing);
    const { email } = await createMember(mailing, project, []);
    const invited = await invite(mailing, project);
    const suspended = await createMember(mailing, project, []);
    await mailing.rows(null, "UPDATE users SET status = 'suspended' WHERE id = $1", [suspended.id]);
    const addresses = [email, `${unique()}@example.com`, invited.email, suspended.email];
    await mailing.composition.jobs.sendMails();
    const before = sink.mails.length;
    const seen: unknown[] = [];
    for (const address of addresses) {
      const { result, statements } = await mailing.recordStatements(() => forget({ email: address }));
      const own = statements.filter((sql) => /password|users|mails|audit/.test(sql));
      seen.push([result.status, result.body, Object.keys(result.headers).sort(), own]);
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
    await mailing.composition.jobs.sendMails();
    expect(sink.mails.slice(before).flatMap(({ recipients }) => recipients)).toEqual([email]);
  });

  it('can be requested five times, with and without the tenant together, whether or not the user exists', async () => {
    const project = await createProject(mailing);
    const { email } = await createMember(mailing, project, []);
    for (const address of [email, `${unique()}@example.com`]) {
      const statuses: number[] = [];
      for (const more of [{}, { tenantSlug: 'one' }, {}, { tenantSlug: 'two' }, {}, { tenantSlug: 'one' }])
        statuses.push((await forget({ email: address, ...more })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      // The owner can still log in.
      expect((await login(mailing, address, 'wrong')).status).toBe(401);
    }
  });

  it('can be replaced after five wrong passwords', async () => {
    const { email } = await createMember(mailing, await createProject(mailing), []);
    for (let attempt = 0; attempt < 6; attempt += 1) await login(mailing, email, 'wrong');
    expect((await login(mailing, email, memberPassword)).status).toBe(429);
    expect((await forget({ email })).status).toBe(200);
    expect((await spend(mailing, await mailedToken(mailing, sink, email))).status).toBe(200);
  });

  it('names no address but that of the installation, whatever the request says', async () => {
    const { email } = await createMember(mailing, await createProject(mailing), []);
    await mailing.request
      .post('/api/v1/auth/forgot-password')
      .set('Host', 'evil.example')
      .set('X-Forwarded-Host', 'evil.example')
      .send({ email });
    await mailing.composition.jobs.sendMails();
    expect(sink.to(email)?.source).not.toContain('evil.example');
    for (const wrong of [`${email}\r\nBcc: x@example.com`, 'x', `${email},other@example.com`])
      expect((await forget({ email: wrong })).status).toBe(422);
  });

  it('is not replaced without a mail server, or where users log in elsewhere', async () => {
    const project = await createProject(silent);
    const { email } = await createMember(silent, project, []);
    expect((await forget({ email }, silent)).status).toBe(200);
    await silent.composition.jobs.sendMails();
    const rows = (table: string) =>
      silent.rows<{ n: number }>(null, `SELECT count(*)::int AS n FROM ${table}`);
    expect(await rows('password_requests')).toEqual([{ n: 0 }]);
    expect(await rows('mails')).toEqual([{ n: 0 }]);
    const own = await createProject(mailing);
    const member = await createMember(mailing, own, []);
    await mailing.rows(
      own.tenantId,
      `INSERT INTO sign_ons (tenant_id, issuer, client_id, scopes, groups_claim, group_roles, creates_accounts, requires_group,
         allows_passwords, is_active, updated_at) VALUES ($1, 'https://id.example', 'c', '{}', 'groups', '[]', false, false, false, true, now())`,
      [own.tenantId],
    );
    await forget({ email: member.email });
    await mailing.composition.jobs.sendMails();
    expect(sink.to(member.email)).toBeUndefined();
  });
});
