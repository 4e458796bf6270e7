import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { hasBrowser } from '../support/optional-servers.js';
import { useTeams, type Team } from '../support/collaboration-desk.js';
import { selectCharacters, selectedCharacters } from '../support/element-state.js';
import { reach } from '../support/keyboard.js';

interface StoredComment {
  readonly id: string;
  readonly text: string;
  readonly parentId: string | null;
  readonly mentions: string[];
  readonly resolvedAt: string | null;
  readonly anchor: { field: string; from: number | null; to: number | null; quote: string | null } | null;
}

const commentsOf = (team: Team, id: string): Promise<StoredComment[]> =>
  team.call('GET', `/entries/${id}/comments`);

const panelIn = (page: Page): Locator => page.getByRole('complementary', { name: 'Comments', exact: true });

/** A comment that was sent; what is typed is no article. */
const sent = (page: Page, text: string): Locator => panelIn(page).getByRole('article').getByText(text);

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Comments on an entry in the editor (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const newTeam = useTeams();

    it('a mention is completed from the names of members and is a task of the mentioned user', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace Hopper')]);
      const { id } = await team.article({ title: 'The upper lock' });
      const desk = await team.open(ada, `entries/${id}`);
      await desk.button('Comments').click();
      const box = desk.page.getByRole('textbox', { name: 'New comment', exact: true });
      await box.click();
      await desk.page.keyboard.type('Is this right, @gra');
      await desk.page.getByRole('option', { name: 'Grace Hopper', exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('comments-mention');
      await desk.page.keyboard.press('Enter');
      expect(await box.inputValue()).toBe('Is this right, @Grace Hopper ');
      await desk.page.keyboard.press('Control+Enter');
      await sent(desk.page, '@Grace Hopper').waitFor();
      expect(await commentsOf(team, id)).toMatchObject([
        { text: `Is this right, @[${grace.id}]`, mentions: [grace.id] },
      ]);

      const theirs = await team.open(grace, 'tasks');
      await theirs.page.locator('.quote').getByText('Is this right,', { exact: false }).waitFor();
      await theirs.page.getByRole('link', { name: 'The upper lock', exact: true }).click();
      const thread = panelIn(theirs.page).getByRole('listitem');
      await thread.getByText('Is this right,', { exact: true }).waitFor();
      expect(await thread.getAttribute('aria-current')).toBe('true');
      await thread.getByRole('button', { name: 'Reply', exact: true }).click();
      await thread.getByRole('textbox', { name: 'Reply', exact: true }).fill('Yes.');
      await thread.getByRole('button', { name: 'Reply', exact: true }).click();
      await sent(theirs.page, 'Yes.').waitFor();
      await thread.getByRole('button', { name: 'Resolve', exact: true }).click();
      await panelIn(theirs.page).getByText('No open comments.', { exact: true }).waitFor();
      await theirs.open(`/${team.project.slug}/main/tasks`);
      await theirs.page.getByText('Nothing is waiting', { exact: true }).waitFor();
      expect([...desk.errors, ...theirs.errors]).toEqual([]);
    });

    it('by keyboard alone: a thread is answered, resolved and reopened', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace')]);
      const { id } = await team.article({ title: 'Keys' });
      await team.call('POST', `/entries/${id}/comments`, { body: { text: 'Too short?' }, as: grace });
      const desk = await team.open(ada, `entries/${id}`);
      const { page } = desk;
      const panel = panelIn(page);
      await reach(page, page.getByRole('button', { name: 'Comments 1', exact: true }));
      await page.keyboard.press('Enter');
      await reach(page, panel.getByRole('button', { name: 'Reply', exact: true }));
      await page.keyboard.press('Enter');
      await page.keyboard.type('No.');
      await page.keyboard.press('Control+Enter');
      await sent(page, 'No.').waitFor();
      await reach(page, panel.getByRole('button', { name: 'Resolve', exact: true }));
      await page.keyboard.press('Enter');
      await panel.getByText('No open comments.', { exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await panel.getByText('Resolved by Ada', { exact: false }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await reach(page, panel.getByRole('button', { name: 'Reopen', exact: true }));
      await page.keyboard.press('Enter');
      await panel.getByText('No resolved comments.', { exact: true }).waitFor();
      const [first, reply] = await commentsOf(team, id);
      expect([first?.resolvedAt, reply?.text, reply?.parentId]).toEqual([null, 'No.', first?.id]);
    });

    it('a user changes and deletes only what they wrote, and a thread with replies of others stays', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace', 'translator')]);
      const { id } = await team.article({ title: 'Own' });
      const { id: parentId } = await team.call('POST', `/entries/${id}/comments`, {
        body: { text: 'By Grace' },
        as: grace,
      });
      const path = `/entries/${id}/comments`;
      await team.call('POST', path, { body: { text: 'By Ada', parentId }, as: ada });
      const desk = await team.open(grace, `entries/${id}?panel=comments`);
      const panel = panelIn(desk.page);
      await panel.getByText('By Ada', { exact: true }).waitFor();
      expect(await panel.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(1);
      await panel.getByRole('button', { name: 'Edit', exact: true }).click();
      await panel.getByRole('textbox', { name: 'Edit', exact: true }).fill('By Grace, again');
      await panel.getByRole('button', { name: 'Save comment', exact: true }).click();
      await panel.getByText('edited', { exact: false }).waitFor();
      await panel.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('Others have replied.', { exact: false }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      expect((await commentsOf(team, id)).map(({ text }) => text)).toEqual(['By Grace, again', 'By Ada']);
    });

    it('a comment on selected words selects them again, and keeps its quote when they are deleted', async () => {
      const team = await newTeam();
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'The lock opens' });
      const desk = await team.open(ada, `entries/${id}`);
      const { page } = desk;
      const title = page.getByRole('textbox', { name: 'Title required to publish', exact: true });
      const panel = panelIn(page);
      const select = (from: number, to: number): Promise<void> => selectCharacters(title, from, to);
      const selection = (): Promise<string> => selectedCharacters(title);
      await title.focus();
      await select(4, 8);
      await page.getByRole('button', { name: 'Comment on Title', exact: true }).click();
      await panel.getByText('About a part of title').waitFor();
      await page.getByRole('textbox', { name: 'New comment', exact: true }).fill('Which one?');
      await desk.button('Comment').click();
      await sent(page, 'Which one?').waitFor();
      expect(await commentsOf(team, id)).toMatchObject([
        { anchor: { field: 'title', from: 4, to: 8, quote: 'lock' } },
      ]);
      await title.fill('The upper lock opens');
      await desk.button('About Title').click();
      expect(await selection()).toBe('lock');
      await page.getByRole('button', { name: 'Comments on Title: 1', exact: true }).waitFor();
      await desk.picture('comments-field');

      await title.fill('Closed');
      await desk.button('Save draft').click();
      await panel.getByText('The commented text has been deleted:', { exact: true }).waitFor();
      await panel.getByText('lock', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      expect(desk.errors).toEqual([]);
    });

    it('a comment that another user writes appears while the panel is open', async () => {
      const team = await newTeam();
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace')]);
      const { id } = await team.article({ title: 'Both' });
      const desk = await team.open(ada, `entries/${id}?panel=comments`);
      await panelIn(desk.page).getByText('No open comments.', { exact: true }).waitFor();
      await desk.page.getByRole('textbox', { name: 'New comment', exact: true }).fill('I am still writing');
      await team.call('POST', `/entries/${id}/comments`, { body: { text: 'Already here' }, as: grace });
      await sent(desk.page, 'Already here').waitFor();
      expect(await desk.page.getByRole('textbox', { name: 'New comment', exact: true }).inputValue()).toBe(
        'I am still writing',
      );
    });

    it('words that are not saved yet can be commented on after the draft was saved', async () => {
      const team = await newTeam();
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Old' });
      const desk = await team.open(ada, `entries/${id}`);
      const { page } = desk;
      // An automatic save would come between.
      await page.evaluate("localStorage['headwater.autosave'] = 'off'");
      await page.reload();
      const title = page.getByRole('textbox', { name: 'Title required to publish', exact: true });
      await title.fill('A new title');
      await selectCharacters(title, 2, 5);
      await page.getByRole('button', { name: 'Comment on Title', exact: true }).click();
      await page.getByRole('textbox', { name: 'New comment', exact: true }).fill('Really?');
      await page.getByText('Save the draft first', { exact: false }).waitFor();
      expect(await desk.button('Comment').isDisabled()).toBe(true);
      await desk.button('Save draft').click();
      await page.getByText('Save the draft first', { exact: false }).waitFor({ state: 'detached' });
      await desk.button('Comment').click();
      await sent(page, 'Really?').waitFor();
      expect(await commentsOf(team, id)).toMatchObject([{ anchor: { from: 2, to: 5, quote: 'new' } }]);
    });
  },
);
