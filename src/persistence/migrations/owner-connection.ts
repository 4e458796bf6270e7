import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { silentWait, withinStart, type StartWait } from '../../infrastructure/readiness.js';
import { SilenceBoundClient } from '../connections/session-settings.js';
import { settled } from '../../infrastructure/promises.js';

export interface MigrationOptions {
  /** The owner's connection string. */
  readonly url: string;
  readonly wait?: StartWait | undefined;
  /** Receives statements that provided missing roles, grants and policies. */
  onRepair?(statements: readonly string[]): void;
}

/** Waiting in the database would not show whether it still responds. */
const LEASE_POLL_MS = 100;
/** How long others wait when a migration ends without returning the lease. */
const LEASE_SECONDS = 10;
/**
 * Less than PostgreSQL waits before it looks for deadlocks (`deadlock_timeout`), so that the migration gives way, not a
 * request; requests queue behind a waiting lock for as long.
 */
const LOCK_MS = 500;
const PAUSE_MS = { least: 100, most: 2000 } as const;
const PATIENCE_MS = 600_000;

/** Session locks would outlive their owner in the sessions of a pooler, so a row says who migrates, and until when. */
const createLease = `CREATE TABLE IF NOT EXISTS schema_lease (
    only_row boolean PRIMARY KEY CHECK (only_row), owner uuid, holder text NOT NULL, until timestamptz NOT NULL);
  INSERT INTO schema_lease VALUES (true, NULL, '', '-infinity') ON CONFLICT DO NOTHING`;
const until = `clock_timestamp() + interval '${String(LEASE_SECONDS)} s'`;
/** Each step of a migration has the row locked, however long it takes. */
const takeLease = `UPDATE schema_lease SET owner = $1, holder = $2, until = ${until} WHERE only_row = (
    SELECT only_row FROM schema_lease WHERE until <= clock_timestamp() FOR UPDATE SKIP LOCKED)`;
const renewLease = `UPDATE schema_lease SET until = ${until} WHERE owner = $1`;
const returnLease = `UPDATE schema_lease SET owner = NULL, until = '-infinity' WHERE owner = $1`;

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined;

const UNDEFINED_TABLE = '42P01';
/** Two processes create the table at once. */
const createdMeanwhile: ReadonlySet<string | undefined> = new Set(['23505', '42P07', 'XX000']);
/** Lock not available, deadlock. */
const inTheWay: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/** Names it without the credentials of its URL. */
export function databaseAt(url: string): string {
  const { hostname: host, port } = new URL(url);
  if (host === '') return 'the database';
  return `the database at ${host}:${port === '' ? '5432' : port}`;
}

/** The right to migrate, for one process at a time. */
export class MigrationLease {
  readonly #owner = randomUUID();
  readonly #holder = `process ${String(process.pid)} on ${hostname()}`;

  constructor(readonly client: pg.Client) {}

  /** @returns undefined once it is taken, otherwise what holds it */
  async take(): Promise<string | undefined> {
    try {
      const { rowCount } = await this.client.query(takeLease, [this.#owner, this.#holder]);
      return rowCount === 1 ? undefined : `the migration lock, which ${await this.#holderNow()} holds`;
    } catch (error) {
      if (stateOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await this.client.query(createLease).catch((error: unknown) => {
      if (!createdMeanwhile.has(stateOf(error))) throw error;
    });
    return this.take();
  }

  async release(): Promise<void> {
    await this.client.query(returnLease, [this.#owner]);
  }

  /**
   * One transaction that no other process can migrate beside, repeated while requests hold what it needs.
   * @throws Error, in one line, when another process has the lease, or when locks are not available for ten minutes
   */
  async transact<T>(work: () => Promise<T>): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (let pause: number = PAUSE_MS.least; ; pause = Math.min(pause * 2, PAUSE_MS.most)) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!inTheWay.has(stateOf(error))) throw error;
        if (Date.now() > end)
          throw new Error(
            'Other transactions of the database have held what the migration needs for ten minutes: end them and repeat it.',
            { cause: error },
          );
      }
      await delay(pause * (0.5 + Math.random()));
    }
  }

  /** Before work outside a transaction. */
  async renew(): Promise<void> {
    const { rowCount } = await this.client.query(renewLease, [this.#owner]);
    if (rowCount === 0)
      throw new Error(
        `The migration was interrupted for too long, and ${await this.#holderNow()} migrates now.`,
      );
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query(
      `BEGIN; SET LOCAL lock_timeout = ${String(LOCK_MS)}; SET LOCAL statement_timeout = 0`,
    );
    try {
      await this.renew();
      const result = await work();
      await this.renew();
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      // The first failure is the one to report.
      await settled(this.client.query('ROLLBACK'));
      throw error;
    }
  }

  async #holderNow(): Promise<string> {
    const { rows } = await this.client.query<{ holder: string }>('SELECT holder FROM schema_lease');
    return rows[0]?.holder ?? '';
  }
}

/** The first answer of a slow database is one wait, the lock another, so that each has its notice. */
async function takeLeaseInTime(
  lease: MigrationLease,
  { url, wait = silentWait }: MigrationOptions,
): Promise<void> {
  const first = await withinStart(wait, () => databaseAt(url), lease.take());
  if (first === undefined) return;
  let waitingFor = first;
  const poll = async (): Promise<void> => {
    for (;;) {
      await delay(LEASE_POLL_MS);
      const holder = await lease.take();
      if (holder === undefined) return;
      waitingFor = holder;
    }
  };
  await withinStart(wait, () => waitingFor, poll());
}

/**
 * Runs `work` as the owner.
 * @throws Error, in one line, when the database is not available in time
 */
export async function withOwner<T>(
  { url, wait = silentWait }: MigrationOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const config = { connectionString: url, application_name: 'headwater_owner', keepAlive: true };
  // Migrations may take long, so only the system's checks of idle connections bound a statement.
  const client = new SilenceBoundClient({ ...config, keepAliveInitialDelayMillis: 10_000 }, 0);
  // The statement in progress reports it.
  client.on('error', () => undefined);
  try {
    await withinStart(wait, () => databaseAt(url), client.connect());
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` as the owner while no other process migrates.
 * @throws Error, in one line, when the database or the lock is not available in time
 */
export function withLease<T>(
  options: MigrationOptions,
  work: (lease: MigrationLease) => Promise<T>,
): Promise<T> {
  return withOwner(options, async (client) => {
    const lease = new MigrationLease(client);
    await takeLeaseInTime(lease, options);
    try {
      return await work(lease);
    } finally {
      // Without a connection it ends by itself.
      await settled(lease.release());
    }
  });
}
