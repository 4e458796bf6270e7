import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { png, uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface ShownAsset extends TestAsset {
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The media library in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    let admin: { email: string; password: string };
    const browser = useBrowser();
    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      admin = await createAdmin(app());
    });

    const key = (): string => project.keys.management;
    const read = <T>(path: string): Promise<T> =>
      must<T>(app(), { method: 'GET', path: `${project.management}${path}`, key: key() });
    const send = <T = { id: string }>(path: string, body: object): Promise<T> =>
      must<T>(app(), { method: 'POST', path: `${project.management}${path}`, key: key(), body });
    const assetOf = (id: string): Promise<ShownAsset> => read(`/media/${id}`);
    const named = (fileName: string) => ({ fileName, content: png(64, 40).toString('base64') });
    const upload = (fileName: string, more: object = {}): Promise<TestAsset> =>
      uploadAsset(app(), project, { file: named(fileName), ...more });
    const openLibrary = async (address = ''): Promise<Desk> => {
      const desk = await openDeskAs(browser(), app(), admin);
      await desk.open(`${placeOf(project)}/media${address}`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
      return desk;
    };
    /** An article whose rich text shows the asset. */
    const useIn = (assetId: string, title: string) =>
      createEntry(app(), project, {
        contentTypeApiName: 'article',
        fields: {
          title,
          body: {
            type: 'doc',
            content: [{ type: 'assetEmbed', attrs: { assetId } }],
          },
        },
      });

    it('files are found by kind, name and missing text, as pictures and as a list', async () => {
      const name = unique();
      await upload(`${name}-one.png`, { altText: 'A lock' });
      await upload(`${name}-two.png`);
      const other = await upload(`${unique()}.png`);
      const desk = await openLibrary();
      const { page } = desk;
      await page.getByRole('searchbox', { name: 'Search file names and titles', exact: true }).fill(name);
      await page.waitForURL(new RegExp(`q=${name}`));
      await page.getByText('Files: 2', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('media-grid');
      await page.getByRole('combobox', { name: 'No alternative text', exact: true }).selectOption('en');
      await page.getByText('Files: 1', { exact: true }).waitFor();
      await page.getByRole('link', { name: `${name}-two.png` }).waitFor();
      await desk.button('Show as a list').click();
      await page.getByRole('cell', { name: 'no alternative text', exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('media-list');
      await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('video');
      await page.getByText('No file matches', { exact: true }).waitFor();
      await desk.button('Remove filters').click();
      await page.getByRole('cell').getByRole('link', { name: other.fileName }).waitFor();
      expect(
        await page.getByRole('searchbox', { name: 'Search file names and titles', exact: true }).inputValue(),
      ).toBe('');
      expect(desk.errors).toEqual([]);
    });

    it('folders are created inside each other, renamed, moved and deleted once they are empty', async () => {
      const [outer, inner, other] = [`Outer ${unique()}`, `Inner ${unique()}`, `Other ${unique()}`];
      const moved = await send('/media/folders', { name: other });
      const desk = await openLibrary();
      const { page } = desk;
      const make = async (name: string): Promise<void> => {
        await desk.button('New folder').click();
        await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill(name);
        await desk.button('Save').click();
        await page
          .getByRole('navigation', { name: 'Folders', exact: true })
          .getByRole('link', { name })
          .waitFor();
      };
      await make(outer);
      await make(inner);
      expect(await desk.findings()).toEqual([]);
      await desk.button('Edit folder').click();
      await desk.picture('media-folder');
      await page
        .getByRole('dialog')
        .getByRole('textbox', { name: 'Name', exact: true })
        .fill(`${inner} renamed`);
      await page.getByRole('combobox', { name: 'Inside', exact: true }).selectOption(moved.id);
      await desk.button('Save').click();
      await page.getByRole('link', { name: other }).waitFor();
      const folders = await read<{ path: string }[]>(`/media/folders?q=${encodeURIComponent(inner)}`);
      expect(folders.map(({ path }) => path)).toEqual([`/${other}/${inner} renamed`]);
      await page.getByRole('link', { name: other }).click();
      await page.getByRole('link', { name: `${inner} renamed` }).waitFor();
      await desk.button('Edit folder').click();
      await desk.button('Delete folder').click();
      await page.getByText('The folder is not empty.', { exact: false }).waitFor();
      await desk.button('Close').click();
      await page.getByRole('link', { name: `${inner} renamed` }).click();
      await desk.button('Edit folder').click();
      await desk.button('Delete folder').click();
      await page.getByText(`Folder ${inner} renamed deleted`).waitFor();
      expect(await read(`/media/folders?q=${encodeURIComponent(inner)}`)).toEqual([]);
    });

    it('several files are moved, tagged and deleted; those in use are named and kept until it is said again', async () => {
      const name = unique();
      const folder = await send('/media/folders', { name: `Several ${name}` });
      const [free, used] = [await upload(`${name}-free.png`), await upload(`${name}-used.png`)];
      await useIn(used.id, 'It shows a picture');
      const desk = await openLibrary(`?q=${name}`);
      const { page } = desk;
      await page.getByText('Files: 2', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all shown', exact: true }).check();
      await desk.button('Move').click();
      await page
        .getByRole('dialog')
        .getByRole('combobox', { name: 'Folder', exact: true })
        .selectOption(folder.id);
      await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('Files moved: 2', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all shown', exact: true }).check();
      await desk.button('Add tags').click();
      await page.getByRole('textbox', { name: /^Tags/ }).fill(`harbour, ${name}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Add tags', exact: true }).click();
      await page.getByText('Files changed: 2', { exact: true }).waitFor();
      expect(await assetOf(free.id)).toMatchObject({ folderId: folder.id, tags: ['harbour', name] });
      await page.getByRole('checkbox', { name: 'Select all shown', exact: true }).check();
      await desk.picture('media-selection');
      await desk.button('Delete').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Not changed: 1', { exact: true }).waitFor();
      await page.getByRole('dialog').getByText(`${name}-used.png`).waitFor();
      await expectAccessible(desk, 'refused files');
      await desk.picture('media-refused');
      expect((await assetOf(used.id)).usageCount).toBe(1);
      await desk.button('Delete those in use as well').click();
      await page.getByText('No file matches', { exact: true }).waitFor();
      expect(await read(`/media?q=${name}`)).toEqual([]);
    });

    it('texts are written in each locale, over what they take from the others', async () => {
      const { id } = await upload(`${unique()}.png`, { altText: 'A lock', title: 'The upper lock' });
      const desk = await openLibrary(`/${id}`);
      const { page } = desk;
      await page.getByRole('textbox', { name: 'Alternative text', exact: true }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Alternative text', exact: true }).inputValue()).toBe(
        'A lock',
      );
      await page.getByRole('button', { name: /^German/ }).click();
      await page
        .getByRole('textbox', { name: 'Alternative text', exact: true })
        .and(page.locator('[lang=de]'))
        .waitFor();
      await page.getByRole('textbox', { name: 'Alternative text', exact: true }).fill('Eine Schleuse');
      await page.getByRole('textbox', { name: 'Caption', exact: true }).fill('Bei Hochwasser');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('media-texts');
      await desk.button('Save descriptions').click();
      await page.getByText('Descriptions saved: German (de)', { exact: true }).waitFor();
      const overlays = await read<{ locale: string; altText: string }[]>(`/media/${id}/locales`);
      expect(overlays.find(({ locale }) => locale === 'de')).toMatchObject({
        altText: 'Eine Schleuse',
        description: 'Bei Hochwasser',
        title: null,
      });
      expect(overlays.find(({ locale }) => locale === 'en')?.altText).toBe('A lock');
    });

    it('a picture gets its focal point with the pointer, its name, tags and folder in a form', async () => {
      const folder = await send('/media/folders', { name: `For ${unique()}` });
      const { id } = await upload(`${unique()}.png`);
      const desk = await openLibrary(`/${id}`);
      const { page } = desk;
      const picture = page.locator('.file-preview img');
      await picture.waitFor();
      const loaded = "document.querySelector('.file-preview img').naturalWidth > 0";
      await page.waitForFunction(loaded);
      const box = await picture.boundingBox();
      if (box === null) throw new Error('The picture is not shown.');
      await picture.click({ position: { x: box.width / 4, y: box.height * 0.75 }, force: true });
      await desk.button('Save focal point').click();
      await page.getByText('Focal point saved', { exact: true }).waitFor();
      const { focalPoint } = await assetOf(id);
      expect(focalPoint?.x).toBeCloseTo(0.25, 1);
      expect(focalPoint?.y).toBeCloseTo(0.75, 1);
      await page.getByRole('textbox', { name: 'File name', exact: true }).fill('renamed.png');
      await page.getByRole('combobox', { name: 'Folder', exact: true }).selectOption(folder.id);
      await page
        .getByRole('textbox', { name: 'Tags Separate them with commas.', exact: true })
        .fill('one, two , one');
      await desk.button('Save properties').click();
      await page.getByText('Properties saved', { exact: true }).waitFor();
      expect(await assetOf(id)).toMatchObject({
        fileName: 'renamed.png',
        folderId: folder.id,
        tags: ['one', 'two'],
        focalPoint,
      });
      expect(await desk.findings()).toEqual([]);
      await desk.picture('media-details');
    });

    it('by keyboard alone, a file is found and opened, and its focal point is moved', async () => {
      const name = unique();
      const { id } = await upload(`${name}.png`);
      const desk = await openLibrary();
      const { page } = desk;
      const { keyboard } = page;
      await page.getByRole('searchbox', { name: 'Search file names and titles', exact: true }).focus();
      await keyboard.type(name);
      await page.getByText('Files: 1', { exact: true }).waitFor();
      await waitFor('the focus is on the file', async () => {
        await keyboard.press('Tab');
        return page.locator('a:focus', { hasText: `${name}.png` }).count();
      });
      await keyboard.press('Enter');
      await page.getByRole('button', { name: 'Focal point: 50 %', exact: false }).waitFor();
      await waitFor('the focus is on the marker', async () => {
        await keyboard.press('Tab');
        return page.locator('.focal-marker:focus').count();
      });
      await keyboard.press('ArrowRight');
      await keyboard.press('Shift+ArrowUp');
      await page
        .getByRole('button', { name: 'Focal point: 51 % from the left, 40 % from the top', exact: true })
        .waitFor();
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByText('Focal point saved', { exact: true }).waitFor();
      expect((await assetOf(id)).focalPoint).toEqual({ x: 0.51, y: 0.4 });
    });

    it('a file in use is deleted only after its uses were named', async () => {
      const { id } = await upload(`${unique()}.png`);
      const title = `Uses it ${unique()}`;
      await useIn(id, title);
      const desk = await openLibrary(`/${id}`);
      const { page } = desk;
      await page.getByRole('link', { name: title }).waitFor();
      await desk.button('Delete').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Those entries would lose it.', { exact: false }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('media-delete');
      await desk.button('Delete anyway').click();
      await page.getByText('deleted', { exact: false }).first().waitFor();
      await page.waitForURL(/\/media$/);
      expect(await read(`/media?q=${id}`)).toEqual([]);
    });

    it('a reader sees files and texts, and nothing that changes them', async () => {
      const { id } = await upload(`${unique()}.png`, { altText: 'Only to read' });
      const roleIds = [await systemRoleId(app(), project, 'viewer')];
      const { email } = await createMember(app(), project, roleIds);
      const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
      const { page } = desk;
      await desk.open(`${placeOf(project)}/media/${id}`);
      await page.getByText('Nothing uses this file.', { exact: true }).waitFor();
      expect(
        await page.getByRole('textbox', { name: 'Alternative text', exact: true }).getAttribute('readonly'),
      ).not.toBeNull();
      for (const name of ['Delete', 'Save descriptions', 'Save properties', 'Save focal point'])
        expect(await desk.button(name).count()).toBe(0);
      await page.getByRole('link', { name: 'Back to the library', exact: true }).click();
      await page.getByText('Files:', { exact: false }).waitFor();
      expect(await desk.findings()).toEqual([]);
      expect(await page.getByRole('checkbox', { name: 'Select all shown' }).count()).toBe(0);
      for (const name of ['Upload files', 'New folder']) expect(await desk.button(name).count()).toBe(0);
    });
  },
);
