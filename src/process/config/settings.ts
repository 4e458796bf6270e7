import { z } from 'zod';
import { networkProblem } from '../../access/networks.js';

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

function url(protocols: readonly string[]) {
  const error = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), { error });
}

function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

const longSecret = () =>
  z.string().refine((value) => Buffer.byteLength(value) >= 32, { error: 'must have at least 32 bytes' });
const requestsPerMinute = (usual: number) => wholeNumber(0, 600_000).default(usual);
const postgresUrl = () => url(['postgres:', 'postgresql:']);
const webUrl = () => url(['https:', 'http:']);

function origins(list: string): string[] {
  return list.split(',').flatMap((item) => item.trim().replace(/\/+$/, '') || []);
}

/** A number of hops, or networks separated by commas. */
function trustedProxies(text: string): number | string[] {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  return text.split(',').flatMap((item) => item.trim() || []);
}

/** Every environment variable the service reads: how it is parsed, its default and its meaning. */
export const settings = {
  PORT: wholeNumber(0, 65_535).default(4000).describe('The port to listen on; 0 takes a free one.'),
  HOST: z.string().default('127.0.0.1').describe('The address to listen on.'),
  PUBLIC_BASE_URL: webUrl()
    .optional()
    .describe('Where clients reach the service, if not at the address it listens on.'),
  DATABASE_URL: postgresUrl()
    .optional()
    .describe(
      'The PostgreSQL to use, as the owner of its schema. Unset: an embedded one in the data directory.',
    ),
  DATABASE_SERVICE_URL: postgresUrl()
    .optional()
    .describe('How the service logs in for its work. Unset: as DATABASE_URL, then SET ROLE.'),
  DATABASE_READ_URL: postgresUrl()
    .optional()
    .describe('How published content is read; may name a replica. Unset: as DATABASE_URL, then SET ROLE.'),
  DATABASE_MIGRATE: oneOf(['1', '0'])
    .transform((value) => value === '1')
    .optional()
    .describe('1 applies pending migrations at start. Unset: 1 with the embedded database, else 0.'),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10).describe('Database connections per pool and process.'),
  RESPONSE_CACHE_MB: wholeNumber(0, 65_536)
    .default(64)
    .describe('Megabytes of published answers that a process keeps in memory; 0 keeps none.'),
  DATABASE_QUEUE_SIZE: wholeNumber(1, 100_000)
    .default(200)
    .describe('What may wait for a connection, per pool and process; beyond it the answer is 503.'),
  MAX_REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Requests that a process works on at once; beyond it the answer is 503.'),
  HEADWATER_PROCESSES: wholeNumber(1, 64)
    .default(1)
    .describe('How many processes answer requests on PORT; of several the first also works on what is due.'),
  HEADWATER_ROLE: oneOf(['api', 'worker', 'all'])
    .default('all')
    .describe(
      'api answers requests, worker runs jobs, webhooks and sealing and answers probes only, all does both.',
    ),
  HEADWATER_DATA_DIR: z
    .string()
    .default('.data')
    .describe('The directory of the embedded database and of generated secrets.'),
  HEADWATER_SEED_DEMO: oneOf(['1', '0'])
    .transform((value) => value === '1')
    .optional()
    .describe('1 fills an empty database with demo content. Unset: 1 with the embedded database, else 0.'),
  SESSION_JWT_SECRET: longSecret()
    .optional()
    .describe('The secret that signs session tokens. Unset with the embedded database: made and kept there.'),
  PREVIEW_TOKEN_SECRET: longSecret()
    .optional()
    .describe(
      'The secret that signs preview links. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
    ),
  PREVIEW_TOKEN_SECRET_PREVIOUS: longSecret()
    .optional()
    .describe('The secret that PREVIEW_TOKEN_SECRET replaced: links that it signed keep working.'),
  SESSION_JWKS_URL: webUrl()
    .optional()
    .describe('The key set that checks the session tokens of an identity provider, instead of a secret.'),
  SESSION_JWT_ALGORITHM: oneOf(['HS256', 'EdDSA', 'ES256', 'RS256'])
    .default('HS256')
    .describe(
      'The only signature algorithm taken: HS256 with the secret; EdDSA, ES256, RS256 with a key set.',
    ),
  SESSION_JWT_ISSUER: z.string().default('headwater').describe('The `iss` that a session token must carry.'),
  SESSION_JWT_AUDIENCE: z
    .string()
    .default('headwater')
    .describe('The `aud` that a session token must carry.'),
  WEBHOOK_ENCRYPTION_KEY: longSecret()
    .optional()
    .describe(
      'The secret that encrypts stored webhook secrets. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
    ),
  WEBHOOK_ENCRYPTION_KEY_PREVIOUS: longSecret()
    .optional()
    .describe('The secret that WEBHOOK_ENCRYPTION_KEY replaced: what it encrypted stays readable.'),
  WEBHOOK_ALLOW_LOOPBACK: oneOf(['1', '0'])
    .transform((value) => value === '1')
    .optional()
    .describe('1 allows webhooks to this machine, also over http: for development and tests.'),
  DATA_REGION: z.string().optional().describe('The region this installation keeps its data in.'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe log lines to write.'),
  METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe('A port of its own for `/metrics`, which only the monitoring should reach.'),
  METRICS_TOKEN: z
    .string()
    .refine((value) => /^[\x21-\x7e]{16,}$/.test(value), {
      error: 'must have at least 16 characters, none a space',
    })
    .optional()
    .describe('The bearer token that `/metrics` asks for. With it `/metrics` is also served on PORT.'),
  MAX_QUERY_DEPTH: wholeNumber(1, 50).default(10).describe('How deep a GraphQL query may nest.'),
  MAX_COMPLEXITY: wholeNumber(1, 100_000).default(1000).describe('How much a GraphQL query may cost.'),
  MAX_REFERENCE_DEPTH: wholeNumber(0, 10)
    .default(3)
    .describe('How many references deep an entry may be expanded.'),
  MCP_ALLOWED_ORIGINS: z
    .string()
    .transform(origins)
    .default([])
    .describe('Browser origins that may call the agent endpoint, separated by commas.'),
  RATE_LIMITS: oneOf(['1', '0'])
    .default('1')
    .transform((value) => value === '1')
    .describe('0 limits no requests at all.'),
  RATE_LIMIT_DELIVERY: requestsPerMinute(6000).describe(
    'Requests per minute of a delivery key; 0: no limit.',
  ),
  RATE_LIMIT_PREVIEW: requestsPerMinute(1200).describe('Requests per minute of a preview key; 0: no limit.'),
  RATE_LIMIT_MANAGEMENT: requestsPerMinute(600).describe(
    'Requests per minute of a management key; 0: no limit.',
  ),
  RATE_LIMIT_SESSION: requestsPerMinute(600).describe('Requests per minute of a user; 0: no limit.'),
  RATE_LIMIT_ANONYMOUS: requestsPerMinute(3000).describe(
    'Requests per minute of an address without a credential; 0: no limit.',
  ),
  RATE_LIMIT_LOGIN: requestsPerMinute(10).describe('Logins per minute of an address; 0: no limit.'),
  REDIS_URL: url(['redis:', 'rediss:'])
    .optional()
    .describe('Where requests are counted. Unset: in the database.'),
  TRUSTED_PROXIES: z
    .string()
    .transform(trustedProxies)
    .refine((value) => typeof value === 'number' || value.every((one) => networkProblem(one) === undefined), {
      error: 'must be a number of proxies, or networks such as 10.0.0.0/8 separated by commas',
    })
    .default([])
    .describe(
      'Proxies whose X-Forwarded-For is believed: how many stand in front, or their networks. Unset: none.',
    ),
  SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(1, 600)
    .default(10)
    .describe('How long a stop may take in all; requests that have not ended by then are cut.'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300)
    .default(1)
    .describe(
      'How long a process that is told to stop (SIGTERM) still takes connections while `/readyz` says 503.',
    ),
} satisfies Record<string, z.ZodType>;
