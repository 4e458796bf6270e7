import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { liveEvents } from '../../support/live-events.js';
import { createMember, memberPassword, type TestMember } from '../../support/members.js';
import { addPasskey, passkeyLogin, startPasskeyLogin } from '../../support/passkeys.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);
const me = '/api/v1/me';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const sessionIdIn = (token: string): unknown =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: unknown }).sid;

/** A login by a browser that an attacker has prepared with a session of their own. */
const preparedLogin = async (member: TestMember, attacker: TestMember) => {
  const body = { email: member.email, password: memberPassword };
  return app()
    .request.post('/api/v1/auth/login')
    .set('Authorization', `Bearer ${attacker.token}`)
    .set('Cookie', `session=${attacker.token}; accessToken=${attacker.token}`)
    .send(body);
};

describe('Sessions under attack', () => {
  verifies('access/sessions-under-attack');

  it('are never in cookies, so that no page of another origin can use them', async () => {
    const member = await newMember();
    const { passkey } = await addPasskey(app(), member);
    const ceremony = await startPasskeyLogin(app());
    const opened = await passkeyLogin(app(), ceremony, passkey.sign(ceremony));
    const { refreshToken, accessToken } = opened.body.data as Tokens;
    const renewed = await send(app(), {
      method: 'POST',
      path: '/api/v1/auth/refresh',
      body: { refreshToken },
    });
    expect([opened.status, renewed.status]).toEqual([200, 200]);
    for (const { headers } of [opened, renewed]) expect(headers).not.toHaveProperty('set-cookie');
    for (const path of [me, `${me}/sessions`, `${desk.project.management}/me`]) {
      const names = ['session', 'token', 'accessToken', 'Authorization'];
      const cookie = names.map((name) => `${name}=${accessToken}`).join('; ');
      expect(outcome(await app().request.get(path).set('Cookie', cookie))).toEqual([401, 'unauthorized']);
    }
  });

  it('are new at each login, whatever the browser had before', async () => {
    const [member, attacker] = [await newMember(), await newMember()];
    const answer = await preparedLogin(member, attacker);
    const { accessToken } = answer.body.data as Tokens;
    const ids = [member.token, attacker.token, accessToken].map(sessionIdIn);
    expect(new Set(ids).size).toBe(3);
    const who = await send(app(), { method: 'GET', path: me, key: attacker.token });
    expect(who.body.data.id).toBe(attacker.id);
    const mine = await send(app(), { method: 'GET', path: `${me}/sessions`, key: accessToken });
    expect((mine.body.data as { id: string }[]).map(({ id }) => id).sort()).toEqual(
      [sessionIdIn(member.token), sessionIdIn(accessToken)].sort(),
    );
  });

  it('keep no event stream open after their end or the suspension of the user', async () => {
    const [ended, suspended] = [await newMember(), await newMember()];
    const streams = [await liveEvents(app(), ended.token), await liveEvents(app(), suspended.token)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const id = String(sessionIdIn(ended.token));
    await send(app(), { method: 'DELETE', path: `${me}/sessions/${id}`, key: ended.token });
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE id = $1", [suspended.id]);
    await Promise.all(streams.map((stream) => stream.ended));
    for (const { token } of [ended, suspended]) expect((await liveEvents(app(), token)).status).toBe(401);
  });
});
