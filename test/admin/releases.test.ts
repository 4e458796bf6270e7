import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { must, send } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { createPage, createPageType } from '../support/factories/tree.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

interface Release {
  readonly id: string;
  readonly status: string;
  readonly items: readonly { readonly entryId: string; readonly pinnedVersion: number | null }[];
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Releases in a browser (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let admin: { email: string; password: string };
  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    await createPageType(app(), project);
    admin = await createAdmin(app());
  });

  const call = <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> =>
    must<T>(app(), {
      method,
      path: project.management + path,
      key: project.keys.management,
      ...(body && { body }),
    });
  const article = (fields: Record<string, unknown>) =>
    createEntry(app(), project, { contentTypeApiName: 'article', fields });
  const statusOf = async (id: string) => (await call<{ status: string }>('GET', `/entries/${id}`)).status;
  const open = async (address: string, login = admin): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), login);
    await desk.open(`${placeOf(project)}${address}`);
    await desk.page.getByRole('heading', { level: 1 }).first().waitFor();
    return desk;
  };
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const pressIn = (page: Page, name: string, button: string) =>
    dialog(page, name).getByRole('button', { name: button, exact: true }).click();
  const releaseOf = (id: string): Promise<Release> => call('GET', `/releases/${id}`);
  const fromMenu = async (page: Page, item: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  it('is made from the menu of an entry and a selection, checked, published and rolled back', async () => {
    const [lock, weir, empty] = [
      await createPage(app(), project, { slug: 'lock' }),
      await article({ title: 'The weir' }),
      await article({}),
    ];
    const name = `Opening ${unique()}`;
    const desk = await open(`/entries/${lock.id}`);
    const { page } = desk;
    await fromMenu(page, 'Add to a release');
    const adding = dialog(page, 'Add “Page lock” to a release');
    await adding.getByRole('textbox', { name: 'Name of the new release', exact: true }).fill(name);
    await adding.getByRole('combobox', { name: 'Version', exact: true }).selectOption('1');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-add');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(`Added to the release “${name}”`, { exact: true }).waitFor();

    await desk.open(`${placeOf(project)}?type=article`);
    for (const title of ['The weir', 'Untitled'])
      await page.getByRole('checkbox', { name: `Select ${title}`, exact: true }).check();
    await fromMenu(page, 'Add to a release');
    const selected = 'Add 2 selected to a release, English (en)';
    await dialog(page, selected).getByRole('combobox', { name: 'Release', exact: true }).selectOption(name);
    expect(await desk.findings()).toEqual([]);
    await pressIn(page, selected, 'Add');
    await page.getByText('Added to the release: 2', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Releases', exact: true }).click();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    const { id } = (await call<Release[]>('GET', '/releases?status=open'))[0] ?? { id: '' };
    expect((await releaseOf(id)).items.map(({ entryId, pinnedVersion }) => [entryId, pinnedVersion])).toEqual(
      expect.arrayContaining([
        [lock.id, 1],
        [weir.id, null],
        [empty.id, null],
      ]),
    );
    await desk.button('Check the release').click();
    await page.getByText('The release cannot be published yet.', { exact: true }).waitFor();
    const issues = page.getByRole('region', { name: 'What is wrong', exact: true });
    await issues.getByRole('link', { name: 'Untitled', exact: true }).waitFor();
    await issues.getByText('Title', { exact: false }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-issues');
    await desk.button('Remove Untitled').click();
    await page.getByText('Change removed', { exact: true }).waitFor();
    await desk.button('Remove Untitled').waitFor({ state: 'detached' });
    await desk.button('Check the release').click();
    await page.getByText('The release can be published.', { exact: true }).waitFor();

    await desk.button('Publish').click();
    const plan = dialog(page, `Publish “${name}”?`).getByRole('table', { name: 'What readers will see' });
    await plan.getByText('/lock', { exact: true }).waitFor();
    expect(await plan.getByText('goes live', { exact: true }).count()).toBe(2);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-plan');
    expect([await statusOf(lock.id), await statusOf(weir.id)]).toEqual(['draft', 'draft']);
    await pressIn(page, `Publish “${name}”?`, 'Publish');
    await page.getByText(`“${name}” is published`, { exact: true }).waitFor();
    expect([await statusOf(lock.id), await statusOf(weir.id)]).toEqual(['published', 'published']);

    await call('POST', `/entries/${weir.id}/unpublish`, {});
    const question = `Roll back “${name}”?`;
    await desk.button('Roll back').click();
    await pressIn(page, question, 'Roll back');
    const refused = dialog(page, question).getByRole('alert');
    await refused.getByRole('link', { name: 'The weir', exact: true }).waitFor();
    expect(await refused.getByRole('link').count()).toBe(1);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-refused');
    await pressIn(page, question, 'Cancel');
    expect(await statusOf(lock.id)).toBe('published');
    expect(desk.errors).toEqual([]);
  });

  it('takes changes of every kind, and is rolled back and opened again', async () => {
    const name = `Kinds ${unique()}`;
    const { id } = await call<Release>('POST', '/releases', { name });
    const parent = await createPage(app(), project, { slug: 'parent' });
    const child = await createPage(app(), project, { slug: 'child' });
    for (const page of [parent, child]) await call('POST', `/entries/${page.id}/publish`, {});
    const desk = await open(`/releases/${id}`);
    const { page } = desk;
    await page.getByText('The release has no changes yet.', { exact: true }).waitFor();
    const add = dialog(page, 'Add a change');
    const select = (label: string, value: string | { label: string }) =>
      add.getByRole('combobox', { name: label, exact: true }).selectOption(value);
    const done = async (): Promise<void> => {
      await add.getByRole('button', { name: 'Add', exact: true }).click();
      await add.waitFor({ state: 'detached' });
    };
    await desk.button('Add a change').click();
    await select('What changes', 'redirect');
    await add.getByRole('textbox', { name: 'From', exact: true }).fill('/old-lock');
    await add.getByRole('textbox', { name: 'To', exact: true }).fill('/parent');
    await done();
    await desk.button('Add a change').click();
    await select('What changes', 'treeMove');
    await select('Page or folder', { label: 'Page child' });
    await select('Below', { label: 'Page parent' });
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-new-item');
    await done();
    await desk.button('Add a change').click();
    await add.getByRole('button', { name: 'Choose', exact: true }).click();
    await dialog(page, 'Choose an entry')
      .getByRole('button', { name: /Page parent/ })
      .click();
    await select('Change', 'unpublish');
    await add.getByRole('button', { name: 'Cancel', exact: true }).click();
    const items = page.getByRole('table', { name: 'Changes', exact: true });
    await items.getByText('/old-lock → /parent', { exact: true }).waitFor();
    await items.getByText('Move in the tree', { exact: true }).waitFor();

    await desk.button('Publish').click();
    await dialog(page, `Publish “${name}”?`).getByText('/child → /parent/child', { exact: true }).waitFor();
    await pressIn(page, `Publish “${name}”?`, 'Publish');
    await desk.button('Roll back').click();
    await pressIn(page, `Roll back “${name}”?`, 'Roll back');
    await page.getByText(`“${name}” is rolled back`, { exact: true }).waitFor();
    await desk.button('Open again').click();
    await pressIn(page, 'Open again', 'Open again');
    await page.getByText(`“${name}” is open`, { exact: true }).waitFor();
    await desk.button('Publish').waitFor();
    expect((await releaseOf(id)).status).toBe('open');
    await desk.button('Delete').click();
    await pressIn(page, 'Delete', 'Delete');
    await page.getByRole('heading', { name: 'Releases', exact: true }).waitFor();
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    expect(desk.errors).toEqual([]);
  });

  it('is approved by another user, scheduled in a time zone, seen in the calendar, and canceled', async () => {
    const name = `Planned ${unique()}`;
    const editor = await createMember(app(), project, [await systemRoleId(app(), project, 'admin')], 'Ann');
    const { id: entryId } = await article({ title: 'The sluice' });
    const desk = await open('/releases', { email: editor.email, password: memberPassword });
    const { page } = desk;
    await desk.button('Create a release').click();
    await page.getByRole('textbox', { name: /^Name/ }).fill(name);
    await page.getByRole('checkbox', { name: 'Needs approval before it is published' }).check();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('release-create');
    await desk.button('Create').click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const item = { kind: 'entry', entryId, locale: 'en', action: 'publish' };
    await send(app(), {
      method: 'POST',
      path: `${project.management}/releases/${id}/items`,
      key: editor.token,
      body: { items: [item] },
    });
    await page.reload();
    await page.getByText('Not approved by anyone yet.', { exact: true }).waitFor();
    await desk.button('Approve').click();
    await pressIn(page, `Approve “${name}”?`, 'Approve');
    await dialog(page, `Approve “${name}”?`).getByText('it is your own work', { exact: true }).waitFor();
    await pressIn(page, `Approve “${name}”?`, 'Cancel');

    const other = await open(`/releases/${id}`);
    await other.button('Approve').click();
    await other.page.getByRole('textbox', { name: 'Comment', exact: true }).fill('As discussed.');
    await pressIn(other.page, `Approve “${name}”?`, 'Approve');
    await other.page.getByRole('heading', { name: 'Approvals: 1 of 1', exact: true }).waitFor();
    await other.page.getByText('As discussed.', { exact: true }).waitFor();
    expect(await other.findings()).toEqual([]);
    await other.picture('release-approved');

    const schedule = `Schedule “${name}”`;
    await desk.button('Schedule').click();
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('Europe/Berlin');
    await page.getByLabel('Time', { exact: true }).fill('2099-06-01T12:00');
    expect(await desk.findings()).toEqual([]);
    await pressIn(page, schedule, 'Schedule');
    await page.getByText('(Europe/Berlin)', { exact: false }).waitFor();
    await desk.button('Change the time').waitFor();
    await other.open(`${placeOf(project)}/calendar?day=2099-06-01&kind=release`);
    await other.page.getByRole('button', { name }).click();
    await other.page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
    await other.page.getByRole('heading', { name, exact: true }).waitFor();
    await other.button('Cancel the schedule').click();
    await other.page.getByText(`“${name}” is open again`, { exact: true }).waitFor();
    expect(await releaseOf(id)).toMatchObject({ status: 'open' });
    // The other window reads it again by itself.
    await desk.button('Change the time').waitFor({ state: 'detached' });
    await waitFor('both windows show the open release', () => desk.button('Schedule').isVisible());
    expect([...desk.errors, ...other.errors]).toEqual([]);
  });

  it('offers those who may only read neither changes nor publication', async () => {
    const { id } = await call<Release>('POST', '/releases', { name: `Read ${unique()}` });
    const { id: entryId } = await article({ title: 'The gate' });
    const item = { kind: 'entry', entryId, locale: 'en', action: 'publish' };
    await call('POST', `/releases/${id}/items`, { items: [item] });
    const viewer = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
    const desk = await open(`/releases/${id}`, { email: viewer.email, password: memberPassword });
    await desk.page.getByRole('link', { name: 'The gate', exact: true }).waitFor();
    for (const name of ['Publish', 'Schedule', 'Edit', 'Delete', 'Add a change', 'Remove The gate'])
      expect([name, await desk.button(name).count()]).toEqual([name, 0]);
    await desk.page.getByRole('link', { name: 'Releases', exact: true }).click();
    await desk.page.getByRole('table', { name: 'Releases', exact: true }).waitFor();
    expect(await desk.button('Create a release').count()).toBe(0);
  });
});
