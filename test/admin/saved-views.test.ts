import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, createType, publish } from '../support/factories/content.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { reach } from '../support/keyboard.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';
import { waitFor } from '../support/wait-for.js';

interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly filters: object;
  readonly columns: string[];
  readonly orderBy: string | null;
  readonly visibility: string;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Saved views of the list of entries (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    const draft = { contentTypeApiName: 'article', fields: { title: 'A draft', code: 'D-1' } };
    await createEntry(app(), project, draft);
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'A published one', code: 'P-1' },
    });
    await publish(app(), project, id);
    admin = await createAdmin(app());
  });

  const openAs = async (login: { email: string; password: string }, address: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), login);
    await desk.open(placeOf(project) + address);
    await desk.page.getByRole('combobox', { name: 'View', exact: true }).waitFor();
    return desk;
  };
  const member = async (role: string): Promise<TestMember> =>
    createMember(app(), project, [await systemRoleId(app(), project, role)]);
  const create = (body: object): Promise<StoredView> =>
    must<StoredView>(app(), {
      method: 'POST',
      path: `${project.management}/views`,
      key: project.keys.management,
      body: { resource: 'entries', visibility: 'shared', ...body },
    });
  const stored = async (token: string, q: string): Promise<StoredView[]> =>
    must<StoredView[]>(app(), { method: 'GET', path: `${project.management}/views?q=${q}`, key: token });
  const views = ({ page }: Desk) => page.getByRole('combobox', { name: 'View', exact: true });

  it('a view is saved with filters, order and columns, shared, changed and deleted', async () => {
    const name = `Open ${unique()}`;
    const editor = await member('editor');
    const desk = await openAs({ email: editor.email, password: memberPassword }, '?type=article');
    const { page } = desk;
    await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('draft');
    await page.getByRole('combobox', { name: 'Order', exact: true }).selectOption('createdAt:asc');
    await page.getByRole('link', { name: 'A published one' }).waitFor({ state: 'detached' });
    await desk.button('Save as a view').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name of the view', exact: true }).fill(name);
    await dialog.getByRole('radio', { name: 'Every member of the project', exact: true }).check();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('view-new');
    await desk.button('Save view').click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.waitForURL(/\?view=[0-9a-f-]+$/);
    const [view] = await stored(editor.token, name);
    expect(view).toMatchObject({
      filters: { contentTypeApiName: ['article'], status: ['draft'] },
      columns: ['title', 'fields.code', 'status', 'locales', 'updatedAt'],
      orderBy: 'createdAt:asc',
      visibility: 'shared',
    });
    expect(await desk.findings()).toEqual([]);
    await desk.picture('view');
    await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('published');
    await desk.button('Save the changes in the view').click();
    await desk.button('Save the changes in the view').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'A published one', exact: true }).waitFor();
    expect(await stored(editor.token, name)).toMatchObject([
      { filters: { contentTypeApiName: ['article'], status: ['published'] } },
    ]);
    const other = await openAs(admin, `?view=${view?.id ?? ''}`);
    await other.page.getByRole('link', { name: 'A published one', exact: true }).waitFor();
    await other.page.getByText('Shared by Member', { exact: true }).waitFor();
    expect(await other.button('Edit view').count()).toBe(0);
    await desk.button('Edit view').click();
    await dialog.getByRole('textbox', { name: 'Name of the view', exact: true }).fill(`${name} now`);
    await dialog.getByRole('radio', { name: 'Only me', exact: true }).check();
    await desk.button('Save').click();
    await page.getByRole('heading', { name: `${name} now` }).waitFor();
    await other.page.reload();
    await other.page
      .getByText('This view does not exist any more, or is not shared with you.', { exact: true })
      .waitFor();
    expect(await other.findings()).toEqual([]);
    await other.picture('view-hidden');
    await desk.button('Edit view').click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.button('Delete the view').click();
    await page.getByRole('heading', { name: 'Type', exact: true }).waitFor();
    expect([await stored(editor.token, name), desk.errors, other.errors]).toEqual([[], [], []]);
  });

  it('the list is sorted by the heads of title and field, filtered by a field, and saved so as a view', async () => {
    const name = `Codes ${unique()}`;
    const editor = await member('editor');
    const desk = await openAs({ email: editor.email, password: memberPassword }, '?type=article');
    const { page } = desk;
    const titles = () => page.locator('.row-link').allInnerTexts();
    const head = (column: string) => page.getByRole('columnheader', { name: column, exact: true });
    await head('Title').getByRole('button').click();
    await page.waitForURL(/order=title/);
    await waitFor('the titles are sorted', async () =>
      isDeepStrictEqual(await titles(), ['A draft', 'A published one']),
    );
    expect(await head('Title').getAttribute('aria-sort')).toBe('ascending');
    await head('Title').getByRole('button').click();
    await waitFor('the titles are turned', async () =>
      isDeepStrictEqual(await titles(), ['A published one', 'A draft']),
    );
    await head('Code').getByRole('button').click();
    await waitFor('the codes are sorted', async () =>
      isDeepStrictEqual(await titles(), ['A draft', 'A published one']),
    );
    await desk.button('Filter by field').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Field', exact: true }).selectOption({ label: 'Code' });
    await dialog.getByRole('combobox', { name: 'Comparison', exact: true }).selectOption('contains');
    await dialog.getByRole('textbox', { name: 'Value', exact: true }).fill('p-');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('list-field-filter');
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('link', { name: 'A draft', exact: true }).waitFor({ state: 'detached' });
    await page.getByText('Code: contains p-', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('list-filtered');
    await desk.button('Save as a view').click();
    await dialog.getByRole('textbox', { name: 'Name of the view', exact: true }).fill(name);
    await desk.button('Save view').click();
    await page.waitForURL(/\?view=[0-9a-f-]+$/);
    expect(await stored(editor.token, name)).toMatchObject([
      {
        filters: { contentTypeApiName: ['article'], filter: { code: { contains: 'p-' } } },
        orderBy: 'fields.code:asc',
      },
    ]);
    await page.reload();
    await page.getByText('Code: contains p-', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'A published one', exact: true }).waitFor();
    expect(await titles()).toEqual(['A published one']);
    await desk.button('Remove the filter Code: contains p-').click();
    await page.getByRole('link', { name: 'A draft', exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('by keyboard alone: a view is saved under a name and chosen again', async () => {
    const name = `Keys ${unique()}`;
    const desk = await openAs(admin, '?type=article&status=draft');
    const { page } = desk;
    await reach(page, desk.button('Save as a view'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await desk.open(placeOf(project));
    await page.getByRole('link', { name: 'A published one', exact: true }).waitFor();
    await reach(page, views(desk));
    await page.keyboard.type(name);
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByRole('link', { name: 'A published one' }).waitFor({ state: 'detached' });
    expect(desk.errors).toEqual([]);
  });

  it('a view that names a removed field or type says so, and its creator removes the name', async () => {
    const type = `t_${unique()}`;
    await createType(app(), project, {
      apiName: type,
      name: 'Temporary',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'note', type: 'text' },
      ],
    });
    await createEntry(app(), project, { contentTypeApiName: type, fields: { title: 'Kept' } });
    const editor = await member('editor');
    const login = { email: editor.email, password: memberPassword };
    const own = await must<StoredView>(app(), {
      method: 'POST',
      path: `${project.management}/views`,
      key: editor.token,
      body: {
        name: 'Notes',
        resource: 'entries',
        filters: { contentTypeApiName: [type] },
        columns: ['title', 'fields.note'],
      },
    });
    await must(app(), {
      method: 'DELETE',
      path: `${project.management}/content-types/${type}/fields/note`,
      key: project.keys.management,
    });
    const desk = await openAs(login, `?view=${own.id}`);
    const { page } = desk;
    await page.getByText('The view names fields that do not exist any more: note', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Kept', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('view-field');
    await desk.button('Remove them from the view').click();
    await desk.button('Remove them from the view').waitFor({ state: 'detached' });
    expect((await stored(editor.token, 'Notes'))[0]?.columns).toEqual(['title']);
    const filtered = await create({
      name: 'Filtered',
      filters: { contentTypeApiName: [type], filter: { note: { exists: 'true' } } },
      orderBy: 'fields.note:asc',
    });
    await desk.open(`${placeOf(project)}?view=${filtered.id}`);
    await page.getByText('The view names fields that do not exist any more: note', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'The view cannot be shown', exact: true }).waitFor();
    const broken = await create({ name: 'Old', filters: { contentTypeApiName: ['deleted_type'] } });
    await desk.open(`${placeOf(project)}?view=${broken.id}`);
    await page
      .getByText('The view names content types that do not exist any more: deleted_type', { exact: true })
      .waitFor();
    await page.getByRole('heading', { name: 'The view cannot be shown', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('view-type');
    expect(desk.errors).toEqual([]);
  });

  it('views that cannot be read say so, and are read again', async () => {
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await page.route(/views\.list/, (route) => route.abort('connectionreset'));
    await desk.open(placeOf(project));
    const retry = desk.button('Views could not be read. Try again');
    await retry.waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.unroute(/views\.list/);
    await retry.click();
    await views(desk).waitFor();
    // The list was in the same request.
    const draft = page.getByRole('link', { name: 'A draft', exact: true });
    const again = desk.button('Try again');
    await draft.or(again).first().waitFor();
    if (await again.isVisible()) await again.click();
    await draft.waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('filters of a view that the list has no control for apply and are named', async () => {
    const view = await create({
      name: 'Scheduled',
      filters: { hasSchedule: true, status: ['draft', 'changed'] },
    });
    const desk = await openAs(admin, `?view=${view.id}`);
    await desk.page.getByText('The view also filters by: status, hasSchedule', { exact: true }).waitFor();
    await desk.page.getByRole('heading', { name: 'No entry matches', exact: true }).waitFor();
    await desk.button('Remove filters').click();
    await desk.page.getByRole('link', { name: 'A draft', exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });
});
