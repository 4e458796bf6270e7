import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';

/** The Redis of the machine: `REDIS_SERVER`, or where Debian's package puts it. */
const executablePath = process.env.REDIS_SERVER ?? '/usr/bin/redis-server';

/** Whether there is a Redis to count with. */
export const hasRedis = existsSync(executablePath);

/** A Redis of one test file, which goes away and comes back as the test says. It keeps nothing over a stop. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Lets it take connections and answer nothing. */
  freeze(): void;
  thaw(): void;
}

async function untilAnswering(port: number): Promise<void> {
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

/** Makes it; it runs once it is started. */
export async function makeRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      child = spawn(executablePath, [...args, '--dir', tmpdir()], { stdio: 'ignore' });
      await untilAnswering(port);
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
