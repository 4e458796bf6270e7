import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import type { S3Settings } from '../../src/infrastructure/storage/s3-storage.js';
import { serverPath } from './optional-servers.js';

/** An S3 server that verifies signatures, with one empty bucket. */
export interface S3Server {
  readonly settings: S3Settings;
  stop(): Promise<void>;
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
    if (attempt === 400) throw new Error('versitygw does not listen');
    await delay(25);
  }
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-s3-'));
  await mkdir(path.join(directory, 'media'));
  const port = await freePort();
  const [access, secret] = ['test-access', 'test-secret'];
  const args = ['--access', access, '--secret', secret, '--port', `127.0.0.1:${String(port)}`];
  const child = spawn(serverPath('VERSITYGW'), [...args, 'posix', directory], { stdio: 'ignore' });
  await waitUntilListening(port);
  return {
    settings: {
      endpoint: `http://127.0.0.1:${String(port)}`,
      region: 'us-east-1',
      bucket: 'media',
      accessKeyId: access,
      secretAccessKey: secret,
      forcePathStyle: true,
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
