import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import type { RestMeta } from '../../metadata.js';
import { account } from '../../procedure.js';
import { RecoveryCodes, SecondFactor, SecondFactorCode, SecondFactorSecret } from '../sessions/session.js';

const route = (
  method: 'GET' | 'POST',
  suffix: '' | `/${string}`,
  texts: Pick<RestMeta, 'summary' | 'description'>,
): RestMeta => ({ method, path: `/api/v1/me/second-factor${suffix}`, ...texts, tags: ['Second factor'] });

const recoveryCodes = { 'data.recoveryCodes[]': 'recovery code' } as const;
const code = z.strictObject({ code: SecondFactorCode });

/** Rule access/second-factor. */
export const secondFactor = {
  get: account({
    openapi: route('GET', '', {
      summary: 'Get your second factor',
      description: 'Returns whether the user has a second factor, and whether the tenant requires one.',
    }),
    resource: 'sessions',
    action: 'read',
    beforeSecondFactor: true,
  })
    .input(z.strictObject({}))
    .output(dataOf(SecondFactor)),

  enroll: account({
    openapi: route('POST', '', {
      summary: 'Start a second factor',
      description:
        'Returns a new secret for an authenticator app. It takes effect when a code confirms it, and replaces an earlier unconfirmed one.',
    }),
    resource: 'sessions',
    action: 'update',
    beforeSecondFactor: true,
    secrets: { output: { 'data.secret': 'second factor secret', 'data.uri': 'second factor secret' } },
    errors: ['second_factor_enabled'],
  })
    .input(z.strictObject({}))
    .output(dataOf(SecondFactorSecret)),

  confirm: account({
    openapi: route('POST', '/confirm', {
      summary: 'Confirm a second factor',
      description:
        'Enables the second factor with a code of the authenticator app, and returns ten recovery codes, once. Later logins need a code.',
    }),
    resource: 'sessions',
    action: 'update',
    beforeSecondFactor: true,
    secrets: { input: { code: 'second factor code' }, output: recoveryCodes },
    errors: ['second_factor_enabled', 'second_factor_not_enabled', 'invalid_second_factor'],
  })
    .input(code)
    .output(dataOf(RecoveryCodes)),

  renewCodes: account({
    openapi: route('POST', '/recovery-codes', {
      summary: 'Renew your recovery codes',
      description: 'Replaces the recovery codes and returns ten new ones, once. Needs a code.',
    }),
    resource: 'sessions',
    action: 'update',
    secrets: { input: { code: 'second factor code' }, output: recoveryCodes },
    errors: ['second_factor_not_enabled', 'invalid_second_factor'],
  })
    .input(code)
    .output(dataOf(RecoveryCodes)),

  disable: account({
    openapi: route('POST', '/disable', {
      summary: 'Disable your second factor',
      description: 'Removes the second factor and its recovery codes. Needs a code.',
    }),
    resource: 'sessions',
    action: 'update',
    secrets: { input: { code: 'second factor code' } },
    errors: ['second_factor_not_enabled', 'invalid_second_factor'],
  })
    .input(code)
    .output(dataOf(SecondFactor)),
};
