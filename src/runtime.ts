import path from 'node:path';
import { sealingKeyFrom } from './access/sealed-secret.js';
import { previewSecretFrom } from './access/preview-token.js';
import type { TokenSettings } from './access/session-token.js';
import { compose, type Composition } from './composition.js';
import type { Config } from './config.js';
import { startEmbeddedPostgres } from './infrastructure/embedded-postgres.js';
import type { Logger } from './infrastructure/logger.js';
import { loadOrCreateSecret } from './infrastructure/secret-file.js';
import { migrateUp, pendingMigrations } from './persistence/migrator.js';

/** The connection strings of the three roles, and the end of the database if it is ours. */
export interface OpenDatabase {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readUrl: string;
  stop(): Promise<void>;
}

/** How a command opens the database. */
export interface OpenOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** `share` uses the embedded database of a running server, for commands that work beside it. */
  readonly whenInUse: 'refuse' | 'share';
}

/** PostgreSQL's own lines begin with a time; of these only trouble is worth a start's attention. */
function levelOf(line: string): 'debug' | 'info' | 'warn' {
  if (!/^\d{4}-\d{2}-\d{2} /.test(line)) return 'info';
  return / (?:ERROR|FATAL|PANIC): /.test(line) ? 'warn' : 'debug';
}

/** Opens the embedded database, or names the external one. */
export async function openDatabase({ config, logger, whenInUse }: OpenOptions): Promise<OpenDatabase> {
  if (config.database.kind === 'external') {
    const { ownerUrl, serviceUrl = ownerUrl, readUrl = serviceUrl } = config.database;
    return { ownerUrl, serviceUrl, readUrl, stop: () => Promise.resolve() };
  }
  const { ownerUrl, stop } = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    whenInUse,
    log: (line) => {
      logger[levelOf(line)](line);
    },
  });
  return { ownerUrl, serviceUrl: ownerUrl, readUrl: ownerUrl, stop };
}

async function tokenSettings({ session, dataDirectory }: Config): Promise<TokenSettings> {
  const { algorithm, issuer, audience, jwksUrl } = session;
  if (algorithm !== 'HS256') return { algorithm, issuer, audience, jwksUrl: jwksUrl ?? '' };
  const secret = session.secret ?? (await loadOrCreateSecret(path.join(dataDirectory, 'session-secret')));
  return { algorithm, issuer, audience, secret: Buffer.from(secret, 'utf8') };
}

/** The secrets of preview links: those that are set, else one that follows from what the processes share. */
async function previewSecrets(
  { previewSecrets: given, dataDirectory }: Config,
  tokens: TokenSettings,
): Promise<[Uint8Array, ...Uint8Array[]]> {
  const [first, ...others] = given.map((secret) => Buffer.from(secret, 'utf8'));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [previewSecretFrom(tokens.secret)];
  const secret = await loadOrCreateSecret(path.join(dataDirectory, 'preview-secret'));
  return [Buffer.from(secret, 'utf8')];
}

/** The keys of stored webhook secrets: those that are set, else one that follows from what the processes share. */
async function sealingKeys(
  { webhookKeys: given, dataDirectory }: Config,
  tokens: TokenSettings,
): Promise<[Uint8Array, ...Uint8Array[]]> {
  const [first, ...others] = given.map((key) => sealingKeyFrom(Buffer.from(key, 'utf8')));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [sealingKeyFrom(tokens.secret)];
  const kept = await loadOrCreateSecret(path.join(dataDirectory, 'webhook-encryption-key'));
  return [sealingKeyFrom(Buffer.from(kept, 'utf8'))];
}

/** Where clients reach the service. With port 0 nobody knows before it listens. */
const baseUrlOf = ({ publicBaseUrl, host, port }: Config): string | undefined =>
  publicBaseUrl ??
  (port === 0 ? undefined : `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`);

/** Applies pending migrations where the settings say so, else refuses to go on without them. */
export async function bringUpToDate(ownerUrl: string, { config, logger }: OpenOptions): Promise<void> {
  if (config.migrateAtStart) {
    const applied = await migrateUp({ url: ownerUrl });
    if (applied.length > 0) logger.info({ applied }, 'migrations applied');
    return;
  }
  const pending = await pendingMigrations({ url: ownerUrl });
  if (pending.length > 0) {
    throw new Error(
      `Migrations are pending (${pending.join(', ')}): run \`npm run migrate\`, or set DATABASE_MIGRATE=1.`,
    );
  }
}

/** A process with its database open and everything wired. */
export interface Runtime {
  readonly composition: Composition;
  close(): Promise<void>;
}

/**
 * Opens the database, brings it up to date and wires the process.
 * @throws Error, in one line that says what to do
 */
export async function openRuntime(options: OpenOptions): Promise<Runtime> {
  const { config, logger } = options;
  const database = await openDatabase(options);
  try {
    await bringUpToDate(database.ownerUrl, options);
    const tokens = await tokenSettings(config);
    const composition = await compose({
      serviceUrl: database.serviceUrl,
      readUrl: database.readUrl,
      poolSize: config.databasePoolSize,
      responseCacheBytes: config.responseCacheBytes,
      queueSize: config.databaseQueueSize,
      metricsToken: config.metricsToken,
      requestsAtOnce: config.requestsAtOnce,
      tokens,
      previewSecrets: await previewSecrets(config, tokens),
      webhooks: {
        sealingKeys: await sealingKeys(config, tokens),
        allowLoopback: config.webhookAllowLoopback,
      },
      baseUrl: baseUrlOf(config),
      logger,
      dataRegion: config.dataRegion,
      mcpAllowedOrigins: config.mcpAllowedOrigins,
      trustedProxies: config.trustedProxies,
      rateDefaults: config.rateDefaults,
      redisUrl: config.redisUrl,
      queryLimits: config,
    });
    return {
      composition,
      close: async () => {
        await composition.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
