import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { serverPath } from './optional-servers.js';

/** A Redis for one test file. Loses its data when stopped. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  /** Ends the process like a crash. */
  kill(): Promise<void>;
  /** Accepts connections without responding. */
  freeze(): void;
  thaw(): void;
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
    if (attempt === 200) throw new Error('redis-server does not listen');
    await delay(25);
  }
}

/** Prepares a server; `start` runs it. */
export async function makeRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      child = spawn(serverPath('REDIS_SERVER'), [...args, '--dir', tmpdir()], { stdio: 'ignore' });
      await waitUntilListening(port);
    },
    kill: async () => {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
  };
}
