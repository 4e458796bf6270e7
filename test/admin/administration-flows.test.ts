import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { openReceiver, type Answer, type Receiver } from '../management/webhooks/receiver.js';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, createRole, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Grant {
  readonly resource: string;
  readonly action: string;
  readonly scope: object;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Operating a project in the admin app (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  let receiver: Receiver;
  let answer: Answer = { status: 200, body: 'thanks' };

  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    admin = await createAdmin(app());
    receiver = await openReceiver(() => answer);
  });
  afterAll(async () => {
    await receiver.close();
  });

  const openAt = async (path: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/${path}`);
    return desk;
  };
  const read = <T>(path: string, environment?: string): Promise<T> =>
    must<T>(app(), {
      method: 'GET',
      path: `${project.management}/${path}`,
      key: project.keys.management,
      ...(environment !== undefined && { environment }),
    });
  const grantsOf = async (role: string): Promise<string[]> =>
    (await read<Grant[]>(`roles/${role}/permissions`)).map(
      ({ resource, action, scope }) => `${resource}.${action} ${JSON.stringify(scope)}`,
    );
  /** The button of a dialog that asks before it does what the button below it names. */
  const confirm = (desk: Desk, name: string): Promise<void> =>
    desk.page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();

  it('a webhook is created, tested and redelivers what the receiver refused', async () => {
    const desk = await openAt('webhooks');
    const { page } = desk;
    await desk.button('New webhook').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name required', exact: true }).first().fill('Search index');
    await dialog.getByRole('textbox', { name: 'URL required', exact: true }).first().fill(receiver.url);
    await dialog.getByText('Entries', { exact: true }).click();
    const entries = dialog.locator('details', { hasText: 'Entries' });
    await entries.getByLabel('All of this group', { exact: true }).check();
    expect(await dialog.getByLabel('Entries: published', { exact: true }).isChecked()).toBe(true);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-webhook-new');
    await desk.button('Create').click();
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
    await desk.button('I have kept it').click();
    await page.getByRole('link', { name: 'Search index', exact: true }).click();
    answer = { status: 500, body: 'out of order' };
    await desk.button('Send a test').click();
    await page.getByText(/the receiver did not accept it \(500\)/).waitFor();
    const row = page.getByRole('row', { name: /Webhooks: test/ });
    await row.getByText('failed', { exact: true }).waitFor();
    await row.locator('summary').click();
    await row.getByText('out of order', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-webhook');
    answer = { status: 200, body: 'thanks' };
    await row.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByText('Queued again', { exact: true }).waitFor();
    await app().composition.jobs.deliverWebhooks();
    await desk.button('Reload').click();
    await page.getByRole('row', { name: /succeeded/ }).waitFor();
    await desk.button('Delete').click();
    await confirm(desk, 'Delete');
    await page.waitForURL(/webhooks$/);
    expect(await read<object[]>('webhooks')).toEqual([]);
  });

  it('grants of a role are a matrix, where a wider grant includes others', async () => {
    const desk = await openAt('roles');
    const { page } = desk;
    await desk.button('New role').click();
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Name required', exact: true })
      .fill('Publisher');
    await desk.button('Create').click();
    await desk.picture('administration-roles');
    await page.getByRole('link', { name: 'Publisher', exact: true }).click();
    await page.getByLabel('entries: publish', { exact: true }).click();
    await page.getByText('Permission added', { exact: true }).waitFor();
    const id = /roles\/([^?]+)/.exec(page.url())?.[1] ?? '';
    expect(await grantsOf(id)).toEqual(['entries.publish {}']);
    await page.getByText('Members of this role may publish entries.', { exact: false }).waitFor();
    for (const absent of ['content types: publish', 'content types: move in the workflow', 'media: promote'])
      expect(await page.getByLabel(absent, { exact: true }).count()).toBe(0);
    await page.getByLabel('entries: manage', { exact: true }).click();
    const included = page.getByLabel('entries: read', { exact: true });
    await expectState(included, 'checked');
    expect(await included.isDisabled()).toBe(true);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-role');
    await page.getByLabel('entries: publish', { exact: true }).click();
    await page.getByText('Permission removed', { exact: true }).waitFor();
    expect(await grantsOf(id)).toEqual(['entries.manage {}']);
    expect(desk.errors).toEqual([]);
  });

  it('a permission that is limited to a locale is added and removed by keyboard alone', async () => {
    const id = await createRole(app(), project, []);
    const desk = await openAt(`roles/${id}`);
    const { page } = desk;
    await desk.button('Add a limited permission').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    // The first letters choose an option of a list that has the focus.
    await dialog.getByRole('combobox', { name: 'Resource required', exact: true }).focus();
    await page.keyboard.type('entries');
    await page.keyboard.press('Tab');
    await page.keyboard.type('update');
    await dialog.getByRole('checkbox', { name: 'German (de)', exact: true }).focus();
    await page.keyboard.press('Space');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-grant');
    await page.keyboard.press('Enter');
    await page.getByText('Locales: German (de)', { exact: true }).waitFor();
    expect(await grantsOf(id)).toEqual(['entries.update {"locales":["de"]}']);
    await desk.button('Remove: entries: update').focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('None', { exact: true }).waitFor();
    expect(await grantsOf(id)).toEqual([]);
  });

  it('an owner who would lock themselves out is warned, and lets their own address in', async () => {
    const other = await createProject(app());
    const { email } = await createMember(app(), other, [await systemRoleId(app(), other, 'owner')]);
    const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
    const { page } = desk;
    await desk.open(`${placeOf(other)}/ip-allowlist`);
    await page.getByText('Every network may call the project.', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Enabled', exact: true }).check();
    await desk.button('Save').click();
    await page.getByText(/You call from/).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-lockout');
    await page.getByRole('button', { name: /^Allow .* and go on$/ }).click();
    await page.getByText('Only the listed networks may call the project.', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /127\.0\.0\.1|::1/ })
      .first()
      .click();
    await desk.button('Delete').click();
    await confirm(desk, 'Delete');
    await page.getByText('The change would lock you out.', { exact: true }).waitFor();
    await desk.button('Cancel').click();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Enabled', exact: true }).uncheck();
    await desk.button('Save').click();
    await page.getByText('Every network may call the project.', { exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('a copy of an environment is compared, promoted and rolled back', async () => {
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'The old lock' },
    });
    const title = async (): Promise<unknown> =>
      (await read<{ fields: { title: unknown } }>(`entries/${id}`)).fields.title;
    const desk = await openAt('environments');
    const { page } = desk;
    await desk.button('New environment').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name required', exact: true }).fill('Redesign');
    const slug = dialog.getByRole('textbox', { name: 'Slug required', exact: true });
    expect(await slug.inputValue()).toBe('redesign');
    await desk.picture('administration-environment-new');
    await desk.button('Create').click();
    await page.getByRole('row', { name: /Redesign ready/ }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-environments');
    for (const body of [
      { version: 1, fields: { title: 'The new lock' } },
      { version: 2, fields: { title: 'Die neue Schleuse' }, locale: 'de' },
    ])
      await must(app(), {
        method: 'PUT',
        path: `${project.management}/entries/${id}`,
        environment: 'redesign',
        key: project.keys.management,
        body,
      });
    await page
      .getByRole('row', { name: /Redesign/ })
      .getByRole('link', { name: 'Compare and promote', exact: true })
      .click();
    const entry = page.getByRole('link', { name: 'The new lock', exact: true });
    expect(await entry.getAttribute('href')).toContain(`/redesign/entries/${id}`);
    await page.getByRole('checkbox', { name: 'Promote The new lock', exact: true }).check();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-differences');
    await desk.button('Promote 1 items').click();
    await expectAccessible(desk, 'promote');
    await dialog.getByRole('checkbox', { name: 'Try without changing anything', exact: true }).check();
    await desk.button('Promote').click();
    await dialog.getByText(/nothing was changed/).waitFor();
    expect(await title()).toBe('The old lock');
    await dialog.getByRole('checkbox', { name: 'Try without changing anything', exact: true }).uncheck();
    await desk.button('Promote').click();
    await dialog.getByText('0 created, 1 updated, 0 deleted', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-outcome');
    expect(await title()).toBe('The new lock');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('The environments are equal', { exact: true }).waitFor();
    await desk.button('Roll back').click();
    await confirm(desk, 'Roll back');
    await page.getByText('Promotion rolled back', { exact: true }).waitFor();
    expect(await title()).toBe('The old lock');
    await page.getByRole('checkbox', { name: 'Promote The new lock', exact: true }).waitFor();
    await desk.picture('administration-promote');
    expect(desk.errors).toEqual([]);
  });
});

async function expectState(locator: Locator, state: 'checked'): Promise<void> {
  await locator.and(locator.page().locator(`:${state}`)).waitFor();
}
