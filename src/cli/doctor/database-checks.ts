import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { queueLagsSql } from '../../features/operations/queue-depth/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import { DatabaseClock } from '../../infrastructure/database-clock.js';
import { createLogger } from '../../infrastructure/logger.js';
import { assertHears, inspectConnection, readHosts } from '../../persistence/connections/pooling.js';
import {
  defaultTimeouts,
  EFFECTIVE_ROLE_CHECK,
  type DatabaseRole,
} from '../../persistence/connections/session-settings.js';
import { assertAccess } from '../../persistence/migrations/access/database-access.js';
import { pendingNames } from '../../persistence/migrations/migrator.js';
import { withOwner } from '../../persistence/migrations/owner-connection.js';
import type { Config } from '../../process/config/config.js';
import type { OpenDatabase } from '../../process/parts/database.js';
import { fail, ok, reasonOf, warn, type Check, type Finding } from './check.js';

interface DatabaseParts {
  readonly database: Omit<OpenDatabase, 'stop'>;
  readonly config: Config;
  /** Of this machine. */
  readonly clock: Clock;
}

async function one<Row extends object>(client: pg.Client, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  if (rows[0] === undefined) throw new Error('the database returned no row');
  return rows[0];
}

/** What {@link databaseChecks} begins with; without it the others cannot run. */
export const checkLogin = async ({ ownerUrl }: Pick<OpenDatabase, 'ownerUrl'>): Promise<void> => {
  await withOwner({ url: ownerUrl }, (client) => client.query('SELECT 1'));
};

/** Connections that one process may open, as in the chapter about scaling. */
const connectionsOf = ({ database, processes }: Config): number =>
  processes.count * Math.ceil(2.25 * database.poolSize + 3);

async function checkServer({ database, config }: DatabaseParts): Promise<Finding[]> {
  return withOwner({ url: database.ownerUrl }, async (client) => {
    const { version, most } = await one<{ version: string; most: number }>(
      client,
      `SELECT current_setting('server_version') AS version,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
    );
    const pending = await pendingNames(client);
    const wanted = connectionsOf(config);
    return [
      ok(`PostgreSQL ${version}`),
      pending.length === 0
        ? ok('no migration is pending')
        : fail(`${String(pending.length)} migrations are pending`, 'run npm run migrate'),
      wanted <= most
        ? ok(`${String(wanted)} of ${String(most)} connections may be needed here`)
        : warn(
            `up to ${String(wanted)} connections are needed here, and the server allows ${String(most)}`,
            'lower DATABASE_POOL_SIZE or HEADWATER_PROCESSES, raise max_connections, or use a pooler',
          ),
    ];
  });
}

async function checkLoginAs(url: string, setting: string, role: DatabaseRole): Promise<Finding> {
  try {
    return await withOwner({ url }, async (client) => {
      await client.query(`SET ROLE ${role}`);
      const { unbound, owner } = await one<{ unbound: boolean; owner: boolean }>(
        client,
        EFFECTIVE_ROLE_CHECK,
      );
      return unbound || owner
        ? fail(`${role} would bypass row-level security`, `ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`)
        : ok(`${setting} may work as ${role}`);
    });
  } catch (error) {
    return fail(`${setting}: ${reasonOf(error)}`, `check its login, and GRANT ${role} to it`);
  }
}

async function checkRoles({ database, config }: DatabaseParts): Promise<Finding[]> {
  const { external } = config.database;
  const setsRole = external?.serviceUrl === undefined || external.readUrl === undefined;
  await withOwner({ url: database.ownerUrl }, (client) => assertAccess(client, setsRole));
  const service = external?.serviceUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SERVICE_URL';
  const read = external?.readUrl === undefined ? service : 'DATABASE_READ_URL';
  const [readUrl = ''] = readHosts(database.readUrl);
  return Promise.all([
    checkLoginAs(database.serviceUrl, service, 'headwater_service'),
    checkLoginAs(readUrl, read, 'headwater_reader'),
  ]);
}

async function checkPooler({ database, config }: DatabaseParts): Promise<Finding[]> {
  const { serviceUrl, listenUrl } = database;
  const { preparedStatements } = config.database;
  const limitMs = defaultTimeouts.connectionMs;
  if (listenUrl !== undefined) await assertHears(listenUrl, serviceUrl, { limitMs });
  const options = { setting: 'DATABASE_URL', hasListenUrl: listenUrl !== undefined, preparedStatements };
  const { keepsSession, keepsStatements } = await inspectConnection(serviceUrl, { ...options, limitMs });
  if (keepsSession) return [ok('connections keep their sessions')];
  return [ok(`transaction mode, ${keepsStatements ? 'with' : 'without'} prepared statements`)];
}

/** The language of the functions of the schema is the only extension that it uses. */
const EXTENSIONS = ['plpgsql'] as const;

async function checkExtensions({ database }: DatabaseParts): Promise<Finding[]> {
  return withOwner({ url: database.ownerUrl }, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT extname AS name FROM pg_extension');
    const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
    return missing.length === 0
      ? [ok(`${EXTENSIONS.join(', ')} is installed`)]
      : missing.map((name) => fail(`${name} is missing`, `run as a superuser: CREATE EXTENSION ${name}`));
  });
}

interface Collations {
  readonly encoding: string;
  readonly hasIcu: boolean;
  readonly isIcuOld: boolean;
  readonly isDatabaseOld: boolean;
}

const COLLATIONS = `SELECT pg_encoding_to_char(encoding) AS encoding,
    EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu",
    EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu'
      AND collversion <> pg_collation_actual_version(oid)) AS "isIcuOld",
    coalesce(datcollversion <> pg_database_collation_actual_version(oid), false) AS "isDatabaseOld"
  FROM pg_database WHERE datname = current_database()`;

async function checkCollation({ database }: DatabaseParts): Promise<Finding[]> {
  const found = await withOwner({ url: database.ownerUrl }, (client) => one<Collations>(client, COLLATIONS));
  const problems: Finding[] = [];
  if (found.encoding !== 'UTF8')
    problems.push(fail(`the encoding is ${found.encoding}`, 'create the database with ENCODING UTF8'));
  if (!found.hasIcu)
    problems.push(fail('PostgreSQL is built without ICU', 'use a build that has the collation "und-x-icu"'));
  if (found.isIcuOld)
    problems.push(
      fail(
        'ICU was updated, so that indexes may be in the wrong order',
        'REINDEX INDEX media_assets_name, then ALTER COLLATION pg_catalog."und-x-icu" REFRESH VERSION',
      ),
    );
  if (found.isDatabaseOld)
    problems.push(
      warn(
        'the collation of the database was updated by the system',
        'REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION',
      ),
    );
  return problems.length > 0 ? problems : [ok('UTF8, and indexes are in the order of the installed ICU')];
}

const SECONDS_OFF = 2;

async function checkClock({ database, clock }: DatabaseParts): Promise<Finding[]> {
  return withOwner({ url: database.ownerUrl }, async (client) => {
    const measured = new DatabaseClock({
      database: { execute: (sql) => client.query<object>(sql) },
      logger: createLogger('silent'),
      processClock: clock,
    });
    await measured.measure();
    const { aheadSeconds, state } = measured;
    const off = Math.abs(aheadSeconds);
    const what = `${off.toFixed(1)} seconds ${aheadSeconds < 0 ? 'behind' : 'ahead of'} the database's`;
    const advice = 'synchronize the clocks of both machines (NTP)';
    if (state !== 'ok') return [fail(what, advice)];
    return [off > SECONDS_OFF ? warn(what, advice) : ok(what)];
  });
}

interface Position {
  readonly isReplica: boolean;
  readonly cluster: string;
  /** Bytes of the log that it has written, or replayed. */
  readonly bytes: number;
}

const POSITION = `SELECT pg_is_in_recovery() AS "isReplica",
    (SELECT system_identifier FROM pg_control_system())::text AS cluster,
    coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, '0/0'), 0)::float8 AS bytes`;

/** How long a replica may take to replay what the primary had. */
const REPLAY_MS = 3000;
const POLL_MS = 100;

async function checkReplica(url: string, primary: Position): Promise<Finding> {
  const name = new URL(url).host;
  const read = (): Promise<Position> => withOwner({ url }, (client) => one<Position>(client, POSITION));
  try {
    let own = await read();
    if (own.cluster !== primary.cluster)
      return fail(`${name} is another database`, 'name only replicas of DATABASE_URL in DATABASE_READ_URL');
    if (!own.isReplica)
      return fail(`${name} is no replica`, 'let it follow the primary, or remove it from DATABASE_READ_URL');
    const end = performance.now() + REPLAY_MS;
    const isBehind = (): boolean => own.bytes < primary.bytes;
    while (isBehind() && performance.now() < end) {
      await delay(POLL_MS);
      own = await read();
    }
    if (!isBehind()) return ok(`${name} follows the primary`);
    const bytes = String(primary.bytes - own.bytes);
    return warn(
      `${name} lacks ${bytes} bytes of the log after ${String(REPLAY_MS / 1000)} seconds`,
      'look there for a paused replay, a long query or a slow disk',
    );
  } catch (error) {
    return fail(`${name}: ${reasonOf(error)}`, 'start it, or remove it from DATABASE_READ_URL');
  }
}

const IDLE_SLOTS = `SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 / 1048576 AS mb
  FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL`;

async function checkReplication({ database }: DatabaseParts): Promise<Finding[]> {
  const { ownerUrl, serviceUrl, readUrl } = database;
  const primary = await withOwner({ url: ownerUrl }, (client) => one<Position>(client, POSITION));
  if (primary.isReplica) return [fail('DATABASE_URL names a replica', 'set it to the primary')];
  const slots = await withOwner({ url: ownerUrl }, (client) =>
    client.query<{ name: string; mb: number }>(IDLE_SLOTS),
  );
  const idle = slots.rows.map(({ name, mb }) =>
    warn(
      `nothing reads the slot ${name}, which keeps ${mb.toFixed(0)} MB of the log`,
      'start its replica, or drop it with pg_drop_replication_slot',
    ),
  );
  const { host } = new URL(serviceUrl);
  const replicas = readHosts(readUrl).filter((url) => new URL(url).host !== host);
  if (replicas.length === 0) return [ok('DATABASE_URL names the primary; there are no replicas'), ...idle];
  return [...(await Promise.all(replicas.map((url) => checkReplica(url, primary)))), ...idle];
}

/** Seconds that the oldest work of a queue may be due. */
const SLOW_SECONDS = 60;
const STILL_SECONDS = 600;

async function checkQueues({ database }: DatabaseParts): Promise<Finding[]> {
  const lags = await withOwner({ url: database.serviceUrl }, async (client) => {
    await client.query('BEGIN READ ONLY');
    await client.query(
      "SET LOCAL ROLE headwater_service; SELECT set_config('headwater.platform', 'on', true)",
    );
    return one<Record<string, number>>(client, queueLagsSql);
  });
  const late = Object.entries(lags).filter(([, seconds]) => seconds > SLOW_SECONDS);
  if (late.length === 0) return [ok(`nothing waits longer than ${String(SLOW_SECONDS)} seconds`)];
  return late.map(([queue, seconds]) => {
    const what = `the oldest work of the queue ${queue} has waited ${seconds.toFixed(0)} seconds`;
    return seconds > STILL_SECONDS
      ? fail(what, 'start a process with HEADWATER_ROLE=worker or all, and read its log')
      : warn(what, 'look again in a minute; if it grows, read the log of the worker');
  });
}

export function databaseChecks(parts: DatabaseParts): Check[] {
  const check = (name: string, run: (parts: DatabaseParts) => Promise<Finding[]>, advice: string): Check => ({
    name,
    advice,
    run: () => run(parts),
  });
  const login = 'check DATABASE_URL';
  return [
    check('database', checkServer, login),
    check('roles', checkRoles, 'run npm run migrate'),
    check('pooler', checkPooler, 'see the chapter about poolers in src/process/README.md'),
    check('extensions', checkExtensions, login),
    check('collation', checkCollation, 'PostgreSQL 15 or later is needed'),
    check('clock', checkClock, login),
    check('replication', checkReplication, login),
    check('queues', checkQueues, 'run npm run migrate'),
  ];
}
