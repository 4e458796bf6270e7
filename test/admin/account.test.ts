import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { send } from '../support/call.js';
import { createProject, superAdmin, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../support/members.js';
import { clientKey } from '../support/oauth-client.js';
import { hasBrowser } from '../support/optional-servers.js';
import { secretWatch } from '../support/secrets/secret-watch.js';
import { codeOf, enableSecondFactor, forgetStep } from '../support/second-factor.js';

const app = useCountedApp();
let project: TestProject;
let editor: string;

beforeAll(async () => {
  project = await createProject(app());
  editor = await systemRoleId(app(), project, 'editor');
});

const newMember = (name: string): Promise<TestMember> => createMember(app(), project, [editor], name);
const loginOf = ({ email }: TestMember) => ({ email, password: memberPassword });
const account = (): string => `${placeOf(project)}/account`;

const heading = ({ page }: Desk, name: string) => page.getByRole('heading', { name, exact: true });
const field = ({ page }: Desk, name: string) => page.getByLabel(name, { exact: true });

const choice = ({ page }: Desk, name: string) => page.getByRole('combobox', { name, exact: true });

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The account of a user in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const browser = useBrowser();

    it('a second factor is set up, asked for at the next login, and turned off', async () => {
      const member = await newMember('Ada');
      const desk = await openDesk(browser(), app());
      const { page } = desk;
      await desk.open(placeOf(project));
      await desk.logIn(loginOf(member));
      await desk.button('Ada').click();
      await page.getByRole('link', { name: 'Your account' }).click();
      await heading(desk, 'Second factor').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('account');

      await desk.button('Set up').click();
      await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
      const secret = await field(desk, 'Secret').inputValue();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('second-factor');
      await field(desk, 'Code').fill(codeOf(secret, 3));
      await desk.button('Confirm').click();
      await page.getByText('Correct the clock of your phone').waitFor();
      await field(desk, 'Code').fill(codeOf(secret));
      await page.keyboard.press('Enter');
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      const recovery = (await codes.first().textContent()) ?? '';
      expect(await desk.findings()).toEqual([]);
      await desk.button('I have kept them').click();
      await page.getByText('Recovery codes left: 10').waitFor();

      await desk.button('Ada').click();
      await desk.button('Log out').click();
      await desk.logIn(loginOf(member));
      await page.getByText('Enter the code of your authenticator app').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('login-code');
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page.getByText('The code is not valid.').waitFor();
      await forgetStep(app(), member);
      await field(desk, 'Code').fill(codeOf(secret));
      await desk.button('Go on').click();
      await heading(desk, 'Your account').waitFor();

      await desk.button('Turn off').click();
      await expectAccessible(desk, 'turn off the second factor');
      await field(desk, 'Code').fill(recovery);
      await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
      await desk.button('Set up').waitFor();
      expect([desk.errors, [...desk.origins]]).toEqual([[], [app().baseUrl]]);
    });

    it('a passkey is added, logs in without a password, follows a password, and is removed', async () => {
      const member = await newMember('Kay');
      // Browsers have no passkeys for an IP address.
      const local = { ...app(), baseUrl: app().baseUrl.replace('127.0.0.1', 'localhost') };
      const desk = await openDesk(browser(), local);
      const { page } = desk;
      const devices = await page.context().newCDPSession(page);
      await devices.send('WebAuthn.enable');
      await devices.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          automaticPresenceSimulation: true,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      await desk.open(account());
      await desk.logIn(loginOf(member));
      await desk.button('Add a passkey').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name of the passkey').fill('Phone of Kay');
      await dialog.getByLabel('Current password').fill('a wrong password');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('The current password is wrong.').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('passkey-new');
      await dialog.getByLabel('Current password').fill(memberPassword);
      await dialog.getByRole('button', { name: 'Create' }).click();
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      await desk.button('I have kept them').click();
      await page.getByText('Phone of Kay').waitFor();
      await page.getByText('A login asks for a passkey. Recovery codes left: 10.').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('account-passkey');

      const logOut = async (): Promise<void> => {
        await desk.button('Kay').click();
        await desk.button('Log out').click();
      };
      await logOut();
      await desk.button('Log in with a passkey').click();
      await heading(desk, 'Your account').waitFor();
      await page.getByText('Last used').first().waitFor();
      await logOut();
      await desk.logIn(loginOf(member));
      await page.getByText('Use your passkey, or enter a recovery code.').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('login-passkey');
      await page.keyboard.press('Enter');
      await heading(desk, 'Your account').waitFor();

      await desk.button('Remove passkey: Phone of Kay').click();
      await expectAccessible(desk, 'remove a passkey');
      await dialog.getByLabel('Current password').fill(memberPassword);
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('You have no passkey.').waitFor();
      await logOut();
      await desk.button('Log in with a passkey').click();
      await page.getByText('This passkey belongs to no account any more.').waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('a personal key is created, shown once, seen by an admin and revoked', async () => {
      const member = await newMember('Robin');
      const desk = await openDeskAs(browser(), app(), loginOf(member));
      await desk.open(account());
      await desk.button('Create a personal key').click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByLabel('Name of the key').fill('Import script');
      await dialog.getByLabel('Reading only').check();
      await dialog.getByLabel('Current password').fill(memberPassword);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('personal-key-new');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const secret = await dialog.getByLabel('Secret').inputValue();
      secretWatch.learn(secret, 'API key');
      const path = `${project.management}/redirects`;
      expect((await send(app(), { method: 'GET', path, key: secret })).status).toBe(200);
      await desk.button('I have kept it').click();
      const keys = desk.page.getByRole('region', { name: 'Personal keys' });
      await keys.getByText('Import script').waitFor();

      const admin = await createMember(app(), project, [await systemRoleId(app(), project, 'admin')]);
      const lead = await openDeskAs(browser(), app(), loginOf(admin));
      await lead.open(`${placeOf(project)}/api-keys`);
      const ofMembers = lead.page.getByRole('region', { name: 'Personal keys of members' });
      await ofMembers.getByText('Robin', { exact: false }).waitFor();
      expect(await lead.findings()).toEqual([]);
      await lead.picture('personal-keys-of-members');
      await lead.button('Revoke key: Import script').click();
      await ofMembers.getByText('Revoked', { exact: true }).waitFor();
      expect((await send(app(), { method: 'GET', path, key: secret })).status).toBe(401);
      expect([desk.errors, lead.errors]).toEqual([[], []]);
    });

    it('a connected app is listed with its limits, and ended after a question', async () => {
      const member = await newMember('Edda');
      const { key, client } = await clientKey(app(), project, member, { toolsets: ['media'] });
      const desk = await openDeskAs(browser(), app(), loginOf(member));
      await desk.open(account());
      const apps = desk.page.getByRole('region', { name: 'Connected apps' });
      await apps.getByText('Project · Files · Drafts only').waitFor();
      await apps.getByText('Never used').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.button(`End connection: ${client.client_name}`).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByText('in these projects at once: Project.').waitFor();
      await expectAccessible(desk, 'end a connection');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await apps.getByRole('listitem').count()).toBe(1);
      await desk.button(`End connection: ${client.client_name}`).click();
      await dialog.getByRole('button', { name: 'End', exact: true }).click();
      await apps.getByText('You have connected no app.').waitFor();
      const path = `/api/mcp/${project.slug}`;
      expect((await send(app(), { method: 'POST', path, key, body: {} })).status).toBe(401);
      expect(desk.errors).toEqual([]);
    });

    it('a session on another device is ended there at once', async () => {
      const member = await newMember('Grace');
      const here = await openDeskAs(browser(), app(), loginOf(member));
      const there = await openDeskAs(browser(), app(), loginOf(member));
      await there.open(account());
      await heading(there, 'Your account').waitFor();
      await here.open(account());
      const sessions = here.page.getByRole('region', { name: 'Sessions' });
      await sessions.getByText('This session').waitFor();
      // Those of both windows were opened by the test, which is no browser; the first belongs to the member's factory.
      expect(await sessions.getByRole('listitem').count()).toBe(3);
      await here.button('End all other sessions').click();
      await here.page.getByText('Sessions ended: 2').waitFor();
      await here.button('End all other sessions').waitFor({ state: 'hidden' });
      expect(await sessions.getByRole('listitem').count()).toBe(1);
      await there.page.reload();
      await heading(there, 'Your session has ended').waitFor();
      await there.page.getByRole('textbox', { name: 'Password' }).fill(memberPassword);
      await there.button('Log in').click();
      await heading(there, 'Your account').waitFor();
      await here.page.reload();
      await sessions.getByText('Chrome on Linux').waitFor();
      await here.button('End session: Chrome on Linux').click();
      await here.page.getByText('Session ended').waitFor();
      expect([here.errors, there.errors]).toEqual([[], []]);
    });

    it('language, time zone and theme of the profile apply in every browser, and a new password ends the session', async () => {
      const member = await newMember('Lin');
      const desk = await openDesk(browser(), app());
      await desk.open(account());
      await desk.logIn(loginOf(member));
      await field(desk, 'Name').fill('Lin Ada');
      await choice(desk, 'Language').selectOption('de');
      await choice(desk, 'Time zone').selectOption('Asia/Tokyo');
      await choice(desk, 'Theme').selectOption('dark');
      await desk.button('Save').click();
      await heading(desk, 'Ihr Konto').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('account-de');

      const other = await openDesk(browser(), app());
      await other.open(account());
      await other.logIn(loginOf(member));
      await heading(other, 'Ihr Konto').waitFor();
      expect(await field(other, 'Name').inputValue()).toBe('Lin Ada');
      expect(await other.page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      expect(await other.page.evaluate("localStorage['headwater.timeZone']")).toBe('Asia/Tokyo');

      await field(other, 'Bisheriges Passwort').fill('a wrong password');
      await field(other, 'Neues Passwort').fill('another password of mine');
      await other.button('Passwort ändern').click();
      await other.page.getByText('Das bisherige Passwort ist falsch.').waitFor();
      await field(other, 'Bisheriges Passwort').fill(memberPassword);
      await other.button('Passwort ändern').click();
      await heading(other, 'Anmelden').waitFor();
      expect([desk.errors, other.errors]).toEqual([[], []]);
    });

    it('a required second factor is set up before anything else', async () => {
      const own = await createProject(app());
      const role = await systemRoleId(app(), own, 'editor');
      const [member, careful] = [
        await createMember(app(), own, [role], 'Ben'),
        await createMember(app(), own, [role], 'Careful'),
      ];
      await enableSecondFactor(app(), careful);
      const path = `/api/v1/platform/tenants/${own.tenantSlug}`;
      const key = await superAdmin(app());
      await send(app(), { method: 'PUT', path, key, body: { requireSecondFactor: true } });
      const desk = await openDesk(browser(), app());
      await desk.open(placeOf(own));
      await desk.logIn(loginOf(member));
      await desk.page.getByText('Your organization requires a second factor').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('second-factor-required');
      await field(desk, 'Code').fill(codeOf(await field(desk, 'Secret').inputValue()));
      await desk.button('Confirm').click();
      await desk.button('I have kept them').click();
      await desk.button('Ben').waitFor();
      expect(desk.errors).toEqual([]);
    });
  },
);
