import { describe, expect, it } from '@jest/globals';
import { useTeams } from '../support/collaboration-desk.js';
import { png } from '../support/factories/media.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';
import { verifies } from '../support/verifies.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Members who work together in the app (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    verifies('access/notifications', 'access/presence', 'access/avatars');
    const newTeam = useTeams();

    it('a mention arrives in the bell without a reload, by keyboard leads to its thread, and is read then', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace')]);
      const { id } = await team.article({ title: 'The upper lock' });
      const desk = await team.open(grace, 'dashboard');
      await desk.button('Notifications').click();
      await desk.page.getByText('Nothing has happened yet', { exact: true }).waitFor();
      await desk.page.keyboard.press('Escape');
      const body = { text: `@[${grace.id}], is this right?\nAnd this?` };
      await team.call('POST', `/entries/${id}/comments`, { body, as: ada });
      await team.app.composition.jobs.deliverWebhooks();
      await desk.button('Notifications, 1 unread').focus();
      await desk.page.keyboard.press('Enter');
      const panel = desk.page.getByRole('dialog', { name: 'Notifications', exact: true });
      await panel.getByText('Ada mentioned you on “The upper lock”').waitFor();
      await panel.getByText('@Grace, is this right?', { exact: true }).waitFor();
      await panel.getByText('Mail', { exact: true }).click();
      await panel.getByRole('combobox', { name: 'Mentions', exact: true }).selectOption('at once');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('notifications');
      await panel.getByRole('button', { name: /^Unread: Ada mentioned you/ }).press('Enter');
      const comments = desk.page.getByRole('complementary', { name: 'Comments', exact: true });
      await comments.getByText(', is this right?', { exact: false }).waitFor();
      await desk.button('Notifications').waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('two editors see each other and where they are, their changes are merged, and one leaves', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace Hopper')]);
      const { id } = await team.article({ title: 'The upper lock', code: 'L-1' });
      const address = `entries/${id}`;
      const desk = await team.open(ada, address);
      const head = desk.page.getByRole('list', { name: 'Also here', exact: true });
      expect(await head.count()).toBe(0);
      const theirs = await team.open(grace, address);
      await head.getByText('Grace Hopper, in English (en)', { exact: true }).waitFor();
      await theirs.page
        .getByRole('list', { name: 'Also here', exact: true })
        .getByText('Ada, in English (en)', { exact: true })
        .waitFor();
      const title = (page: typeof desk.page) => page.getByRole('textbox', { name: /^Title/ });
      await title(theirs.page).focus();
      const mark = desk.page
        .locator('[data-path="title"]')
        .getByText('Also here: Grace Hopper', { exact: true });
      await mark.waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('presence');
      await title(theirs.page).fill('The lower lock');
      await desk.page.getByRole('textbox', { name: /^Code/ }).fill('L-2');
      await waitFor('the changes are merged', async () => {
        const { fields } = await team.call<{ fields: Record<string, unknown> }>('GET', `/entries/${id}`);
        return fields.title === 'The lower lock' && fields.code === 'L-2';
      });
      await theirs.page.getByRole('link', { name: 'Back to the list', exact: true }).click();
      await head.waitFor({ state: 'detached' });
      await mark.waitFor({ state: 'detached' });
      expect([...desk.errors, ...theirs.errors]).toEqual([]);
    });

    it('a picture is chosen, shown beside the name to others of the tenant, and removed', async () => {
      const team = await newTeam();
      const [mia, noa] = await Promise.all([team.member('Mia Moss'), team.member('Noa')]);
      const { id } = await team.article({ title: 'The upper lock' });
      await team.call('POST', `/entries/${id}/comments`, { body: { text: 'Is this right?' }, as: mia });
      const desk = await team.open(mia, 'account');
      const { page } = desk;
      const part = page.getByRole('group', { name: 'Picture', exact: true });
      await part.locator('[data-initials=MM]').waitFor();
      const file = page.getByLabel('File of the picture', { exact: true });
      await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
      await part.getByText(/^This file is not a picture/).waitFor();
      await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(900, 600) });
      await page.getByText('Picture saved', { exact: true }).waitFor();
      await part.locator('img[src^="data:image/webp;base64,"]').waitFor();
      const sizes = "[...document.querySelectorAll('.avatar.large img')].map((image) => image.naturalWidth)";
      expect(await page.evaluate(sizes)).toEqual([128]);
      await page.locator('header .avatar img').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('account-picture');

      const theirs = await team.open(noa, `entries/${id}?panel=comments`);
      await theirs.page.locator('.comment .avatar img').waitFor();
      await theirs.page.locator('header [data-initials=N]').waitFor();
      await theirs.picture('comment-picture');
      await desk.button('Remove').click();
      await part.locator('[data-initials=MM]').waitFor();
      await theirs.page.reload();
      await theirs.page.locator('.comment [data-initials=MM]').waitFor();
      expect([...desk.errors, ...theirs.errors]).toEqual([]);
    });
  },
);
