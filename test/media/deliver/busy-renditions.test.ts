import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MediaFile } from '../../../src/features/media/media/deliver/media-file.repository.js';
import { Renditions, SmallObjects } from '../../../src/features/media/media/index.js';
import { ImageLanes, imageWork } from '../../../src/infrastructure/image-work/image-work.js';
import type { ImageRecipe } from '../../../src/infrastructure/images/render-image.js';
import { WorkQueue } from '../../../src/infrastructure/images/work-queue.js';
import { DiskStorage } from '../../../src/infrastructure/storage/disk-storage.js';
import { objectKey } from '../../../src/infrastructure/storage/media-storage.js';
import { verifies } from '../../support/verifies.js';
import { picture } from '../receive/pictures.js';

const checksum = 'a'.repeat(64);
const storageKey = objectKey('tenant', checksum);
const file: MediaFile = {
  projectSlug: 'p',
  id: 'i',
  environmentId: 'e',
  checksum,
  storageKey,
  fileName: 'a.png',
  mimeType: 'image/png',
  size: 1,
  width: 60,
  height: 40,
  hasAlpha: false,
  frames: 1,
  isPrivate: false,
  focalPoint: { x: 0.5, y: 0.5 },
};
const recipe: ImageRecipe = {
  resize: { width: 30, height: 20 },
  format: 'png',
  quality: undefined,
  background: undefined,
  isProgressive: false,
};

/** Claims of one process, which others may have taken. */
class Claims {
  readonly taken = new Set<string>();

  claim(key: string): Promise<boolean> {
    const isFree = !this.taken.has(key);
    this.taken.add(key);
    return Promise.resolve(isFree);
  }

  release(key: string): Promise<void> {
    this.taken.delete(key);
    return Promise.resolve();
  }
}

describe('Renditions under load', () => {
  verifies('media/renditions');

  let directory: string;
  let storage: DiskStorage;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-busy-'));
    storage = new DiskStorage(directory);
    await storage.put(storageKey, { stream: Readable.from([await picture().png().toBuffer()]) });
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  const lanesOf = (queue: WorkQueue): ImageLanes => {
    const lane = { images: imageWork, queue };
    return new ImageLanes(lane, lane);
  };

  const renditionsOf = (claims: Claims, queue: WorkQueue): Renditions =>
    new Renditions({ storage, objects: new SmallObjects(storage), claims, lanes: lanesOf(queue) });

  it('are 503 while the queue is full, and leave no claim behind', async () => {
    const claims = new Claims();
    const queue = new WorkQueue({ concurrency: 1, waiting: 0 });
    const renditions = renditionsOf(claims, queue);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const other = queue.run(() => promise);
    await expect(renditions.get(file, recipe)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(claims.taken.size).toBe(0);
    resolve(undefined);
    await other;
    expect((await renditions.get(file, recipe))?.size).toBeGreaterThan(0);
  });

  it('are taken from the storage when another process has made them', async () => {
    const claims = new Claims();
    const queue = new WorkQueue({ concurrency: 1, waiting: 0 });
    const renditions = renditionsOf(claims, queue);
    const key = `renditions/${checksum}/r1_20x13_png`;
    claims.taken.add(key);
    const found = renditions.get(file, { ...recipe, resize: { width: 20, height: 13 } });
    await storage.put(key, { stream: Readable.from([Buffer.from('made by another process')]) });
    const bytes = (await found)?.bytes;
    expect(Buffer.isBuffer(bytes) && bytes.toString()).toBe('made by another process');
    expect(queue.running).toBe(0);
  });
});
