import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { limits } from '../../contracts/limits.js';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { png, uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

/** Three calls carry it. */
const LARGE_BYTES = 1_600_000;

(hasBrowser ? describe : describe.skip)('Uploads in a browser (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  let folder: string;
  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-uploads-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const openLibrary = async (): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/media`);
    await desk.button('Upload files').waitFor();
    return desk;
  };
  const stored = (q: string): Promise<TestAsset[]> =>
    must<TestAsset[]>(app(), {
      method: 'GET',
      path: `${project.management}/media?q=${q}`,
      key: project.keys.management,
    });
  const checksumOf = async (id: string): Promise<string> => {
    const address = `${project.management}/media/${id}`;
    const call = { method: 'GET', path: address, key: project.keys.management } as const;
    return (await must<TestAsset>(app(), call)).sourceChecksum;
  };
  const largeFile = async () => {
    const name = unique();
    const bytes = Buffer.alloc(LARGE_BYTES, `${name} and the other words of a long text.\n`);
    const file = path.join(folder, `${name}.txt`);
    await writeFile(file, bytes);
    return { name, file, checksum: createHash('sha256').update(bytes).digest('hex') };
  };
  /** Where the bytes of each call begin; the call of this number does not arrive, and what `lose` does follows. */
  const watchChunks = async (page: Page, lost: number, lose: () => Promise<void>): Promise<number[]> => {
    const offsets: number[] = [];
    await page.route(/mediaUploads\.append/, async (route) => {
      offsets.push((route.request().postDataJSON() as { offset: number }).offset);
      if (offsets.length !== lost) return route.continue();
      await lose();
      return route.abort('internetdisconnected');
    });
    return offsets;
  };
  const chooseFiles = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
    page.getByLabel('Files to upload', { exact: true }).setInputFiles(files);

  it('several files are uploaded one after the other; one that is there already and one that is refused say so', async () => {
    const name = unique();
    const desk = await openLibrary();
    const { page } = desk;
    const buffer = png(30, 20);
    await chooseFiles(page, [
      { name: `${name}.png`, mimeType: 'image/png', buffer },
      { name: `${name}-again.png`, mimeType: 'image/png', buffer },
      { name: `${name}.png.exe`, mimeType: 'application/octet-stream', buffer: Buffer.from('MZ\0\0') },
    ]);
    const row = (status: string) => page.locator(`.upload[data-status=${status}]`);
    await row('done')
      .getByRole('link', { name: `${name}.png` })
      .waitFor();
    await row('known').waitFor();
    await row('failed').getByText('Files of this type are not allowed.', { exact: true }).waitFor();
    await page.locator('.tile').getByText(`${name}.png`).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-uploads');
    await desk.button(`Cancel the upload of ${name}.png.exe`).click();
    await row('failed').waitFor({ state: 'detached' });
    expect((await stored(name)).map(({ fileName }) => fileName)).toEqual([`${name}.png`]);
  });

  it('an upload that loses the network waits, and sends only the rest when it is back', async () => {
    const { name, file, checksum } = await largeFile();
    const desk = await openLibrary();
    const { page } = desk;
    const context = page.context();
    const offsets = await watchChunks(page, 2, () => context.setOffline(true));
    await chooseFiles(page, file);
    await page.locator('.upload[data-status=waiting]').waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-offline');
    await context.setOffline(false);
    await page.locator('.upload[data-status=done]').waitFor();
    expect((await stored(name)).map(({ sourceChecksum }) => sourceChecksum)).toEqual([checksum]);
    expect(offsets.filter((offset) => offset === 0)).toEqual([0]);
    expect(desk.errors).toEqual([]);
  });

  it('an upload that a reload interrupts goes on when its file is chosen again', async () => {
    const { name, file, checksum } = await largeFile();
    const desk = await openLibrary();
    const { page } = desk;
    const offsets = await watchChunks(page, 2, async () => {
      await page.context().setOffline(true);
    });
    await chooseFiles(page, file);
    await page.locator('.upload[data-status=waiting]').waitFor();
    await page.context().setOffline(false);
    await page.reload();
    await page.getByText('Choose the same file again', { exact: false }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-interrupted');
    await chooseFiles(page, file);
    await page.locator('.upload[data-status=done]').waitFor();
    expect((await stored(name)).map(({ sourceChecksum }) => sourceChecksum)).toEqual([checksum]);
    expect(offsets.filter((offset) => offset === 0)).toEqual([0]);
  });

  it('an upload is canceled, with what has arrived of it', async () => {
    const { name, file } = await largeFile();
    const desk = await openLibrary();
    const { page } = desk;
    await watchChunks(page, 2, () => page.context().setOffline(true));
    await chooseFiles(page, file);
    await page.locator('.upload[data-status=waiting]').waitFor();
    await page.unroute(/mediaUploads\.append/);
    const aborted = page.waitForResponse(/mediaUploads\.abort/);
    await page.route(/mediaUploads\.append/, (route) => route.abort('internetdisconnected'));
    await page.context().setOffline(false);
    await desk.button(`Cancel the upload of ${name}.txt`).click();
    expect((await aborted).status()).toBe(200);
    await page.locator('.upload').waitFor({ state: 'detached' });
    expect(await stored(name)).toEqual([]);
  });

  it('a file is replaced where it is used, and the former one is restored', async () => {
    const before = await uploadAsset(app(), project);
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await desk.open(`${placeOf(project)}/media/${before.id}`);
    await page.getByText('Files so far', { exact: true }).waitFor();
    await page.getByLabel('The new file', { exact: true }).setInputFiles({
      name: 'other.png',
      mimeType: 'image/png',
      buffer: png(80, 50),
    });
    await page.getByText('File replaced', { exact: true }).waitFor();
    expect(await checksumOf(before.id)).not.toBe(before.sourceChecksum);
    await page.getByRole('button', { name: 'Restore the file of', exact: false }).click();
    await page.getByText('Former file restored', { exact: true }).waitFor();
    expect(await checksumOf(before.id)).toBe(before.sourceChecksum);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-history');
    const large = path.join(folder, 'large.txt');
    await writeFile(large, '');
    await truncate(large, limits.mediaLargeUploadBytes + 1);
    await page.getByLabel('The new file', { exact: true }).setInputFiles(large);
    await page.getByText('A file of up to 5 GB can replace another one.', { exact: true }).waitFor();
  });
});
