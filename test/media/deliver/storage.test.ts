import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { StorageFailure } from '../../../src/infrastructure/storage/media-storage.js';
import { useOwnApp } from '../../support/desk.js';
import { describeWithS3, useS3App } from '../../support/s3-app.js';
import { verifies } from '../../support/verifies.js';
import { picture } from '../receive/pictures.js';
import { bytesOf, errorOf, Library } from './library.js';

describe('Files, when the storage fails', () => {
  verifies('media/urls', 'media/received-files');

  const app = useOwnApp();

  it('are 503 while it is unavailable, and everything else works', async () => {
    const library = await Library.open(app());
    const large = await library.add(Buffer.alloc(700_000, 'text '), { fileName: 'large.txt' });
    const { storage } = app().composition.services.media;
    const read = jest.spyOn(storage, 'read').mockRejectedValue(new StorageFailure('unavailable'));
    try {
      for (const headers of [{}, { range: 'bytes=0-1' }]) {
        const response = await library.get(large.url, headers);
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(await errorOf(response)).toEqual([503, 'storage_unavailable']);
      }
      const ready = await library.get('/readyz');
      expect(ready.status).toBe(200);
      const content = await library.get(`${library.project.delivery}/sitemap?format=json`);
      expect(content.status).toBe(200);
    } finally {
      read.mockRestore();
    }
    expect((await library.get(large.url)).status).toBe(200);
  });

  it('are received with 507 on a full disk and 503 without a storage, and nothing stays behind', async () => {
    const { storage, receiver } = app().composition.services.media;
    const receive = () =>
      receiver.receive({
        tenantId: 'tenant',
        source: Readable.from([Buffer.from('text')]),
        fileName: 'a.txt',
      });
    for (const [reason, expected] of [
      ['full', { status: 507, code: 'storage_full' }],
      ['unavailable', { status: 503, code: 'storage_unavailable' }],
    ] as const) {
      const put = jest.spyOn(storage, 'put').mockRejectedValueOnce(new StorageFailure(reason));
      await expect(receive()).rejects.toMatchObject(expected);
      put.mockRestore();
    }
    await expect(receive()).resolves.toMatchObject({ mimeType: 'text/plain' });
  });
});

const corpus = path.resolve('../shared/corpus/images');

interface CorpusImage {
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

// Needs the corpus of photographs beside the checkout.
(existsSync(corpus) ? describe : describe.skip)('The photographs of the corpus (beside the checkout)', () => {
  verifies('media/metadata-stripped', 'media/renditions');

  const app = useOwnApp();

  it('are upright in every rendition, and no public byte names a place', async () => {
    const library = await Library.open(app());
    const lines = (await readFile(path.join(corpus, 'images.jsonl'), 'utf8')).trim().split('\n');
    for (const { file, width, height } of lines.map((line) => JSON.parse(line) as CorpusImage)) {
      const original = await readFile(path.join(corpus, file));
      const asset = await library.add(original, { fileName: path.basename(file) });
      expect([asset.width, asset.height]).toEqual([width, height]);
      const response = await library.get(asset.url);
      const stored = await bytesOf(response);
      const { exif, xmp, iptc } = await sharp(stored).metadata();
      // EXIF holds the orientation and nothing else.
      expect([exif === undefined || exif.length === 32, xmp, iptc]).toEqual([true, undefined, undefined]);
      const rendition = await bytesOf(await library.get(`${asset.url}?w=96&fm=png`));
      expect((await sharp(rendition).metadata()).exif).toBeUndefined();
      const small = { width: 96, height: Math.round((96 * height) / width) };
      const expected = await sharp(original)
        .autoOrient()
        .resize({ ...small, fit: 'fill' })
        .removeAlpha()
        .raw()
        .toBuffer();
      const actual = await sharp(rendition)
        .resize({ ...small, fit: 'fill' })
        .removeAlpha()
        .raw()
        .toBuffer();
      const difference = actual.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0);
      expect(difference / actual.length).toBeLessThan(3);
    }
  });
});

// Needs versitygw, as the tests of the storage do.
describeWithS3('Files in S3', () => {
  verifies('media/storage');

  const { app, server } = useS3App();

  it('are received, delivered in parts and rendered, and are 503 when the server is away', async () => {
    const library = await Library.open(app());
    const image = await library.add(await picture(1200, 800).png().toBuffer(), { fileName: 'a.png' });
    const large = await library.add(Buffer.alloc(700_000, 'text '), { fileName: 'large.txt' });
    const response = await library.get(image.url);
    expect([response.status, (await bytesOf(response)).length]).toEqual([200, image.size]);
    const part = await library.get(large.url, { range: 'bytes=5-8' });
    expect([part.status, await part.text()]).toEqual([206, 'text']);
    const rendition = await bytesOf(await library.get(`${image.url}?w=256&fm=webp`));
    expect(await sharp(rendition).metadata()).toMatchObject({ format: 'webp', width: 256 });
    await server().stop();
    expect(await errorOf(await library.get(large.url))).toEqual([503, 'storage_unavailable']);
    expect((await library.get('/readyz')).status).toBe(200);
  });
});
