import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { limits } from '../../../contracts/limits.js';
import { ownCalls, reasonOf, send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createProject, superAdmin } from '../../support/factories/project.js';
import { createMember, memberPassword, sessionWith, type TestMember } from '../../support/members.js';
import {
  addPasskey,
  logInWith,
  passkeyLogin,
  startPasskeyLogin,
  type SoftPasskey,
} from '../../support/passkeys.js';
import { challengeOf, codeOf, enableSecondFactor, startSecondFactor } from '../../support/second-factor.js';
import { verifies } from '../../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 1000 };
const app = useOwnApp({ rateDefaults });
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);

const own = ownCalls(app);
const post = (path: string, body: object) => send(app(), { method: 'POST', path, body });
const login = ({ email }: { email: string }) =>
  post('/api/v1/auth/login', { email, password: memberPassword });

const refusal = (answer: Response): unknown[] => [...outcome(answer), reasonOf(answer)];
const refused = (reason: string) => [401, 'invalid_passkey', reason];

const logIn = (passkey: SoftPasskey, habits?: Parameters<SoftPasskey['sign']>[1]) =>
  logInWith(app(), passkey, habits);

describe('A passkey as a second factor', () => {
  verifies('access/passkey-second-factor');

  it('completes a login with a password, for the account of the password only', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const { passkey } = await addPasskey(app(), member);
    const other = await addPasskey(app(), stranger);
    const { secondFactor } = (await login(member)).body.data;
    expect(secondFactor.methods).toEqual(['passkey', 'recovery_code']);
    const ceremony = await startPasskeyLogin(app(), secondFactor.token);
    expect(ceremony.options.allowCredentials).toEqual([expect.objectContaining({ id: passkey.id })]);
    expect(refusal(await passkeyLogin(app(), ceremony, other.passkey.sign(ceremony)))).toEqual(
      refused('unknown'),
    );
    const done = await passkeyLogin(app(), ceremony, passkey.sign(ceremony));
    expect(done.body.data.user).toMatchObject({ id: member.id });
    const again = await startPasskeyLogin(app()).then((one) => ({ ...one, token: ceremony.token }));
    expect(outcome(await passkeyLogin(app(), again, passkey.sign(ceremony)))).toEqual([
      401,
      'invalid_challenge',
    ]);
    const late = await post('/api/v1/auth/passkey/options', { challenge: secondFactor.token });
    expect(outcome(late)).toEqual([401, 'invalid_challenge']);
  });

  it('ends the challenge after six refusals', async () => {
    const member = await newMember();
    const { passkey } = await addPasskey(app(), member);
    const ceremony = await startPasskeyLogin(app(), await challengeOf(app(), member));
    for (let attempt = 0; attempt < limits.loginChallengeFailures; attempt += 1)
      await passkeyLogin(app(), ceremony, passkey.sign(ceremony, { isVerified: false }));
    expect(outcome(await passkeyLogin(app(), ceremony, passkey.sign(ceremony)))).toEqual([
      401,
      'invalid_challenge',
    ]);
  });

  it('has recovery codes, which last as long as one factor, and do not confirm an authenticator app', async () => {
    const member = await newMember();
    const { id, recoveryCodes } = await addPasskey(app(), member);
    const [first = '', second = ''] = recoveryCodes ?? [];
    const code = { token: await challengeOf(app(), member), code: first };
    expect((await post('/api/v1/auth/second-factor', code)).status).toBe(200);
    await startSecondFactor(app(), member);
    const wrong = await own('POST', '/second-factor/confirm', member, { code: second });
    expect(outcome(wrong)).toEqual([401, 'invalid_second_factor']);
    const { secret } = await enableSecondFactor(app(), member);
    expect((await own('GET', '/second-factor', member)).body.data).toMatchObject({
      isEnabled: true,
      passkeys: 1,
      recoveryCodesLeft: 10,
    });
    const disabled = await own('POST', '/second-factor/disable', member, { code: codeOf(secret) });
    expect(disabled.body.data).toMatchObject({ isEnabled: false, passkeys: 1, recoveryCodesLeft: 10 });
    await own('POST', `/passkeys/${id}/remove`, member, { currentPassword: memberPassword });
    expect((await own('GET', '/second-factor', member)).body.data).toMatchObject({
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
  });

  it('meets the requirement of the tenant, and is removed by the reset of an admin', async () => {
    const project = await createProject(app());
    const member = await createMember(app(), project, []);
    const admin = await sessionWith(app(), project, 'admin');
    const path = `/api/v1/platform/tenants/${project.tenantSlug}`;
    const require = async (requireSecondFactor: boolean) =>
      send(app(), { method: 'PUT', path, key: await superAdmin(app()), body: { requireSecondFactor } });
    await require(true);
    expect(outcome(await own('GET', '/sessions', member))).toEqual([403, 'second_factor_required']);
    const { passkey } = await addPasskey(app(), member);
    expect((await own('GET', '/sessions', member)).status).toBe(200);
    expect((await own('GET', '', member)).body.data.needsSecondFactor).toBe(false);
    await require(false);
    const users = `${project.management}/users/${member.id}`;
    expect((await send(app(), { method: 'GET', path: users, key: admin })).body.data.secondFactor).toBe(true);
    const reset = { method: 'POST', path: `${users}/second-factor-reset`, key: admin } as const;
    expect((await send(app(), reset)).body.data.secondFactor).toBe(false);
    expect(refusal(await logIn(passkey))).toEqual(refused('unknown'));
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
  });
});
