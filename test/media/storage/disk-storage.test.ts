import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiskStorage } from '../../../src/infrastructure/storage/disk-storage.js';
import { StorageFailure, uploadKey } from '../../../src/infrastructure/storage/media-storage.js';
import { verifies } from '../../support/verifies.js';
import { behavesLikeStorage } from './conformance.js';

describe('Disk storage', () => {
  verifies('media/storage');

  let directory: string;
  let storage: DiskStorage;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-disk-'));
    storage = new DiskStorage(path.join(directory, 'media'));
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  behavesLikeStorage(() => storage);

  it('extends an upload from where it ends and refuses any other offset', async () => {
    const key = uploadKey('tenant', 'resumed');
    expect(await storage.append(key, 0, Readable.from([Buffer.from('one ')]))).toBe(4);
    await expect(storage.append(key, 0, Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      reason: 'conflict',
    });
    expect(await storage.append(key, 4, Readable.from([Buffer.from('two')]))).toBe(7);
    const found = await storage.read(key);
    expect(found && (await buffer(found.stream)).toString()).toBe('one two');
  });

  it('keeps what arrived before an upload was cut off', async () => {
    const key = uploadKey('tenant', 'cut');
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from('kept');
        await Promise.resolve();
        throw new Error('cut');
      })(),
    );
    await expect(storage.append(key, 0, stream)).rejects.toThrow('cut');
    expect(await storage.head(key)).toMatchObject({ size: 4 });
  });

  it('is unavailable when its directory is a file', async () => {
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    const broken = new DiskStorage(file);
    const attempt = broken.put(uploadKey('tenant', 'x'), { stream: Readable.from([Buffer.from('x')]) });
    await expect(attempt).rejects.toBeInstanceOf(StorageFailure);
    await expect(attempt).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('creates no directory before the first file', async () => {
    const place = path.join(directory, 'later');
    const later = new DiskStorage(place);
    expect(await later.head(uploadKey('tenant', 'x'))).toBeUndefined();
    expect(await readdir(directory)).not.toContain('later');
  });
});
