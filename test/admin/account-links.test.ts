import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPassword, tokenIn } from '../support/account-links.js';
import { openDesk, openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { useBrowser } from '../support/browser-app.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { startMailSink, type MailSink } from '../support/mail-sink.js';
import { createMember, systemRoleId } from '../support/members.js';
import { hasBrowser } from '../support/optional-servers.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Links of accounts in the admin app (needs Chromium)', () => {
  const browser = useBrowser();
  let sink: MailSink;
  let app: TestApp;
  let project: TestProject;

  beforeAll(async () => {
    sink = await startMailSink();
    app = await startTestApp({ smtp: { url: sink.url, name: 'Headwater', address: 'cms@example.com' } });
    project = await createProject(app);
  });
  afterAll(async () => {
    await app.close();
    await sink.close();
  });

  /** The address below `/admin` in the newest mail. */
  async function linkTo(email: string): Promise<string> {
    await app.composition.jobs.sendMails();
    const text = sink.to(email)?.text ?? '';
    return /\/admin(\/\w+#token=\w+)/.exec(text)?.[1] ?? '';
  }

  async function choose({ page, button }: Desk, password: string, repeated = password): Promise<void> {
    await page.getByRole('textbox', { name: /^New password/ }).fill(password);
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill(repeated);
    await button('Save the password').click();
  }

  const isOpen = async ({ page }: Desk): Promise<void> =>
    page
      .getByRole('link', { name: project.slug })
      .first()
      .or(page.getByRole('navigation').first())
      .first()
      .waitFor();

  it('an invited user gets a mail, sets a password and logs in; the link works once', async () => {
    const inviter = await openDeskAs(browser(), app, await createAdmin(app));
    await inviter.open(`${placeOf(project)}/users`);
    await inviter.button('Invite a user').click();
    const dialog = inviter.page.getByRole('dialog');
    const email = 'ada@example.com';
    await dialog.getByRole('textbox', { name: 'Email address required', exact: true }).fill(email);
    await dialog.getByLabel('Editor', { exact: true }).check();
    await inviter.button('Create').click();
    await inviter.page.getByText(`The invitation to ${email} is on its way`, { exact: true }).waitFor();
    await inviter.page.getByText('mail is being sent', { exact: true }).waitFor();

    const link = await linkTo(email);
    tokenIn(link);
    const desk = await openDesk(browser(), app);
    await desk.open(link);
    await desk.page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
    await desk.page.getByText(`For ada (${email}) in “`).waitFor();
    expect(desk.page.url()).not.toContain('token');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('account-invitation');
    await choose(desk, newPassword, 'another password of theirs');
    await desk.page.getByText('The two passwords are different.', { exact: true }).waitFor();
    await choose(desk, newPassword);
    await desk.page.getByRole('heading', { name: 'Your password is saved' }).waitFor();
    await desk.page.getByRole('link', { name: 'To the login' }).click();
    await desk.logIn({ email, password: newPassword });
    await isOpen(desk);

    const other = await openDesk(browser(), app);
    await other.open(link);
    await other.page.getByText(/The link has been used/).waitFor();
    expect(await other.findings()).toEqual([]);
    await other.picture('account-link-used');
    await inviter.page.reload();
    await inviter.page.getByText('active', { exact: true }).first().waitFor();
    expect([...inviter.errors, ...desk.errors, ...other.errors]).toEqual([]);
    expect([...desk.origins]).toEqual([app.baseUrl]);
  });

  it('a forgotten password is replaced by a link in a mail; an old link says so', async () => {
    const { email } = await createMember(app, project, [await systemRoleId(app, project, 'editor')]);
    const desk = await openDesk(browser(), app);
    const { page, button } = desk;
    const ask = async (address: string): Promise<void> => {
      await desk.open('/');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('textbox', { name: 'Email address' }).fill(address);
      await button('Send the link').click();
      await page.getByText(`If an account has the address ${address}`, { exact: false }).waitFor();
    };
    await ask('nobody@example.com');
    await ask(email);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('account-forgotten');
    const first = await linkTo(email);
    tokenIn(first);
    await ask(email);
    const second = await linkTo(email);
    tokenIn(second);
    expect(sink.to('nobody@example.com')).toBeUndefined();
    await desk.open(first);
    await page.getByText(/A newer link was made since/).waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
    await desk.open(second);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.keyboard.type(newPassword);
    await page.keyboard.press('Tab');
    await page.keyboard.type(newPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'To the login' }).click();
    await desk.logIn({ email, password: newPassword });
    await isOpen(desk);
    await desk.open('/password');
    await page.getByText(/The link is incomplete/).waitFor();
    expect(desk.errors).toEqual([]);
  });
});
