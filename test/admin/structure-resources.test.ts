import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import type { SearchSettings } from '../../contracts/insight/search/search.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createType } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';
import { waitFor } from '../support/wait-for.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Redirects, sites and custom field types in the admin app', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
  });

  const openAt = async (screen: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/${screen}`);
    return desk;
  };
  const stored = (path: string): Promise<Record<string, unknown>[]> =>
    must(app(), { method: 'GET', path: `${project.management}/${path}`, key: project.keys.management });

  it('a redirect is created, refused where it would form a circle, and deleted', async () => {
    const desk = await openAt('redirects');
    const dialog = desk.page.getByRole('dialog');
    await desk.button('New redirect').click();
    await dialog.getByRole('combobox', { name: 'Site required', exact: true }).selectOption(project.siteId);
    await dialog.getByRole('textbox', { name: 'Source required', exact: true }).fill('/here');
    await dialog.getByRole('textbox', { name: 'Target', exact: true }).fill('/here');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('redirect-new');
    await dialog.getByRole('button', { name: /Create|Save/ }).click();
    await dialog.locator('.problem').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Target', exact: true }).fill('/there');
    await dialog.getByRole('button', { name: /Create|Save/ }).click();
    await desk.button('/here').click();
    expect(await stored('redirects')).toMatchObject([{ source: '/here', target: '/there', status: 301 }]);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.page.getByRole('dialog').last().getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.button('/here').waitFor({ state: 'detached' });
    expect([await stored('redirects'), desk.errors]).toEqual([[], []]);
  });

  it('a redirect says that a path was removed for good, without a target', async () => {
    const desk = await openAt('redirects');
    const dialog = desk.page.getByRole('dialog');
    await desk.button('New redirect').click();
    await dialog.getByRole('combobox', { name: 'Site required', exact: true }).selectOption(project.siteId);
    await dialog.getByRole('textbox', { name: 'Source required', exact: true }).fill('/removed');
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).selectOption('410');
    await dialog.getByRole('button', { name: /Create|Save/ }).click();
    await desk.button('/removed').waitFor();
    const [made] = (await stored('redirects')) as { id: string }[];
    expect(made).toMatchObject({ source: '/removed', target: null, status: 410 });
    const path = `${project.management}/redirects/${made?.id ?? ''}`;
    await must(app(), { method: 'DELETE', path, key: project.keys.management });
    expect([await desk.findings(), desk.errors]).toEqual([[], []]);
  });

  it('a CSV file is checked line by line, imported and exported again', async () => {
    const desk = await openAt('redirects');
    const dialog = desk.page.getByRole('dialog');
    await desk.button('Import a CSV file').click();
    const csv = 'source,target,status\r\n/old,/new,301\r\n/broken,/new,999\r\n';
    const buffer = Buffer.from(`\uFEFF${csv.replaceAll(',', ';')}`, 'utf16le');
    await dialog
      .getByRole('button', { name: 'CSV file', exact: true })
      .setInputFiles({ name: 'redirects.csv', mimeType: 'application/vnd.ms-excel', buffer });
    await desk.button('Check').click();
    await dialog.getByText('What the import would do', { exact: true }).waitFor();
    await dialog.getByRole('row').filter({ hasText: '3' }).waitFor();
    expect(await stored('redirects')).toEqual([]);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('redirects-import');
    await desk.button('Import').click();
    await dialog.getByText('Imported', { exact: true }).waitFor();
    expect(await stored('redirects')).toMatchObject([{ source: '/old', target: '/new' }]);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await desk.button('/old').waitFor();
    await desk.picture('redirects');
    const download = desk.page.waitForEvent('download');
    await desk.button('Export as CSV').click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    expect(desk.errors).toEqual([]);
  });

  it('a site gets its locales and a name, and fallbacks of locales are shown', async () => {
    const desk = await openAt('sites');
    const dialog = desk.page.getByRole('dialog');
    await desk.page.getByRole('heading', { name: 'Locales', exact: true }).waitFor();
    await desk.page.getByText(/served in the fallback as a whole\. Single empty fields/).waitFor();
    await desk.button('New site').click();
    await dialog.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Boat club');
    await dialog.getByRole('textbox', { name: 'Slug required', exact: true }).fill('club');
    for (const name of [/^Locales/, /^Required locales/])
      await dialog
        .getByRole('group', { name })
        .getByRole('checkbox', { name: 'German (de)', exact: true })
        .check();
    await dialog.getByRole('combobox', { name: 'Default locale', exact: true }).selectOption('de');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('site-new');
    await dialog.getByRole('button', { name: /Create|Save/ }).click();
    await desk.button('Boat club').waitFor();
    await desk.picture('sites');
    const club = (await stored('sites')).find(({ slug }) => slug === 'club');
    const locales = { locales: ['de'], defaultLocale: 'de', requiredLocales: ['de'] };
    expect(club).toMatchObject({ name: 'Boat club', ...locales });
    expect(desk.errors).toEqual([]);
  });

  it('a locale is created with a fallback, refused while it is in use, and deleted', async () => {
    const desk = await openAt('sites');
    const { page } = desk;
    const dialog = page.getByRole('dialog');
    await desk.button('New locale').click();
    await dialog.getByRole('textbox', { name: 'Code required', exact: true }).fill('it');
    await dialog.getByRole('combobox', { name: 'Fallback', exact: true }).selectOption('fr');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('locale-new');
    await desk.button('Create').click();
    await page.getByRole('row', { name: 'Italian (it) French (fr) in use', exact: true }).waitFor();
    expect((await stored('locales')).at(-1)).toMatchObject({
      code: 'it',
      name: 'Italian',
      fallbackCode: 'fr',
    });
    await desk.button('French (fr)').click();
    await desk.button('Delete').click();
    await dialog.last().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/^The locale is in use/).waitFor();
    await desk.button('Cancel').click();
    await page.keyboard.press('Escape');
    await desk.button('Italian (it)').click();
    await dialog.getByRole('combobox', { name: 'Fallback', exact: true }).selectOption('');
    await desk.button('Save').click();
    await page.getByRole('row', { name: 'Italian (it) – in use', exact: true }).waitFor();
    await desk.button('Italian (it)').click();
    await desk.button('Delete').click();
    await dialog.last().getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.button('Italian (it)').waitFor({ state: 'detached' });
    expect([(await stored('locales')).map(({ code }) => code), desk.errors]).toEqual([
      ['en', 'de', 'fr'],
      [],
    ]);
  });

  it('locales are shown, and not changed, to members who do not own the project', async () => {
    const roleIds = [await systemRoleId(app(), project, 'admin')];
    const { email } = await createMember(app(), project, roleIds);
    const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
    await desk.open(`${placeOf(project)}/sites`);
    await desk.page.getByRole('cell', { name: 'French (fr)', exact: true }).waitFor();
    expect(await desk.button('New site').count()).toBe(1);
    expect([await desk.button('New locale').count(), await desk.button('French (fr)').count()]).toEqual([
      0, 0,
    ]);
  });

  it('by keyboard alone: a custom field type is refused for its name, created and renamed', async () => {
    const desk = await openAt('custom-field-types');
    const { page } = desk;
    const dialog = page.getByRole('dialog');
    await desk.button('New custom field type').press('Enter');
    await dialog.getByLabel('Name', { exact: false }).first().focus();
    await page.keyboard.type('Money');
    await page.keyboard.press('Tab');
    await page.keyboard.type('no money');
    await page.keyboard.press('Enter');
    await dialog.locator('.problem').first().waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('custom-field-type');
    await dialog.getByRole('textbox', { name: 'API name required', exact: true }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('money');
    await dialog.getByRole('textbox', { name: 'JSON Schema required', exact: true }).focus();
    await page.keyboard.type('{"type": "object"}');
    await dialog.getByRole('textbox', { name: 'API name required', exact: true }).press('Enter');
    await desk.button('Money').press('Enter');
    await dialog
      .getByRole('textbox', { name: /^Name( required)?$/ })
      .first()
      .focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Amount');
    await page.keyboard.press('Enter');
    await desk.button('Amount').waitFor();
    expect(await stored('custom-field-types')).toMatchObject([{ apiName: 'money', name: 'Amount' }]);
    expect(desk.errors).toEqual([]);
  });

  it('synonyms and weights of the search are written, and a refused line is named', async () => {
    const title = { apiName: 'title', name: 'Title', type: 'text' };
    await createType(app(), project, { apiName: 'article', name: 'Article', fields: [title] });
    const settings = () =>
      must<SearchSettings>(app(), {
        method: 'GET',
        path: `${project.management}/search/settings`,
        key: project.keys.management,
      });
    const desk = await openAt('search-settings');
    const { page } = desk;
    const english = page.getByRole('textbox', { name: 'English (en)', exact: true });
    await english.fill('lock, Lock');
    await desk.button('Save synonyms').click();
    await page.getByText('English (en), “Lock”: This is in the line twice.', { exact: true }).waitFor();
    await english.fill('lock');
    await desk.button('Save synonyms').click();
    await page.getByText('English (en), “lock”: A line needs two words or more.', { exact: true }).waitFor();
    await english.fill('lock, sluice\n\nweir , dam,');
    await desk.button('Save synonyms').click();
    await page.getByText('Search settings saved', { exact: true }).waitFor();
    const article = page.getByRole('group', { name: 'Article', exact: true });
    await article.getByRole('spinbutton', { name: 'Title', exact: true }).fill('3');
    await desk.button('Save weights').click();
    await waitFor('the weight of titles', async () => {
      const { synonyms, boosts } = await settings();
      expect(synonyms).toEqual({
        en: [
          ['lock', 'sluice'],
          ['weir', 'dam'],
        ],
      });
      return isDeepStrictEqual(boosts, { types: {}, fields: { 'article.title': 3 } });
    });
    expect(await desk.findings()).toEqual([]);
    await desk.picture('search-settings');
  });
});
