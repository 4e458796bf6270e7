import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createEntry, createType } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  flatTree,
  onTree,
} from '../support/factories/tree.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('The tree of the admin app', () => {
  const app = useCountedApp();
  let admin: { email: string; password: string };
  const browser = useBrowser();
  beforeAll(async () => {
    admin = await createAdmin(app());
  });

  /** `news` with a live and a draft page, and the empty `about`. */
  async function prepared(): Promise<{ desk: Desk; project: TestProject; node: (name: string) => Locator }> {
    const project = await createProject(app());
    await createPageType(app(), project);
    const news = await createFolder(app(), project, { slug: 'news' });
    await createFolder(app(), project, { slug: 'about' });
    await createLivePage(app(), project, { slug: 'live', treeParentId: news.id });
    await createPage(app(), project, { slug: 'draft', treeParentId: news.id });
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/tree`);
    const node = (name: string): Locator =>
      desk.page
        .getByRole('treeitem')
        .filter({ has: desk.page.locator('.node-name', { hasText: new RegExp(`^${name}$`) }) });
    await node('about').waitFor();
    return { desk, project, node };
  }

  const stored = async (project: TestProject) =>
    (await flatTree(app(), project)).map(({ depth, name }) => `${'-'.repeat(depth)}${name}`);

  it('levels are read when they are opened and show which pages are live', async () => {
    const { desk, node } = await prepared();
    expect(await node('Page live').count()).toBe(0);
    await node('news').locator('.tree-toggle').click();
    await node('Page live').getByText('Published', { exact: true }).waitFor();
    await node('Page draft').getByText('Draft', { exact: true }).waitFor();
    await node('Page live').getByText('/news/live', { exact: true }).waitFor();
    await node('Page live').click();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('tree');
    await desk.page.getByRole('link', { name: 'Open the entry Page live', exact: true }).click();
    await desk.button('Save draft').waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('a node is dragged into another one and beside it', async () => {
    const { desk, project, node } = await prepared();
    await node('news').locator('.tree-toggle').click();
    await node('Page live').dragTo(node('about'));
    await desk.page.getByText('“Page live” moved to position 1 at level 2.', { exact: false }).waitFor();
    await expect(stored(project)).resolves.toEqual(['news', '-Page draft', 'about', '-Page live']);
    await node('about').dragTo(node('news'), { targetPosition: { x: 200, y: 3 } });
    await desk.page.getByText('“about” moved to position 1 at level 1.', { exact: false }).waitFor();
    await expect(stored(project)).resolves.toEqual(['about', '-Page live', 'news', '-Page draft']);
    expect(desk.errors).toEqual([]);
  });

  it('by keyboard alone: nodes are found, opened, moved in every direction and edited', async () => {
    const { desk, project, node } = await prepared();
    const { page } = desk;
    await node('news').focus();
    await page.keyboard.press('ArrowRight');
    await node('Page live').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('“Page live” moved to position 2 at level 2.', { exact: true }).waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByText('“Page live” moved to position 2 at level 1.', { exact: false }).waitFor();
    await expect(stored(project)).resolves.toEqual(['news', '-Page draft', 'Page live', 'about']);
    await page.keyboard.press('End');
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('“about” moved to position 1 at level 2.', { exact: true }).waitFor();
    await expect(stored(project)).resolves.toEqual(['news', '-Page draft', 'Page live', '-about']);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Path segment', exact: true })
      .fill('about-us');
    await page.keyboard.press('Enter');
    await page.getByText('“about” is saved.', { exact: true }).waitFor();
    const slugs = (await flatTree(app(), project)).map(({ slug }) => slug);
    expect([slugs, desk.errors]).toEqual([['news', 'draft', 'live', 'about-us'], []]);
  });

  it('a page, a folder and a link are added, and a refused one can be corrected', async () => {
    const { desk, project, node } = await prepared();
    const { page } = desk;
    await createType(app(), project, { apiName: 'note', fields: [{ apiName: 'title', type: 'text' }] });
    const fields = { title: 'Imprint' };
    await createEntry(app(), project, { contentTypeApiName: 'note', fields, slug: 'imprint' });
    await desk.page.reload();
    await node('about').waitFor();
    const dialog = page.getByRole('dialog');
    await desk.button('New node').click();
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByRole('button', { name: /Imprint/ }).click();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('tree-new');
    await desk.button('Add').click();
    await node('Imprint').waitFor();
    await node('about').click();
    await desk.button('Add below about').click();
    await dialog.getByRole('radio', { name: 'Link', exact: true }).check();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
    await dialog.getByRole('textbox', { name: 'URL', exact: true }).fill('not an address');
    await desk.button('Add').click();
    await dialog.getByText('Enter a path, a web address, or one', { exact: false }).waitFor();
    await dialog.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.com/shop');
    await desk.button('Add').click();
    await node('Shop').waitFor();
    await desk.button('New node').click();
    await dialog.getByRole('radio', { name: 'Folder', exact: true }).check();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('News');
    await desk.button('Add').click();
    await dialog.getByText('Another node has this path there.', { exact: true }).waitFor();
    await dialog.getByRole('textbox', { name: 'Path segment', exact: true }).fill('more-news');
    await desk.button('Add').click();
    await node('News').waitFor();
    const names = await stored(project);
    expect(names).toEqual(expect.arrayContaining(['Imprint', '-Shop', 'News']));
    expect(desk.errors).toEqual([]);
  });

  it('a node is removed, and those below it move up', async () => {
    const { desk, project, node } = await prepared();
    await node('news').click();
    await desk.button('Remove news').click();
    await desk.page.getByRole('radio', { name: 'Move them up', exact: true }).check();
    expect(await desk.findings()).toEqual([]);
    await desk.button('Remove').click();
    await node('Page live').waitFor();
    await expect(stored(project)).resolves.toEqual(['Page live', 'Page draft', 'about']);
  });

  it('what someone else has changed meanwhile is refused at the node and shown as it is', async () => {
    const { desk, project, node } = await prepared();
    const [news] = await flatTree(app(), project);
    await onTree(app(), project, {
      method: 'PUT',
      path: `/nodes/${String(news?.id)}`,
      body: { name: 'Newsroom' },
    });
    await node('news').press('Alt+ArrowDown');
    await node('Newsroom').getByText('Someone else has changed this node.', { exact: false }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('tree-conflict');
    await node('Newsroom').press('Alt+ArrowDown');
    await desk.page.getByText('“Newsroom” moved to position 2 at level 1.', { exact: true }).waitFor();
  });

  it('several pages are moved from their list to another place in the tree', async () => {
    const { desk, project } = await prepared();
    const { page } = desk;
    await createPage(app(), project, { slug: 'team' });
    await desk.open(`${placeOf(project)}?type=page`);
    for (const name of ['Page team', 'Page draft'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    await desk.button('More').click();
    await page.getByRole('menuitem', { name: 'Move in the tree', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 selected in the tree', exact: true });
    await dialog.getByRole('combobox').selectOption({ label: 'about' });
    expect(await desk.findings()).toEqual([]);
    await desk.picture('list-move');
    await dialog.getByRole('button', { name: 'Move in the tree', exact: true }).click();
    await page.getByText('Moved: 2', { exact: true }).waitFor();
    const names = await stored(project);
    expect([names.slice(0, 3), names.slice(3).sort()]).toEqual([
      ['news', '-Page live', 'about'],
      ['-Page draft', '-Page team'],
    ]);
    expect(desk.errors).toEqual([]);
  });

  it('readers see the tree and are offered no change of it', async () => {
    const { project } = await prepared();
    const roleIds = [await systemRoleId(app(), project, 'viewer')];
    const { email } = await createMember(app(), project, roleIds);
    const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
    await desk.open(`${placeOf(project)}/tree`);
    await desk.page.getByRole('treeitem').filter({ hasText: 'about' }).click();
    expect(await desk.page.getByRole('toolbar').getByRole('button').count()).toBe(0);
    expect(await desk.button('New node').count()).toBe(0);
    expect(
      await must<object>(app(), {
        method: 'GET',
        path: `${project.management}/tree/main`,
        key: project.keys.management,
      }),
    ).toHaveLength(2);
  });
});
