import { execFileSync } from 'node:child_process';
import { chown, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import {
  freePort,
  startServer,
  type PostgresServer,
} from '../../src/infrastructure/postgres/postgres-server.js';
import { migrateUp } from '../../src/persistence/migrations/migrator.js';
import { fastDirectory, startTestServer, type TestServer } from './test-server.js';

/** A streaming replica. */
export interface StandbyServer {
  readonly port: number;
  /** Runs a statement as a superuser. */
  execute(sql: string): Promise<unknown[]>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A primary with a migrated, empty database, and its replicas. */
export interface ReplicatedServer {
  /** Connects as the owner, who is not a superuser. */
  readonly databaseUrl: string;
  /** Runs a statement as a superuser on the primary. */
  execute(sql: string): Promise<unknown[]>;
  readonly standbys: readonly StandbyServer[];
  /** The database on other servers, in the form that the setting has. */
  urlOn(...ports: number[]): string;
  /** Ends the primary as a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicationOptions {
  /** Whether a commit waits until a replica has it. */
  readonly isSynchronous?: boolean;
}

const OWNER = 'replicated_owner';

async function onServer(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

function withPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

/** Copies the files of the running primary, as a base backup. The log comes from the primary. */
async function copyCluster(primary: TestServer, directory: string): Promise<void> {
  const { cluster, superuserUrl } = primary;
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    execFileSync('cp', ['-a', cluster.directory, directory]);
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    await rm(path.join(directory, 'postmaster.pid'), { force: true });
    for (const name of await readdir(path.join(directory, 'pg_wal'), { withFileTypes: true }))
      if (name.isFile()) await rm(path.join(directory, 'pg_wal', name.name));
    for (const [name, text] of [
      ['backup_label', rows[0]?.label ?? ''],
      ['standby.signal', ''],
    ] as const) {
      const file = path.join(directory, name);
      await writeFile(file, text, { mode: 0o600 });
      if (cluster.account !== undefined) await chown(file, cluster.account.uid, cluster.account.gid);
    }
  } finally {
    await client.end();
  }
}

async function addStandby(primary: TestServer, number: number): Promise<StandbyServer> {
  const directory = `${primary.cluster.directory}-standby-${String(number)}`;
  await copyCluster(primary, directory);
  const { hostname, port: primaryPort, username, password } = new URL(primary.superuserUrl);
  const settings = [
    ...(primary.cluster.settings ?? []),
    `primary_conninfo=host=${hostname} port=${primaryPort} user=${username} password=${password}`,
    'hot_standby=on',
    'wal_receiver_status_interval=1s',
  ];
  const port = await freePort();
  const start = (): Promise<PostgresServer> => startServer({ ...primary.cluster, directory, settings }, port);
  let server = await start();
  return {
    port,
    execute: (sql) => onServer(withPort(primary.superuserUrl, port), sql),
    stop: () => server.stop(),
    start: async () => {
      server = await start();
    },
  };
}

async function killServer({ cluster: { directory } }: TestServer): Promise<void> {
  const [pid = ''] = (await readFile(path.join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Starts a primary with replicas; `stop` ends all. */
export async function startReplicated(
  count: number,
  { isSynchronous = false }: ReplicationOptions = {},
): Promise<ReplicatedServer> {
  const primary = await startTestServer({
    parent: await fastDirectory(),
    settings: ['wal_keep_size=256MB', 'synchronous_commit=on'],
  });
  const standbys: StandbyServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(standbys.map((standby) => standby.stop()));
    await primary.stop();
  };
  try {
    const { password } = new URL(primary.superuserUrl);
    await onServer(
      primary.superuserUrl,
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE NOSUPERUSER PASSWORD '${password}'`,
      `CREATE DATABASE replicated OWNER ${OWNER} TEMPLATE template0 ENCODING 'UTF8'`,
    );
    const database = new URL(primary.superuserUrl);
    database.username = OWNER;
    database.pathname = '/replicated';
    await migrateUp({ url: database.href });
    for (let number = 1; number <= count; number += 1) standbys.push(await addStandby(primary, number));
    if (isSynchronous)
      await onServer(
        primary.superuserUrl,
        `ALTER SYSTEM SET synchronous_standby_names = '*'`,
        'SELECT pg_reload_conf()',
      );
    return {
      databaseUrl: database.href,
      execute: (sql) => onServer(primary.superuserUrl, sql),
      standbys,
      urlOn: (...ports) => {
        const hosts = ports.map((port) => `${database.hostname}:${String(port)}`).join(',');
        return `postgres://${OWNER}:${password}@${hosts}${database.pathname}`;
      },
      kill: () => killServer(primary),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
