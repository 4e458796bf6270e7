import { beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { must, send, type RestCall } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createProject, superAdmin, type TestProject } from '../../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../../support/members.js';
import { createPersonalKey } from '../../support/personal-keys.js';
import { addPasskey } from '../../support/passkeys.js';
import { verifies } from '../../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 20, session: 0, anonymous: 0, login: 1000 };
const app = useOwnApp({ rateDefaults });
let desk: Desk;
let project: TestProject;

beforeAll(async () => {
  desk = await openDesk(app());
  ({ project } = desk);
});

const call = (method: RestCall['method'], path: string, key: string, body?: object) =>
  send(app(), { method, path, key, body });
const inProject = (method: RestCall['method'], path: string, key: string, body?: object) =>
  call(method, `${project.management}${path}`, key, body);

const newMember = async (role: string): Promise<TestMember> =>
  createMember(app(), project, [await systemRoleId(app(), project, role)]);

const ended = [401, 'api_key_revoked'] as const;
const admin = async (method: RestCall['method'], path: string, body?: object): Promise<void> => {
  await must(app(), { method, path: project.management + path, key: await superAdmin(app()), body });
};

const redirect = (n: number) => ({ siteId: project.siteId, source: `/old-${String(n)}`, target: '/new' });

describe('A personal key', () => {
  verifies('access/personal-keys');

  it('acts as its user, with the rights of the moment', async () => {
    const member = await newMember('editor');
    const { id, secret } = await createPersonalKey(app(), project, member);
    expect(secret).toMatch(/^hwu_[0-9A-Za-z]{49}$/);
    const rights = await inProject('GET', '/me', secret);
    expect(rights.body.data.caller).toMatchObject({ type: 'user', id: member.id });
    const made = await inProject('POST', '/redirects', secret, redirect(1));
    expect(outcome(made)).toEqual([201, undefined]);
    const [record] = await app().rows<{ actor: { id: string }; metadata: object }>(
      null,
      "SELECT actor, metadata FROM audit_events WHERE action = 'redirect.create' AND target ->> 'id' = $1",
      [made.body.data.id],
    );
    expect(record).toMatchObject({ actor: { type: 'user', id: member.id }, metadata: { personalKeyId: id } });
    const viewer = await systemRoleId(app(), project, 'viewer');
    await admin('PUT', `/users/${member.id}`, { roleIds: [viewer] });
    expect(outcome(await inProject('POST', '/redirects', secret, redirect(2)))).toEqual([
      403,
      'permission_denied',
    ]);
    expect((await inProject('GET', '/redirects', secret)).status).toBe(200);
    await admin('PUT', `/users/${member.id}`, { roleIds: [] });
    expect(outcome(await inProject('GET', '/redirects', secret))).toEqual([403, 'permission_denied']);
  });

  it('only reads if it is made so', async () => {
    const member = await newMember('owner');
    const { secret } = await createPersonalKey(app(), project, member, { isReadOnly: true });
    expect((await inProject('GET', '/redirects', secret)).status).toBe(200);
    expect(outcome(await inProject('POST', '/redirects', secret, redirect(3)))).toEqual([
      403,
      'permission_denied',
    ]);
  });

  it.each([
    ['POST', '/api-keys', { name: 'K', type: 'management' }],
    ['POST', '/roles', { name: 'R' }],
    ['POST', '/users', { email: 'ada@example.com' }],
    ['POST', '/ip-allowlist', { network: '203.0.113.0/24' }],
  ] as const)('of an owner cannot %s %s: a stolen key gives no lasting access', async (...given) => {
    const [method, path, body] = given;
    const { secret } = await createPersonalKey(app(), project, await newMember('owner'));
    expect((await inProject('GET', path, secret)).status).toBe(200);
    expect(outcome(await inProject(method, path, secret, body))).toEqual([403, 'permission_denied']);
  });

  it('is no session, opens no other project and no other interface', async () => {
    const member = await newMember('editor');
    const { id, secret } = await createPersonalKey(app(), project, member);
    for (const path of ['/api/v1/me', '/api/v1/me/keys', '/api/v1/me/sessions'])
      expect(outcome(await call('GET', path, secret))).toEqual([403, 'wrong_key_type']);
    expect(outcome(await call('DELETE', `/api/v1/me/keys/${id}`, secret))).toEqual([403, 'wrong_key_type']);
    const { slug, tenantSlug } = project;
    expect(outcome(await call('GET', `/api/v1/platform/tenants/${tenantSlug}`, secret))).toEqual([
      403,
      'super_admin_required',
    ]);
    const other = await createProject(app());
    expect(outcome(await call('GET', `${other.management}/redirects`, secret))).toEqual([
      403,
      'wrong_project',
    ]);
    expect(outcome(await call('POST', `/api/graphql/${slug}`, secret, { query: '{ __typename }' }))[0]).toBe(
      401,
    );
    expect(outcome(await call('GET', `${project.delivery}/entries/article`, secret))).toEqual([
      401,
      'invalid_api_key',
    ]);
  });

  it('ends with its suspension for good, with the membership, and with its revocation', async () => {
    const member = await newMember('editor');
    const first = await createPersonalKey(app(), project, member);
    await admin('PUT', `/users/${member.id}`, { status: 'suspended' });
    expect(outcome(await inProject('GET', '/redirects', first.secret))).toEqual(ended);
    await admin('PUT', `/users/${member.id}`, { status: 'active' });
    expect(outcome(await inProject('GET', '/redirects', first.secret))).toEqual(ended);
    const second = await createPersonalKey(app(), project, member);
    const revoked = await call('DELETE', `/api/v1/me/keys/${second.id}`, member.token);
    expect(outcome(revoked)).toEqual([200, undefined]);
    expect(outcome(await inProject('GET', '/redirects', second.secret))).toEqual(ended);
    const again = await call('DELETE', `/api/v1/me/keys/${second.id}`, member.token);
    expect(again.body.data).toEqual(revoked.body.data);
    const third = await createPersonalKey(app(), project, member);
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE id = $1", [member.id]);
    expect(outcome(await inProject('GET', '/redirects', third.secret))).toEqual(ended);
    await app().rows(null, "UPDATE users SET status = 'active' WHERE id = $1", [member.id]);
    expect((await inProject('GET', '/redirects', third.secret)).status).toBe(200);
    await admin('DELETE', `/users/${member.id}`);
    expect(outcome(await inProject('GET', '/redirects', third.secret))).toEqual([401, 'invalid_api_key']);
  });

  it('is listed and revoked by admins of its project, with a session', async () => {
    const member = await newMember('viewer');
    const leader = await newMember('admin');
    const { id, secret } = await createPersonalKey(app(), project, member, { name: 'A script of theirs' });
    const listed = await inProject('GET', '/personal-keys?q=of%20theirs', leader.token);
    expect(listed.body.data).toEqual([
      expect.objectContaining({ id, user: { id: member.id, name: 'Member' }, status: 'active' }),
    ]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    const path = `/personal-keys/${id}`;
    const { secret: personal } = await createPersonalKey(app(), project, leader);
    for (const key of [project.keys.management, personal, member.token])
      expect(outcome(await inProject('DELETE', path, key))).toEqual([403, 'permission_denied']);
    expect((await inProject('DELETE', path, leader.token)).status).toBe(200);
    expect(outcome(await inProject('GET', '/redirects', secret))).toEqual(ended);
    const other = await createProject(app());
    const theirs = await createMember(app(), other, []);
    const foreign = await createPersonalKey(app(), other, theirs);
    expect(outcome(await inProject('DELETE', `/personal-keys/${foreign.id}`, leader.token))).toEqual([
      404,
      'api_key_not_found',
    ]);
    expect(outcome(await call('DELETE', `/api/v1/me/keys/${foreign.id}`, member.token))).toEqual([
      404,
      'api_key_not_found',
    ]);
  });

  it('needs the password, a project of the user, and room', async () => {
    const member = await newMember('viewer');
    const create = (body: object, token = member.token) =>
      call('POST', '/api/v1/me/keys', token, { name: 'K', project: project.slug, ...body });
    expect(outcome(await create({}))).toEqual([401, 'invalid_credentials']);
    const currentPassword = memberPassword;
    const other = await createProject(app());
    expect(outcome(await create({ currentPassword, project: other.slug }))).toEqual([
      404,
      'project_not_found',
    ]);
    const tooLong = { currentPassword, expiresInDays: limits.personalKeyDays + 1 };
    expect(outcome(await create(tooLong))).toEqual([422, 'validation_failed']);
    const { id } = await createPersonalKey(app(), project, member);
    await app().rows(
      null,
      `INSERT INTO personal_keys SELECT tenant_id, project_id, user_id, gen_random_uuid(), name, false, sha256(n::text::bytea || secret_hash), last_four,
         created_at, expires_at, NULL, NULL FROM personal_keys, generate_series(2, $2) n WHERE id = $1`,
      [id, limits.personalKeysPerUser],
    );
    expect(outcome(await create({ currentPassword }))).toEqual([422, 'limit_reached']);
  });

  it('expires, and shows when it was used', async () => {
    const member = await newMember('viewer');
    const { id, secret } = await createPersonalKey(app(), project, member, { expiresInDays: 1 });
    const mine = async () => (await call('GET', '/api/v1/me/keys', member.token)).body.data as object[];
    expect(await mine()).toEqual([expect.objectContaining({ id, lastUsedAt: null, status: 'active' })]);
    await inProject('GET', '/redirects', secret);
    expect(await mine()).toEqual([expect.objectContaining({ id, lastUsedAt: expect.any(String) })]);
    await app().rows(
      null,
      "UPDATE personal_keys SET expires_at = now() - interval '1 second' WHERE id = $1",
      [id],
    );
    expect(await mine()).toEqual([expect.objectContaining({ id, status: 'expired' })]);
    expect(outcome(await inProject('GET', '/redirects', secret))).toEqual([401, 'api_key_expired']);
  });

  it('has its own rate limit, which does not lock the user out', async () => {
    const member = await newMember('viewer');
    const { secret } = await createPersonalKey(app(), project, member);
    const answers = [];
    for (let calls = 0; calls <= rateDefaults.management; calls += 1)
      answers.push(await inProject('GET', '/redirects', secret));
    expect(outcome(answers.at(-1)!)).toEqual([429, 'rate_limit_exceeded']);
    expect((await inProject('GET', '/redirects', member.token)).status).toBe(200);
  });

  it('waits for the second factor that the tenant requires', async () => {
    const own = await createProject(app());
    const member = await createMember(app(), own, [await systemRoleId(app(), own, 'viewer')]);
    const { secret } = await createPersonalKey(app(), own, member);
    const path = `/api/v1/platform/tenants/${own.tenantSlug}`;
    await call('PUT', path, await superAdmin(app()), { requireSecondFactor: true });
    const read = () => call('GET', `${own.management}/redirects`, secret);
    expect(outcome(await read())).toEqual([403, 'second_factor_required']);
    await addPasskey(app(), member);
    expect((await read()).status).toBe(200);
  });

  it('confirms what is irreversible in a protected environment', async () => {
    const member = await newMember('owner');
    const { secret } = await createPersonalKey(app(), project, member);
    const made = await inProject('POST', '/redirects', member.token, redirect(9));
    const path = `/redirects/${String(made.body.data.id)}`;
    await admin('PUT', '/environments/main', { isProtected: true });
    try {
      expect(outcome(await inProject('DELETE', path, secret))).toEqual([409, 'confirmation_required']);
      expect((await inProject('DELETE', path, member.token)).status).toBe(200);
    } finally {
      await admin('PUT', '/environments/main', { isProtected: false });
    }
  });
});
