import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { testSecret } from '../../support/app.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { createAdmin } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

let now = new Date();
const app = useOwnApp({ clock: () => now });
let userId = '';

beforeEach(async () => {
  now = new Date();
  const body = await createAdmin(app());
  const session = await app().request.post('/api/v1/auth/login').send(body);
  userId = session.body.data.user.id as string;
});

const seconds = (offset = 0): number => Math.floor(now.getTime() / 1000) + offset;

/** Claims of an issued token. */
const claims = (): JWTPayload => ({
  sub: userId,
  iss: 'headwater',
  aud: 'headwater',
  iat: seconds(),
  exp: seconds(3600),
  sid: 's',
  jti: 'j',
  sa: true,
});

function sign(changes: object = {}, header: object = {}, secret: Uint8Array = testSecret): Promise<string> {
  const payload = Object.fromEntries(
    Object.entries({ ...claims(), ...changes }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(secret, { crit: { x: true } });
}

const use = (key: string) => send(app(), { method: 'GET', path: '/api/v1/platform/tenants', key });

describe('A token', () => {
  verifies('access/token-verification');

  it.each([{ typ: 'at+jwt' }, { typ: 'JWT' }, { typ: 'application/at+jwt' }])(
    'accepts a token of type $typ',
    async (header) => {
      expect(outcome(await use(await sign({}, header)))).toEqual([200, undefined]);
    },
  );

  it('accepts a token until one minute after it expires, to allow for clock skew', async () => {
    expect((await use(await sign({ iat: seconds(-3600), exp: seconds(-50) }))).status).toBe(200);
    const late = await use(await sign({ iat: seconds(-3600), exp: seconds(-70) }));
    expect(outcome(late)).toEqual([401, 'session_expired']);
    expect(late.headers['www-authenticate']).toBe('Bearer realm="platform", error="invalid_token"');
  });

  it('rejects a token before its start time', async () => {
    expect(outcome(await use(await sign({ nbf: seconds(120) })))).toEqual([401, 'invalid_session']);
    const ahead = { iat: seconds(86_400), exp: seconds(90_000) };
    expect(outcome(await use(await sign(ahead)))).toEqual([401, 'invalid_session']);
  });

  it('rejects an issued token after one hour and one minute', async () => {
    const body = await createAdmin(app());
    const session = await app().request.post('/api/v1/auth/login').send(body);
    const { accessToken } = session.body.data as { accessToken: string };
    now = new Date(now.getTime() + 3_650_000);
    expect((await use(accessToken)).status).toBe(200);
    now = new Date(now.getTime() + 20_000);
    expect(outcome(await use(accessToken))).toEqual([401, 'session_expired']);
  });
});

describe('401 invalid_session', () => {
  verifies('access/token-verification');

  it.each([
    { what: 'of another type', forge: () => sign({}, { typ: 'id+jwt' }) },
    { what: 'without a type', forge: () => sign({}, { typ: undefined }) },
    { what: 'signed with another secret', forge: () => sign({}, {}, Buffer.alloc(32, 1)) },
    { what: 'signed with another algorithm of the family', forge: () => sign({}, { alg: 'HS512' }) },
    { what: 'for another audience', forge: () => sign({ aud: 'elsewhere' }) },
    { what: 'without an audience', forge: () => sign({ aud: undefined }) },
    { what: 'of another issuer', forge: () => sign({ iss: 'elsewhere' }) },
    { what: 'without an issuer', forge: () => sign({ iss: undefined }) },
    { what: 'without an end', forge: () => sign({ exp: undefined }) },
    { what: 'without a beginning', forge: () => sign({ iat: undefined }) },
    { what: 'that would last more than an hour', forge: () => sign({ exp: seconds(3700) }) },
    { what: 'without a user', forge: () => sign({ sub: undefined }) },
    { what: 'of a user that is no id', forge: () => sign({ sub: "' OR 1=1 --" }) },
    {
      what: 'of a user that does not exist',
      forge: () => sign({ sub: '0198c0de-0000-7000-8000-000000000000' }),
    },
    { what: 'with a critical extension', forge: () => sign({}, { crit: ['x'], x: 1 }) },
    { what: 'without a signature', forge: () => Promise.resolve(new UnsecuredJWT(claims()).encode()) },
    { what: 'with padding behind it', forge: async () => `${await sign()}=` },
    {
      what: 'with one character changed',
      forge: async () =>
        (await sign()).replace(
          /\.(.)([^.]*)$/,
          (_all, one, rest) => `.${one === 'A' ? 'B' : 'A'}${String(rest)}`,
        ),
    },
    { what: 'of two parts', forge: () => Promise.resolve('a.b') },
    { what: 'of dots', forge: () => Promise.resolve('...') },
  ])('returns 401 for a token $what', async ({ forge }) => {
    const answer = await use(await forge());
    expect(outcome(answer)).toEqual([401, 'invalid_session']);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="platform", error="invalid_token"');
  });

  it('returns 401 at once for a token of a suspended user', async () => {
    const token = await sign();
    expect((await use(token)).status).toBe(200);
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE id = $1", [userId]);
    expect(outcome(await use(token))).toEqual([401, 'invalid_session']);
  });
});

describe('Rights', () => {
  verifies('access/token-verification', 'access/tenants');

  it('reads rights from the database, never from the token', async () => {
    await app().rows(null, 'UPDATE users SET is_super_admin = false WHERE id = $1', [userId]);
    expect(outcome(await use(await sign({ sa: true })))).toEqual([403, 'super_admin_required']);
  });

  it('limits a tenant user to the projects of their memberships', async () => {
    const [mine, theirs] = [await openDesk(app()), await openDesk(app())];
    await app().rows(null, 'UPDATE users SET is_super_admin = false, tenant_id = $2 WHERE id = $1', [
      userId,
      mine.project.tenantId,
    ]);
    const token = await sign();
    expect(outcome(await mine.as(token).get('/sites'))).toEqual([403, 'wrong_project']);
    expect(outcome(await theirs.as(token).get('/sites'))).toEqual([403, 'wrong_project']);
  });
});

describe('Other interfaces', () => {
  verifies('access/sessions-for-management-only', 'mcp/credentials', 'access/credentials');

  it('rejects a session token as a key on other interfaces', async () => {
    const { project } = await openDesk(app());
    const key = await sign();
    const delivery = await send(app(), { method: 'GET', path: `${project.delivery}/content/article`, key });
    const graphql = {
      method: 'POST',
      path: `/api/graphql/${project.slug}`,
      key,
      body: { query: '{__typename}' },
    } as const;
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const mcp = { method: 'POST', path: `/api/mcp/${project.slug}`, key, body: rpc } as const;
    for (const answer of [delivery, await send(app(), graphql), await send(app(), mcp)])
      expect(outcome(answer)).toEqual([401, 'invalid_api_key']);
  });
});
