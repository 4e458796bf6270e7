import { beforeAll, describe, expect, it } from '@jest/globals';
import { endSession, openDesk, openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { titleIn } from '../support/editor-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import {
  createArticleTypes,
  createEntry,
  createType,
  everyField,
  paragraphs,
} from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

const app = useCountedApp();
let project: TestProject;
let admin: { email: string; password: string };

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
  admin = await createAdmin(app());
});

describe('The files of the admin app', () => {
  it('are a page at every address, which is revalidated and allows its own files only', async () => {
    for (const address of ['/admin', '/admin/', '/admin/demo/main/entries/1?locale=de']) {
      const { status, headers, text } = await app().request.get(address);
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(headers['content-security-policy']).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self';",
      );
      expect(headers['content-security-policy']).toContain("; frame-src 'self';");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(text).toContain('<div id="app">');
    }
  });

  it('are kept for a year, compressed, and are 404 where there is none', async () => {
    const { text } = await app().request.get('/admin');
    const [, script = ''] = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const { status, headers } = await app().request.get(script).set('accept-encoding', 'gzip');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    // React for development is larger, and slower.
    expect((await app().request.get(script)).text).not.toContain('jsxDEV');
    const again = await app().request.get(script).set('if-none-match', String(headers.etag));
    expect(again.status).toBe(304);
    for (const missing of ['none.js', '../../main.js', '.edition']) {
      const answer = await app().request.get(`/admin/assets/${missing}`);
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    expect((await app().request.post('/admin')).status).toBe(405);
  });
});

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The admin app in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const browser = useBrowser();

    const openAsAdmin = (): Promise<Desk> => openDeskAs(browser(), app(), admin);
    const articles = async (title: string) =>
      createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });
    const storedTitle = async (id: string): Promise<unknown> => {
      const path = `${project.management}/entries/${id}`;
      const entry = await must<{ fields: { title: unknown } }>(app(), {
        method: 'GET',
        path,
        key: project.keys.management,
      });
      return entry.fields.title;
    };

    it('a wrong password is refused, the right one opens the address that was asked for', async () => {
      await articles('The upper lock');
      const desk = await openDesk(browser(), app());
      const { page } = desk;
      await desk.open(placeOf(project));
      await desk.logIn({ ...admin, password: 'a wrong password' });
      await page.getByText('Incorrect email address or password.', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('login');
      await desk.logIn(admin);
      await page.getByRole('link', { name: 'The upper lock', exact: true }).waitFor();
      const types = page.getByRole('navigation').getByRole('link', { name: /article|Type/ });
      await types.first().waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('list');
      expect([desk.errors, [...desk.origins]]).toEqual([[], [app().baseUrl]]);
    });

    it('super-admins choose among the projects, and the chosen one is filtered by type, status and title', async () => {
      await articles('A boat race');
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open('');
      // Other files of the worker have made projects, too: a page has 25.
      const search = page.getByRole('searchbox', { name: 'Search projects', exact: true });
      await page.locator('.choices a').first().waitFor();
      if (await search.isVisible()) await search.fill(project.slug);
      await page.getByRole('link', { name: project.slug }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await page.getByRole('link', { name: project.slug }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'All entries', exact: true }).click();
      await page.getByRole('combobox', { name: 'Content type', exact: true }).selectOption('article');
      await page.getByRole('searchbox', { name: 'Search titles', exact: true }).fill('boat');
      await page.waitForURL(/q=boat/);
      await page.getByRole('link', { name: 'A boat race', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'The upper lock' }).count()).toBe(0);
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('published');
      await page.getByText('No entry matches', { exact: true }).waitFor();
      await desk.button('Remove filters').click();
      await page.getByRole('link', { name: 'A boat race', exact: true }).waitFor();
    });

    it('an entry is created, refused while it is incomplete, corrected and published', async () => {
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open(`${placeOf(project)}/new/article`);
      await page.getByRole('textbox', { name: /^code/i }).fill('A-1');
      await desk.button('Create draft').click();
      await desk.button('Publish').click();
      await page.getByText('Please correct one field.', { exact: true }).waitFor();
      expect(await titleIn(desk).getAttribute('aria-invalid')).toBe('true');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('invalid');
      await titleIn(desk).fill('The lower lock');
      await page.keyboard.press('Control+s');
      await page.getByText('Draft saved', { exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Body', exact: true }).fill('Water, and more water.');
      await desk.button('Publish').click();
      await page.getByText('Published in English (en)', { exact: true }).waitFor();
      const id = /entries\/([^?]+)/.exec(page.url())?.[1] ?? '';
      const live = await app().request.get(`${project.delivery}/entries/${id}`);
      expect(live.body.data.fields).toMatchObject({
        title: 'The lower lock',
        body: { text: 'Water, and more water.' },
      });
      expect(desk.errors).toEqual([]);
    });

    it('fields of every kind are shown as they are stored and saved as they are typed', async () => {
      await createType(app(), project, { apiName: 'everything', fields: everyField });
      const body = paragraphs('One', 'Two');
      const fields = {
        title: 'All',
        body,
        count: 3,
        isFine: true,
        level: 'low',
        data: { a: [1] },
        day: '2026-03-01',
      };
      const { id } = await createEntry(app(), project, { contentTypeApiName: 'everything', fields });
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open(`${placeOf(project)}/entries/${id}`);
      await page
        .getByRole('textbox', { name: 'Body', exact: true })
        .getByText('Two', { exact: true })
        .waitFor();
      expect(await desk.button('Save draft').isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: 'Count all locales', exact: true }).fill('4');
      await page.getByRole('combobox', { name: 'Level all locales', exact: true }).selectOption('high');
      await page.getByRole('textbox', { name: 'Data all locales', exact: true }).fill('{"a": [1, 2]}');
      await page.getByRole('textbox', { name: 'Latitude', exact: true }).fill('51.5');
      await page.getByRole('textbox', { name: 'Longitude', exact: true }).fill('-0.1');
      await page.getByRole('textbox', { name: 'Contact all locales', exact: true }).fill('no address');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('fields');
      await desk.button('Save draft').click();
      await page.getByText('Please correct one field.', { exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Contact all locales', exact: true }).fill('ada@example.com');
      await desk.button('Save draft').click();
      await page.getByText('Version 2', { exact: false }).first().waitFor();
      const path = `${project.management}/entries/${id}`;
      const { management: key } = project.keys;
      const entry = await must<{ fields: object }>(app(), { method: 'GET', path, key });
      expect(entry.fields).toMatchObject({
        body,
        count: 4,
        level: 'high',
        data: { a: [1, 2] },
        place: { lat: 51.5, lng: -0.1 },
        contact: 'ada@example.com',
      });
    });

    it('of two editors of one entry, the second chooses a value for each field that both changed', async () => {
      const { id } = await articles('At first');
      const [one, two] = [await openAsAdmin(), await openAsAdmin()];
      for (const desk of [one, two]) {
        await desk.open(`${placeOf(project)}/entries/${id}`);
        await titleIn(desk).waitFor();
      }
      await titleIn(one).fill('By the first');
      await one.button('Save draft').click();
      await one.page.getByText('Draft saved', { exact: true }).waitFor();
      await titleIn(two).fill('By the second');
      await two.page.getByRole('textbox', { name: /^code/i }).fill('Z-9');
      await two.button('Save draft').click();
      await two.page.getByText('Someone else has changed this entry', { exact: true }).waitFor();
      expect(await two.findings()).toEqual([]);
      await two.picture('conflict');
      await two.page.getByRole('radio', { name: /Take theirs/ }).check();
      await two.button('Save with these values').click();
      await two.page.getByText('Draft saved', { exact: true }).waitFor();
      expect(await titleIn(two).inputValue()).toBe('By the first');
      expect(await two.page.getByRole('textbox', { name: /^code/i }).inputValue()).toBe('Z-9');
      await titleIn(one).fill('By the first again');
      await one.page.getByRole('textbox', { name: /^code/i }).fill('Y-8');
      await one.button('Save draft').click();
      await one.button('Save with these values').click();
      await one.page.getByText('Version 4', { exact: false }).first().waitFor();
      expect(await storedTitle(id)).toBe('By the first again');
    });

    it('an earlier version is compared and restored', async () => {
      const { id } = await articles('Former title');
      const path = `${project.management}/entries/${id}`;
      const body = { version: 1, fields: { title: 'Later title' } };
      await must(app(), { method: 'PUT', path, key: project.keys.management, body });
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open(`${placeOf(project)}/entries/${id}`);
      await desk.button('Versions').click();
      await desk.button('Compare with the current version').click();
      await page.getByRole('dialog').getByText('Former title', { exact: true }).waitFor();
      await desk.picture('versions');
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
      expect(await desk.findings()).toEqual([]);
      await desk.button('Restore').click();
      await page.getByText('Version 1 restored as a draft', { exact: true }).waitFor();
      expect(await titleIn(desk).inputValue()).toBe('Former title');
    });

    it('a session that ends while a user types is renewed over the screen, and what was typed is saved', async () => {
      const { id } = await articles('Before');
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open(`${placeOf(project)}/entries/${id}`);
      await titleIn(desk).fill('Typed before the end');
      await endSession(desk, app());
      // Whatever notices the end first opens the login over the button.
      await desk.button('Save draft').dispatchEvent('click');
      await page.getByText('Your session has ended', { exact: true }).waitFor();
      await expectAccessible(desk, 'login over the screen');
      await desk.picture('session');
      await desk.logIn(admin);
      await page.getByText('Draft saved', { exact: true }).waitFor();
      expect(await storedTitle(id)).toBe('Typed before the end');
    });

    it('what a user may not do is not offered', async () => {
      const { id } = await articles('To translate');
      const roleIds = [await systemRoleId(app(), project, 'translator')];
      const { email } = await createMember(app(), project, roleIds);
      const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
      const { page } = desk;
      await desk.open('');
      await page.getByRole('link', { name: project.slug }).click();
      await page.getByRole('link', { name: 'To translate', exact: true }).waitFor();
      await desk.open(`${placeOf(project)}/entries/${id}?locale=de`);
      await desk.button('Save draft').waitFor();
      expect(await desk.button('Publish').count()).toBe(0);
      await titleIn(desk).fill('Zu übersetzen');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      await desk.open(placeOf(project));
      await page.getByRole('link', { name: 'To translate', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'New entry' }).count()).toBe(0);
    });

    it('unsaved changes are not left unasked, and nothing is lost while the network is', async () => {
      const { id } = await articles('Kept');
      const desk = await openAsAdmin();
      const { page } = desk;
      await desk.open(`${placeOf(project)}/entries/${id}`);
      await titleIn(desk).fill('Kept offline');
      await page.context().setOffline(true);
      await page.getByText('You are offline.', { exact: false }).waitFor();
      await desk.button('Save draft').click();
      await page.getByText('The service was not reached.', { exact: false }).waitFor();
      await page.context().setOffline(false);
      await page.getByRole('link', { name: 'Back to the list', exact: true }).click();
      await desk.button('Stay').click();
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Back to the list', exact: true }).click();
      await page.getByRole('link', { name: 'Kept offline', exact: true }).waitFor();
    });
  },
);
