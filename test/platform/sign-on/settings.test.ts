import { describe, expect, it } from '@jest/globals';
import { outcome, useApp } from '../../support/desk.js';
import { createProject } from '../../support/factories/project.js';
import { startProvider, useProvider } from '../../support/identity-provider.js';
import { newTenant, platform } from '../../support/platform.js';

const app = useApp();

const active = { issuer: 'https://login.example.com', clientId: 'headwater', isActive: true };

const issues = (body: { details?: unknown }) =>
  (body.details as { issues: { path: unknown; code: string }[] }).issues.map(({ path, code }) => [
    path,
    code,
  ]);

describe('GET platform/tenants/{slug}/sign-on', () => {
  it('returns inactive settings until a provider is set', async () => {
    const { status, body } = await platform(app(), `GET /tenants/${await newTenant(app())}/sign-on`);
    expect([status, body.data]).toEqual([
      200,
      {
        issuer: null,
        clientId: null,
        hasClientSecret: false,
        label: null,
        scopes: ['email', 'profile'],
        groupsClaim: 'groups',
        groupRoles: [],
        createsAccounts: true,
        requiresGroup: false,
        allowsPasswords: true,
        isActive: false,
        updatedAt: null,
      },
    ]);
  });
});

describe('PUT platform/tenants/{slug}/sign-on', () => {
  it('changes the given keys, never shows the client secret, and keeps it from another issuer', async () => {
    const slug = await newTenant(app());
    const set = (body: object) => platform(app(), `PUT /tenants/${slug}/sign-on`, body);
    const first = await set({ ...active, clientSecret: 'a secret that is never shown' });
    expect([first.status, first.body.data.hasClientSecret]).toEqual([200, true]);
    expect(first.text).not.toContain('a secret that is never shown');
    const labelled = await set({ label: 'Example', groupsClaim: 'roles' });
    expect(labelled.body.data).toMatchObject({
      ...active,
      label: 'Example',
      groupsClaim: 'roles',
      hasClientSecret: true,
    });
    const moved = await set({ issuer: 'https://other.example.com' });
    expect(moved.body.data).toMatchObject({ issuer: 'https://other.example.com', hasClientSecret: false });
    const stored = await app().rows<{ client_secret: string }>(null, 'SELECT client_secret FROM sign_ons');
    expect(JSON.stringify(stored)).not.toContain('a secret that is never shown');
  });

  it('writes the change, without the secret, into the audit record of the tenant', async () => {
    const slug = await newTenant(app());
    await platform(app(), `PUT /tenants/${slug}/sign-on`, { ...active, clientSecret: 'never recorded' });
    const [record] = await app().rows<{ before: object; after: object }>(
      null,
      `SELECT before, after FROM audit_events WHERE action = 'tenant.update'
       AND tenant_id = (SELECT id FROM tenants WHERE slug = '${slug}')`,
    );
    expect(record?.before).toMatchObject({ signOn: { issuer: null, isActive: false } });
    expect(record?.after).toMatchObject({ signOn: { ...active, hasClientSecret: true } });
    expect(JSON.stringify(record)).not.toContain('never recorded');
  });

  it('records nothing if the values are equal', async () => {
    const slug = await newTenant(app());
    await platform(app(), `PUT /tenants/${slug}/sign-on`, active);
    const { body } = await platform(app(), `GET /tenants/${slug}/sign-on`);
    const again = await platform(app(), `PUT /tenants/${slug}/sign-on`, active);
    expect(again.body).toEqual(body);
  });

  it('refuses active sign-on without a provider, and settings that would lock every user out', async () => {
    const slug = await newTenant(app());
    const set = (body: object) => platform(app(), `PUT /tenants/${slug}/sign-on`, body);
    const bare = await set({ isActive: true });
    expect([bare.status, issues(bare.body)]).toEqual([
      422,
      [
        [['issuer'], 'required'],
        [['clientId'], 'required'],
      ],
    ]);
    const closed = await set({ allowsPasswords: false });
    expect([closed.status, issues(closed.body)]).toEqual([422, [[['allowsPasswords'], 'not_allowed']]]);
  });

  it('refuses an issuer that is not secure', async () => {
    const slug = await newTenant(app());
    for (const issuer of [
      'http://login.example.com',
      'https://user@login.example.com',
      'https://login.example.com/?tenant=1',
      'https://login.example.com/#part',
    ]) {
      const { status, body } = await platform(app(), `PUT /tenants/${slug}/sign-on`, { issuer });
      expect([issuer, status, issues(body)]).toEqual([issuer, 422, [[['issuer'], 'insecure_url']]]);
    }
  });

  it('maps groups to roles of the tenant alone, by slugs that follow renames', async () => {
    const { tenantSlug, slug } = await createProject(app());
    const other = await createProject(app());
    const set = (groupRoles: object[]) =>
      platform(app(), `PUT /tenants/${tenantSlug}/sign-on`, { groupRoles });
    const role = { group: 'writers', projectSlug: slug, roleSlug: 'editor' };
    expect((await set([role])).body.data.groupRoles).toEqual([role]);
    expect(outcome(await set([{ ...role, projectSlug: other.slug }]))).toEqual([404, 'project_not_found']);
    expect(outcome(await set([{ ...role, roleSlug: 'unknown' }]))).toEqual([404, 'role_not_found']);
  });
});

describe('POST platform/tenants/{slug}/sign-on/check', () => {
  it('says before it is active whether the provider responds as its issuer', async () => {
    const provider = await startProvider();
    const slug = await newTenant(app());
    const check = () => platform(app(), `POST /tenants/${slug}/sign-on/check`);
    expect(outcome(await check())).toEqual([404, 'sign_on_not_available']);
    await useProvider(app(), slug, provider, { isActive: false });
    expect((await check()).body.data).toEqual({ isReady: true, reason: null });
    await platform(app(), `PUT /tenants/${slug}/sign-on`, { issuer: `${provider.issuer}/other` });
    expect((await check()).body.data).toEqual({ isReady: false, reason: 'invalid_answer' });
    await platform(app(), `PUT /tenants/${slug}/sign-on`, { issuer: provider.issuer });
    await provider.close();
    expect((await check()).body.data).toEqual({ isReady: false, reason: 'no_answer' });
  });
});
