import { z } from 'zod';
import { definePart, oneOf, secret, webUrl } from './setting.js';

export const session = definePart({
  settings: {
    SESSION_JWT_SECRET: secret()
      .optional()
      .describe(
        'Secret that signs session tokens. Unset with the embedded database: generated and kept there.',
      ),
    SESSION_JWKS_URL: webUrl()
      .optional()
      .describe('Key set of an identity provider that verifies session tokens, instead of a secret.'),
    SESSION_JWT_ALGORITHM: oneOf(['HS256', 'EdDSA', 'ES256', 'RS256'])
      .default('HS256')
      .describe(
        'The only accepted signature algorithm: HS256 with the secret; EdDSA, ES256, RS256 with a key set.',
      ),
    SESSION_JWT_ISSUER: z.string().default('headwater').describe('Required `iss` of a session token.'),
    SESSION_JWT_AUDIENCE: z.string().default('headwater').describe('Required `aud` of a session token.'),
  },
  slice: (read) => ({
    algorithm: read.SESSION_JWT_ALGORITHM,
    issuer: read.SESSION_JWT_ISSUER,
    audience: read.SESSION_JWT_AUDIENCE,
    /** At least 32 bytes. Unset with a key set, and with the embedded database before its first start. */
    secret: read.SESSION_JWT_SECRET,
    jwksUrl: read.SESSION_JWKS_URL,
  }),
  problems: (read, { purpose, isEmbedded }) => {
    const { SESSION_JWT_ALGORITHM: algorithm, SESSION_JWKS_URL: jwksUrl, SESSION_JWT_SECRET: given } = read;
    if (purpose === 'operate') return [];
    if (algorithm !== 'HS256')
      return jwksUrl ? [] : [`SESSION_JWKS_URL is missing: ${algorithm} takes its keys from there`];
    if (jwksUrl) return ['SESSION_JWT_ALGORITHM must be EdDSA, ES256 or RS256 when SESSION_JWKS_URL is set'];
    if (given || isEmbedded) return [];
    return ['SESSION_JWT_SECRET is missing: set it to at least 32 random bytes, or set SESSION_JWKS_URL'];
  },
});

export const previews = definePart({
  settings: {
    PREVIEW_TOKEN_SECRET: secret()
      .optional()
      .describe(
        'Secret that signs preview links. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
      ),
    PREVIEW_TOKEN_SECRET_PREVIOUS: secret()
      .optional()
      .describe('Former PREVIEW_TOKEN_SECRET: links that it signed keep working.'),
  },
  slice: (read) => ({
    /** The first one signs. Empty: derived, or kept in the data directory. */
    secrets: [read.PREVIEW_TOKEN_SECRET, read.PREVIEW_TOKEN_SECRET_PREVIOUS].filter(
      (given) => given !== undefined,
    ),
  }),
});
