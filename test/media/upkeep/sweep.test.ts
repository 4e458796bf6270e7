import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, jest } from '@jest/globals';
import { TenantFiles } from '../../../src/cli/media/tenant-files.js';
import { copyMedia, sweepMedia } from '../../../src/features/media/media/index.js';
import { DiskStorage } from '../../../src/infrastructure/storage/disk-storage.js';
import { objectKey, uploadKey } from '../../../src/infrastructure/storage/media-storage.js';
import { useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { Library } from '../deliver/library.js';
import { picture } from '../receive/pictures.js';

const DAYS_AGO = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);

describe('The media command', () => {
  verifies('media/storage');

  const app = useOwnApp();

  const pathOf = (key: string): string => path.join(app().media.directory, 'objects', key);
  const age = (key: string): Promise<void> => utimes(pathOf(key), DAYS_AGO, DAYS_AGO);

  async function sweep(removes: boolean) {
    const { units, media } = app().composition.services;
    const lines: string[] = [];
    const report = (line: string): void => void lines.push(line);
    const names = new TenantFiles(units);
    const result = await sweepMedia({ storage: media.storage, names, now: new Date(), removes, report });
    return { ...result, lines: lines.sort() };
  }

  it('removes old files that no row names, with their renditions, and nothing else', async () => {
    const library = await Library.open(app());
    const { storage } = app().composition.services.media;
    const kept = await library.add(await picture().png().toBuffer(), { fileName: 'kept.png' });
    const orphan = await library.receive(await picture(70, 50).png().toBuffer(), 'orphan.png');
    const fresh = await library.receive(Buffer.from('just uploaded'), 'fresh.txt');
    const foreign = objectKey('0199ffff-0000-7000-8000-00000000ffff', 'a'.repeat(64));
    await storage.put(foreign, { stream: Readable.from([Buffer.from('of no tenant')]) });
    const renditions = [kept, orphan].map(({ checksum }) => `renditions/${checksum}/r1_16x11_png`);
    for (const key of renditions) await storage.put(key, { stream: Readable.from([Buffer.from('made')]) });
    for (const key of [kept.storageKey, orphan.storageKey, foreign, ...renditions]) await age(key);

    const found = await sweep(false);
    const orphans = [orphan.storageKey, foreign, renditions[1] ?? ''];
    expect(found.lines.map((line) => line.split(' ')[1])).toEqual([...orphans].sort());
    expect(found).toMatchObject({ objects: 6, orphans: 3, missing: 0 });
    expect(await storage.head(orphan.storageKey)).toBeDefined();

    expect(await sweep(true)).toMatchObject({ orphans: 3 });
    for (const key of orphans) expect(await storage.head(key)).toBeUndefined();
    for (const key of [kept.storageKey, fresh.storageKey, renditions[0] ?? ''])
      expect(await storage.head(key)).toBeDefined();
    expect(await sweep(true)).toMatchObject({ objects: 3, orphans: 0, lines: [] });
  });

  it('reports assets and former files without bytes', async () => {
    const library = await Library.open(app());
    const { storage } = app().composition.services.media;
    const asset = await library.add(Buffer.from('lost'), { fileName: 'lost.txt' });
    await storage.remove(asset.storageKey);
    expect(await sweep(false)).toMatchObject({ missing: 1, lines: [`missing ${asset.storageKey}`] });
  });

  it('does not remove a file that was uploaded again since it was listed', async () => {
    const library = await Library.open(app());
    const { storage } = app().composition.services.media;
    const content = Buffer.from('uploaded twice');
    const { storageKey } = await library.receive(content, 'twice.txt');
    await age(storageKey);
    const head = storage.head.bind(storage);
    jest.spyOn(storage, 'head').mockImplementationOnce(async (key) => {
      await library.receive(content, 'twice.txt');
      return head(key);
    });
    const names = {
      named: () => Promise.resolve(new Set<string>()),
      all: () => Readable.from([]),
      tenantIds: () => Promise.resolve([]),
    };
    await sweepMedia({ storage, names, now: new Date(), removes: true, report: () => undefined });
    expect(await storage.head(storageKey)).toBeDefined();
  });

  it('has temporary files and incomplete uploads of yesterday removed by the worker', async () => {
    const { storage } = app().composition.services.media;
    await mkdir(storage.staging, { recursive: true });
    const [old, recent] = ['old', 'recent'].map((name) => path.join(storage.staging, name));
    for (const file of [old, recent]) await writeFile(file ?? '', 'temporary');
    await utimes(old ?? '', DAYS_AGO, DAYS_AGO);
    const uploads = ['old', 'recent'].map((id) => uploadKey('tenant', id));
    for (const key of uploads) await storage.append?.(key, 0, Readable.from([Buffer.from('part')]));
    await age(uploads[0] ?? '');
    await app().composition.jobs.prune();
    const left = await Promise.all(uploads.map((key) => storage.head(key)));
    expect(left.map((object) => object === undefined)).toEqual([true, false]);
    await expect(utimes(old ?? '', DAYS_AGO, DAYS_AGO)).rejects.toMatchObject({ code: 'ENOENT' });
    await utimes(recent ?? '', DAYS_AGO, DAYS_AGO);
  });

  it('copies every file to another storage, and only new ones the second time', async () => {
    const from = new DiskStorage(path.join(app().media.directory, 'from'));
    const to = new DiskStorage(path.join(app().media.directory, 'to'));
    const keys = ['a', 'b'].map((letter) => objectKey('tenant', letter.repeat(64)));
    for (const key of keys) await from.put(key, { stream: Readable.from([Buffer.from(key)]) });
    await from.append(uploadKey('tenant', 'x'), 0, Readable.from([Buffer.from('incomplete')]));
    const steps: number[] = [];
    const progress = { start: (total: number) => steps.push(total), advance: () => steps.push(1) };
    expect(await copyMedia(from, to, progress)).toEqual({
      copied: 2,
      skipped: 0,
      bytes: 2 * (keys[0] ?? '').length,
    });
    expect(steps).toEqual([2, 1, 1]);
    expect(await copyMedia(from, to)).toEqual({ copied: 0, skipped: 2, bytes: 0 });
    for (const key of keys) {
      const found = await to.read(key);
      expect(found && (await buffer(found.stream)).toString()).toBe(key);
    }
  });
});
