import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import type { RestMeta } from '../../metadata.js';
import { Id, inPath, Name, orderBy, paging, Timestamp } from '../../primitives.js';
import { account } from '../../procedure.js';

const route = (
  method: 'GET' | 'POST',
  suffix: '' | `/${string}`,
  texts: Pick<RestMeta, 'summary' | 'description'>,
): RestMeta => ({ method, path: `/api/v1/me/passkeys${suffix}`, ...texts, tags: ['Passkeys'] });

const base64url = (description: string, maximum: number, example: string) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[\w-]+$/, 'must be base64url without padding')
    .meta({ description, example });

const credential = {
  id: base64url('Id of the credential.', 1400, 'kmp5Pq3cZ0e3lXq9'),
  clientDataJSON: base64url('Client data.', 4000, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
};

/** Parts of the browser's `PublicKeyCredential`. */
const NewCredential = z.strictObject({
  ...credential,
  attestationObject: base64url('Attestation object.', 20_000, 'o2NmbXRkbm9uZQ'),
  transports: z
    .array(z.string().min(1).max(20))
    .max(10)
    .default([])
    .meta({ description: 'How the browser reaches the authenticator.', example: ['internal'] }),
});

export const PasskeyAssertion = z.strictObject({
  ...credential,
  authenticatorData: base64url('Authenticator data.', 4000, 'SZYN5YgOjGh0NBcP'),
  signature: base64url('Signature.', 4000, 'MEUCIQDx'),
  userHandle: base64url('User handle, if the authenticator returns one.', 200, 'MDE5YTNi').optional(),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const passkeyToken = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: 'Token of the options.', example: 's1.0f3a' });

/** Options with the challenge that the authenticator signs. */
export const PasskeyOptions = z
  .object({
    token: z.string().meta({ description: 'Completes the ceremony once, within five minutes.' }),
    options: z.record(z.string(), z.unknown()).meta({
      description:
        'The `publicKey` options of WebAuthn as JSON, for `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
    }),
  })
  .meta({ id: 'PasskeyOptions', description: 'What the browser asks the authenticator for.' });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

export const Passkey = z
  .object({
    id: Id,
    name: z.string(),
    isSynced: z.boolean().meta({ description: 'Whether the authenticator backs it up to other devices.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().meta({ description: 'Time of the last login with it.' }),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the user.' });
export type Passkey = z.infer<typeof Passkey>;

const CreatedPasskey = z
  .object({
    passkey: Passkey,
    recoveryCodes: z.array(z.string()).nullable().meta({
      description: 'Recovery codes, returned once. Null if the account had a second factor before.',
    }),
  })
  .meta({ id: 'CreatedPasskey', description: 'A new passkey.' });
export type CreatedPasskey = z.infer<typeof CreatedPasskey>;

const currentPassword = z
  .string()
  .min(1)
  .max(limits.passwordMaximumLength)
  .optional()
  .meta({ description: 'Required if the user has a password.', example: 'correct horse battery staple' });

/** Rule access/passkeys. */
export const passkeys = {
  list: account({
    openapi: route('GET', '', {
      summary: 'List your passkeys',
      description: 'Returns the passkeys of the user, newest first by default.',
    }),
    resource: 'sessions',
    action: 'read',
    beforeSecondFactor: true,
  })
    .input(z.strictObject({ ...paging, orderBy: orderBy(['createdAt', 'name'], 'createdAt:desc') }))
    .output(listOf(Passkey)),

  start: account({
    openapi: route('POST', '/options', {
      summary: 'Start a passkey',
      description:
        'Returns the options with which the browser creates a passkey for the address in `PUBLIC_BASE_URL`. A user who has a password needs it, because a passkey logs in without.',
    }),
    resource: 'sessions',
    action: 'create',
    beforeSecondFactor: true,
    changesNothing: true,
    secrets: { input: { currentPassword: 'password' }, output: { 'data.token': 'passkey token' } },
    errors: ['invalid_credentials', 'passkeys_not_available', 'limit_reached'],
  })
    .input(z.strictObject({ currentPassword }))
    .output(dataOf(PasskeyOptions)),

  create: account({
    openapi: route('POST', '', {
      summary: 'Add a passkey',
      description:
        'Adds the passkey that the browser created. The authenticator must have verified the user, by a fingerprint or PIN for example. The passkey logs in without a password, and is a second factor for logins with one. The first second factor of an account also returns ten recovery codes, once.',
    }),
    resource: 'sessions',
    action: 'create',
    beforeSecondFactor: true,
    secrets: { input: { token: 'passkey token' }, output: { 'data.recoveryCodes[]': 'recovery code' } },
    errors: ['invalid_passkey', 'passkey_exists', 'passkeys_not_available', 'limit_reached'],
  })
    .input(z.strictObject({ token: passkeyToken, name: Name, credential: NewCredential }))
    .output(dataOf(CreatedPasskey)),

  remove: account({
    openapi: route('POST', '/{id}/remove', {
      summary: 'Remove a passkey',
      description:
        'Removes a passkey. Without another second factor, the recovery codes end with the last one.',
    }),
    resource: 'sessions',
    action: 'delete',
    secrets: { input: { currentPassword: 'password' } },
    errors: ['passkey_not_found', 'invalid_credentials'],
  })
    .input(
      z.strictObject({
        id: inPath('Id of the passkey.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        currentPassword,
      }),
    )
    .output(dataOf(Deleted)),
};
