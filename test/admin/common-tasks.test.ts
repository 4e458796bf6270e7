import { beforeAll, describe, expect, it } from '@jest/globals';
import { appendFile, readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { openDeskAs, placeOf, settle, type Desk } from '../support/admin-desk.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { must } from '../support/call.js';
import { bodyOf } from '../support/rich-text-desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { png } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { createFolder } from '../support/factories/tree.js';
import { hasBrowser } from '../support/optional-servers.js';

/** File to which each task appends its name and its seconds; none is written when unset. */
const times = process.env.TASK_TIMES;

/**
 * Counts clicks and drags of the mouse in every document of a window. A click that Playwright stops and repeats, because
 * the page moved, does not get past the window.
 */
const counter = `document.addEventListener('pointerdown', ({ isTrusted, pointerType }) => {
  if (isTrusted && pointerType === 'mouse')
    sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)`;

/** The last numbers of the rows in the table of tasks in `src/admin/README.md`, by their first cells. */
async function documentedClicks(): Promise<Record<string, number>> {
  const text = await readFile('src/admin/README.md', 'utf8');
  const section = /^## Clicks$([\s\S]*?)(?=^## )/m.exec(text)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| ([^|]+?) +\|[^|]+\| +(\d+) +\|/gm)];
  return Object.fromEntries(rows.map(([, task = '', clicks]) => [task, Number(clicks)]));
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('The commonest tasks in a browser (need Chromium)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let admin: { email: string; password: string };
  const measured: Record<string, number> = {};

  beforeAll(async () => {
    project = await createProject(app(), { locales: ['en', 'de'] });
    admin = await createAdmin(app());
    await createType(app(), project, {
      apiName: 'page',
      name: 'Page',
      isPage: true,
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'cover', type: 'media' },
        { apiName: 'body', type: 'richText' },
      ],
    });
  });

  const page = (title: string) =>
    createEntry(app(), project, {
      contentTypeApiName: 'page',
      siteId: project.siteId,
      slug: unique(),
      fields: { title },
    });
  const livePage = async (title: string) => {
    const made = await page(title);
    await publish(app(), project, made.id);
    return made;
  };

  /** Opens a screen, waits until it is quiet, and counts from there until `act` has ended. */
  async function count(task: string, address: string, act: (desk: Desk) => Promise<void>): Promise<void> {
    const desk = await openDeskAs(browser(), app(), admin);
    // The stream of presence and notices would keep the network busy.
    await desk.page.route('**/events*', (route) => route.abort());
    await desk.page.context().addInitScript(counter);
    await desk.open(placeOf(project) + address);
    await settle(desk.page);
    const start = performance.now();
    await act(desk);
    const seconds = (performance.now() - start) / 1000;
    measured[task] = Number(await desk.page.evaluate('sessionStorage.clicks ?? 0'));
    if (times !== undefined) await appendFile(times, `${task}\t${seconds.toFixed(1)}\n`);
  }
  /** A list of the system takes two clicks, which a script does without the mouse. */
  const choose = async (list: Locator, option: string): Promise<void> => {
    await list.selectOption(option);
    await list.evaluate('sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 2');
  };
  const said = (window: Page, text: string | RegExp): Promise<void> =>
    window.getByText(text, { exact: true }).first().waitFor();
  const inDialog = (window: Page, name: string | RegExp): Locator =>
    window.getByRole('dialog').last().getByRole('button', { name, exact: true });

  it('start an entry', async () => {
    await count('Start an entry', '', async ({ page: window, button }) => {
      await button('New entry').click();
      await window.getByRole('dialog').getByRole('link', { name: 'Page', exact: true }).click();
      await window.getByRole('textbox', { name: /^Title/ }).waitFor();
    });
  });

  it('illustrate and link', async () => {
    const name = unique();
    const { id } = await page('Illustrated');
    await count('Upload a picture into a field', `/entries/${id}`, async ({ page: window }) => {
      await window.getByRole('button', { name: /^Choose: / }).click();
      const chooser = window.waitForEvent('filechooser');
      await inDialog(window, /^Upload/).click();
      const buffer = png(33, 21);
      await (await chooser).setFiles({ name: `${name}.png`, mimeType: 'image/png', buffer });
      await window.locator('.linked').getByText(`${name}.png`, { exact: false }).waitFor();
    });
    const target = await livePage(`Harbour ${name}`);
    const written = await page('Linking');
    const body = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'here' }] }],
    };
    await must(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${written.id}`,
      key: project.keys.management,
      body: { version: 1, fields: { body } },
    });
    await count('Link words to an entry', `/entries/${written.id}`, async (desk) => {
      const { page: window } = desk;
      await bodyOf(desk).getByText('here', { exact: true }).click();
      await window.keyboard.press('Home');
      await window.keyboard.press('Shift+End');
      await desk.button('Link').click();
      await window.getByRole('radio', { name: 'Entry', exact: true }).click();
      await inDialog(window, 'Choose').click();
      await window
        .getByRole('dialog')
        .last()
        .getByRole('button', { name: String(target.fields.title) })
        .click();
      await desk.button('Set link').click();
      await window.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });

  it('publish, take offline and schedule', async () => {
    const { id } = await page('To publish');
    await count('Publish', `/entries/${id}`, async ({ page: window, button }) => {
      await button('Publish').click();
      await said(window, 'Published in English (en)');
    });
    await count('Take offline', `/entries/${id}`, async ({ page: window, button }) => {
      await button('More').click();
      await window.getByRole('menuitem', { name: 'Unpublish …', exact: true }).click();
      await inDialog(window, 'Unpublish').click();
      await window.getByRole('dialog').waitFor({ state: 'detached' });
    });
    await count('Schedule', `/entries/${id}`, async ({ page: window, button }) => {
      await button('Publication').click();
      await window.getByLabel('Time', { exact: true }).fill('2099-06-01T12:00');
      await button('Schedule').click();
      await button('Cancel the schedule').waitFor();
    });
  });

  it('publish several', async () => {
    const titles = [`Bulk one ${unique()}`, `Bulk two ${unique()}`];
    for (const title of titles) await page(title);
    await count('Publish several', '', async ({ page: window, button }) => {
      for (const title of titles)
        await window.getByRole('checkbox', { name: `Select ${title}`, exact: true }).click();
      await button('Publish').click();
      await inDialog(window, 'Publish').click();
      await said(window, 'Published: 2');
    });
  });

  it('translate, compare and roll back', async () => {
    const { id } = await livePage('Water');
    await count('Translate side by side', `/entries/${id}`, async ({ page: window }) => {
      await choose(window.getByRole('combobox', { name: 'Shown beside', exact: true }), 'de');
      await window.getByRole('textbox', { name: /^Title, German \(de\)/ }).waitFor();
    });
    await must(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${id}`,
      key: project.keys.management,
      body: { version: 1, fields: { title: 'Wine' } },
    });
    await count('Compare versions', `/entries/${id}`, async ({ page: window, button }) => {
      await button('Versions').click();
      await button('Compare with the current version').first().click();
      await window.getByRole('dialog').getByText('Water', { exact: true }).waitFor();
    });
    await count('Roll back', `/entries/${id}`, async ({ page: window, button }) => {
      await button('Versions').click();
      await button('Restore').first().click();
      await said(window, 'Version 1 restored as a draft');
    });
  });

  it('move a page in the tree', async () => {
    const names = [unique(), unique()];
    for (const slug of names) await createFolder(app(), project, { slug });
    await count('Move a page in the tree', '/tree', async ({ page: window }) => {
      const node = (name = '') => window.getByRole('treeitem').filter({ hasText: name });
      await node(names[0]).dragTo(node(names[1]));
      await window.getByText('moved to position 1 at level 2.', { exact: false }).waitFor();
    });
  });

  it('take as many clicks as the README of the app says', async () => {
    expect(measured).toEqual(await documentedClicks());
  });
});
