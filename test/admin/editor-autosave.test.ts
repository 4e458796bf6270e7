import { describe, expect, it } from '@jest/globals';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { createEntry, createType } from '../support/factories/content.js';
import { saved, titleIn, useEditorScene } from '../support/editor-desk.js';
import { reach } from '../support/keyboard.js';
import { waitFor } from '../support/wait-for.js';

interface TestVersion {
  readonly versionNum: number;
  readonly comment: string | null;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Automatic saves in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useEditorScene();
    const versionsOf = (id: string) => scene().call<TestVersion[]>('GET', `/entries/${id}/versions`);

    it('changes are saved as a draft without a button, and their versions are folded', async () => {
      const { id } = await scene().article({ title: 'Before' });
      const desk = await scene().open(id);
      const { page } = desk;
      for (const title of ['First change', 'Second change', 'Third change']) {
        await titleIn(desk).fill(title);
        await page.getByText('Unsaved changes', { exact: true }).waitFor();
        await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
        await saved(desk);
      }
      expect(await scene().stored(id)).toMatchObject({ status: 'draft', fields: { title: 'Third change' } });
      expect((await versionsOf(id)).map(({ comment }) => comment)).toEqual([
        ...['Autosave', 'Autosave', 'Autosave'],
        null,
      ]);
      await desk.button('Versions').click();
      await page.getByText('Saved automatically', { exact: true }).waitFor();
      expect(await page.getByText('Version 3', { exact: true }).count()).toBe(0);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-autosave');
      await desk.button('Earlier automatic saves: 2').click();
      await page.getByText('Version 3', { exact: true }).waitFor();
      await page.getByText('Version 2', { exact: true }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('a published entry stays as it is published while changes of it are saved', async () => {
      const { id } = await scene().article({ title: 'Published words' });
      await scene().call('POST', `/entries/${id}/publish`, {});
      const desk = await scene().open(id);
      await titleIn(desk).fill('Words of a draft');
      await saved(desk);
      expect(await scene().stored(id)).toMatchObject({
        status: 'changed',
        fields: { title: 'Words of a draft' },
      });
      const { app, project } = scene();
      const live = await app.request.get(`${project.delivery}/entries/${id}`);
      expect(live.body.data.fields.title).toBe('Published words');
    });

    it('changes typed without a network survive a reload and are recovered field by field', async () => {
      const { id, version } = await scene().article({ title: 'Kept title', code: 'K-1' });
      const desk = await scene().open(id);
      const { page } = desk;
      await titleIn(desk).fill('Typed offline');
      await page.context().setOffline(true);
      await page.getByText('Not saved: offline, will be tried again', { exact: true }).waitFor();
      await page.getByRole('textbox', { name: /^code/i }).fill('K-2');
      await waitFor('the change is kept in the browser', () =>
        page.evaluate("Object.values(localStorage).some((value) => value.includes('K-2'))"),
      );
      await page.context().setOffline(false);
      await scene().call('PUT', `/entries/${id}`, { version, fields: { code: 'K-3' } });
      await page.reload();
      const dialog = page.getByRole('dialog', { name: 'Recover unsaved changes?', exact: true });
      await dialog.getByText('Typed offline', { exact: true }).waitFor();
      await dialog.getByText('Changed by someone else since.', { exact: false }).waitFor();
      await expectAccessible(desk, 'recovery');
      await desk.picture('editor-recovery');
      await desk.button('Recover').click();
      expect(await titleIn(desk).inputValue()).toBe('Typed offline');
      await saved(desk);
      expect((await scene().stored(id)).fields).toMatchObject({ title: 'Typed offline', code: 'K-2' });
      await page.reload();
      await titleIn(desk).waitFor();
      expect(await dialog.count()).toBe(0);
    });

    it('a lost connection is tried again until the draft is saved', async () => {
      const { id } = await scene().article({ title: 'On the line' });
      const desk = await scene().open(id);
      await titleIn(desk).fill('Off the line');
      await desk.page.context().setOffline(true);
      await desk.page.getByText('Not saved: offline, will be tried again', { exact: true }).waitFor();
      await desk.page.context().setOffline(false);
      await saved(desk);
      expect((await scene().stored(id)).fields.title).toBe('Off the line');
    });

    it('of two editors, the later one gets the conflict from an automatic save and settles it', async () => {
      const { id } = await scene().article({ title: 'At first' });
      const [one, two] = [await scene().open(id), await scene().open(id)];
      await titleIn(two).waitFor();
      await titleIn(one).fill('By the first');
      await saved(one);
      await titleIn(two).fill('By the second');
      await two.page.getByText('Someone else has changed this entry', { exact: true }).waitFor();
      await expectAccessible(two, 'conflict');
      await two.button('Cancel').click();
      await two.page
        .getByText('Not saved: someone else changed the same fields.', { exact: false })
        .waitFor();
      expect(await two.findings()).toEqual([]);
      await two.button('Save draft').click();
      await two.button('Save with these values').click();
      await two.page.getByText('Draft saved', { exact: true }).waitFor();
      expect((await scene().stored(id)).fields.title).toBe('By the second');
      await titleIn(two).fill('By the second again');
      await saved(two);
    });

    it('by keyboard alone: automatic saves are switched off, and then leaving asks', async () => {
      const { id } = await scene().article({ title: 'By hand' });
      const desk = await scene().open(id);
      const { page } = desk;
      await reach(page, desk.button('More'));
      await page.keyboard.press('Enter');
      const choice = page.getByRole('menuitemcheckbox', { name: 'Save automatically', exact: true });
      expect(await choice.getAttribute('aria-checked')).toBe('true');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-menu');
      await page.keyboard.press('Enter');
      await choice.waitFor({ state: 'detached' });
      await page.reload();
      await titleIn(desk).fill('Not yet');
      await page.getByRole('link', { name: 'Back to the list', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Leave without saving?', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await desk.button('Save draft').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Draft saved', { exact: true }).waitFor();
      expect((await scene().stored(id)).fields.title).toBe('Not yet');
    });

    it('a screen that is left is saved at once', async () => {
      const { id } = await scene().article({ title: 'About to leave' });
      const desk = await scene().open(id);
      await titleIn(desk).fill('Left behind');
      await desk.page.getByRole('link', { name: 'Back to the list', exact: true }).click();
      await desk.page.getByRole('link', { name: 'Left behind', exact: true }).waitFor();
    });

    it('a tab that is hidden is saved at once', async () => {
      const { id } = await scene().article({ title: 'In front' });
      const desk = await scene().open(id);
      const { page } = desk;
      await page.clock.install();
      await page.reload();
      await titleIn(desk).fill('Behind');
      // The five seconds never pass.
      await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 100'));
      await page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
      await page.clock.runFor(200);
      await waitFor('the draft is saved', async () => (await scene().stored(id)).fields.title === 'Behind');
    });

    it('a draft that the service refuses is reported with its problem until it is corrected', async () => {
      const { app, project } = scene();
      await createType(app, project, {
        apiName: 'contact',
        fields: [{ apiName: 'address', type: 'email' }],
      });
      const { id } = await createEntry(app, project, { contentTypeApiName: 'contact' });
      const desk = await scene().open(id);
      const { page } = desk;
      await page.getByRole('textbox', { name: 'Address all locales', exact: true }).fill('no address');
      await page.getByText(/^Not saved: /).waitFor();
      await page.getByText('Please correct one field.', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await page.getByRole('textbox', { name: 'Address all locales', exact: true }).fill('ada@example.com');
      await saved(desk);
      expect((await scene().stored(id)).fields.address).toBe('ada@example.com');
    });

    it('a log out removes what is kept in the browser', async () => {
      const { id } = await scene().article({ title: 'Private' });
      const desk = await scene().open(id);
      const { page } = desk;
      await page.context().setOffline(true);
      await titleIn(desk).fill('Private words');
      const isKept = () =>
        page.evaluate<boolean>(
          "Object.values(localStorage).some((value) => value.includes('Private words'))",
        );
      await waitFor('the change is kept in the browser', isKept);
      await page.getByRole('banner').getByRole('button', { name: 'Admin', exact: true }).click();
      await desk.button('Log out').click();
      await page.getByRole('textbox', { name: 'Password', exact: true }).waitFor();
      expect(await isKept()).toBe(false);
    });

    it('typing goes on in a new block while it is saved, and the block is created once', async () => {
      const { app, project } = scene();
      await createType(app, project, {
        apiName: 'quote',
        isBlock: true,
        fields: [{ apiName: 'words', type: 'text' }],
      });
      const parts = { apiName: 'parts', type: 'blocks', settings: { contentTypes: ['quote'] } };
      await createType(app, project, { apiName: 'page', fields: [parts] });
      const { id } = await createEntry(app, project, { contentTypeApiName: 'page' });
      const desk = await scene().open(id);
      const { page } = desk;
      await desk.button('Add to Parts').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Type', exact: true }).click();
      await page.getByRole('textbox', { name: 'Words', exact: true }).focus();
      await page.keyboard.type('Water');
      await saved(desk);
      await page.keyboard.type(' and more');
      expect(await page.getByRole('textbox', { name: 'Words', exact: true }).inputValue()).toBe(
        'Water and more',
      );
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      await page.keyboard.type(' water');
      expect(await page.getByRole('textbox', { name: 'Words', exact: true }).inputValue()).toBe(
        'Water and more water',
      );
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      const { fields } = await scene().stored(id);
      expect(fields.parts).toEqual([
        { _ref: expect.any(String), _type: 'quote', fields: { words: 'Water and more water' } },
      ]);
    });
  },
);
