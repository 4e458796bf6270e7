import { z } from 'zod';
import { networkProblem } from '../../../access/address-rules.js';
import { definePart, listOf, webUrl, wholeNumber, oneOf, secret, flag, url } from './setting.js';

export const http = definePart({
  settings: {
    PORT: wholeNumber(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
    HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
    PUBLIC_BASE_URL: webUrl()
      .optional()
      .describe('URL at which clients reach the service. Unset: the address it listens on.'),
    MAX_REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
      .default(100)
      .describe('Requests that a process handles concurrently; more receive 503.'),
    TRUSTED_PROXIES: z
      .string()
      .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : listOf(text)))
      .refine(
        (value) => typeof value === 'number' || value.every((one) => networkProblem(one) === undefined),
        { error: 'must be a number of proxies, or networks such as 10.0.0.0/8 separated by commas' },
      )
      .default([])
      .describe('Proxies whose X-Forwarded-For is trusted: their number, or their networks. Unset: none.'),
    MCP_ALLOWED_ORIGINS: z
      .string()
      .transform((text) => listOf(text).map((origin) => origin.replace(/\/+$/, '')))
      .default([])
      .describe('Browser origins that may call the MCP endpoint, separated by commas.'),
    DATA_REGION: z.string().optional().describe('Region in which this installation keeps its data.'),
  },
  slice: (read) => ({
    host: read.HOST,
    port: read.PORT,
    /** Without a final slash. */
    publicBaseUrl: read.PUBLIC_BASE_URL?.replace(/\/+$/, ''),
    requestsAtOnce: read.MAX_REQUESTS_AT_ONCE,
    trustedProxies: read.TRUSTED_PROXIES,
    mcpAllowedOrigins: read.MCP_ALLOWED_ORIGINS,
    dataRegion: read.DATA_REGION,
  }),
});

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

export const queries = definePart({
  settings: {
    MAX_QUERY_DEPTH: wholeNumber(1, 50).default(10).describe('Maximum nesting of a GraphQL query.'),
    MAX_COMPLEXITY: wholeNumber(1, 100_000).default(1000).describe('Maximum complexity of a GraphQL query.'),
    MAX_REFERENCE_DEPTH: wholeNumber(0, 10)
      .default(3)
      .describe('Maximum depth to which references are expanded.'),
  },
  slice: (read) => ({
    maxQueryDepth: read.MAX_QUERY_DEPTH,
    maxComplexity: read.MAX_COMPLEXITY,
    maxReferenceDepth: read.MAX_REFERENCE_DEPTH,
  }),
});

const requestsPerMinute = (usual: number, caller: string) =>
  wholeNumber(0, 600_000).default(usual).describe(`Requests per minute of ${caller}; 0: no limit.`);

export const rates = definePart({
  settings: {
    RATE_LIMITS: flag().default(true).describe('0 disables all rate limits.'),
    RATE_LIMIT_DELIVERY: requestsPerMinute(6000, 'a delivery key'),
    RATE_LIMIT_PREVIEW: requestsPerMinute(1200, 'a preview key'),
    RATE_LIMIT_MANAGEMENT: requestsPerMinute(600, 'a management key'),
    RATE_LIMIT_SESSION: requestsPerMinute(600, 'a user'),
    RATE_LIMIT_ANONYMOUS: requestsPerMinute(3000, 'an address without a credential'),
    RATE_LIMIT_LOGIN: wholeNumber(0, 600_000)
      .default(10)
      .describe('Logins per minute of an address; 0: no limit.'),
    REDIS_URL: url('redis:', 'rediss:')
      .optional()
      .describe('Redis that counts requests. Unset: the database counts them.'),
  },
  slice: (read) => ({
    /** Requests per minute by caller, 0 for no limit; undefined when nothing is limited. */
    rateDefaults: read.RATE_LIMITS
      ? {
          delivery: read.RATE_LIMIT_DELIVERY,
          preview: read.RATE_LIMIT_PREVIEW,
          management: read.RATE_LIMIT_MANAGEMENT,
          session: read.RATE_LIMIT_SESSION,
          anonymous: read.RATE_LIMIT_ANONYMOUS,
          login: read.RATE_LIMIT_LOGIN,
        }
      : undefined,
    redisUrl: read.REDIS_URL,
  }),
});
