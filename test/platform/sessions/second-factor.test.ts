import { beforeAll, describe, expect, it } from '@jest/globals';
import { actionsOf, ownCalls, reasonOf, send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { superAdmin } from '../../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../../support/members.js';
import {
  challengeOf,
  codeOf,
  enableSecondFactor,
  forgetStep,
  startSecondFactor,
} from '../../support/second-factor.js';
import { verifies } from '../../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 1000 };
const app = useOwnApp({ rateDefaults });
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);

const own = ownCalls(app);
const login = ({ email }: { email: string }, password = memberPassword) =>
  send(app(), { method: 'POST', path: '/api/v1/auth/login', body: { email, password } });
const complete = (token: string, code: string) =>
  send(app(), { method: 'POST', path: '/api/v1/auth/second-factor', body: { token, code } });

const wrong = [401, 'invalid_second_factor'] as const;
const ended = [401, 'invalid_challenge'] as const;

describe('A second factor', () => {
  verifies('access/second-factor');

  it('is enabled by a code, which also returns ten recovery codes, once', async () => {
    const member = await newMember();
    const secret = await startSecondFactor(app(), member);
    const before = await own('GET', '/second-factor', member);
    expect(before.body.data).toEqual({
      isEnabled: false,
      isRequired: false,
      enabledAt: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
    const refused = await own('POST', '/second-factor/confirm', member, { code: codeOf(secret, 40) });
    expect([outcome(refused), reasonOf(refused)]).toEqual([wrong, 'wrong']);
    const confirmed = await own('POST', '/second-factor/confirm', member, { code: codeOf(secret) });
    expect(confirmed.body.data.recoveryCodes).toHaveLength(10);
    expect(await actionsOf(app(), confirmed)).toEqual(['user.second_factor_enable']);
    const after = await own('GET', '/second-factor', member);
    expect(after.body.data).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 });
    const user = await desk.get(`/users/${member.id}`);
    expect(user.body.data.secondFactor).toBe(true);
    for (const [path, code] of [
      ['/second-factor', 'second_factor_enabled'],
      ['/second-factor/confirm', 'second_factor_enabled'],
    ] as const)
      expect(
        outcome(await own('POST', path, member, path.endsWith('confirm') ? { code: codeOf(secret) } : {})),
      ).toEqual([409, code]);
  });

  it('is stored encrypted, its recovery codes as hashes', async () => {
    const member = await newMember();
    const { secret, recoveryCodes } = await enableSecondFactor(app(), member);
    const [row] = await app().rows<{ secret: Buffer }>(
      null,
      'SELECT secret FROM second_factors WHERE user_id = $1',
      [member.id],
    );
    expect(row?.secret.toString('latin1')).not.toContain(secret);
    const codes = await app().rows<{ code_hash: Buffer }>(
      null,
      'SELECT code_hash FROM recovery_codes WHERE user_id = $1',
      [member.id],
    );
    expect(codes.map(({ code_hash: hash }) => hash.length)).toEqual(Array.from({ length: 10 }, () => 32));
    expect(JSON.stringify(codes)).not.toContain(recoveryCodes[0]);
  });

  it('is disabled, and its recovery codes are renewed, with a code only', async () => {
    const member = await newMember();
    const { secret, recoveryCodes } = await enableSecondFactor(app(), member);
    expect(outcome(await own('POST', '/second-factor/disable', member, { code: '000000' }))).toEqual(wrong);
    const renewal = await own('POST', '/second-factor/recovery-codes', member, { code: codeOf(secret) });
    expect(renewal.body.data.recoveryCodes).toHaveLength(10);
    const old = { code: recoveryCodes[1] ?? '' };
    expect(outcome(await own('POST', '/second-factor/disable', member, old))).toEqual(wrong);
    const code = (renewal.body.data.recoveryCodes as string[])[0];
    const disabled = await own('POST', '/second-factor/disable', member, { code });
    expect(disabled.body.data).toMatchObject({ isEnabled: false, recoveryCodesLeft: 0 });
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
    for (const path of ['/second-factor/disable', '/second-factor/recovery-codes'])
      expect(outcome(await own('POST', path, member, { code }))).toEqual([409, 'second_factor_not_enabled']);
  });
});

describe('A login with a second factor', () => {
  verifies('access/second-factor-login');

  it('returns a challenge, and the session for a code of the app', async () => {
    const member = await newMember();
    const { secret } = await enableSecondFactor(app(), member);
    const first = await login(member);
    expect(first.body.data).toEqual({
      secondFactor: {
        token: expect.stringMatching(/^hwc_[0-9a-f]{64}$/),
        methods: ['totp', 'recovery_code'],
        expiresAt: expect.any(String),
      },
    });
    expect(await actionsOf(app(), first)).toEqual(['session.challenge']);
    const token = first.body.data.secondFactor.token as string;
    const second = await complete(token, codeOf(secret));
    expect(second.body.data.user).toMatchObject({ id: member.id });
    expect(await actionsOf(app(), second)).toEqual(['session.create']);
    expect((await own('GET', '', { token: second.body.data.accessToken })).status).toBe(200);
  });

  it('accepts a code once, also in another challenge', async () => {
    const member = await newMember();
    const { secret } = await enableSecondFactor(app(), member);
    const code = codeOf(secret);
    expect((await complete(await challengeOf(app(), member), code)).status).toBe(200);
    const replayed = await complete(await challengeOf(app(), member), code);
    expect([outcome(replayed), reasonOf(replayed)]).toEqual([wrong, 'used']);
  });

  it('accepts a recovery code once', async () => {
    const member = await newMember();
    const { recoveryCodes } = await enableSecondFactor(app(), member);
    const [code = ''] = recoveryCodes;
    const typed = code.toUpperCase().replaceAll('-', ' ');
    expect((await complete(await challengeOf(app(), member), typed)).status).toBe(200);
    expect(outcome(await complete(await challengeOf(app(), member), code))).toEqual(wrong);
    expect((await own('GET', '/second-factor', member)).body.data.recoveryCodesLeft).toBe(9);
  });

  it('names the clock when the code is of another time', async () => {
    const member = await newMember();
    const { secret } = await enableSecondFactor(app(), member);
    const answer = await complete(await challengeOf(app(), member), codeOf(secret, 3));
    expect([outcome(answer), reasonOf(answer)]).toEqual([wrong, 'clock']);
    expect(answer.body.message).toMatch(/clock/);
  });

  it('refuses a code of another account, and a challenge that was completed, has expired or never existed', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const [mine, theirs] = [
      await enableSecondFactor(app(), member),
      await enableSecondFactor(app(), stranger),
    ];
    const token = await challengeOf(app(), member);
    expect(outcome(await complete(token, codeOf(theirs.secret)))).toEqual(wrong);
    expect(outcome(await complete(token, theirs.recoveryCodes[0] ?? ''))).toEqual(wrong);
    expect((await complete(token, codeOf(mine.secret))).status).toBe(200);
    await forgetStep(app(), member);
    expect(outcome(await complete(token, codeOf(mine.secret)))).toEqual(ended);
    const late = await challengeOf(app(), member);
    await app().rows(
      null,
      "UPDATE login_challenges SET expires_at = now() - interval '1 second' WHERE user_id = $1",
      [member.id],
    );
    expect(outcome(await complete(late, codeOf(mine.secret)))).toEqual(ended);
    expect(outcome(await complete(`hwc_${'0'.repeat(64)}`, codeOf(mine.secret)))).toEqual(ended);
  });

  it('has no second chance at once: of two concurrent uses of one code, one opens a session', async () => {
    const member = await newMember();
    const { secret } = await enableSecondFactor(app(), member);
    const tokens = [await challengeOf(app(), member), await challengeOf(app(), member)];
    const code = codeOf(secret);
    const answers = await Promise.all(tokens.map((token) => complete(token, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is no session: the challenge opens nothing else', async () => {
    const member = await newMember();
    await enableSecondFactor(app(), member);
    const token = await challengeOf(app(), member);
    expect((await own('GET', '', { token })).status).toBe(401);
    const refresh = { method: 'POST', path: '/api/v1/auth/refresh', body: { refreshToken: token } } as const;
    expect(outcome(await send(app(), refresh))).toEqual([401, 'invalid_session']);
  });

  it('counts wrong codes with wrong passwords, also over several challenges', async () => {
    const member = await newMember();
    await enableSecondFactor(app(), member);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await login(member);
      statuses.push(answer.status);
      const token = answer.body.data.secondFactor.token as string;
      statuses.push((await complete(token, '000000')).status);
    }
    statuses.push((await login(member, 'wrong password')).status);
    expect(statuses).toEqual([200, 401, 200, 401, 401]);
    expect(outcome(await login(member))).toEqual([429, 'rate_limit_exceeded']);
  });

  it('forgets failures when the code is right, not when the password is', async () => {
    const member = await newMember();
    const { secret, recoveryCodes } = await enableSecondFactor(app(), member);
    expect((await login(member, 'wrong password')).status).toBe(401);
    const token = await challengeOf(app(), member);
    expect(outcome(await complete(token, '000000'))).toEqual(wrong);
    expect((await complete(token, codeOf(secret))).status).toBe(200);
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await login(member, 'wrong password')).status).toBe(401);
    expect((await complete(await challengeOf(app(), member), recoveryCodes[0] ?? '')).status).toBe(200);
  });
});

describe('Six wrong codes', () => {
  verifies('access/second-factor-login');
  const unlimited = useOwnApp();

  it('end a challenge where logins are not limited', async () => {
    const { project } = await openDesk(unlimited());
    const member = await createMember(unlimited(), project, []);
    const { secret } = await enableSecondFactor(unlimited(), member);
    const token = await challengeOf(unlimited(), member);
    const attempt = async (code: string) =>
      outcome(
        await send(unlimited(), {
          method: 'POST',
          path: '/api/v1/auth/second-factor',
          body: { token, code },
        }),
      );
    for (let count = 0; count < 6; count += 1) expect(await attempt('000000')).toEqual(wrong);
    expect(await attempt(codeOf(secret))).toEqual(ended);
  });
});

describe('A tenant that requires a second factor', () => {
  verifies('access/second-factor-required');

  it('limits users without one, also in open sessions, to setting one up', async () => {
    const { project } = await openDesk(app());
    const member = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
    const path = `/api/v1/platform/tenants/${project.tenantSlug}`;
    const setting = (requireSecondFactor: boolean) =>
      superAdmin(app()).then((key) =>
        send(app(), { method: 'PUT', path, key, body: { requireSecondFactor } }),
      );
    expect((await setting(true)).body.data.requireSecondFactor).toBe(true);
    const read = { method: 'GET', path: `${project.management}/users`, key: member.token } as const;
    expect(outcome(await send(app(), read))).toEqual([403, 'second_factor_required']);
    expect(outcome(await own('GET', '/sessions', member))).toEqual([403, 'second_factor_required']);
    expect((await own('GET', '', member)).body.data.needsSecondFactor).toBe(true);
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
    expect((await send(app(), { ...read, key: project.keys.management })).status).toBe(200);
    await enableSecondFactor(app(), member);
    expect((await own('GET', '', member)).body.data.needsSecondFactor).toBe(false);
    expect((await own('GET', '/sessions', member)).status).toBe(200);
    expect((await own('GET', '/second-factor', member)).body.data.isRequired).toBe(true);
    await setting(false);
  });
});
