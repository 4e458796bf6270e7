import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Administration in the admin app (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();

  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
  });

  const openAt = async (path: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}/${path}`);
    return desk;
  };
  const read = <T>(path: string): Promise<T> =>
    must<T>(app(), { method: 'GET', path: `${project.management}/${path}`, key: project.keys.management });
  const named = async <T extends Named>(path: string, name: string): Promise<T | undefined> =>
    (await read<T[]>(path)).find((one) => one.name === name);
  const deliveryStatus = async (key: string): Promise<number> =>
    (await app().request.get(`${project.delivery}/redirects`).set('Authorization', `Bearer ${key}`)).status;
  const secretIn = ({ page }: Desk): Promise<string> =>
    page.getByLabel('Secret', { exact: true }).inputValue();

  it('a user is invited with roles, gets a link to accept the invitation and is removed', async () => {
    const desk = await openAt('users');
    const { page } = desk;
    await desk.button('Invite a user').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email address required', exact: true }).fill('grace');
    await desk.button('Create').click();
    await dialog.getByText('Enter an email address.', { exact: true }).waitFor();
    expect(
      await dialog
        .getByRole('textbox', { name: 'Email address required', exact: true })
        .getAttribute('aria-invalid'),
    ).toBe('true');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-user-new');
    await dialog.getByLabel('First password', { exact: true }).fill('short');
    await desk.button('Create').click();
    await dialog.getByText('Write at least 12 characters.', { exact: true }).waitFor();
    await dialog.getByLabel('First password', { exact: true }).fill('');
    await dialog
      .getByRole('textbox', { name: 'Email address required', exact: true })
      .fill('grace@example.com');
    await dialog.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Grace Hopper');
    await dialog.getByLabel('Editor', { exact: true }).check();
    await desk.button('Create').click();
    const link = page.getByLabel('Link of the invitation, valid for seven days', { exact: true });
    const first = await link.inputValue();
    expect(first).toMatch(/\/admin\/invitation#token=hwt_/);
    await expectAccessible(desk, 'secret');
    await desk.picture('administration-user-link');
    await desk.button('I have kept it').click();
    await page.getByText(/link valid until/).waitFor();
    await desk.button('Grace Hopper').click();
    expect(await named('users', 'Grace Hopper')).toMatchObject({
      email: 'grace@example.com',
      status: 'invited',
      roles: [{ name: 'Editor' }],
    });
    await desk.picture('administration-user');
    const confirm = async (name: string): Promise<void> => {
      await desk.button(name).click();
      await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
    };
    await confirm('Invite again');
    expect(await link.inputValue()).not.toBe(first);
    await desk.button('I have kept it').click();
    await desk.button('Grace Hopper').click();
    await confirm('Revoke the invitation');
    await page.getByText('Invitation of Grace Hopper revoked', { exact: true }).waitFor();
    await page.getByText('no valid link', { exact: true }).waitFor();
    await desk.button('Grace Hopper').click();
    await desk.button('Remove from the project').click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: 'Remove from the project', exact: true })
      .click();
    await page.getByText('Grace Hopper removed', { exact: true }).waitFor();
    expect(await named('users', 'Grace Hopper')).toBeUndefined();
    expect(desk.errors).toEqual([]);
  });

  it('an API key shows its secret once, is rotated with an overlap and revoked', async () => {
    const desk = await openAt('api-keys');
    const { page } = desk;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.button('New API key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Website');
    expect(await dialog.getByRole('radio', { name: /^Read published content/ }).isChecked()).toBe(true);
    await desk.picture('administration-key-new');
    await desk.button('Create').click();
    const first = await secretIn(desk);
    await desk.button('Copy').click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-secret');
    await desk.button('I have kept it').click();
    expect(await deliveryStatus(first)).toBe(200);
    await desk.button('Website').click();
    await desk.picture('administration-key');
    await desk.button('Rotate').click();
    const rotation = page.getByRole('dialog').last();
    await rotation.getByRole('textbox', { name: 'Overlap in seconds', exact: true }).fill('600');
    await rotation.getByRole('button', { name: 'Rotate', exact: true }).click();
    const second = await secretIn(desk);
    expect(second).not.toBe(first);
    await desk.button('I have kept it').click();
    expect([await deliveryStatus(first), await deliveryStatus(second)]).toEqual([200, 200]);
    await desk.button('Website').click();
    await desk.button('Revoke').click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('“Website” revoked', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Website revoked/ }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-keys');
    expect([await deliveryStatus(first), await deliveryStatus(second)]).toEqual([401, 401]);
  });

  it('what the service refuses is shown beside the field, and what was typed is not dropped unasked', async () => {
    const desk = await openAt('api-keys');
    const { page } = desk;
    await desk.button('New API key').click();
    const dialog = page.getByRole('dialog');
    await desk.button('Create').click();
    await dialog.getByText('Fill this in.', { exact: true }).waitFor();
    await dialog.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Build server');
    await dialog.getByRole('radio', { name: /^Write content/ }).check();
    for (const action of ['create', 'update', 'publish'])
      await dialog.getByLabel(action, { exact: true }).uncheck();
    await desk.button('Add to Allowed networks').click();
    await dialog
      .getByRole('textbox', { name: 'Allowed networks, item 1', exact: true })
      .fill('not a network');
    await desk.button('Create').click();
    await dialog.getByRole('group', { name: 'Allowed networks' }).getByText(/^1: /).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-refused');
    await page.keyboard.press('Escape');
    await page.getByText('What you entered is not saved yet.', { exact: true }).waitFor();
    await desk.button('Stay').click();
    await dialog
      .getByRole('textbox', { name: 'Allowed networks, item 1', exact: true })
      .fill('203.0.113.0/24');
    await desk.button('Create').click();
    await desk.button('I have kept it').click();
    expect(await named('api-keys', 'Build server')).toMatchObject({
      type: 'management',
      // Nothing chosen permits nothing more; an empty list would permit all.
      permissions: ['read'],
      ipAllowlist: ['203.0.113.0/24'],
    });
  });

  it('a key is changed by keyboard alone, and only what was changed is sent', async () => {
    const body = { name: 'Shop', type: 'delivery', rateLimit: 50 };
    const path = `${project.management}/api-keys`;
    await must(app(), { method: 'POST', path, key: project.keys.management, body });
    const desk = await openAt('api-keys?q=Shop');
    const { page } = desk;
    await desk.button('Shop').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Shop window');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await desk.button('Shop window').waitFor();
    expect(await named('api-keys', 'Shop window')).toMatchObject({ rateLimit: 50, type: 'delivery' });
  });

  it('a super-admin creates a tenant with a project, opens it, and deactivates the tenant', async () => {
    const desk = await openAt('tenants');
    const { page } = desk;
    await desk.button('New tenant').click();
    const dialog = page.getByRole('dialog');
    const group = dialog.getByRole('group', { name: 'First project', exact: true });
    await dialog.getByRole('textbox', { name: 'Slug required', exact: true }).first().fill('harbor');
    await dialog
      .getByRole('textbox', { name: /^Name( required)?$/ })
      .first()
      .fill('Harbor');
    await group.getByRole('textbox', { name: 'Slug required', exact: true }).fill('harbor-site');
    await group.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Harbor site');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-tenant-new');
    await desk.button('Create').click();
    await page.getByRole('link', { name: 'Harbor site', exact: true }).click();
    await desk.button('New project').click();
    await dialog.getByRole('textbox', { name: 'Slug required', exact: true }).fill('harbor-shop');
    await dialog.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Harbor shop');
    await desk.button('Create').click();
    await page.getByRole('link', { name: 'harbor-shop', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-projects');
    await page.getByRole('link', { name: 'All tenants', exact: true }).click();
    const harbor = page.getByRole('row', { name: /^Harbor/ });
    await harbor.getByRole('link', { name: 'en-US', exact: true }).click();
    await desk.button('New locale').click();
    await dialog.getByRole('textbox', { name: 'Code required', exact: true }).fill('it');
    await desk.button('Create').click();
    await desk.button('Italian (it)').waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.getByRole('link', { name: 'All tenants', exact: true }).click();
    await harbor.getByRole('link', { name: 'en-US, it', exact: true }).waitFor();
    await desk.button('Harbor').click();
    await desk.button('Deactivate').click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByRole('row', { name: /Harbor deactivated harbor/ }).waitFor();
    await desk.picture('administration-tenants');
    expect(desk.errors).toEqual([]);
  });

  it('members who may not administer the project are offered none of it', async () => {
    const roleIds = [await systemRoleId(app(), project, 'author')];
    const { email } = await createMember(app(), project, roleIds);
    const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
    const { page } = desk;
    await desk.open(placeOf(project));
    await page.getByRole('heading', { name: 'All entries', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await desk.open(`${placeOf(project)}/api-keys`);
    await page.getByText('You may not do this.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'New API key' }).count()).toBe(0);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('administration-forbidden');
  });
});
