import type { Config } from '../config/config.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { StartWait } from '../../infrastructure/readiness.js';

/** Connection strings of the three roles. */
export interface OpenDatabase {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readUrl: string;
  /** Undefined: the service's. */
  readonly listenUrl?: string | undefined;
  stop(): Promise<void>;
}

export interface OpenOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** `share` uses the embedded database of a running server. */
  readonly whenInUse: 'refuse' | 'share';
}

/** PostgreSQL's lines start with a time; only problems are worth reporting at start. */
function levelOf(line: string): 'debug' | 'info' | 'warn' {
  if (!/^\d{4}-\d{2}-\d{2} /.test(line)) return 'info';
  return / (?:ERROR|FATAL|PANIC): /.test(line) ? 'warn' : 'debug';
}

/** Starts the embedded database, unless an external one is configured. */
export async function openDatabase({ config, logger, whenInUse }: OpenOptions): Promise<OpenDatabase> {
  const { external } = config.database;
  if (external !== undefined) {
    const { ownerUrl, serviceUrl = ownerUrl, readUrl = serviceUrl, listenUrl } = external;
    return { ownerUrl, serviceUrl, readUrl, listenUrl, stop: () => Promise.resolve() };
  }
  const { startEmbeddedPostgres } = await import('../../infrastructure/postgres/embedded-postgres.js');
  const { ownerUrl, stop } = await startEmbeddedPostgres({
    dataDirectory: config.storage.directory,
    whenInUse,
    log: (line) => {
      logger[levelOf(line)](line);
    },
  });
  return { ownerUrl, serviceUrl: ownerUrl, readUrl: ownerUrl, stop };
}

const NOTICE_MS = 5000;

/** Logs what a start waits for, and bounds it. */
export function startWait({ config, logger }: Pick<OpenOptions, 'config' | 'logger'>): StartWait {
  const { startTimeoutSeconds: limitSeconds } = config.database;
  return {
    noticeMs: NOTICE_MS,
    limitMs: limitSeconds * 1000,
    onWait: (waitingFor) => {
      logger.warn({ waitingFor, limitSeconds }, 'the start is waiting');
    },
  };
}

/**
 * Applies pending migrations, or checks that there are none.
 * @throws Error, in one line that says what to do
 */
export async function bringUpToDate(
  ownerUrl: string,
  options: Pick<OpenOptions, 'config' | 'logger'>,
): Promise<void> {
  const { config, logger } = options;
  const wait = startWait(options);
  const { checkAccess, migrateUp, pendingMigrations } =
    await import('../../persistence/migrations/migrator.js');
  const { external, migrateAtStart } = config.database;
  const setsRole = external?.serviceUrl === undefined || external.readUrl === undefined;
  if (migrateAtStart) {
    const onRepair = (repaired: readonly string[]) => {
      logger.warn({ repaired }, 'missing roles, grants or policies restored');
    };
    const applied = await migrateUp({ url: ownerUrl, wait, onRepair });
    if (applied.length > 0) logger.info({ applied }, 'migrations applied');
    await checkAccess({ url: ownerUrl, wait, setsRole });
    return;
  }
  const pending = await pendingMigrations({ url: ownerUrl, wait });
  if (pending.length > 0) {
    throw new Error(
      `Migrations are pending (${pending.join(', ')}): run \`npm run migrate\`, or set DATABASE_MIGRATE=1.`,
    );
  }
  await checkAccess({ url: ownerUrl, wait, setsRole });
}
