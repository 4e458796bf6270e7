import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { pictureWidth } from '../support/element-state.js';
import { must } from '../support/call.js';
import { png, textFile, uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

/** More than one call of tRPC carries. */
const LARGE_BYTES = 3_000_000;

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Replacing a file in the media library (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
  });

  const openAsset = async (asset: TestAsset): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/media/${asset.id}`);
    await desk.button('Replace the file').waitFor();
    return desk;
  };
  const stored = (id: string): Promise<TestAsset> =>
    must<TestAsset>(app(), {
      method: 'GET',
      path: `${project.management}/media/${id}`,
      key: project.keys.management,
    });

  it('a large file replaces another one, and a file that is not allowed is refused', async () => {
    const asset = await uploadAsset(app(), project, { file: textFile() });
    const desk = await openAsset(asset);
    const { page } = desk;
    const buffer = Buffer.alloc(LARGE_BYTES, `${unique()} and the other words of a long text.\n`);
    const input = page.getByLabel('The new file', { exact: true });
    await input.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer });
    await page.getByText('File replaced', { exact: true }).waitFor();
    const checksum = createHash('sha256').update(buffer).digest('hex');
    expect((await stored(asset.id)).sourceChecksum).toBe(checksum);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-replaced');
    await input.setInputFiles({ name: 'a.exe', mimeType: 'text/plain', buffer: Buffer.from('MZ\0\0') });
    await page
      .getByRole('dialog')
      .getByText('Files of this type are not allowed.', { exact: true })
      .waitFor();
    expect(await desk.findings()).toEqual([]);
    expect([(await stored(asset.id)).sourceChecksum, desk.errors]).toEqual([checksum, []]);
  });

  it('a replacement that loses the network waits, and is canceled with what has arrived of it', async () => {
    const asset = await uploadAsset(app(), project, { file: textFile() });
    const desk = await openAsset(asset);
    const { page } = desk;
    const buffer = Buffer.alloc(LARGE_BYTES, `${unique()} and the other words of a long text.\n`);
    const choose = (name: string) =>
      page
        .getByLabel('The new file', { exact: true })
        .setInputFiles({ name, mimeType: 'text/plain', buffer });
    let isLost = true;
    const offsets: number[] = [];
    await page.route(/mediaUploads\.append/, async (route) => {
      const { offset } = route.request().postDataJSON() as { offset: number };
      offsets.push(offset);
      if (offset === 0 || !isLost) return route.continue();
      await page.context().setOffline(true);
      return route.abort('internetdisconnected');
    });
    await choose('resumed.txt');
    await page.locator('.upload[data-status=waiting]').waitFor();
    expect(await desk.findings()).toEqual([]);
    isLost = false;
    await page.context().setOffline(false);
    await page.getByText('File replaced', { exact: true }).waitFor();
    const checksum = createHash('sha256').update(buffer).digest('hex');
    expect((await stored(asset.id)).sourceChecksum).toBe(checksum);
    expect(offsets.filter((offset) => offset === 0)).toEqual([0]);
    isLost = true;
    buffer.write('other');
    await choose('canceled.txt');
    await page.locator('.upload[data-status=waiting]').waitFor();
    await page.unroute(/mediaUploads\.append/);
    await page.route(/mediaUploads\.append/, (route) => route.abort('internetdisconnected'));
    const aborted = page.waitForResponse(/mediaUploads\.abort/);
    await page.context().setOffline(false);
    await desk.button('Cancel the upload of canceled.txt').click();
    expect((await aborted).status()).toBe(200);
    await desk.button('Replace the file').waitFor();
    expect((await stored(asset.id)).sourceChecksum).toBe(checksum);
  });

  it('a file that someone else has replaced in the meantime is not replaced again', async () => {
    const asset = await uploadAsset(app(), project, { file: textFile() });
    const desk = await openAsset(asset);
    const { page } = desk;
    await must(app(), {
      method: 'PUT',
      path: `${project.management}/media/${asset.id}`,
      key: project.keys.management,
      body: { tags: ['changed'] },
    });
    const buffer = Buffer.from(unique());
    await page
      .getByLabel('The new file', { exact: true })
      .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer });
    await page.getByRole('dialog').getByText('Someone else has changed this').waitFor();
    await expectAccessible(desk, 'file not replaced');
    expect((await stored(asset.id)).sourceChecksum).toBe(asset.sourceChecksum);
  });

  /** Requests like these wait until the result is called. */
  const holdRequests = async (page: Page, address: RegExp): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route(address, async (route) => {
      await promise;
      await route.continue();
    });
    return () => resolve(undefined);
  };
  const replaceByPicture = async ({ page }: Desk): Promise<void> => {
    const buffer = png(400, 300);
    const file = { name: 'wide.png', mimeType: 'image/png', buffer };
    await page.getByLabel('The new file', { exact: true }).setInputFiles(file);
    await page.getByText('File replaced', { exact: true }).waitFor();
  };

  it('buttons stay where they are while a new picture is read', async () => {
    const asset = await uploadAsset(app(), project);
    const desk = await openAsset(asset);
    const { page } = desk;
    const release = await holdRequests(page, /\/media\/.*fm=webp/);
    await replaceByPicture(desk);
    const restore = page.getByRole('button', { name: 'Restore the file of', exact: false });
    await restore.waitFor();
    const picture = page.locator('.file-preview img');
    const size = () => pictureWidth(picture);
    expect(await size()).toBe(0);
    const place = await restore.boundingBox();
    release();
    await waitFor('the picture is shown', async () => (await size()) === 400);
    expect(await restore.boundingBox()).toEqual(place);
    expect(await picture.boundingBox()).toMatchObject({ width: 400, height: 300 });
  });

  it('an asset is changed again before its new state has been read', async () => {
    const asset = await uploadAsset(app(), project);
    const desk = await openAsset(asset);
    const { page } = desk;
    await replaceByPicture(desk);
    const restore = page.getByRole('button', { name: 'Restore the file of', exact: false });
    await restore.waitFor();
    const release = await holdRequests(page, /trpc\/[^?]*media\.get/);
    await restore.click();
    await page.getByText('Former file restored', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Tags Separate them with commas.', exact: true }).fill('former');
    await desk.button('Save properties').click();
    await page.getByText('Properties saved', { exact: true }).waitFor();
    await page
      .getByRole('textbox', { name: 'Tags Separate them with commas.', exact: true })
      .fill('former, restored');
    await desk.button('Save properties').click();
    await waitFor('both changes are stored', async () => (await stored(asset.id)).tags.length === 2);
    release();
    expect((await stored(asset.id)).sourceChecksum).toBe(asset.sourceChecksum);
    expect(desk.errors).toEqual([]);
  });

  it('folders that cannot be read say so, and are read again', async () => {
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await page.route(/mediaFolders\.list/, (route) => route.abort('connectionreset'));
    await desk.open(`${placeOf(project)}/media`);
    await page.getByRole('alert').first().waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.unroute(/mediaFolders\.list/);
    const retry = page.getByRole('button', { name: 'Try again', exact: true }).first();
    await waitFor('the folders are shown', async () => {
      if (await retry.isVisible()) await retry.click();
      return desk.button('New folder').isVisible();
    });
    expect(desk.errors).toEqual([]);
  });

  it('redirects are filtered by site where there are several', async () => {
    const { management, keys, siteId } = project;
    const post = (path: string, body: object) =>
      must(app(), { method: 'POST', path: `${management}/${path}`, key: keys.management, body });
    const other = await post('sites', { slug: 'club', name: 'Boat club' });
    await post('redirects', { siteId, source: '/main', target: '/there' });
    await post('redirects', { siteId: other.id, source: '/club', target: '/there' });
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await desk.open(`${placeOf(project)}/redirects`);
    await desk.button('/main').waitFor();
    await page.getByLabel('Site', { exact: true }).selectOption('Boat club');
    await desk.button('/main').waitFor({ state: 'detached' });
    await desk.button('/club').waitFor();
    await page.waitForURL(/siteId/);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('redirects-site');
    expect(desk.errors).toEqual([]);
  });
});
