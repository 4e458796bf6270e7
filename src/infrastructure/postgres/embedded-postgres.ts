import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { DirectoryInUseError, lockDirectory } from '../directory-lock.js';
import { hasErrorCode } from '../errno.js';
import { firstClosedDirectory, postgresAccount, postgresBinaries } from './postgres-binaries.js';
import {
  freePort,
  initialiseCluster,
  runningPort,
  startServer,
  stopOrphan,
  type PostgresCluster,
  type PostgresServer,
} from './postgres-server.js';
import { loadOrCreateSecret } from '../secret-file.js';

export interface EmbeddedPostgresOptions {
  /** Holds the cluster, the passwords and the lock; created if missing. */
  readonly dataDirectory: string;
  /** Unset: a free port at each start. */
  readonly port?: number;
  /** `share` uses the database of another running process. Default `refuse`. */
  readonly whenInUse?: 'refuse' | 'share';
  log(line: string): void;
}

export interface EmbeddedPostgres {
  /** As `headwater_owner`: owns the database and may create roles, but is no superuser. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

const owner = 'headwater_owner';
const database = 'headwater';

function connectionUrl(user: string, password: string, address: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${address}`;
}

async function directoryExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => {
      if (hasErrorCode(error, 'ENOENT')) return false;
      throw error;
    },
  );
}

async function prepareDirectory(directory: string): Promise<string> {
  const created = await mkdir(directory, { recursive: true });
  // The database's user must be able to enter; the files inside have their own modes.
  if (created !== undefined) await chmod(directory, 0o711);
  return realpath(directory);
}

/** Created by root; every user may enter. */
const systemDirectory = '/var/lib/headwater';

/** The requested directory, or a system directory where the database's user may not enter the first. */
async function reachableDirectory(directory: string, log: (line: string) => void): Promise<string> {
  const root = await prepareDirectory(directory);
  const account = await postgresAccount(path.join(root, 'postgres'));
  if ((await firstClosedDirectory(root, account)) === undefined) return root;
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  await prepareDirectory(systemDirectory);
  const home = await prepareDirectory(path.join(systemDirectory, name));
  log(`The database's user may not enter ${root}: the database is kept in ${home}.`);
  return home;
}

async function openCluster(root: string, log: (line: string) => void): Promise<PostgresCluster> {
  const directory = path.join(root, 'postgres');
  const account = await postgresAccount(directory);
  const closed = await firstClosedDirectory(root, account);
  if (account !== undefined && closed !== undefined) {
    throw new Error(
      `The embedded database runs as the user "${account.name}", who may not enter ${closed}: set HEADWATER_DATA_DIR to a directory that user can reach, such as /var/lib/headwater.`,
    );
  }
  return { directory, account, binaries: await postgresBinaries(root, account), log };
}

/** Initialises beside the target and renames, so that an interrupted start leaves nothing. */
async function createCluster(cluster: PostgresCluster, passwordFile: string): Promise<void> {
  cluster.log('Creating the embedded database.');
  const draft = `${cluster.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (cluster.account !== undefined) {
    await chown(draft, cluster.account.uid, cluster.account.gid);
    await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  }
  await initialiseCluster({ ...cluster, directory: draft }, passwordFile);
  await rename(draft, cluster.directory);
}

/** Creates what is missing, to complete an interrupted first start. */
async function ensureOwner(superuserUrl: string, ownerPassword: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const password = client.escapeLiteral(ownerPassword);
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [owner]);
    if (roles.rowCount === 0)
      await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD ${password}`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${database} OWNER ${owner}`);
  } finally {
    await client.end();
  }
}

async function startLocked(root: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const passwordFile = path.join(root, 'superuser-password');
  const superuserPassword = await loadOrCreateSecret(passwordFile);
  const ownerPassword = await loadOrCreateSecret(path.join(root, 'owner-password'));
  const cluster = await openCluster(root, (line) => {
    options.log(line);
  });
  if (await directoryExists(cluster.directory)) await stopOrphan(cluster);
  else await createCluster(cluster, passwordFile);
  const server: PostgresServer = await startServer(cluster, options.port ?? (await freePort()));
  try {
    await ensureOwner(connectionUrl('postgres', superuserPassword, `${server.port}/postgres`), ownerPassword);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ownerUrl: connectionUrl(owner, ownerPassword, `${server.port}/${database}`),
    stop: () => server.stop(),
  };
}

async function shareRunning(root: string, refusal: unknown): Promise<EmbeddedPostgres> {
  const port = await runningPort(path.join(root, 'postgres'));
  if (port === undefined) throw refusal;
  const password = (await readFile(path.join(root, 'owner-password'), 'utf8')).trim();
  return { ownerUrl: connectionUrl(owner, password, `${port}/${database}`), stop: () => Promise.resolve() };
}

/**
 * Starts PostgreSQL on 127.0.0.1: created at the first start, recovered after a crash. An orphaned server is
 * stopped first. It stops with the process, not at Ctrl-C.
 * @throws DirectoryInUseError when another live process has the directory
 * @throws Error, in one line, when the database cannot be created, started or reached
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const root = await reachableDirectory(options.dataDirectory, (line) => {
    options.log(line);
  });
  let unlock: () => Promise<void>;
  try {
    unlock = await lockDirectory(root);
  } catch (error) {
    if (error instanceof DirectoryInUseError && options.whenInUse === 'share')
      return shareRunning(root, error);
    throw error;
  }
  try {
    const started = await startLocked(root, options);
    return { ownerUrl: started.ownerUrl, stop: () => started.stop().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}
