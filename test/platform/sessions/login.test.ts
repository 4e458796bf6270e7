import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { outcome, useOwnApp } from '../../support/desk.js';
import { createAdmin } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

const login = (body: object) => app().request.post('/api/v1/auth/login').send(body);

describe('200', () => {
  verifies('access/login');

  it('returns an access token for one hour and the user', async () => {
    const admin = await createAdmin(app());
    const { status, body, headers } = await login(admin);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body.data).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^hwr_[0-9a-f]{64}$/),
      expiresIn: 3600,
      tokenType: 'Bearer',
      user: { id: expect.any(String), email: admin.email, name: 'Admin', isSuperAdmin: true },
    });
    const token = body.data.accessToken as string;
    const claims = decodeJwt(token);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    expect(claims).toMatchObject({ sub: body.data.user.id, iss: 'headwater', aud: 'headwater', sa: true });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
  });

  it('compares the email address case-insensitively', async () => {
    const { email, password } = await createAdmin(app());
    expect((await login({ email: email.toUpperCase(), password })).status).toBe(200);
  });

  it('audits the session without the password', async () => {
    const admin = await createAdmin(app());
    const { headers } = await login(admin);
    const rows = await app().rows<{ action: string }>(
      null,
      "SELECT * FROM audit_events WHERE context ->> 'requestId' = $1",
      [headers['x-request-id']],
    );
    expect(rows.map(({ action }) => action)).toEqual(['session.create']);
    expect(JSON.stringify(rows)).not.toContain(admin.password);
  });
});

describe('401', () => {
  verifies('access/login');

  it('returns the same 401 for a wrong password, an unknown address and a suspended user', async () => {
    const { email, password } = await createAdmin(app());
    const suspended = await createAdmin(app());
    await app().rows(null, "UPDATE users SET status = 'suspended' WHERE email = $1", [suspended.email]);
    const answers = [
      await login({ email, password: `${password}!` }),
      await login({ email: 'nobody@example.com', password }),
      await login(suspended),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toEqual([401, 'invalid_credentials']);
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });
});

describe('422', () => {
  it.each([
    {},
    { email: 'a@example.com' },
    { email: 'nonsense', password: 'x' },
    { email: 'a@example.com', password: 1 },
    { email: 'a@example.com', password: 'x'.repeat(201) },
  ])('returns 422 for the login %j', async (body) => {
    expect(outcome(await login(body))).toEqual([422, 'validation_failed']);
  });
});
