import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { outcome, useOwnApp } from '../../support/desk.js';
import { createAdmin } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

let now = new Date();
const app = useOwnApp({ clock: () => now });

beforeEach(() => {
  now = new Date();
});

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const post = (path: string, body: object) =>
  send(app(), { method: 'POST', path: `/api/v1/auth/${path}`, body });
const use = (key: string) => send(app(), { method: 'GET', path: '/api/v1/platform/tenants', key });

async function start(): Promise<Tokens & { email: string }> {
  const admin = await createAdmin(app());
  return { ...((await post('login', admin)).body.data as Tokens), email: admin.email };
}

const refresh = (refreshToken: string) => post('refresh', { refreshToken });
const tokensOf = async (refreshToken: string): Promise<Tokens> =>
  (await refresh(refreshToken)).body.data as Tokens;

describe('POST auth/refresh', () => {
  verifies('access/refresh');

  it('returns new tokens that continue the session', async () => {
    const first = await start();
    const { status, body, headers } = await refresh(first.refreshToken);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body.data).toMatchObject({ expiresIn: 3600, tokenType: 'Bearer', user: { email: first.email } });
    expect(body.data.refreshToken).not.toBe(first.refreshToken);
    for (const { accessToken } of [first, body.data as Tokens])
      expect((await use(accessToken)).status).toBe(200);
    expect((await refresh(body.data.refreshToken as string)).status).toBe(200);
  });

  it('ends the session for all holders when a refresh token is used twice', async () => {
    const first = await start();
    const second = await tokensOf(first.refreshToken);
    const third = await tokensOf(second.refreshToken);
    expect(outcome(await refresh(first.refreshToken))).toEqual([401, 'invalid_session']);
    expect(outcome(await refresh(third.refreshToken))).toEqual([401, 'invalid_session']);
    for (const { accessToken } of [first, second, third])
      expect(outcome(await use(accessToken))).toEqual([401, 'invalid_session']);
    const records = await app().rows<{ action: string }>(
      null,
      "SELECT action FROM audit_events WHERE action LIKE 'session.%' AND target->>'id' = (SELECT id::text FROM users WHERE email = $1) ORDER BY id",
      [first.email],
    );
    expect(records.map(({ action }) => action)).toEqual([
      'session.create',
      'session.refresh',
      'session.refresh',
      'session.reuse',
    ]);
  });

  it('accepts one of many concurrent refreshes and ends the session', async () => {
    const first = await start();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(first.refreshToken)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcome(await use(first.accessToken))).toEqual([401, 'invalid_session']);
  });

  it('keeps other sessions of the user valid', async () => {
    const admin = await createAdmin(app());
    const login = async () => (await post('login', admin)).body.data as Tokens;
    const [one, other] = [await login(), await login()];
    await post('logout', { refreshToken: one.refreshToken });
    expect(outcome(await use(one.accessToken))).toEqual([401, 'invalid_session']);
    expect((await use(other.accessToken)).status).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('rejects a refresh after a week, which each refresh restarts', async () => {
    const first = await start();
    now = new Date(now.getTime() + 6 * 86_400_000);
    const second = await tokensOf(first.refreshToken);
    now = new Date(now.getTime() + 6 * 86_400_000);
    const third = await tokensOf(second.refreshToken);
    now = new Date(now.getTime() + 604_801_000);
    expect(outcome(await refresh(third.refreshToken))).toEqual([401, 'session_expired']);
  });

  it('rejects a refresh by a user who was suspended', async () => {
    const { email, refreshToken } = await start();
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE email = $1", [email]);
    expect(outcome(await refresh(refreshToken))).toEqual([401, 'invalid_session']);
  });

  it.each(['nothing', `hwr_${'0'.repeat(64)}`])('returns 401 for the refresh token %s', async (token) => {
    expect(outcome(await refresh(token))).toEqual([401, 'invalid_session']);
    expect(outcome(await post('logout', { refreshToken: token }))).toEqual([401, 'invalid_session']);
  });

  it('stores hashes of tokens and deletes expired ones', async () => {
    const { refreshToken, email } = await start();
    const dump = () =>
      app().rows<{ text: string }>(
        null,
        `SELECT refresh_tokens::text AS text FROM refresh_tokens JOIN sessions s ON s.id = session_id
         JOIN users u ON u.id = s.user_id WHERE u.email = $1`,
        [email],
      );
    expect((await dump()).map(({ text }) => text.includes(refreshToken.slice(4)))).toEqual([false]);
    now = new Date(now.getTime() + 9 * 86_400_000);
    await app().composition.jobs.prune();
    expect(await dump()).toEqual([]);
  });
});

describe('POST auth/logout', () => {
  verifies('access/refresh');

  it('ends the session at once, including its valid tokens', async () => {
    const { accessToken, refreshToken } = await start();
    expect((await use(accessToken)).status).toBe(200);
    const ended = await post('logout', { refreshToken });
    expect([ended.status, ended.body]).toEqual([200, { data: { ended: true } }]);
    expect(outcome(await use(accessToken))).toEqual([401, 'invalid_session']);
    expect(outcome(await refresh(refreshToken))).toEqual([401, 'invalid_session']);
    expect((await post('logout', { refreshToken })).status).toBe(200);
  });
});
