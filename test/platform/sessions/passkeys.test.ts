import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { limits } from '../../../contracts/limits.js';
import { actionsOf, ownCalls, reasonOf } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createProject } from '../../support/factories/project.js';
import { createMember, memberPassword, type TestMember } from '../../support/members.js';
import {
  addPasskey,
  logInWith,
  passkeyLogin,
  SoftPasskey,
  startPasskey,
  startPasskeyLogin,
  type Ceremony,
} from '../../support/passkeys.js';
import { enableSecondFactor } from '../../support/second-factor.js';
import { verifies } from '../../support/verifies.js';

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 1000 };
let lateness = 0;
const app = useOwnApp({ rateDefaults, clock: () => new Date(Date.now() + lateness) });
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);

const own = ownCalls(app);

const refusal = (answer: Response): unknown[] => [...outcome(answer), reasonOf(answer)];
const refused = (reason: string) => [401, 'invalid_passkey', reason];

const add = (member: TestMember, { token }: Ceremony, credential: object) =>
  own('POST', '/passkeys', member, { token, name: 'Phone', credential });

const logIn = (passkey: SoftPasskey, habits?: Parameters<SoftPasskey['sign']>[1]) =>
  logInWith(app(), passkey, habits);

describe('Passkeys of a user', () => {
  verifies('access/passkeys');

  it('are added with the password, listed with their last use, and removed with the password', async () => {
    const member = await newMember();
    const [first, ceremony] = [new SoftPasskey(), await startPasskey(app(), member)];
    expect(ceremony.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: member.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    for (const currentPassword of [undefined, 'not the password'])
      expect(outcome(await own('POST', '/passkeys/options', member, { currentPassword }))).toEqual([
        401,
        'invalid_credentials',
      ]);
    const added = await add(member, ceremony, first.create(ceremony));
    expect(added.body.data.passkey).toMatchObject({ name: 'Phone', isSynced: true, lastUsedAt: null });
    expect(added.body.data.recoveryCodes).toHaveLength(10);
    expect(await actionsOf(app(), added)).toEqual(['user.passkey_add']);
    const second = await addPasskey(app(), member, 'A laptop');
    expect(second.recoveryCodes).toBeNull();
    expect((await logIn(second.passkey)).status).toBe(200);
    const listed = await own('GET', '/passkeys?orderBy=name:asc', member);
    expect(listed.body.data).toEqual([
      expect.objectContaining({ name: 'A laptop', lastUsedAt: expect.any(String) }),
      expect.objectContaining({ name: 'Phone', lastUsedAt: null }),
    ]);
    const path = `/passkeys/${second.id}/remove`;
    expect(outcome(await own('POST', path, member, {}))).toEqual([401, 'invalid_credentials']);
    const removed = await own('POST', path, member, { currentPassword: memberPassword });
    expect([outcome(removed), await actionsOf(app(), removed)]).toEqual([
      [200, undefined],
      ['user.passkey_remove'],
    ]);
    expect(refusal(await logIn(second.passkey))).toEqual(refused('unknown'));
    expect(outcome(await own('POST', path, member, { currentPassword: memberPassword }))).toEqual([
      404,
      'passkey_not_found',
    ]);
  });

  it('need no password from a user who has none', async () => {
    const member = await newMember();
    await app().rows(null, 'UPDATE users SET password_hash = NULL WHERE id = $1', [member.id]);
    expect((await own('GET', '', member)).body.data.hasPassword).toBe(false);
    const started = await own('POST', '/passkeys/options', member, {});
    const ceremony = started.body.data as Ceremony;
    expect((await add(member, ceremony, new SoftPasskey().create(ceremony))).status).toBe(200);
  });

  it('are refused without a verified user, and for another origin, service, page or challenge', async () => {
    const member = await newMember();
    const ceremony = await startPasskey(app(), member);
    const attempts = [
      { isVerified: false },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isCrossOrigin: true },
      { challenge: 'bm90IHRoZSBjaGFsbGVuZ2U' },
    ];
    for (const habits of attempts) {
      const answer = await add(member, ceremony, new SoftPasskey().create(ceremony, habits));
      expect([habits, ...refusal(answer)]).toEqual([habits, ...refused('refused')]);
    }
    const signed = new SoftPasskey().create(ceremony);
    const other = { ...signed, id: new SoftPasskey().id };
    expect(refusal(await add(member, ceremony, other))).toEqual(refused('refused'));
  });

  it('are added once, for the user who started, within five minutes', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const ceremony = await startPasskey(app(), member);
    const credential = new SoftPasskey().create(ceremony);
    expect(refusal(await add(stranger, ceremony, credential))).toEqual(refused('refused'));
    expect((await add(member, ceremony, credential)).status).toBe(200);
    expect(refusal(await add(member, ceremony, credential))).toEqual(refused('used'));
    const forged = { ...ceremony, token: `${ceremony.token.slice(0, -4)}AAAA` };
    const fresh = new SoftPasskey().create(forged);
    expect(refusal(await add(member, forged, fresh))).toEqual(refused('refused'));
  });

  it('have one account each, and twenty at most', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const { passkey } = await addPasskey(app(), member);
    const ceremony = await startPasskey(app(), stranger);
    const taken = await add(stranger, ceremony, passkey.create(ceremony));
    expect(outcome(taken)).toEqual([409, 'passkey_exists']);
    const full = await startPasskey(app(), member);
    await app().rows(
      null,
      `INSERT INTO passkeys SELECT tenant_id, gen_random_uuid(), user_id, name, credential_id || n, public_key, 0, transports,
         is_synced, created_at, NULL FROM passkeys, generate_series(2, $2) n WHERE user_id = $1`,
      [member.id, limits.passkeysPerUser],
    );
    expect(full.options.excludeCredentials).toEqual([expect.objectContaining({ id: passkey.id })]);
    const body = { currentPassword: memberPassword };
    for (const answer of [
      await add(member, full, new SoftPasskey().create(full)),
      await own('POST', '/passkeys/options', member, body),
    ])
      expect(outcome(answer)).toEqual([422, 'limit_reached']);
  });
});

describe('A login with a passkey', () => {
  verifies('access/passkey-login');

  it('is refused when it takes longer than five minutes', async () => {
    const { passkey } = await addPasskey(app(), await newMember());
    const ceremony = await startPasskeyLogin(app());
    lateness = limits.passkeyChallengeSeconds * 1000 + 1000;
    const late = await passkeyLogin(app(), ceremony, passkey.sign(ceremony));
    lateness = 0;
    expect(refusal(late)).toEqual(refused('expired'));
    expect((await passkeyLogin(app(), ceremony, passkey.sign(ceremony))).status).toBe(200);
  });

  it('is refused where users sign on at an identity provider only', async () => {
    const project = await createProject(app());
    const member = await createMember(app(), project, []);
    const { passkey } = await addPasskey(app(), member);
    await app().rows(
      null,
      `INSERT INTO sign_ons SELECT id, 'https://login.example.com', 'cms', NULL, NULL, '{}', 'groups', '[]', true, false, false, true, now()
       FROM tenants WHERE slug = $1`,
      [project.tenantSlug],
    );
    expect(outcome(await logIn(passkey))).toEqual([403, 'sign_on_required']);
    const token = `hwc_${'a'.repeat(64)}`;
    await app().rows(
      null,
      `INSERT INTO login_challenges SELECT tenant_id, sha256($2::bytea), id, 0, now(), now() + interval '1 minute'
       FROM users WHERE id = $1`,
      [member.id, Buffer.from(token)],
    );
    const second = await startPasskeyLogin(app(), token);
    expect((await passkeyLogin(app(), second, passkey.sign(second))).status).toBe(200);
  });

  it('opens a session without a password, also for an account with an authenticator app', async () => {
    const member = await newMember();
    const { passkey } = await addPasskey(app(), member);
    await enableSecondFactor(app(), member);
    const answer = await logIn(passkey);
    expect(answer.body.data.user).toMatchObject({ id: member.id });
    expect(await actionsOf(app(), answer)).toEqual(['session.create']);
    expect((await own('GET', '', { token: answer.body.data.accessToken })).status).toBe(200);
  });

  it('is refused with a challenge that was signed, has expired or belongs to something else', async () => {
    const member = await newMember();
    const { passkey } = await addPasskey(app(), member);
    const ceremony = await startPasskeyLogin(app());
    const credential = passkey.sign(ceremony);
    const answers = await Promise.all([1, 2].map(() => passkeyLogin(app(), ceremony, credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(refusal(await passkeyLogin(app(), ceremony, credential))).toEqual(refused('used'));
    expect(refusal(await passkeyLogin(app(), await startPasskeyLogin(app()), credential))).toEqual(
      refused('refused'),
    );
    const registration = await startPasskey(app(), member);
    expect(refusal(await passkeyLogin(app(), registration, passkey.sign(registration)))).toEqual(
      refused('refused'),
    );
  });

  it('is refused without a verified user, and for another origin, service, page or key', async () => {
    const { passkey } = await addPasskey(app(), await newMember());
    for (const habits of [
      { isVerified: false },
      { origin: 'http://localhost.evil.example' },
      { rpId: 'evil.example' },
      { isCrossOrigin: true },
    ])
      expect([habits, ...refusal(await logIn(passkey, habits))]).toEqual([habits, ...refused('refused')]);
    const ceremony = await startPasskeyLogin(app());
    const forged = { ...new SoftPasskey().sign(ceremony), id: passkey.id };
    expect(refusal(await passkeyLogin(app(), ceremony, forged))).toEqual(refused('refused'));
    expect(refusal(await logIn(new SoftPasskey()))).toEqual(refused('unknown'));
  });

  it('is refused and recorded when the counter of the authenticator goes back', async () => {
    const { passkey } = await addPasskey(app(), await newMember());
    expect((await logIn(passkey, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0]) {
      const copy = await logIn(passkey, { counter });
      expect([...refusal(copy), ...(await actionsOf(app(), copy))]).toEqual([
        ...refused('counter'),
        'user.passkey_refuse',
      ]);
    }
    expect((await logIn(passkey, { counter: 8 })).status).toBe(200);
  });

  it('is refused to suspended users', async () => {
    const member = await newMember();
    const { passkey } = await addPasskey(app(), member);
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE id = $1", [member.id]);
    expect(refusal(await logIn(passkey))).toEqual(refused('unknown'));
  });
});
