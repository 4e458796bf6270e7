import path from 'node:path';
import { z } from 'zod';
import { settings } from './settings.js';

/** How session tokens are checked, and, with a shared secret, signed. */
interface SessionConfig {
  readonly algorithm: 'HS256' | 'EdDSA' | 'ES256' | 'RS256';
  readonly issuer: string;
  readonly audience: string;
  /** At least 32 bytes. Absent with a key set, and with the embedded database until the first start makes one. */
  readonly secret?: string;
  /** The key set of an asymmetric algorithm. */
  readonly jwksUrl?: string;
}

/** Requests per minute by who calls; 0 is no limit. */
type RateLimitConfig = Readonly<
  Record<'delivery' | 'preview' | 'management' | 'session' | 'anonymous' | 'login', number>
>;

/** Which PostgreSQL holds the content. */
type DatabaseConfig =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'external';
      /** Connects as the owner of the schema; migrations run over it. */
      readonly ownerUrl: string;
      readonly serviceUrl?: string;
      readonly readUrl?: string;
    };

/** Everything the environment decides, parsed once at start-up. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where clients reach the service, without a final slash. */
  readonly publicBaseUrl?: string;
  /** Absolute. Holds the embedded database and generated secrets. */
  readonly dataDirectory: string;
  readonly database: DatabaseConfig;
  /** Whether the start applies pending migrations instead of refusing. */
  readonly migrateAtStart: boolean;
  /** Connections per pool and process. */
  readonly databasePoolSize: number;
  /** Published answers that a process keeps in memory; 0 keeps none. */
  readonly responseCacheBytes: number;
  /** What may wait for a connection of a pool. */
  readonly databaseQueueSize: number;
  readonly session: SessionConfig;
  /** Secrets of preview links, the one that signs first. Empty: derived, or kept in the data directory. */
  readonly previewSecrets: readonly string[];
  /** Secrets that encrypt stored webhook secrets, the one that is used first. Empty: derived, or kept in the data directory. */
  readonly webhookKeys: readonly string[];
  readonly webhookAllowLoopback: boolean;
  readonly dataRegion?: string;
  readonly logLevel: string;
  readonly maxQueryDepth: number;
  readonly maxComplexity: number;
  readonly maxReferenceDepth: number;
  readonly mcpAllowedOrigins: readonly string[];
  /** Requests per minute by who calls; absent where nothing is limited. */
  readonly rateDefaults?: RateLimitConfig;
  /** Where requests are counted, if not in the database. */
  readonly redisUrl?: string;
  /** How many proxies stand in front, or the networks that they stand in. */
  readonly trustedProxies: number | readonly string[];
  readonly shutdownTimeoutSeconds: number;
  readonly shutdownDelaySeconds: number;
  /** Requests that may be worked on at once. */
  readonly requestsAtOnce: number;
  /** Processes that share the port. */
  readonly processes: number;
  /** What a process is for: requests, what is done in the background, or both. */
  readonly role: 'api' | 'worker' | 'all';
  readonly metricsPort?: number;
  readonly metricsToken?: string;
  readonly seedDemo: boolean;
}

/** A setting that is missing or wrong. The message is one line that names each and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One row of the table of settings. `defaultValue` is empty where there is none. */
export interface SettingDescription {
  readonly name: string;
  readonly defaultValue: string;
  readonly meaning: string;
}

const schema = z.object(settings);
type Settings = z.output<typeof schema>;

/** Every setting the service reads, in the order in which the README lists them. */
export const settingDescriptions: readonly SettingDescription[] = Object.entries(settings).map(
  ([name, setting]) => ({
    name,
    defaultValue: String(setting.safeParse(undefined).data ?? ''),
    meaning: setting.description ?? '',
  }),
);

function databaseProblems(read: Settings): string[] {
  const needsOwner = (['DATABASE_SERVICE_URL', 'DATABASE_READ_URL'] as const).filter((name) => read[name]);
  if (read.DATABASE_URL !== undefined || needsOwner.length === 0) return [];
  return [
    `${needsOwner.join(' and ')} can only be used together with DATABASE_URL: set it to the owner's URL`,
  ];
}

function sessionProblems(read: Settings): string[] {
  const { SESSION_JWT_ALGORITHM: algorithm, SESSION_JWKS_URL: jwksUrl, SESSION_JWT_SECRET: secret } = read;
  if (algorithm !== 'HS256') {
    return jwksUrl ? [] : [`SESSION_JWKS_URL is missing: ${algorithm} takes its keys from there`];
  }
  if (jwksUrl) return ['SESSION_JWT_ALGORITHM must be EdDSA, ES256 or RS256 when SESSION_JWKS_URL is set'];
  if (secret || !read.DATABASE_URL) return [];
  return ['SESSION_JWT_SECRET is missing: set it to at least 32 random bytes, or set SESSION_JWKS_URL'];
}

function refuseIf(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(`Wrong settings: ${problems.join('; ')}.`);
}

function databaseOf(read: Settings): DatabaseConfig {
  if (!read.DATABASE_URL) return { kind: 'embedded' };
  return {
    kind: 'external',
    ownerUrl: read.DATABASE_URL,
    ...(read.DATABASE_SERVICE_URL && { serviceUrl: read.DATABASE_SERVICE_URL }),
    ...(read.DATABASE_READ_URL && { readUrl: read.DATABASE_READ_URL }),
  };
}

function sessionOf(read: Settings): SessionConfig {
  return {
    algorithm: read.SESSION_JWT_ALGORITHM,
    issuer: read.SESSION_JWT_ISSUER,
    audience: read.SESSION_JWT_AUDIENCE,
    ...(read.SESSION_JWT_SECRET && { secret: read.SESSION_JWT_SECRET }),
    ...(read.SESSION_JWKS_URL && { jwksUrl: read.SESSION_JWKS_URL }),
  };
}

function rateLimitsOf(read: Settings): RateLimitConfig {
  return {
    delivery: read.RATE_LIMIT_DELIVERY,
    preview: read.RATE_LIMIT_PREVIEW,
    management: read.RATE_LIMIT_MANAGEMENT,
    session: read.RATE_LIMIT_SESSION,
    anonymous: read.RATE_LIMIT_ANONYMOUS,
    login: read.RATE_LIMIT_LOGIN,
  };
}

function toConfig(read: Settings): Config {
  return {
    host: read.HOST,
    port: read.PORT,
    ...(read.PUBLIC_BASE_URL && { publicBaseUrl: read.PUBLIC_BASE_URL.replace(/\/+$/, '') }),
    dataDirectory: path.resolve(read.HEADWATER_DATA_DIR),
    database: databaseOf(read),
    migrateAtStart: read.DATABASE_MIGRATE ?? !read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    responseCacheBytes: read.RESPONSE_CACHE_MB * 1024 * 1024,
    databaseQueueSize: read.DATABASE_QUEUE_SIZE,
    session: sessionOf(read),
    previewSecrets: [read.PREVIEW_TOKEN_SECRET, read.PREVIEW_TOKEN_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
    webhookKeys: [read.WEBHOOK_ENCRYPTION_KEY, read.WEBHOOK_ENCRYPTION_KEY_PREVIOUS].filter(
      (key) => key !== undefined,
    ),
    webhookAllowLoopback: read.WEBHOOK_ALLOW_LOOPBACK ?? false,
    ...(read.DATA_REGION && { dataRegion: read.DATA_REGION }),
    logLevel: read.LOG_LEVEL,
    maxQueryDepth: read.MAX_QUERY_DEPTH,
    maxComplexity: read.MAX_COMPLEXITY,
    maxReferenceDepth: read.MAX_REFERENCE_DEPTH,
    mcpAllowedOrigins: read.MCP_ALLOWED_ORIGINS,
    ...(read.RATE_LIMITS && { rateDefaults: rateLimitsOf(read) }),
    ...(read.REDIS_URL && { redisUrl: read.REDIS_URL }),
    trustedProxies: read.TRUSTED_PROXIES,
    processes: read.HEADWATER_PROCESSES,
    role: read.HEADWATER_ROLE,
    shutdownTimeoutSeconds: read.SHUTDOWN_TIMEOUT_SECONDS,
    requestsAtOnce: read.MAX_REQUESTS_AT_ONCE,
    shutdownDelaySeconds: read.SHUTDOWN_DELAY_SECONDS,
    ...(read.METRICS_PORT !== undefined && { metricsPort: read.METRICS_PORT }),
    ...(read.METRICS_TOKEN && { metricsToken: read.METRICS_TOKEN }),
    seedDemo: read.HEADWATER_SEED_DEMO ?? !read.DATABASE_URL,
  };
}

/**
 * Reads the settings out of an environment; a variable set to nothing counts as unset.
 * @param purpose `serve` also asks for what checking sessions takes; `operate` is for commands that only
 *   reach the database
 * @throws ConfigError when a setting is missing or wrong; values are never repeated, they may be secrets
 */
export function readConfig(env: NodeJS.ProcessEnv, purpose: 'serve' | 'operate' = 'serve'): Config {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  const result = schema.safeParse(Object.fromEntries(set));
  if (!result.success) {
    refuseIf(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
    throw result.error;
  }
  refuseIf([...databaseProblems(result.data), ...(purpose === 'serve' ? sessionProblems(result.data) : [])]);
  return toConfig(result.data);
}
