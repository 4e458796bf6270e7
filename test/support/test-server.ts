import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import {
  postgresAccount,
  postgresBinaries,
  type PostgresBinaries,
} from '../../src/infrastructure/postgres/postgres-binaries.js';
import {
  freePort,
  initialiseCluster,
  startServer,
  stopOrphan,
  type PostgresCluster,
} from '../../src/infrastructure/postgres/postgres-server.js';
import { isProcessAlive } from '../../src/infrastructure/directory-lock.js';

export interface TestServer {
  readonly superuserUrl: string;
  readonly cluster: PostgresCluster;
  stop(): Promise<void>;
}

const prefix = 'headwater-test-';
/** Data need not survive a crash, and nobody guesses the passwords. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

async function clusterIn(root: string): Promise<PostgresCluster> {
  const directory = path.join(root, 'postgres');
  const account = await postgresAccount(directory);
  return {
    directory,
    account,
    binaries: await postgresBinaries(root, account),
    settings,
    log: () => undefined,
  };
}

/** Removes servers of killed runs; a directory name contains its process id. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : NaN;
    if (Number.isNaN(pid) || isProcessAlive(pid)) continue;
    const root = path.join(parent, name);
    try {
      await stopOrphan(await clusterIn(root));
      await rm(root, { recursive: true, force: true });
    } catch {
      // Owned by another user, or another run is removing it.
    }
  }
}

/** Older versions lack the embedded one's locale provider. */
function initialiseOther({ binaries, directory, account }: PostgresCluster, passwordFile: string): void {
  const options = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale'];
  execFileSync(binaries.initdb, [`--pgdata=${directory}`, `--pwfile=${passwordFile}`, ...options], {
    ...(account !== undefined && { uid: account.uid, gid: account.gid }),
    stdio: 'pipe',
  });
}

/** What a whole run needs, with room to spare: each database is 14 MB, and dropped with its test file. */
const ENOUGH_BYTES = 4 * 2 ** 30;
const inMemory = '/dev/shm';
/** `TMPFS_MAGIC` of statfs(2). */
const TMPFS = 0x01021994;

/**
 * The file system in memory, if it and the machine have room, otherwise that of temporary files. A disk clones a
 * database in 0.6 s of processor time when others were just dropped, because ext4 searches for inodes that were not
 * in use lately, and memory in 0.05 s.
 */
export async function fastDirectory(): Promise<string> {
  const system = await statfs(inMemory).catch(() => undefined);
  const hasRoom = system?.type === TMPFS && system.bavail * system.bsize >= ENOUGH_BYTES;
  return hasRoom && freemem() >= 2 * ENOUGH_BYTES ? inMemory : tmpdir();
}

/** Where a server has its data, and which version it is. */
export interface TestServerOptions {
  /** By default that of temporary files. */
  readonly parent?: string;
  /** Those of another version; by default the embedded ones. */
  readonly binaries?: PostgresBinaries;
  /** Beside those of every test server. */
  readonly settings?: readonly string[];
}

/** Starts a PostgreSQL in a directory below `parent` on a free port with a random password. */
export async function startTestServer({
  parent = tmpdir(),
  binaries,
  settings: more = [],
}: TestServerOptions = {}): Promise<TestServer> {
  await removeLeftovers(parent);
  const root = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`));
  await chmod(root, 0o711);
  const password = randomBytes(24).toString('base64url');
  const passwordFile = path.join(root, 'superuser-password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  const plain = await clusterIn(root);
  const cluster =
    binaries === undefined
      ? { ...plain, settings: [...settings, 'scram_iterations=1', ...more] }
      : { ...plain, settings: [...settings, ...more], binaries };
  if (cluster.account !== undefined) {
    await chown(root, cluster.account.uid, cluster.account.gid);
    await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  }
  if (binaries === undefined) await initialiseCluster(cluster, passwordFile);
  else initialiseOther(cluster, passwordFile);
  const server = await startServer(cluster, await freePort());
  return {
    superuserUrl: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    cluster,
    stop: async () => {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
