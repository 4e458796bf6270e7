import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { silentWait, withinStart, type StartWait } from '../../infrastructure/readiness.js';
import { SilenceBoundClient } from '../connections/session-settings.js';

export interface MigrationOptions {
  /** The owner's connection string. */
  readonly url: string;
  readonly wait?: StartWait | undefined;
  /** Receives statements that provided missing roles, grants and policies. */
  onRepair?(statements: readonly string[]): void;
}

/** Arbitrary but fixed: processes that start together migrate one after another. */
export const MIGRATION_LOCK = 7_420_011;
/** Waiting in the database would not show whether it still responds. */
const LOCK_POLL_MS = 100;

const lockSql = `SELECT pg_try_advisory_lock($1) AS "isOurs", (SELECT min(l.pid) FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS holder`;

/** Names it without the credentials of its URL. */
export function databaseAt(url: string): string {
  const { hostname, port } = new URL(url);
  if (hostname === '') return 'the database';
  return `the database at ${hostname}:${port === '' ? '5432' : port}`;
}

/** @returns undefined once the lock is ours, otherwise what holds it */
async function tryToLock(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ isOurs: boolean; holder: number }>(lockSql, [MIGRATION_LOCK]);
  if (rows[0]?.isOurs === true) return undefined;
  return `the migration lock, which process ${String(rows[0]?.holder)} of the database holds`;
}

/** The first answer of a slow database is one wait, the lock another, so that each has its notice. */
async function lockMigrations(
  client: pg.Client,
  { url, wait = silentWait }: MigrationOptions,
): Promise<void> {
  const first = await withinStart(wait, () => databaseAt(url), tryToLock(client));
  if (first === undefined) return;
  let waitingFor = first;
  const poll = async (): Promise<void> => {
    for (;;) {
      await delay(LOCK_POLL_MS);
      const holder = await tryToLock(client);
      if (holder === undefined) return;
      waitingFor = holder;
    }
  };
  await withinStart(wait, () => waitingFor, poll());
}

/**
 * Runs `work` as the owner while no other process migrates.
 * @throws Error, in one line, when the database or the lock is not available in time
 */
export async function withOwner<T>(
  options: MigrationOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { url, wait = silentWait } = options;
  const config = { connectionString: url, application_name: 'headwater_owner', keepAlive: true };
  // Migrations may take long, so only the system's checks of idle connections bound a statement.
  const client = new SilenceBoundClient({ ...config, keepAliveInitialDelayMillis: 10_000 }, 0);
  // The statement in progress reports it.
  client.on('error', () => undefined);
  try {
    await withinStart(wait, () => databaseAt(url), client.connect());
    await lockMigrations(client, options);
    return await work(client);
  } finally {
    await client.end();
  }
}
