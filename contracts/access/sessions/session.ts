import { z } from 'zod';
import { limits } from '../../limits.js';
import { Timestamp } from '../../primitives.js';

/** Rule access/sessions. */
export const Session = z
  .object({
    accessToken: z.string().meta({ description: 'JWT for the Authorization header.' }),
    refreshToken: z.string().meta({ description: 'Renews the session once, within a week.' }),
    expiresIn: z.int().meta({ description: 'Seconds until the token expires.', example: 3600 }),
    tokenType: z.literal('Bearer'),
    user: z
      .object({ id: z.string(), email: z.string(), name: z.string(), isSuperAdmin: z.boolean() })
      .meta({ description: 'The user of the session.' }),
  })
  .meta({ id: 'Session', description: 'Tokens and user of a session.' });
export type Session = z.infer<typeof Session>;

/** Rule access/second-factor. */
const SecondFactorChallenge = z
  .object({
    secondFactor: z
      .object({
        token: z.string().meta({ description: 'Opens a session once, together with a code.' }),
        methods: z
          .array(z.enum(['totp', 'passkey', 'recovery_code']))
          .meta({ description: 'Factors that the account has.', example: ['totp', 'recovery_code'] }),
        expiresAt: Timestamp,
      })
      .meta({ description: 'Second factor that the login still needs.' }),
  })
  .meta({
    id: 'SecondFactorChallenge',
    description: 'The first factor is right; a second one is needed too.',
  });

/** A session, or the challenge of an account with a second factor. */
export const LoginResult = z.union([Session, SecondFactorChallenge]);
export type LoginResult = z.infer<typeof LoginResult>;

/** Spaces, hyphens and capitals do not matter. */
export const SecondFactorCode = z.string().min(6).max(limits.secondFactorCodeLength).meta({
  description: 'Six digits of the authenticator app, or a recovery code.',
  example: '492039',
});

export const SecondFactor = z
  .object({
    isEnabled: z.boolean().meta({ description: 'Whether logins accept codes of an authenticator app.' }),
    isRequired: z.boolean().meta({ description: 'Whether the tenant requires one.' }),
    enabledAt: Timestamp.nullable(),
    passkeys: z.int().meta({ description: 'Number of passkeys, which are second factors too.', example: 1 }),
    recoveryCodesLeft: z.int().meta({ description: 'Unused recovery codes.', example: 10 }),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of the user.' });
export type SecondFactor = z.infer<typeof SecondFactor>;

export const SecondFactorSecret = z
  .object({
    secret: z.string().meta({ description: 'Secret of the authenticator app, in base32.' }),
    uri: z.string().meta({ description: '`otpauth:` address with the secret, for a QR code.' }),
  })
  .meta({ id: 'SecondFactorSecret', description: 'A secret that a code must confirm.' });

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: 'Each replaces a code of the authenticator app once.' }),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes. They are returned only once.' });

export const LinkAccount = z
  .object({
    kind: z
      .enum(['invitation', 'reset'])
      .meta({ description: 'Whether the link invites or resets a password.' }),
    email: z.string(),
    name: z.string(),
    tenantName: z.string(),
  })
  .meta({ id: 'LinkAccount', description: 'The account that a link sets a password for.' });
