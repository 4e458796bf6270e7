import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { postgresAccount } from '../../src/infrastructure/postgres/postgres-account.js';
import { postgresBinaries } from '../../src/infrastructure/postgres/postgres-binaries.js';
import {
  freePort,
  initialiseCluster,
  startServer,
  stopOrphan,
} from '../../src/infrastructure/postgres/postgres-server.js';
import type { PostgresBinaries } from '../../src/infrastructure/postgres/postgres-binaries.js';
import type { PostgresCluster } from '../../src/infrastructure/postgres/postgres-server.js';
import { isProcessAlive } from '../../src/infrastructure/process-identity.js';

export interface TestServer {
  readonly superuserUrl: string;
  stop(): Promise<void>;
}

const prefix = 'headwater-test-';
/** Data need not survive a crash. */
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
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : NaN;
    if (Number.isNaN(pid) || isProcessAlive(pid)) continue;
    const root = path.join(tmpdir(), name);
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

/**
 * Starts a PostgreSQL in a temporary directory on a free port with a random password.
 * @param binaries those of another version; by default the embedded ones
 */
export async function startTestServer(binaries?: PostgresBinaries): Promise<TestServer> {
  await removeLeftovers();
  const root = await mkdtemp(path.join(tmpdir(), `${prefix}${process.pid}-`));
  await chmod(root, 0o711);
  const password = randomBytes(24).toString('base64url');
  const passwordFile = path.join(root, 'superuser-password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  const embedded = await clusterIn(root);
  const cluster = binaries === undefined ? embedded : { ...embedded, binaries };
  if (cluster.account !== undefined) {
    await chown(root, cluster.account.uid, cluster.account.gid);
    await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  }
  if (binaries === undefined) await initialiseCluster(cluster, passwordFile);
  else initialiseOther(cluster, passwordFile);
  const server = await startServer(cluster, await freePort());
  return {
    superuserUrl: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
