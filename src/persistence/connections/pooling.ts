import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DatabaseFailure, toDatabaseFailure } from './database-failure.js';
import { withTimeLimit } from '../../infrastructure/time-limit.js';
import { orUndefined, settled } from '../../infrastructure/promises.js';

/** What the connections of a URL keep from one transaction to the next. */
export interface ConnectionTraits {
  /** False: each transaction may run in another session of the database, as with a pooler in transaction mode. */
  readonly keepsSession: boolean;
  /** Whether named statements stay prepared. */
  readonly keepsStatements: boolean;
}

export const directTraits: ConnectionTraits = { keepsSession: true, keepsStatements: true };

/** `auto`: prepared unless the pooler does not keep them. */
export type PreparedStatements = 'auto' | 'on' | 'off';

/** The URLs of the hosts that one URL lists, as PostgreSQL's own clients read it: `postgres://user@one:5432,two/name`. */
export function readHosts(url: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
}

/** Unlike pg's types say, known once connected. */
type Connected = pg.Client & { readonly processID: number };

const ATTEMPTS = 3;
const SESSION = 'SELECT pg_backend_pid() AS pid';

async function pidOf(client: pg.Client, name?: string): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({
    text: SESSION,
    ...(name !== undefined && { name }),
  });
  return rows[0]?.pid ?? 0;
}

/** A pooler whose connections are all taken lets clients wait, so that every answer has a limit. */
async function connected<T>(
  url: string,
  { limitMs }: Pick<InspectOptions, 'limitMs'>,
  work: (client: Connected) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'headwater_start',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  // The statement in progress reports it.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      // The driver itself refuses to log in without a password, for example.
      throw toDatabaseFailure(error) === undefined ? new DatabaseFailure('unavailable', error) : error;
    });
    return await work(client as Connected);
  } finally {
    await settled(withTimeLimit(limitMs, client.end()));
  }
}

/** Poolers give their clients process ids of their own, because a request to cancel must reach the pooler. */
const isPooled = async (client: Connected): Promise<boolean> => (await pidOf(client)) !== client.processID;

/** Two connections that are open at once never have a session in common, unless a pooler lends sessions. */
async function lendsSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const first = await pidOf(one);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if ((await pidOf(one)) !== first) return true;
    // In session mode, a pooler without a free session lets the second client wait.
    const second = await orUndefined(pidOf(other));
    if (second === first) return true;
    if (second === undefined) return (await pidOf(one)) !== first;
  }
  return false;
}

const INVALID_NAME = '26000';

const hasState = (error: unknown, state: string): boolean =>
  error instanceof pg.DatabaseError && error.code === state;

/**
 * Prepares a statement and repeats it by its name while another client has the session that prepared it.
 * @returns undefined where the pooler gave the first client that session again
 */
async function repeatsNamed(one: pg.Client, other: pg.Client): Promise<boolean | undefined> {
  const name = `headwater_${randomBytes(9).toString('hex')}`;
  const prepared = await pidOf(one, name);
  await other.query('BEGIN');
  const held = await pidOf(other);
  try {
    return (await pidOf(one, name)) === prepared ? undefined : true;
  } catch (error) {
    if (!hasState(error, INVALID_NAME)) return false;
    if (held === prepared) await other.query(`DEALLOCATE ${name}`);
    return false;
  } finally {
    await settled(other.query('ROLLBACK'));
  }
}

async function keepsNamed(one: pg.Client, other: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await repeatsNamed(one, other);
    if (answer !== undefined) return answer;
  }
  return false;
}

export interface InspectOptions {
  /** The setting that has the URL, for messages. */
  readonly setting: string;
  /** Whether there is another way to hear notifications. */
  readonly hasListenUrl: boolean;
  readonly preparedStatements: PreparedStatements;
  /** For each answer. */
  readonly limitMs: number;
}

function withoutListenUrl(setting: string): Error {
  return new Error(
    `${setting} names a pooler in transaction mode, which passes on no notifications: set DATABASE_LISTEN_URL to a ` +
      'direct URL of the same database, or use the session mode of the pooler.',
  );
}

async function statementsKept(
  one: pg.Client,
  other: pg.Client,
  { setting, preparedStatements }: InspectOptions,
): Promise<boolean> {
  // Fails in statement mode.
  await one.query('BEGIN; ROLLBACK');
  if (preparedStatements === 'off') return false;
  const isKept = await keepsNamed(one, other);
  if (!isKept && preparedStatements === 'on')
    throw new Error(
      `The pooler that ${setting} names does not keep prepared statements, as PgBouncer does from 1.21 on with ` +
        'max_prepared_statements: set DATABASE_PREPARED_STATEMENTS=off.',
    );
  return isKept;
}

async function inspectPooler(
  url: string,
  one: pg.Client,
  options: InspectOptions,
): Promise<ConnectionTraits> {
  return connected(url, options, async (other) => {
    // With another way for notifications, transactions with their own settings are right in every mode.
    if (!options.hasListenUrl) {
      if (await lendsSessions(one, other)) throw withoutListenUrl(options.setting);
      return { keepsSession: true, keepsStatements: options.preparedStatements !== 'off' };
    }
    return { keepsSession: false, keepsStatements: await statementsKept(one, other, options) };
  });
}

const STATEMENT_MODE = 'statement pooling mode';

/**
 * Finds out whether a pooler is between, and what it keeps.
 * @throws Error, in one line that names the cause and what to set, when the service cannot work through it
 */
export async function inspectConnection(url: string, options: InspectOptions): Promise<ConnectionTraits> {
  try {
    return await connected(url, options, async (client) => {
      if (await isPooled(client)) return inspectPooler(url, client, options);
      return { keepsSession: true, keepsStatements: options.preparedStatements !== 'off' };
    });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(STATEMENT_MODE)) throw error;
    throw new Error(
      `${options.setting} names a pooler in statement mode, which has no transactions: use its transaction mode.`,
      { cause: error },
    );
  }
}

const IDENTITY = `SELECT (SELECT system_identifier FROM pg_control_system())::text AS cluster, current_database() AS name,
  pg_is_in_recovery() AS "isReplica"`;

const identityOf = async (
  client: pg.Client,
): Promise<{ cluster: string; name: string; isReplica: boolean }> => {
  const { rows } = await client.query<{ cluster: string; name: string; isReplica: boolean }>(IDENTITY);
  return rows[0] ?? { cluster: '', name: '', isReplica: false };
};

/**
 * Checks that notifications of a database arrive over a URL.
 * @throws Error, in one line that names the cause
 */
export async function assertHears(
  listenUrl: string,
  url: string,
  options: Pick<InspectOptions, 'limitMs'>,
): Promise<void> {
  const own = await connected(url, options, identityOf);
  await connected(listenUrl, options, async (one) => {
    const heard = await identityOf(one);
    if (heard.isReplica)
      throw new Error('DATABASE_LISTEN_URL names a replica: notifications come from the primary.');
    if (heard.cluster !== own.cluster || heard.name !== own.name)
      throw new Error('DATABASE_LISTEN_URL names another database than DATABASE_URL.');
    if (!(await isPooled(one))) return;
    if (await connected(listenUrl, options, (other) => lendsSessions(one, other)))
      throw new Error(
        'DATABASE_LISTEN_URL names a pooler in transaction mode, which passes on no notifications: it must name the ' +
          'database itself.',
      );
  });
}
