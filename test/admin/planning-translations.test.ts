import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { unzipped, zipOf } from '../support/archives.js';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, unique, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';
import { filled } from '../support/filled-xliff.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Work {
  readonly locale: string;
  readonly status: string;
  readonly assigneeId: string | null;
  readonly priority: string;
  readonly note: string | null;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The translations board in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    let editor: TestMember;
    const browser = useBrowser();
    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      editor = await createMember(app(), project, [await systemRoleId(app(), project, 'admin')]);
    });

    const call = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> =>
      must<T>(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
    const openBoard = async (): Promise<Desk> => {
      const desk = await openDeskAs(browser(), app(), { email: editor.email, password: memberPassword });
      await desk.open(`${placeOf(project)}/translations?locale=de`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
      return desk;
    };
    const published = async (title: string): Promise<string> => {
      const { id } = await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });
      await call('POST', `/entries/${id}/publish`, {});
      return id;
    };
    const write = async (id: string, body: object): Promise<void> => {
      const { version } = await call<{ version: number }>('GET', `/entries/${id}`);
      await call('PUT', `/entries/${id}`, { version, ...body });
    };
    const translate = (id: string, title: string): Promise<void> =>
      write(id, { fields: { title }, locale: 'de' });
    const workOn = async (id: string): Promise<Work | undefined> => {
      const { locales } = await call<{ locales: Work[] }>('GET', `/translations/${id}`);
      return locales.find(({ locale }) => locale === 'de');
    };
    const germanTitle = async (id: string): Promise<unknown> =>
      (await call<{ fields: { title: unknown } }>('GET', `/entries/${id}?locale=de`)).fields.title;
    const column = ({ page }: Desk, name: string) => page.getByRole('region', { name, exact: true });

    it('a missing translation is given to someone, and a written one is dragged on until it is complete', async () => {
      const [missing, written] = [`Missing ${unique()}`, `Written ${unique()}`];
      const id = await published(missing);
      const other = await published(written);
      await translate(other, 'Geschrieben');
      const desk = await openBoard();
      const { page } = desk;
      await column(desk, 'Missing').getByRole('button', { name: missing }).waitFor();
      await column(desk, 'In progress').getByRole('button', { name: written }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('board');
      await column(desk, 'In progress')
        .getByRole('button', { name: written })
        .dragTo(column(desk, 'Complete'));
      await column(desk, 'Complete').getByRole('button', { name: written }).waitFor();
      expect((await workOn(other))?.status).toBe('complete');
      await page.getByRole('button', { name: missing }).click();
      await page
        .getByRole('dialog')
        .getByRole('combobox', { name: 'Assigned to', exact: true })
        .selectOption(editor.id);
      await page
        .getByRole('dialog')
        .getByRole('combobox', { name: 'Priority', exact: true })
        .selectOption('high');
      await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Names stay English.');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('translation');
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Translation saved', { exact: true }).waitFor();
      expect(await workOn(id)).toMatchObject({
        status: 'missing',
        assigneeId: editor.id,
        priority: 'high',
        note: 'Names stay English.',
      });
      await page.getByRole('combobox', { name: 'Priority', exact: true }).selectOption('high');
      await column(desk, 'Complete').getByRole('button', { name: written }).waitFor({ state: 'detached' });
      await column(desk, 'Missing').getByRole('button', { name: missing }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('by keyboard alone, a stale translation is opened, compared with its source and accepted', async () => {
      const title = `Stale ${unique()}`;
      const id = await published(title);
      await translate(id, 'Veraltet');
      await call('POST', `/entries/${id}/publish`, { locale: 'de' });
      await write(id, { fields: { title: `${title} changed` } });
      await call('POST', `/entries/${id}/publish`, {});
      await waitFor('the translation is stale', async () => (await workOn(id))?.status === 'stale');
      const desk = await openBoard();
      const { page } = desk;
      const { keyboard } = page;
      await column(desk, 'Stale').getByRole('button', { name: title }).waitFor();
      const focused = page.locator('.board-card:focus', { hasText: title });
      for (let press = 0; press < 60 && (await focused.count()) === 0; press += 1)
        await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByRole('dialog').getByText('When it was translated', { exact: true }).waitFor();
      await desk.picture('translation-stale');
      expect(await desk.findings()).toEqual([]);
      const status = page.locator('select[name=status]:focus');
      for (let press = 0; press < 30 && (await status.count()) === 0; press += 1) await keyboard.press('Tab');
      await keyboard.type('Complete');
      const save = page.getByRole('dialog').locator('button[type=submit]:focus');
      for (let press = 0; press < 30 && (await save.count()) === 0; press += 1) await keyboard.press('Tab');
      await keyboard.press('Enter');
      await column(desk, 'Complete').getByRole('button', { name: title }).waitFor();
      expect((await workOn(id))?.status).toBe('complete');
    });

    it('a translation is saved as XLIFF, and written when it comes back', async () => {
      const title = `Exchanged ${unique()}`;
      const id = await published(title);
      const desk = await openBoard();
      const { page } = desk;
      await page.getByRole('button', { name: title }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('dialog').getByRole('button', { name: 'Export XLIFF', exact: true }).click();
      const xliff = await readFile(await (await saving).path(), 'utf8');
      await page.getByLabel('XLIFF file', { exact: true }).setInputFiles({
        name: 'back.xlf',
        mimeType: 'application/xliff+xml',
        buffer: Buffer.from(filled(xliff)),
      });
      await page.getByText('Fields written: 1', { exact: true }).waitFor();
      await desk.button('Close').click();
      await column(desk, 'Needs review').getByRole('button', { name: title }).waitFor();
      expect(await germanTitle(id)).toBe(title);
    });

    it('several translations are saved as an archive, and written when it comes back', async () => {
      const id = await published(`In an archive ${unique()}`);
      const desk = await openBoard();
      const { page } = desk;
      await desk.button('Export XLIFF').click();
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Stale', exact: true }).uncheck();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('export');
      await desk.button('Start the export').click();
      const link = page.getByRole('link', { name: 'Download the archive', exact: true });
      /** Runs waiting jobs, as the service does in the background, until the app shows the end of one. */
      const runJobs = (what: string, shown: Locator): Promise<boolean> =>
        waitFor(what, async () => {
          await app().composition.jobs.exchangeTranslations();
          if ((await shown.count()) > 0) return true;
          await desk
            .button('Refresh')
            .click({ timeout: 1000 })
            .catch(() => undefined);
          return false;
        });
      await runJobs('the export has ended', link);
      const address = new URL((await link.getAttribute('href')) ?? '', app().baseUrl);
      const archive = await app()
        .request.get(address.pathname + address.search)
        .responseType('blob');
      const files = await unzipped(archive.body as Buffer);
      const back = await zipOf(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, filled(text)])),
      );
      await desk.button('Close').click();
      await desk.button('Import XLIFF').click();
      await page.getByRole('button', { name: 'Archive with XLIFF files', exact: true }).setInputFiles({
        name: 'back.zip',
        mimeType: 'application/zip',
        buffer: back,
      });
      await desk.button('Start the import').click();
      const written = page.getByText('Units written:', { exact: false });
      await runJobs('the import has ended', written);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('import');
      expect((await workOn(id))?.status).toBe('needs_review');
    });
  },
);
