import { Secret, TOTP } from 'otpauth';
import type { TestApp } from './app.js';
import { must } from './call.js';
import { memberPassword, type TestMember } from './members.js';

const STEP_SECONDS = 30;

/** What an authenticator app shows, on a device whose clock is so many steps ahead. */
export const codeOf = (secret: string, stepsAhead = 0, now = new Date()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + stepsAhead * STEP_SECONDS * 1000,
  });

export interface SecondFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** A code of the present step is accepted again, so that no test waits for the next one. */
export async function forgetStep(app: TestApp, { id }: Pick<TestMember, 'id'>): Promise<void> {
  await app.rows(null, 'UPDATE second_factors SET last_step = NULL WHERE user_id = $1', [id]);
}

/** Starts a second factor that no code has confirmed. */
export async function startSecondFactor(app: TestApp, { token: key }: TestMember): Promise<string> {
  const path = '/api/v1/me/second-factor';
  return (await must<{ secret: string }>(app, { method: 'POST', path, key, body: {} })).secret;
}

export async function enableSecondFactor(app: TestApp, member: TestMember): Promise<SecondFactor> {
  const secret = await startSecondFactor(app, member);
  const { recoveryCodes } = await must<{ recoveryCodes: string[] }>(app, {
    method: 'POST',
    path: '/api/v1/me/second-factor/confirm',
    key: member.token,
    body: { code: codeOf(secret, 0, app.now()) },
  });
  await forgetStep(app, member);
  return { secret, recoveryCodes };
}

/** The challenge of a login with the right password. */
export async function challengeOf(app: TestApp, { email }: Pick<TestMember, 'email'>): Promise<string> {
  const body = { email, password: memberPassword };
  const path = '/api/v1/auth/login';
  const { secondFactor } = await must<{ secondFactor: { token: string } }>(app, {
    method: 'POST',
    path,
    body,
  });
  return secondFactor.token;
}
