import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createEntry, createType } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface StoredType {
  readonly apiName: string;
  readonly fields: { apiName: string; settings: object; validations: object }[];
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Content types and fields in the admin app', () => {
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
    await desk.open(`${placeOf(project)}/content-types${screen}`);
    return desk;
  };
  const stored = (apiName: string): Promise<StoredType> =>
    must(app(), {
      method: 'GET',
      path: `${project.management}/content-types/${apiName}`,
      key: project.keys.management,
    });

  it('a content type is created and gets fields with the settings and validations of their kinds', async () => {
    const desk = await openAt('');
    const dialog = desk.page.getByRole('dialog');
    await desk.button('New content type').click();
    await dialog
      .getByRole('textbox', { name: /^Name( required)?$/ })
      .first()
      .fill('Boat');
    const apiName = dialog.getByRole('textbox', { name: 'API name required', exact: true });
    expect(await apiName.inputValue()).toBe('boat');
    await desk.button('Create').click();
    await desk.page.waitForURL(/content-types\/boat$/);
    await desk.button('Add a field').click();
    await desk.picture('field-kinds');
    await dialog.getByRole('button', { name: /longText/ }).click();
    await dialog
      .getByRole('textbox', { name: /^Name( required)?$/ })
      .first()
      .fill('Long story');
    expect(await apiName.inputValue()).toBe('longStory');
    await apiName.fill('story');
    await dialog
      .getByRole('textbox', { name: /^Name( required)?$/ })
      .first()
      .fill('Story');
    expect(await apiName.inputValue()).toBe('story');
    await dialog.getByRole('textbox', { name: 'Greatest length', exact: true }).fill('500');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('field');
    await desk.button('Create').click();
    await desk.page.getByText('Story', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('type');
    await desk.button('Settings').click();
    const titles = dialog.getByRole('combobox', { name: /^Title field/ });
    expect(await titles.getByRole('option').allTextContents()).toEqual(['The first short text', 'Story']);
    await desk.button('Close').click();
    expect((await stored('boat')).fields).toMatchObject([
      { apiName: 'story', validations: { maxLength: 500 } },
    ]);
    expect(desk.errors).toEqual([]);
  });

  it('a field is shown and required as the values of others ask for', async () => {
    const options = [
      { value: 'plain', label: 'Plain' },
      { value: 'wide', label: 'Wide' },
    ];
    await createType(app(), project, {
      apiName: 'banner',
      fields: [
        { apiName: 'layout', type: 'select', settings: { options } },
        { apiName: 'caption', type: 'text' },
      ],
    });
    const desk = await openAt('/banner');
    const dialog = desk.page.getByRole('dialog');
    await desk.page.getByRole('button', { name: /^(Edit|Change).*Caption/i }).click();
    for (const group of ['Shown only when', 'Required when']) {
      const condition = dialog.getByRole('group', { name: group });
      await condition.getByRole('button', { name: 'Add a condition' }).click();
      await condition.getByLabel('Value of Layout').selectOption('Wide');
    }
    expect(await desk.findings()).toEqual([]);
    await desk.picture('field-conditions');
    await desk.button('Save').click();
    await desk.page.getByText('Field saved').waitFor();
    const condition = [{ field: 'layout', eq: 'wide' }];
    expect((await stored('banner')).fields).toMatchObject([
      { apiName: 'layout' },
      { settings: { visibleWhen: condition }, validations: { requiredWhen: condition } },
    ]);
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'banner', fields: {} });
    await desk.open(`${placeOf(project)}/entries/${id}`);
    await desk.page.getByLabel('Layout').waitFor();
    expect(await desk.page.getByLabel('Caption').count()).toBe(0);
    await desk.page.getByLabel('Layout').selectOption('Wide');
    await desk.page.getByLabel(/^Caption required to publish/).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('by keyboard alone: fields are moved and renamed without loss', async () => {
    const fields = ['title', 'code'].map((apiName) => ({ apiName, name: apiName, type: 'text' }));
    await createType(app(), project, { apiName: 'lock', name: 'Lock', fields });
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'lock',
      fields: { title: 'Upper', code: 'A-1' },
    });
    const desk = await openAt('/lock');
    await desk.button('Move down: title').press('Enter');
    await desk.page.getByText('“title” is now field 2.', { exact: true }).waitFor();
    await desk.button('Rename code').press('Enter');
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'API name required', exact: true }).fill('number');
    await desk.page.keyboard.press('Enter');
    await desk.page.getByText('The name is now number.', { exact: true }).waitFor();
    expect((await stored('lock')).fields.map(({ apiName }) => apiName)).toEqual(['number', 'title']);
    const entry = await must<{ fields: object }>(app(), {
      method: 'GET',
      path: `${project.management}/entries/${id}`,
      key: project.keys.management,
    });
    expect(entry.fields).toMatchObject({ number: 'A-1', title: 'Upper' });
    expect(desk.errors).toEqual([]);
  });

  it('a field with values is deleted after consent only', async () => {
    const fields = ['title', 'note'].map((apiName) => ({ apiName, name: apiName, type: 'text' }));
    await createType(app(), project, { apiName: 'quay', name: 'Quay', fields });
    await createEntry(app(), project, { contentTypeApiName: 'quay', fields: { title: 'East', note: 'x' } });
    const desk = await openAt('/quay');
    await desk.button('Delete note').click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('Entries that have values in this field: 1.', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'Delete these values as well', exact: true }).check();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.button('Delete note').waitFor({ state: 'detached' });
    expect((await stored('quay')).fields.map(({ apiName }) => apiName)).toEqual(['title']);
  });

  it('before a type is deleted, what depends on it is shown', async () => {
    const fields = [{ apiName: 'title', type: 'text' }];
    await createType(app(), project, { apiName: 'used', name: 'Used', fields });
    await createType(app(), project, { apiName: 'unused', name: 'Unused', fields });
    await createEntry(app(), project, { contentTypeApiName: 'used', fields: { title: 'One' } });
    const desk = await openAt('/used');
    const dialog = desk.page.getByRole('dialog');
    await desk.button('Delete').first().click();
    await dialog.getByText('Entries of this type exist. Delete them first.', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('type-delete');
    await desk.open(`${placeOf(project)}/content-types/unused`);
    await desk.button('Delete').first().click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.page.getByRole('heading', { name: 'Types and fields', exact: true }).waitFor();
    const types = await must<{ apiName: string }[]>(app(), {
      method: 'GET',
      path: `${project.management}/content-types`,
      key: project.keys.management,
    });
    expect(types.map(({ apiName }) => apiName)).not.toContain('unused');
  });

  it('the workflow of a type is chosen by name, none, or left to the workflows', async () => {
    await createType(app(), project, { apiName: 'plain', fields: [] });
    const desk = await openAt('/plain');
    const choice = desk.page.getByRole('dialog').getByRole('combobox', { name: 'Workflow', exact: true });
    for (const [label, workflowSlug] of [
      ['No workflow', 'none'],
      ['Default', 'default'],
      ['Automatic', null],
    ] as const) {
      await desk.button('Settings').click();
      await choice.selectOption({ label });
      if (workflowSlug === 'none') {
        expect(await desk.findings()).toEqual([]);
        await choice.scrollIntoViewIfNeeded();
        await desk.picture('type-workflow');
      }
      await desk.button('Save').click();
      await choice.waitFor({ state: 'detached' });
      expect(await stored('plain')).toMatchObject({ workflowSlug });
    }
  });
});
