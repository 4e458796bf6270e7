import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DiskStorage } from '../../src/infrastructure/storage/disk-storage.js';
import { objectKey, type MediaStorage } from '../../src/infrastructure/storage/media-storage.js';
import { S3Storage } from '../../src/infrastructure/storage/s3-storage.js';
import { isLongRun } from '../support/extent.js';
import { describeWithS3 } from '../support/s3-app.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { environment } from '../support/service-process.js';

/** Files of 256 KiB, and the number of them at which a migration is killed. */
const FILES = 60;
const BYTES = 262_144;
const moments = isLongRun ? [0, 3, 6, 12, 18, 24, 30, 36, 42, 48] : [12];
const tenantId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

let server: S3Server;
let directory: string;
let from: DiskStorage;
const digests = new Map<string, string>();

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  server = await startS3Server();
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-killed-migration-'));
  from = new DiskStorage(path.join(directory, 'media'));
  for (let index = 0; index < FILES; index += 1) {
    const bytes = randomBytes(BYTES);
    const key = objectKey(tenantId, digest(bytes));
    await from.put(key, { stream: Readable.from([bytes]), size: BYTES });
    digests.set(key, digest(bytes));
  }
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

function migrate(): ReturnType<typeof spawn> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = server.settings;
  return spawn(process.execPath, ['dist/media.js', 'migrate', '--to', 's3'], {
    env: environment('postgres://127.0.0.1:1/none', {
      HEADWATER_DATA_DIR: directory,
      S3_ENDPOINT: endpoint ?? '',
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_FORCE_PATH_STYLE: '1',
    }),
    stdio: 'ignore',
  });
}

async function found(storage: MediaStorage): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const { key } of storage.list('')) {
    const object = await storage.read(key);
    if (object !== undefined) all.set(key, digest(await buffer(object.stream)));
  }
  return all;
}

async function count(storage: MediaStorage): Promise<number> {
  let objects = 0;
  for await (const _object of storage.list('')) objects += 1;
  return objects;
}

/** Kills a migration once so many files are there; none of them may be half there. Then runs another to its end. */
async function killAndRepeat(target: MediaStorage, at: number): Promise<void> {
  const child = migrate();
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  while ((await count(target)) < at && child.exitCode === null) await delay(5);
  child.kill('SIGKILL');
  expect((await exit)[1]).toBe('SIGKILL');
  for (const [key, bytes] of await found(target)) expect(bytes).toBe(digests.get(key));
  const [code] = (await once(migrate(), 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(await found(target)).toEqual(digests);
}

describeWithS3('A migration of media that is killed', () => {
  it('leaves whole files in the bucket, and another run copies the rest', async () => {
    const target = new S3Storage(server.settings, path.join(directory, 'staging'));
    for (const at of moments) {
      for (const key of digests.keys()) await target.remove(key);
      await killAndRepeat(target, at);
    }
  }, 300_000);
});
