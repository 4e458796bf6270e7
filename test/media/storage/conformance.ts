import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import {
  checkKey,
  objectKey,
  renditionKey,
  uploadKey,
  type MediaStorage,
  type StoredObject,
} from '../../../src/infrastructure/storage/media-storage.js';

const tenant = '0199aaaa-0000-7000-8000-000000000001';
const newKey = (): string => objectKey(tenant, randomBytes(32).toString('hex'));

async function bytesOf(storage: MediaStorage, key: string): Promise<Buffer | undefined> {
  const found = await storage.read(key);
  return found === undefined ? undefined : buffer(found.stream);
}

async function listed(storage: MediaStorage, prefix: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of storage.list(prefix)) objects.push(object);
  return objects;
}

/** Ends with an error after its first chunk. */
async function* cutOff(): AsyncGenerator<Buffer> {
  yield randomBytes(1000);
  await Promise.resolve();
  throw new Error('the client went away');
}

async function stagedFile(storage: MediaStorage, content: Buffer): Promise<string> {
  await mkdir(storage.staging, { recursive: true });
  const file = path.join(storage.staging, randomBytes(8).toString('hex'));
  await writeFile(file, content);
  return file;
}

/** What every storage does. */
export function behavesLikeStorage(storageOf: () => MediaStorage): void {
  const content = randomBytes(100_000);

  it('returns what was stored from a stream of known and of unknown size', async () => {
    const storage = storageOf();
    for (const size of [{ size: content.length }, {}]) {
      const key = newKey();
      await storage.put(key, {
        stream: Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]),
        ...size,
      });
      expect((await bytesOf(storage, key))?.equals(content)).toBe(true);
      expect(await storage.head(key)).toMatchObject({ key, size: content.length });
    }
  });

  it('takes over a staged file and leaves nothing in the staging directory', async () => {
    const storage = storageOf();
    const key = newKey();
    const file = await stagedFile(storage, content);
    await storage.put(key, { file }, 'image/png');
    expect((await bytesOf(storage, key))?.equals(content)).toBe(true);
    expect(await readdir(storage.staging)).toEqual([]);
  });

  it('stores an empty object and one of several parts', async () => {
    const storage = storageOf();
    const large = randomBytes(20 * 1024 * 1024);
    for (const body of [Buffer.alloc(0), large]) {
      const key = newKey();
      await storage.put(key, { stream: Readable.from(body.length === 0 ? [] : [body]) });
      expect((await bytesOf(storage, key))?.equals(body)).toBe(true);
    }
  });

  it('reads ranges and reports the size of the whole object', async () => {
    const storage = storageOf();
    const key = newKey();
    await storage.put(key, { stream: Readable.from([content]) });
    for (const [start, end] of [
      [0, 0],
      [0, 9],
      [500, 99_999],
      [99_999, 99_999],
    ] as const) {
      const found = await storage.read(key, { start, end });
      expect(found?.size).toBe(content.length);
      expect(found && (await buffer(found.stream)).equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  it('replaces an object and renews its time', async () => {
    const storage = storageOf();
    const key = newKey();
    await storage.put(key, { stream: Readable.from([Buffer.from('first')]) });
    const before = await storage.head(key);
    await storage.put(key, { file: await stagedFile(storage, Buffer.from('second')) });
    expect((await bytesOf(storage, key))?.toString()).toBe('second');
    const after = await storage.head(key);
    expect(after?.modifiedAt.getTime()).toBeGreaterThanOrEqual(before?.modifiedAt.getTime() ?? Infinity);
  });

  it('knows no object that was never stored or was removed', async () => {
    const storage = storageOf();
    const key = newKey();
    expect([await storage.read(key), await storage.head(key)]).toEqual([undefined, undefined]);
    await storage.put(key, { stream: Readable.from([content]) });
    await storage.remove(key);
    await storage.remove(key);
    expect([await storage.read(key), await storage.head(key)]).toEqual([undefined, undefined]);
  });

  it('stores nothing of a stream that fails, and reports its failure', async () => {
    const storage = storageOf();
    const key = newKey();
    await expect(storage.put(key, { stream: Readable.from(cutOff()) })).rejects.toThrow(
      'the client went away',
    );
    expect(await storage.head(key)).toBeUndefined();
    expect(await readdir(storage.staging)).toEqual([]);
  });

  it('lists objects by prefix', async () => {
    const storage = storageOf();
    const hash = randomBytes(32).toString('hex');
    const keys = [renditionKey(hash, 'a-1_w-100'), renditionKey(hash, 'a-1_w-200')];
    for (const key of keys) await storage.put(key, { stream: Readable.from([Buffer.from('rendition')]) });
    const found = await listed(storage, `renditions/${hash}/`);
    expect(found.map(({ key, size }) => [key, size]).sort()).toEqual(keys.map((key) => [key, 9]));
    expect((await listed(storage, '')).map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
    expect(await listed(storage, uploadKey(tenant, 'none'))).toEqual([]);
  });

  it.each(['', '/', '../x', 'a/../b', 'a//b', '.hidden', 'a/.b', 'a\0b', 'a b', 'a/'])(
    'refuses the key %j',
    async (key) => {
      const storage = storageOf();
      expect(() => checkKey(key)).toThrow('invalid key');
      await expect(storage.put(key, { stream: Readable.from([content]) })).rejects.toThrow();
      await expect(storage.read(key)).rejects.toThrow();
      await expect(storage.remove(key)).rejects.toThrow();
    },
  );
}
