import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { startBeside } from '../../support/app.js';
import { reasonOf, send } from '../../support/call.js';
import { outcome, useApp } from '../../support/desk.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import {
  responseOf,
  redirectUri,
  startProvider,
  startSignOn,
  useProvider,
  type Person,
  type TestProvider,
} from '../../support/identity-provider.js';
import { createMember, memberPassword, systemRoleId } from '../../support/members.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let provider: TestProvider;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const post = (path: string, body: object, key?: string): Promise<Response> =>
  send(app(), { method: 'POST', path, body, key });
const get = (path: string, key: string): Promise<Response> => send(app(), { method: 'GET', path, key });
const finish = (body: object): Promise<Response> => post('/api/v1/auth/sign-on/session', body);

/** Starts a sign-on and logs in at the provider, but does not finish. */
async function atProvider(tenantSlug: string, account: string) {
  const { authorizationUrl, signOnToken } = await startSignOn(app(), tenantSlug);
  return { signOnToken, response: await responseOf(authorizationUrl, account) };
}

const signOn = async (tenantSlug: string, account: string): Promise<Response> =>
  finish(await atProvider(tenantSlug, account));

/** A new account of the provider. */
function person(about: Person = {}): string {
  const account = `user-${unique()}`;
  provider.people.set(account, { email: `${account}@example.com`, email_verified: true, ...about });
  return account;
}

interface Signed {
  readonly session: {
    readonly accessToken: string;
    readonly user: { id: string; email: string; name: string };
  };
  readonly logoutUrl: string | null;
}

const signed = ({ body }: Response): Signed => (body as { data: Signed }).data;

async function tenantWithProvider(change: object = {}): Promise<TestProject> {
  const project = await createProject(app());
  await useProvider(app(), project.tenantSlug, provider, change);
  return project;
}

const rolesOf = async (project: TestProject, userId: string): Promise<string[]> => {
  const { body } = await get(`${project.management}/users/${userId}`, project.keys.management);
  return (body as { data?: { roles: { name: string }[] } }).data?.roles.map(({ name }) => name) ?? [];
};

describe('The first sign-on of a user', () => {
  verifies('access/sign-on');

  it('creates an account with the name and verified address of the provider', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const account = person({ name: 'Ada\r\nLovelace' });
    const response = await signOn(tenantSlug, account);
    expect(response.status).toBe(200);
    const { session, logoutUrl } = signed(response);
    expect(session.user).toMatchObject({ email: `${account}@example.com`, name: 'Ada Lovelace' });
    expect((await get('/api/v1/me', session.accessToken)).status).toBe(200);
    expect(logoutUrl).toContain(`${provider.issuer}/session/end?id_token_hint=`);
  });

  it('is linked to the account of the same address, and accepts its invitation', async () => {
    const project = await tenantWithProvider();
    const email = `ada-${unique()}@example.com`;
    const invited = await post(
      `${project.management}/users`,
      { email, roleIds: [] },
      project.keys.management,
    );
    const { id } = (invited.body as { data: { id: string } }).data;
    const account = person({ email: email.toUpperCase() });
    const first = signed(await signOn(project.tenantSlug, account));
    expect(first.session.user.id).toBe(id);
    const { body } = await get(`${project.management}/users/${id}`, project.keys.management);
    expect((body as { data: { status: string } }).data.status).toBe('active');
  });

  it('opens no account by an address that the provider has not verified', async () => {
    const project = await tenantWithProvider();
    const { email } = await createMember(app(), project, []);
    const response = await signOn(project.tenantSlug, person({ email, email_verified: false }));
    expect([outcome(response), reasonOf(response)]).toEqual([[401, 'sign_on_failed'], 'email_not_verified']);
  });

  it('creates no account where the tenant does not want it, or has no room', async () => {
    const { tenantSlug } = await tenantWithProvider({ createsAccounts: false });
    expect(reasonOf(await signOn(tenantSlug, person()))).toBe('no_account');
    const full = await newTenant(app(), { limits: { users: 1 }, ownerEmail: `o-${unique()}@example.com` });
    await useProvider(app(), full, provider);
    expect(outcome(await signOn(full, person()))).toEqual([422, 'limit_reached']);
  });
});

describe('A later sign-on', () => {
  it('finds the same account, whose address follows that of the provider unless it is taken', async () => {
    const project = await tenantWithProvider();
    const account = person();
    const { session } = signed(await signOn(project.tenantSlug, account));
    const moved = `moved-${unique()}@example.com`;
    provider.people.set(account, { email: moved, email_verified: true });
    const second = signed(await signOn(project.tenantSlug, account));
    expect(second.session.user).toMatchObject({ id: session.user.id, email: moved });
    const { email: taken } = await createMember(app(), project, []);
    provider.people.set(account, { email: taken, email_verified: true });
    expect(signed(await signOn(project.tenantSlug, account)).session.user).toMatchObject({
      id: session.user.id,
      email: moved,
    });
  });

  it('names the provider as the tenant does', async () => {
    const { tenantSlug } = await tenantWithProvider({ label: 'Example login' });
    const { body } = await post('/api/v1/auth/sign-on', { tenantSlug, redirectUri });
    expect((body as { data: { label: unknown } }).data.label).toBe('Example login');
  });

  it('needs no address once it is linked', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const account = person();
    const { session } = signed(await signOn(tenantSlug, account));
    provider.people.set(account, {});
    expect(signed(await signOn(tenantSlug, account)).session.user.id).toBe(session.user.id);
  });
});

describe('Groups', () => {
  const writers = (project: TestProject, roleSlug = 'editor') => ({
    groupRoles: [
      { group: 'writers', projectSlug: project.slug, roleSlug },
      { group: 'leads', projectSlug: project.slug, roleSlug: 'admin' },
    ],
  });

  it('give roles at each sign-on, and take away those of groups that were left', async () => {
    const project = await createProject(app());
    await useProvider(app(), project.tenantSlug, provider, writers(project));
    const account = person({ groups: ['writers', 'unknown'] });
    const { session } = signed(await signOn(project.tenantSlug, account));
    expect(await rolesOf(project, session.user.id)).toEqual(['Editor']);
    provider.people.set(account, { groups: ['leads'] });
    await signOn(project.tenantSlug, account);
    expect(await rolesOf(project, session.user.id)).toEqual(['Admin']);
    provider.people.set(account, {});
    await signOn(project.tenantSlug, account);
    expect(await rolesOf(project, session.user.id)).toEqual([]);
  });

  it('leave roles that no group has', async () => {
    const project = await createProject(app());
    await useProvider(app(), project.tenantSlug, provider, writers(project));
    const { email, id } = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
    await signOn(project.tenantSlug, person({ email, groups: ['writers'] }));
    expect((await rolesOf(project, id)).toSorted()).toEqual(['Editor', 'Viewer']);
  });

  it('do not take the last owner from a project', async () => {
    const project = await createProject(app());
    await useProvider(app(), project.tenantSlug, provider, writers(project, 'owner'));
    const account = person({ groups: ['writers'] });
    const { session } = signed(await signOn(project.tenantSlug, account));
    provider.people.set(account, {});
    await signOn(project.tenantSlug, account);
    expect(await rolesOf(project, session.user.id)).toEqual(['Owner']);
  });

  it('are required where the tenant says so', async () => {
    const project = await createProject(app());
    await useProvider(app(), project.tenantSlug, provider, { ...writers(project), requiresGroup: true });
    expect(reasonOf(await signOn(project.tenantSlug, person({ groups: ['others'] })))).toBe('missing_group');
    expect((await signOn(project.tenantSlug, person({ groups: ['writers'] }))).status).toBe(200);
  });
});

describe('A sign-on is refused', () => {
  it('when its answer is used twice, in another sign-on, or with another state', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const first = await atProvider(tenantSlug, person());
    expect((await finish(first)).status).toBe(200);
    const again = await finish(first);
    expect([outcome(again), reasonOf(again)]).toEqual([[401, 'sign_on_failed'], 'code_refused']);
    const [mine, theirs] = [await atProvider(tenantSlug, person()), await atProvider(tenantSlug, person())];
    const mixed = await finish({ signOnToken: mine.signOnToken, response: theirs.response });
    expect([outcome(mixed), reasonOf(mixed)]).toEqual([[401, 'sign_on_failed'], 'invalid_answer']);
    const { state: _state, ...rest } = Object.fromEntries(new URLSearchParams(theirs.response));
    const stateless = await finish({ ...theirs, response: new URLSearchParams(rest).toString() });
    expect(outcome(stateless)).toEqual([401, 'sign_on_failed']);
  });

  it('with a forged token, and with that of another provider', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const { response } = await atProvider(tenantSlug, person());
    for (const signOnToken of ['s1.AAAA', 'forged', `s1.${'A'.repeat(200)}`])
      expect(reasonOf(await finish({ signOnToken, response }))).toBe('invalid_token');
    const started = await atProvider(tenantSlug, person());
    await platform(app(), `PUT /tenants/${tenantSlug}/sign-on`, { clientId: 'another' });
    expect(outcome(await finish(started))).toEqual([401, 'sign_on_failed']);
  });

  it('when the provider refuses the user', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const { signOnToken, authorizationUrl } = await startSignOn(app(), tenantSlug);
    const state = new URL(authorizationUrl).searchParams.get('state') ?? '';
    const response = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString();
    const refused = await finish({ signOnToken, response });
    expect([outcome(refused), reasonOf(refused)]).toEqual([[401, 'sign_on_failed'], 'access_denied']);
  });

  it('for a suspended account, and in a deactivated tenant', async () => {
    const { tenantSlug } = await tenantWithProvider();
    const account = person();
    const { session } = signed(await signOn(tenantSlug, account));
    await app().rows(null, `UPDATE users SET status = 'suspended' WHERE id = '${session.user.id}'`);
    expect(reasonOf(await signOn(tenantSlug, account))).toBe('account_suspended');
    const started = await atProvider(tenantSlug, person());
    await platform(app(), `DELETE /tenants/${tenantSlug}`);
    expect(outcome(await finish(started))).toEqual([403, 'tenant_inactive']);
  });

  it('alike for unknown tenants and for those without sign-on', async () => {
    const start = (tenantSlug: string) => post('/api/v1/auth/sign-on', { tenantSlug, redirectUri });
    const [unknown, without] = [await start(`t-${unique()}`), await start(await newTenant(app()))];
    expect(unknown.status).toBe(404);
    expect(without.status).toBe(404);
    const { requestId: _first, ...first } = unknown.body as { requestId?: string };
    const { requestId: _second, ...second } = without.body as { requestId?: string };
    expect(first).toEqual(second);
  });

  it('while the provider is away', async () => {
    const away = await startProvider();
    await away.close();
    const slug = await newTenant(app());
    await useProvider(app(), slug, away);
    const response = await post('/api/v1/auth/sign-on', { tenantSlug: slug, redirectUri });
    expect(outcome(response)).toEqual([503, 'identity_provider_unavailable']);
  });

  it('while the provider accepts connections and does not respond', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const impatient = await startBeside(app(), { neighbourMs: 300 });
    const slug = await newTenant(app());
    const issuer = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    await platform(app(), `PUT /tenants/${slug}/sign-on`, { issuer, clientId: 'headwater', isActive: true });
    const body = { tenantSlug: slug, redirectUri };
    const response = await send(impatient, { method: 'POST', path: '/api/v1/auth/sign-on', body });
    expect(outcome(response)).toEqual([503, 'identity_provider_unavailable']);
    await impatient.close();
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('Passwords', () => {
  it('are refused where the tenant allows sign-on alone, but only to who knows the password', async () => {
    const project = await tenantWithProvider();
    const { email } = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
    await platform(app(), `PUT /tenants/${project.tenantSlug}/sign-on`, { allowsPasswords: false });
    const login = (password: string) => post('/api/v1/auth/login', { email, password });
    expect(outcome(await login('a wrong password of theirs'))).toEqual([401, 'invalid_credentials']);
    const refused = await login(memberPassword);
    expect([outcome(refused), (refused.body as { details: unknown }).details]).toEqual([
      [403, 'sign_on_required'],
      { tenantSlug: project.tenantSlug },
    ]);
    await platform(app(), `PUT /tenants/${project.tenantSlug}/sign-on`, { allowsPasswords: true });
    expect((await login(memberPassword)).status).toBe(200);
  });
});
