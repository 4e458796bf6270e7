import { describe, expect, it } from '@jest/globals';
import { outcome, useOwnApp } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { createAdmin, createProject, superAdmin, unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 1000 };
const app = useOwnApp({ rateDefaults });

const login = (email: string, password: string) =>
  app().request.post('/api/v1/auth/login').send({ email, password });

describe('Attempts to log in', () => {
  verifies('access/login-attempts', 'access/accounts');

  it('blocks logins after five failures, whether or not the user exists', async () => {
    const { email, password } = await createAdmin(app());
    for (const account of [email, `${unique()}@example.com`]) {
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect(outcome(await login(account, 'wrong'))).toEqual([401, 'invalid_credentials']);
      const refused = await login(account.toUpperCase(), password);
      expect(outcome(refused)).toEqual([429, 'rate_limit_exceeded']);
      expect(refused.body.details).toMatchObject({ limit: 5, windowSeconds: 900 });
      expect(refused.headers['ratelimit-policy']).toBe('"login";q=5;w=900');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    }
  });

  it('limits concurrent login attempts as well', async () => {
    const { email } = await createAdmin(app());
    const answers = await Promise.all(Array.from({ length: 12 }, () => login(email, 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  it('resets the count of failures on success', async () => {
    const { email, password } = await createAdmin(app());
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) expect((await login(email, 'wrong')).status).toBe(401);
      expect((await login(email, password)).status).toBe(200);
    }
  });

  it('counts logins with and without the tenant together', async () => {
    const email = `${unique()}@example.com`;
    const statuses: number[] = [];
    for (const more of [{}, { tenantSlug: 'one' }, { tenantSlug: 'two' }, {}, { tenantSlug: 'one' }, {}]) {
      const body = { email, password: 'wrong password', ...more };
      statuses.push((await send(app(), { method: 'POST', path: '/api/v1/auth/login', body })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('keeps the count at an address with other accounts, so that the owner of one cannot guess at another', async () => {
    const email = `${unique()}@example.com`;
    const own = 'a password of the attacker';
    for (const password of ['a password of the victim', own]) {
      const { management } = await createProject(app());
      const body = { email, password };
      await send(app(), { method: 'POST', path: `${management}/users`, key: await superAdmin(app()), body });
    }
    const statuses: number[] = [];
    for (const password of ['wrong', own, 'wrong', own, 'wrong', own])
      statuses.push((await login(email, password)).status);
    expect(statuses).toEqual([401, 200, 401, 200, 401, 429]);
  });
});
