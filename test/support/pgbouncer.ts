import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { postgresAccount } from '../../src/infrastructure/postgres/postgres-binaries.js';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { hasPgBouncer, serverPath } from './optional-servers.js';

/** A suite that is skipped where PgBouncer is missing. */
export const describeWithPgBouncer = (title: string, suite: () => void): void =>
  (hasPgBouncer ? describe : describe.skip)(`${title} (needs pgbouncer or PGBOUNCER)`, suite);

type PoolMode = 'session' | 'transaction' | 'statement';

/** A pooler before one server, whatever the database. */
export interface PgBouncer {
  /** The URL of a database through the pooler. */
  through(databaseUrl: string): string;
  start(): Promise<void>;
  /** Ends the process like a crash. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export interface PgBouncerOptions {
  readonly mode: PoolMode;
  /** Connections to the database, by login. */
  readonly size?: number;
  /** Takes the connections in turn, instead of that which was used last. */
  readonly takesTurns?: boolean;
}

function settings(
  databaseUrl: string,
  port: number,
  { mode, size = 10, takesTurns }: PgBouncerOptions,
): string {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  return `[databases]
* = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${String(size)}
max_client_conn = 500
server_round_robin = ${takesTurns === true ? '1' : '0'}
server_login_retry = 1
`;
}

async function waitUntilListening(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const socket = net.connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (attempt === 400) throw new Error('pgbouncer does not listen');
    await delay(25);
  }
}

/** Prepares a pooler before the server of a database; `start` runs it. */
export async function makePgBouncer(databaseUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-pgbouncer-'));
  const file = path.join(directory, 'pgbouncer.ini');
  const port = await freePort();
  await writeFile(file, settings(databaseUrl, port, options), { mode: 0o600 });
  // PgBouncer does not run as root.
  const account = await postgresAccount(path.join(directory, 'none'));
  await chmod(directory, 0o711);
  if (account !== undefined) await chown(file, account.uid, account.gid);
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    through: (url) => {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    start: async () => {
      child = spawn(serverPath('PGBOUNCER'), ['-q', file], {
        stdio: 'ignore',
        ...(account !== undefined && { uid: account.uid, gid: account.gid }),
      });
      await waitUntilListening(port);
    },
    kill,
    remove: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
