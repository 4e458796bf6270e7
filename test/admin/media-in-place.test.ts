import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { extentOf } from '../support/element-state.js';
import { must } from '../support/call.js';
import { createEntry, createType, type TestEntry } from '../support/factories/content.js';
import { png, uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Files without a detour (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  let directory: string;
  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
    await createType(app(), project, {
      apiName: 'page',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'cover', type: 'media', validations: { mimeTypes: ['image/*'] } },
      ],
    });
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-folders-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  const read = <T>(address: string): Promise<T> =>
    must<T>(app(), {
      method: 'GET',
      path: `${project.management}${address}`,
      key: project.keys.management,
    });
  const open = async (address: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(placeOf(project) + address);
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    return desk;
  };
  const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  it('the texts of a file are kept from locale to locale, and leaving them unsaved is asked about', async () => {
    const { id } = await uploadAsset(app(), project);
    const desk = await open(`/media/${id}`);
    const { page } = desk;
    await box(page, 'Alternative text').fill('A harbour');
    await page.getByRole('button', { name: /^German/ }).click();
    await box(page, 'Alternative text').and(page.locator('[lang=de]')).fill('Ein Hafen');
    await page.getByRole('button', { name: /^English/ }).click();
    await box(page, 'Alternative text').and(page.locator('[lang=en]')).waitFor();
    expect(await box(page, 'Alternative text').inputValue()).toBe('A harbour');
    expect(await page.getByText('not saved', { exact: true }).count()).toBe(2);
    await page.getByRole('link', { name: 'Back to the library', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.button('Stay').click();
    await desk.button('Save descriptions').click();
    await page.getByText('Descriptions saved: English (en), German (de)', { exact: true }).waitFor();
    const saved = await read<{ locale: string; altText: string }[]>(`/media/${id}/locales`);
    expect(Object.fromEntries(saved.map(({ locale, altText }) => [locale, altText]))).toEqual({
      de: 'Ein Hafen',
      en: 'A harbour',
    });
    await box(page, 'File name').fill('harbour.png');
    await page.getByRole('link', { name: 'Back to the library', exact: true }).click();
    await desk.button('Discard changes').click();
    await page.waitForURL(/\/media$/);
    expect(desk.errors).toEqual([]);
  });

  it('a picture never lies over the texts beside it', async () => {
    const content = png(640, 420).toString('base64');
    const { id } = await uploadAsset(app(), project, { file: { fileName: 'wide.png', content } });
    const desk = await open(`/media/${id}`);
    const { page } = desk;
    await page.locator('.file-preview img').waitFor();
    for (const width of [390, 768, 1000, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const picture = await page.locator('.file-preview').boundingBox();
      const text = await box(page, 'Alternative text').boundingBox();
      if (picture === null || text === null) throw new Error('The file is not shown.');
      const isBeside = picture.x + picture.width <= text.x || picture.y + picture.height <= text.y;
      expect({ width, isBeside, isInside: picture.x >= 0 && picture.x + picture.width <= width }).toEqual({
        width,
        isBeside: true,
        isInside: true,
      });
    }
    await desk.picture('media-wide');
  });

  it('a new picture is uploaded in the picker of a field, by its button or from the clipboard', async () => {
    const entry = await createEntry(app(), project, {
      contentTypeApiName: 'page',
      fields: { title: `Page ${unique()}` },
    });
    const desk = await open(`/entries/${entry.id}`);
    const { page } = desk;
    const name = unique();
    const buffer = png(33, 21);
    await page.getByRole('button', { name: /^Choose: / }).click();
    const input = page.getByRole('dialog').getByLabel('Files to upload', { exact: true });
    expect(await input.getAttribute('accept')).toBe('image/*');
    await input.setInputFiles({ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText(`This field does not take files of this kind: ${name}.txt`).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-picker');
    await input.setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.linked').getByText(`${name}.png`, { exact: false }).waitFor();
    await page.getByRole('button', { name: /^Replace: / }).click();
    await page.getByRole('dialog').getByRole('searchbox').focus();
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(png(35, 27).toString('base64'))}), (c) => c.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], '${name}-pasted.png', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await page.locator('.linked').getByText(`${name}-pasted.png`, { exact: false }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const [pasted] = await read<TestAsset[]>(`/media?q=${name}-pasted`);
    const { fields } = await read<TestEntry>(`/entries/${entry.id}`);
    expect(fields.cover).toMatchObject({ _ref: pasted?.id });
    expect(desk.errors).toEqual([]);
  });

  it('folders are uploaded with what is in them, and the list of uploads is cleared at once', async () => {
    const name = unique();
    const inner = path.join(directory, `Trip ${name}`, 'Day one');
    await mkdir(inner, { recursive: true });
    await writeFile(path.join(inner, `${name}-inner.png`), png(20, 20));
    await writeFile(path.join(directory, `Trip ${name}`, `${name}-outer.png`), png(21, 20));
    await writeFile(path.join(directory, `Trip ${name}`, '.DS_Store'), 'x');
    const desk = await open('/media');
    const { page } = desk;
    await page
      .getByLabel('Folder to upload', { exact: true })
      .setInputFiles(path.join(directory, `Trip ${name}`));
    await page.getByText('2 of 2 uploaded', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('media-folder-upload');
    await desk.button('Clear the list').click();
    await page.locator('.upload').first().waitFor({ state: 'detached' });
    const folders =
      await read<{ id: string; path: string; assetCount: number }[]>('/media/folders?limit=100');
    const counts = (): Record<string, number> =>
      Object.fromEntries(folders.map((folder) => [folder.path, folder.assetCount]));
    expect(counts()).toMatchObject({ [`/Trip ${name}`]: 1, [`/Trip ${name}/Day one`]: 1 });
    await rm(path.join(inner, `${name}-inner.png`));
    for (let index = 0; index < 8; index += 1)
      await writeFile(path.join(inner, `${name}-later-${String(index)}.png`), png(22 + index, 20));
    const client = await page.context().newCDPSession(page);
    const area = await page.getByRole('region', { name: 'Upload files', exact: true }).boundingBox();
    const [x, y] = [(area?.x ?? 0) + 20, (area?.y ?? 0) + 10];
    const data = { items: [], files: [path.join(directory, `Trip ${name}`)], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await client.send('Input.dispatchDragEvent', { type, x, y, data });
    await page.getByText('9 of 9 uploaded', { exact: true }).waitFor();
    // A long list scrolls by itself, above the library.
    const { clientHeight, scrollHeight } = await extentOf(page.locator('.uploads'));
    expect([clientHeight, scrollHeight > clientHeight]).toEqual([180, true]);
    const files = await read<{ fileName: string; folderId: string }[]>(`/media?q=${name}-later`);
    expect(files.map(({ folderId }) => folders.find(({ id }) => id === folderId)?.path)).toEqual(
      Array.from({ length: 8 }, () => `/Trip ${name}/Day one`),
    );
    expect(desk.errors).toEqual([]);
  });
});
