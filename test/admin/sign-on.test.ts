import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, openDeskAs, placeOf } from '../support/admin-desk.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { startProvider, type TestProvider } from '../support/identity-provider.js';
import { hasBrowser } from '../support/optional-servers.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Single sign-on in the admin app (needs Chromium)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let admin: { email: string; password: string };
  let provider: TestProvider;

  beforeAll(async () => {
    project = await createProject(app());
    admin = await createAdmin(app());
    provider = await startProvider([`${app().baseUrl}/admin/sign-on`]);
  });
  afterAll(() => provider.close());

  it('a super-admin sets the provider, maps a group to a role and checks it', async () => {
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await desk.open(`${placeOf(project)}/tenants/${project.tenantSlug}`);
    await page.getByRole('link', { name: 'Single sign-on', exact: true }).click();
    await page.getByText('Users of this tenant log in with a password only.').waitFor();
    await page.getByLabel('Name on the login page').fill('Example login');
    await page.getByLabel('Address of the identity provider').fill('http://login.example.com');
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByLabel('Users can sign on').check();
    await desk.button('Save').click();
    await page.getByText('The issuer must be an https URL').waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('sign-on-settings');
    await page.getByLabel('Address of the identity provider').fill(provider.issuer);
    await desk.button('Save').click();
    await page.getByText('Users of this tenant can sign on at its identity provider.').waitFor();
    await desk.button('Check the provider').click();
    await page.getByText('The provider responds as it must.').waitFor();
    const scopes = page.getByRole('group', { name: 'Scopes' });
    await scopes.getByRole('button', { name: 'Add' }).click();
    await scopes.getByRole('textbox').last().fill('groups');
    const groups = page.getByRole('group', { name: 'Roles by group' });
    await groups.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: /^Group/ }).fill('writers');
    await page.getByRole('textbox', { name: /^Project/ }).fill(project.slug);
    await page.getByRole('textbox', { name: /^Role/ }).fill('unknown');
    await desk.button('Save').click();
    await page.getByText('The role does not exist any more.').waitFor();
    await page.getByRole('textbox', { name: /^Role/ }).fill('editor');
    await desk.button('Save').click();
    await page.getByText('Single sign-on saved').last().waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('a user signs on twice, opens the page that was wanted, and logs out at the provider too', async () => {
    const account = `grace-${unique()}`;
    provider.people.set(account, {
      email: `${account}@example.com`,
      email_verified: true,
      name: 'Grace Hopper',
      groups: ['writers'],
    });
    const desk = await openDesk(browser(), app());
    const { page } = desk;
    await desk.open(`${placeOf(project)}/tasks`);
    await desk.button('Sign on with your organization').click();
    const organization = page.getByRole('textbox', { name: /^Sign on with your organization/ });
    await organization.fill('unknown');
    await desk.button('Go to the login page').click();
    await page.getByText('No organization of this name has single sign-on.').waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('sign-on-login');
    await organization.fill(project.tenantSlug);
    await desk.button('Go to the login page').click();
    await page.getByLabel('Account').fill(account);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`**/admin${placeOf(project)}/tasks*`);
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    await desk.button('Log out').click();
    // The provider asks whether its session is to end.
    await page.waitForURL(`${provider.issuer}/session/end*`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${app().baseUrl}/admin/`);
    expect(await page.getByRole('textbox', { name: /^Sign on with/ }).inputValue()).toBe(project.tenantSlug);
    await desk.button('Go to the login page').click();
    await page.getByLabel('Account').fill(account);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText(project.slug).first().waitFor();
  });

  it('a refused sign-on says why and leads back', async () => {
    const account = `new-${unique()}`;
    provider.people.set(account, { email: `${account}@example.com`, email_verified: false });
    const desk = await openDesk(browser(), app());
    const { page } = desk;
    await desk.open(`/?tenant=${project.tenantSlug}`);
    await desk.button('Go to the login page').click();
    await page.getByLabel('Account').fill(account);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Your identity provider has not verified your email address.').waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.getByRole('link', { name: 'Back to the login' }).click();
    await desk.button('Log in').waitFor();
    await desk.open('/sign-on?code=forged&state=forged');
    await page.getByText('This sign-on was started in another browser').waitFor();
  });
});
