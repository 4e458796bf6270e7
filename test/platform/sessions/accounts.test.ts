import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { outcome, useApp } from '../../support/desk.js';
import {
  createAdmin,
  createProject,
  superAdmin,
  unique,
  type TestProject,
} from '../../support/factories/project.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { createSuperAdmin } from '../../../src/features/access/sessions/index.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const password = 'a password of several tenants';
const login = (body: object) => send(app(), { method: 'POST', path: '/api/v1/auth/login', body });

async function createAccount(email: string, given = password): Promise<TestProject & { userId: string }> {
  const project = await createProject(app());
  const made = await send(app(), {
    method: 'POST',
    path: `${project.management}/users`,
    key: await superAdmin(app()),
    body: { email, password: given },
  });
  expect(made.status).toBe(201);
  return { ...project, userId: made.body.data.id as string };
}

const newEmail = () => `${unique()}@example.com`;

describe('An address with accounts in several tenants', () => {
  verifies('access/accounts');

  it('is asked for the tenant if several passwords match, and only these tenants are named', async () => {
    const email = newEmail();
    const [first, second] = [await createAccount(email), await createAccount(email.toUpperCase())];
    const third = await createAccount(email, 'another password of theirs');
    const { status, body } = await login({ email, password });
    expect([status, body.error, body.details]).toEqual([
      422,
      'tenant_required',
      { tenants: [first.tenantSlug, second.tenantSlug] },
    ]);
    for (const { tenantSlug, userId } of [first, second]) {
      const answer = await login({ email, password, tenantSlug });
      expect([answer.status, answer.body.data?.user.id]).toEqual([200, userId]);
    }
    const wrong = await login({ email, password, tenantSlug: third.tenantSlug });
    const nowhere = await login({ email, password, tenantSlug: 'nowhere' });
    expect(outcome(wrong)).toEqual([401, 'invalid_credentials']);
    expect(nowhere.body).toEqual(wrong.body);
  });

  it('logs in without the tenant where one password matches', async () => {
    const email = newEmail();
    await createAccount(email, 'another password of theirs');
    const { userId } = await createAccount(email);
    const { status, body } = await login({ email, password });
    expect([status, body.data?.user.id]).toEqual([200, userId]);
  });

  it('logs a super-admin in without the tenant, and the account of a tenant with it', async () => {
    const admin = await createAdmin(app());
    const { tenantSlug, userId } = await createAccount(admin.email, admin.password);
    expect((await login(admin)).body.data.user.isSuperAdmin).toBe(true);
    const { body } = await login({ ...admin, tenantSlug });
    expect([body.data.user.id, body.data.user.isSuperAdmin]).toEqual([userId, false]);
  });

  it('lets a super-admin have the address of an account, and no other super-admin', async () => {
    const email = newEmail();
    await createAccount(email);
    const create = () =>
      app().composition.services.units.run(
        { scope: systemScope({ command: 'tests' }), isReadOnly: false, lock: 'none' },
        (work) => createSuperAdmin(work, { email, name: 'Admin', password }),
      );
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('The work of a login', () => {
  verifies('access/accounts', 'access/login');

  it('sends the same statements for any number of accounts', async () => {
    const counts = new Set<number>();
    const email = newEmail();
    const logins = [newEmail(), email, email, email];
    for (const [index, address] of logins.entries()) {
      if (index > 0) await createAccount(address);
      const { statements } = await app().recordStatements(() =>
        login({ email: address, password: 'a wrong one' }),
      );
      counts.add(statements.length);
    }
    expect(counts.size).toBe(1);
  });
});
