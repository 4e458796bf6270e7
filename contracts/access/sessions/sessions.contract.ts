import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { ScopeSlug } from '../../primitives.js';
import { account, session } from '../../procedure.js';
import { LinkAccount, LoginResult, SecondFactorCode, Session } from './session.js';
import { NewPassword } from '../users/user.js';
import { PasskeyAssertion, PasskeyOptions, passkeyToken } from '../passkeys/passkeys.contract.js';

const refreshToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The most recent refresh token.', example: 'hwr_0f3a…' });

const resetToken = z.string().min(1).max(200).meta({ description: 'The reset token.', example: 'hwt_0f3a…' });

const tokens = { 'data.accessToken': 'session token', 'data.refreshToken': 'refresh token' } as const;

const knownPassword = z
  .string()
  .min(1)
  .max(limits.passwordMaximumLength)
  .meta({ description: 'Password of the user.', example: 'correct horse battery staple' });

const ChangedPassword = z
  .object({ changed: z.literal(true) })
  .meta({ id: 'ChangedPassword', description: 'The password has changed and all sessions have ended.' });

export const sessions = {
  login: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/login',
      summary: 'Log in',
      description:
        'Returns a session token for the management and platform APIs, which expires after one hour; for an account with a second factor, a challenge to complete with a code.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    secrets: {
      input: { password: 'password' },
      output: { ...tokens, 'data.secondFactor.token': 'login challenge' },
    },
    errors: ['invalid_credentials', 'tenant_inactive', 'tenant_required', 'sign_on_required'],
  })
    .input(
      z.strictObject({
        email: z
          .email()
          .max(320)
          .meta({ description: 'Email address of the user.', example: 'admin@example.com' }),
        password: knownPassword,
        tenantSlug: ScopeSlug.optional().meta({
          description: 'Tenant of the account. Required if accounts of several tenants match.',
          example: 'acme',
        }),
      }),
    )
    .output(dataOf(LoginResult)),

  loginWithCode: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/second-factor',
      summary: 'Complete a login',
      description:
        'Returns the session of a login that needs a code: of the authenticator app, within 30 seconds of difference between the clocks, or a recovery code. Each code is accepted once. A wrong one counts as a failed login; six end the challenge.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    secrets: {
      input: { token: 'login challenge', code: 'second factor code' },
      output: tokens,
    },
    errors: ['invalid_challenge', 'invalid_second_factor', 'second_factor_not_enabled', 'tenant_inactive'],
  })
    .input(
      z.strictObject({
        token: z
          .string()
          .min(1)
          .max(200)
          .meta({ description: 'Token of the challenge.', example: 'hwc_0f3a…' }),
        code: SecondFactorCode,
      }),
    )
    .output(dataOf(Session)),

  startPasskey: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/passkey/options',
      summary: 'Start a login with a passkey',
      description:
        'Returns the options with which the browser asks for a passkey: any of this service, or one of the account whose login waits for a second factor.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    changesNothing: true,
    secrets: { input: { challenge: 'login challenge' }, output: { 'data.token': 'passkey token' } },
    errors: ['invalid_challenge', 'passkeys_not_available'],
  })
    .input(
      z.strictObject({
        challenge: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .meta({ description: 'Token of the challenge of a login.', example: 'hwc_0f3a…' }),
      }),
    )
    .output(dataOf(PasskeyOptions)),

  loginWithPasskey: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/passkey',
      summary: 'Log in with a passkey',
      description:
        'Returns the session of the user whose passkey signed the options. The passkey is both factors, because the authenticator has verified the user. The `reason` in the details of `invalid_passkey` is `unknown`, `expired`, `used`, `counter` if the passkey seems to have been copied, or `refused`.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    secrets: { input: { token: 'passkey token' }, output: tokens },
    errors: [
      'invalid_passkey',
      'invalid_challenge',
      'passkeys_not_available',
      'sign_on_required',
      'tenant_inactive',
    ],
  })
    .input(z.strictObject({ token: passkeyToken, credential: PasskeyAssertion }))
    .output(dataOf(Session)),

  refresh: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/refresh',
      summary: 'Renew a session',
      description:
        'Returns a new session token and a new refresh token. Each refresh token can be used once; reusing one ends the session and invalidates all its tokens.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'update',
    secrets: { input: { refreshToken: 'refresh token' }, output: tokens },
    errors: ['invalid_session', 'session_expired', 'tenant_inactive'],
  })
    .input(z.strictObject({ refreshToken }))
    .output(dataOf(Session)),

  logout: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/logout',
      summary: 'Log out',
      description: 'Ends the session of the refresh token immediately and invalidates all its tokens.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'delete',
    secrets: { input: { refreshToken: 'refresh token' } },
    errors: ['invalid_session'],
  })
    .input(z.strictObject({ refreshToken }))
    .output(
      dataOf(
        z
          .object({ ended: z.literal(true) })
          .meta({ id: 'EndedSession', description: 'The session has ended.' }),
      ),
    ),

  changePassword: account({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/password',
      summary: 'Change your password',
      description: 'Replaces the password of the user and ends all their sessions, including this one.',
      tags: ['Sessions'],
    },
    resource: 'sessions',
    action: 'update',
    beforeSecondFactor: true,
    secrets: { input: { currentPassword: 'password', newPassword: 'password' } },
    errors: ['invalid_credentials', 'tenant_inactive'],
  })
    .input(z.strictObject({ currentPassword: knownPassword, newPassword: NewPassword }))
    .output(dataOf(ChangedPassword)),

  forgotPassword: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/forgot-password',
      summary: 'Request a new password',
      description:
        'Sends a link that sets a new password by mail to the accounts of the address that log in with a password. The response and its time do not reveal whether there are any. Five requests per address within 15 minutes. Without a mail server, nothing is sent.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
  })
    .input(
      z.strictObject({
        email: z
          .email()
          .max(320)
          .meta({ description: 'Email address of the user.', example: 'ada@example.com' }),
        tenantSlug: ScopeSlug.optional().meta({
          description: 'Tenant of the account. Absent: all accounts of the address.',
          example: 'acme',
        }),
      }),
    )
    .output(
      dataOf(
        z
          .object({ accepted: z.literal(true) })
          .meta({ id: 'AcceptedRequest', description: 'The request was accepted.' }),
      ),
    ),

  readLink: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/account-link',
      summary: 'Get the account of a link',
      description: 'Returns the account that an invitation or reset is for. The token stays valid.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    changesNothing: true,
    secrets: { input: { resetToken: 'reset token' } },
    errors: ['invalid_reset_token'],
  })
    .input(z.strictObject({ resetToken }))
    .output(dataOf(LinkAccount)),

  resetPassword: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/password-reset',
      summary: 'Set a new password',
      description:
        'Sets a new password with the token of a reset or an invitation, activates an invited account, and ends all sessions of the user. The `reason` in the details of `invalid_reset_token` is `used`, `expired`, `replaced` by a newer token, `revoked` or `unknown`.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'update',
    secrets: { input: { resetToken: 'reset token', newPassword: 'password' } },
    errors: ['invalid_reset_token', 'tenant_inactive'],
  })
    .input(
      z.strictObject({
        resetToken,
        newPassword: NewPassword,
      }),
    )
    .output(dataOf(ChangedPassword)),
};
