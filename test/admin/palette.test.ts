import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { indexAll } from '../management/search/scene.js';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, paragraphs } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, createRole, memberPassword, systemRoleId } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Login {
  readonly email: string;
  readonly password: string;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('The search palette (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: Login;
  const browser = useBrowser();
  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    admin = await createAdmin(app());
  });

  const openAs = async (login: Login, address = ''): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), login);
    await desk.open(placeOf(project) + address);
    await desk.button('Search and commands').waitFor();
    return desk;
  };
  const openPalette = async (page: Page) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', {
      name: 'Find an entry, a file, a screen or an action',
      exact: true,
    });
    await box.waitFor();
    return box;
  };
  const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name });
  const article = async (title: string): Promise<string> =>
    (await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } })).id;
  it('finds an entry despite a typing error and opens it by keyboard alone', async () => {
    const id = await article('The weir of Teddington');
    await article('A boat race');
    const fields = {
      title: 'Paddles',
      body: paragraphs(`Words before a Teddington paddle ${'long '.repeat(80)}`),
    };
    await createEntry(app(), project, { contentTypeApiName: 'article', fields });
    await indexAll(app());
    const desk = await openAs(admin);
    const { page } = desk;
    await openPalette(page);
    await page.keyboard.type('Tedington');
    const found = option(page, /The weir of Teddington/);
    await found.waitFor();
    await found.getByText('Draft', { exact: true }).waitFor();
    await option(page, /Paddles/).waitFor();
    const overflow =
      'document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('palette');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`entries/${id}`));
    await page.getByRole('textbox', { name: 'Title required to publish', exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('Enter waits for what a search finds, and Escape returns the focus', async () => {
    const id = await article('Lighthouse keeper');
    await indexAll(app());
    const desk = await openAs(admin);
    const { page } = desk;
    await desk.button('Search and commands').focus();
    await openPalette(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const hasFocus = 'document.activeElement?.getAttribute("aria-label") === "Search and commands"';
    await waitFor('the button has the focus again', () => page.evaluate<boolean>(hasFocus));
    await openPalette(page);
    await page.keyboard.type('Lighthouse keeper');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`entries/${id}`));
  });

  it('opens again at once after it has closed', async () => {
    const desk = await openAs(admin);
    const { page } = desk;
    await openPalette(page);
    await page.keyboard.type('theme');
    await option(page, /^Theme: /)
      .first()
      .waitFor();
    // Pressed as soon as the dialog is removed, before the page has time for anything else.
    await page.evaluate(`new MutationObserver((changes, observer) => {
      if (document.querySelector('dialog') !== null) return;
      observer.disconnect();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.keyboard.press('Enter');
    await waitFor('the new palette is empty', () =>
      page.evaluate<boolean>('document.querySelector("dialog input")?.value === ""'),
    );
    expect(desk.errors).toEqual([]);
  });

  it('finds files, screens and types, and arrow keys choose among them', async () => {
    const asset = await uploadAsset(app(), project, {
      file: { fileName: 'harbour-plan.txt', content: 'aGFyYm91cg==' },
    });
    const desk = await openAs(admin);
    const { page } = desk;
    const box = await openPalette(page);
    await page.keyboard.type('harbour');
    await option(page, /harbour-plan\.txt/).click();
    await page.waitForURL(new RegExp(`media/${asset.id}`));
    const again = await openPalette(page);
    await again.fill('cont');
    await option(page, 'Types and fields').waitFor({ state: 'detached' });
    await box.fill('type');
    await option(page, 'Types and fields').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/custom-field-types|content-types/);
    expect(desk.errors).toEqual([]);
  });

  it('starts a new entry of a type, and changes the theme', async () => {
    const desk = await openAs(admin);
    const { page } = desk;
    await openPalette(page);
    await page.keyboard.type('theme dark');
    await option(page, 'Theme: Dark').waitFor();
    await page.keyboard.press('Enter');
    await waitFor('the dark theme', () =>
      page.evaluate<boolean>('document.documentElement.dataset.theme === "dark"'),
    );
    const box = await openPalette(page);
    await box.fill('new entry');
    const options = page.getByRole('group', { name: 'Actions', exact: true }).getByRole('option');
    await options.first().waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/new\/(?:article|author)/);
    await desk.button('Create draft').waitFor();
  });

  it('switches to another environment, whose entries the list then has', async () => {
    const { management, keys } = project;
    const body = { slug: 'staging', name: 'Staging', from: null };
    await must(app(), { method: 'POST', path: `${management}/environments`, key: keys.management, body });
    await waitFor('the environment is ready', async () => {
      const path = `${management}/environments/staging`;
      const { status } = await must<{ status: string }>(app(), { method: 'GET', path, key: keys.management });
      return status === 'ready';
    });
    const desk = await openAs(admin);
    const { page } = desk;
    await openPalette(page);
    await page.keyboard.type('switch staging');
    await option(page, 'Switch to the environment Staging').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/staging/);
    await page.getByRole('heading', { name: 'No entries yet', exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('shows what was opened last, until the user logs out', async () => {
    const id = await article('Opened before');
    const desk = await openAs(admin, `/entries/${id}`);
    const { page } = desk;
    await page.getByRole('textbox', { name: 'Title required to publish', exact: true }).waitFor();
    await page.getByRole('link', { name: 'All entries', exact: true }).click();
    await page.getByRole('heading', { name: 'All entries', exact: true }).waitFor();
    await openPalette(page);
    const recent = page.getByRole('group', { name: 'Opened last', exact: true });
    await recent.getByRole('option', { name: /Opened before/ }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('palette-recent');
    await page.keyboard.press('Escape');
    await desk.button('Admin').click();
    await desk.button('Log out').click();
    await desk.button('Log in').waitFor();
    const kept = 'Object.keys(localStorage).filter((key) => key.startsWith("headwater.recent."))';
    expect(await page.evaluate(kept)).toEqual([]);
  });

  it('offers only what a role may do', async () => {
    const viewer = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
    const desk = await openAs({ email: viewer.email, password: memberPassword });
    await openPalette(desk.page);
    await option(desk.page, 'Media library').waitFor();
    const names = (await option(desk.page, /./).allInnerTexts()).join('\n');
    expect(names).not.toMatch(/New entry|Users|Webhooks|Types and fields|Schema/);
    const role = await createRole(app(), project, [
      { resource: '*', action: 'read' },
      { resource: 'entries', action: 'create', scope: { contentTypes: ['author'] } },
    ]);
    const author = await createMember(app(), project, [role]);
    const other = await openAs({ email: author.email, password: memberPassword });
    const box = await openPalette(other.page);
    await box.fill('new entry');
    const actions = other.page.getByRole('group', { name: 'Actions', exact: true }).getByRole('option');
    await actions.first().waitFor();
    expect(await actions.count()).toBe(1);
  });

  it('says that nothing was found, that the service failed, and that the user is offline', async () => {
    const desk = await openAs(admin);
    const { page } = desk;
    const box = await openPalette(page);
    await box.fill('zzzzqqqq');
    await page.getByText('Nothing was found for “zzzzqqqq”.', { exact: true }).waitFor();
    await page.route(/search\.find/, (route) => route.abort('connectionreset'));
    await box.fill('weir');
    await page.getByRole('alert').getByText('The service was not reached.').waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('palette-failed');
    await page.unroute(/search\.find/);
    await desk.button('Try again').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.getByText('You are offline: entries and files cannot be searched.', { exact: true }).waitFor();
    await box.fill('calendar');
    await option(page, 'Calendar').waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('palette-offline');
    await page.context().setOffline(false);
  });
});
