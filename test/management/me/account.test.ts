import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Me, OwnSession } from '../../../contracts/access/me/caller.js';
import { must, send, type RestCall } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createMember, memberPassword, type TestMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);

const call = (method: RestCall['method'], path: string, key: string, body?: object) =>
  send(app(), { method, path: `/api/v1/me${path}`, key, body });

interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Another device of a member. */
async function logIn({ email }: TestMember, userAgent = 'Firefox of a test'): Promise<Login> {
  const login = app().request.post('/api/v1/auth/login').set('User-Agent', userAgent);
  const { body } = await login.send({ email, password: memberPassword });
  return (body as { data: Login }).data;
}

const sessionsOf = (key: string, query = ''): Promise<OwnSession[]> =>
  must<OwnSession[]>(app(), { method: 'GET', path: `/api/v1/me/sessions${query}`, key });

const recordsOf = (response: { headers: Record<string, string> }) =>
  app().rows<{ action: string; before: Record<string, unknown>; after: Record<string, unknown> }>(
    null,
    "SELECT action, before, after FROM audit_events WHERE context ->> 'requestId' = $1",
    [response.headers['x-request-id']],
  );

describe('The profile of a user', () => {
  verifies('access/profile');

  it('has name, language, time zone and theme, which are null until the user chooses them', async () => {
    const { token } = await newMember();
    const before = await must<Me>(app(), { method: 'GET', path: '/api/v1/me', key: token });
    expect(before).toMatchObject({ name: 'Member', language: null, timeZone: null, theme: null });
    const change = { name: 'Ada', language: 'de', timeZone: 'Europe/Zurich', theme: 'dark' };
    const answer = await call('PATCH', '', token, change);
    expect(answer.body.data).toEqual({ ...before, ...change });
    const records = await recordsOf(answer);
    expect(records).toMatchObject([{ action: 'user.update', before: { name: 'Member' }, after: change }]);
    expect(
      (await call('PATCH', '', token, { language: null, timeZone: null, theme: null })).body.data,
    ).toEqual({ ...before, name: 'Ada' });
  });

  it('is not written, and leaves no record, when nothing differs', async () => {
    const { token } = await newMember();
    const answer = await call('PATCH', '', token, { name: 'Member' });
    expect(answer.status).toBe(200);
    expect(await recordsOf(answer)).toEqual([]);
  });

  it('changes for its user alone', async () => {
    const [one, other] = [await newMember(), await newMember()];
    await call('PATCH', '', one.token, { name: 'Only one', theme: 'light' });
    const { name, theme } = await must<Me>(app(), { method: 'GET', path: '/api/v1/me', key: other.token });
    expect([name, theme]).toEqual(['Member', null]);
  });

  it.each([
    [{}, 'no_update_fields'],
    [{ language: 'Deutsch!' }, 'validation_failed'],
    [{ timeZone: 'Mars/Olympus' }, 'validation_failed'],
    [{ theme: 'pink' }, 'validation_failed'],
    [{ name: '' }, 'validation_failed'],
    [{ email: 'other@example.com' }, 'validation_failed'],
    [{ isSuperAdmin: true }, 'validation_failed'],
  ])('returns 422 for the change %j', async (body, code) => {
    const { token } = await newMember();
    expect(outcome(await call('PATCH', '', token, body))).toEqual([422, code]);
  });
});

describe('The sessions of a user', () => {
  verifies('access/own-sessions');

  it('are listed with network and browser, the current one marked', async () => {
    const member = await newMember();
    await logIn(member);
    const sessions = await sessionsOf(member.token);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const other = sessions.find(({ isCurrent }) => !isCurrent);
    expect(other).toMatchObject({ userAgent: 'Firefox of a test', network: '127.0.0.1' });
    expect(JSON.stringify(sessions)).not.toContain('hwr_');
  });

  it('are those of the user alone, in the requested order and page', async () => {
    const member = await newMember();
    await logIn(await newMember());
    await logIn(member, 'second');
    await logIn(member, 'third');
    const agents = (await sessionsOf(member.token, '?orderBy=createdAt:desc&limit=2')).map(
      ({ userAgent }) => userAgent,
    );
    expect(agents).toEqual(['third', 'second']);
  });

  it('end at once: access token and refresh token are refused', async () => {
    const member = await newMember();
    const { accessToken, refreshToken } = await logIn(member);
    const other = (await sessionsOf(member.token)).find(({ isCurrent }) => !isCurrent);
    const answer = await call('DELETE', `/sessions/${String(other?.id)}`, member.token);
    expect(answer.body.data).toEqual({ id: other?.id, deleted: true });
    expect(await recordsOf(answer)).toMatchObject([
      { action: 'session.end', after: { sessionId: other?.id } },
    ]);
    expect(outcome(await call('GET', '', accessToken))).toEqual([401, 'invalid_session']);
    const refresh = app().request.post('/api/v1/auth/refresh').send({ refreshToken });
    expect(outcome(await refresh)).toEqual([401, 'invalid_session']);
    expect(outcome(await call('GET', '', member.token))).toEqual([200, undefined]);
  });

  it('end all but the one that calls, with a record for each', async () => {
    const member = await newMember();
    const others = [await logIn(member), await logIn(member)];
    const answer = await call('DELETE', '/sessions', member.token);
    expect(answer.body.data).toEqual({ ended: 2 });
    expect((await recordsOf(answer)).map(({ action }) => action)).toEqual(['session.end', 'session.end']);
    for (const { accessToken } of others)
      expect(outcome(await call('GET', '', accessToken))).toEqual([401, 'invalid_session']);
    expect(await sessionsOf(member.token)).toMatchObject([{ isCurrent: true }]);
  });

  it('returns 404 for a session of another user, one that has ended, and no id', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const [theirs] = await sessionsOf(stranger.token);
    await logIn(member);
    const own = (await sessionsOf(member.token)).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    await call('DELETE', `/sessions/${own}`, member.token);
    for (const id of [theirs?.id ?? '', own, 'nonsense'])
      expect(outcome(await call('DELETE', `/sessions/${id}`, member.token))).toEqual([
        404,
        'session_not_found',
      ]);
    expect(outcome(await call('GET', '', stranger.token))).toEqual([200, undefined]);
  });

  it('show the last use and the browser of the last renewal', async () => {
    const member = await newMember();
    const { refreshToken } = await logIn(member, 'first browser');
    await app().rows(
      null,
      "UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE user_id = $1",
      [member.id],
    );
    const renewal = app().request.post('/api/v1/auth/refresh').set('User-Agent', 'second browser');
    await renewal.send({ refreshToken });
    const [renewed, older] = await sessionsOf(member.token, '?orderBy=createdAt:desc');
    expect(renewed?.userAgent).toBe('second browser');
    // The list itself was a use of the other session.
    const hourAgo = Date.now() - 30 * 60_000;
    for (const one of [renewed, older]) expect(Date.parse(one?.lastUsedAt ?? '')).toBeGreaterThan(hourAgo);
  });
});
