import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { hasBrowser } from '../support/optional-servers.js';
import type { Desk } from '../support/admin-desk.js';
import { useTeams, type Team } from '../support/collaboration-desk.js';
import { paragraphs } from '../support/factories/content.js';

interface Anchored {
  readonly text: string;
  readonly anchor: { field: string; locale: string; from: number | null; quote: string | null } | null;
}

const anchorsOf = (team: Team, id: string): Promise<Anchored[]> =>
  team.call('GET', `/entries/${id}/comments`);

const bodyOf = ({ page }: Desk): Locator => page.locator('#field-body');
const commented = (desk: Desk): Locator => bodyOf(desk).locator('.commented');

/** Selects a word of the body with the pointer. */
const selectWord = (desk: Desk, word: string): Promise<void> =>
  bodyOf(desk)
    .getByText(word)
    .dblclick({ position: { x: 8, y: 8 } });

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Comments on rich text, and roles that write no content (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const newTeam = useTeams();

    it('a comment on a range of rich text survives an edit before it, before and after it is saved', async () => {
      const team = await newTeam();
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Locks', body: paragraphs('Weirs first', 'Locks open') });
      const desk = await team.open(ada, `entries/${id}`);
      const { page } = desk;
      await selectWord(desk, 'Locks open');
      await desk.button('Comment on the selected text').click();
      const box = page.getByRole('textbox', { name: 'New comment', exact: true });
      await box.fill('Which locks?');
      await desk.button('Comment').click();
      await commented(desk).waitFor();
      expect(await commented(desk).textContent()).toBe('Locks');
      expect(await anchorsOf(team, id)).toMatchObject([
        { anchor: { field: 'body', from: 14, quote: 'Locks' } },
      ]);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('comments-rich-text');

      await bodyOf(desk)
        .getByText('Weirs first', { exact: true })
        .click({ position: { x: 2, y: 8 } });
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('Long ');
      expect(await commented(desk).textContent()).toBe('Locks');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      expect(await commented(desk).textContent()).toBe('Locks');
      expect(await anchorsOf(team, id)).toMatchObject([{ anchor: { from: 19, quote: 'Locks' } }]);

      await page.reload();
      await commented(desk).waitFor();
      await commented(desk).click();
      const panel = page.getByRole('complementary', { name: 'Comments', exact: true });
      await panel.getByText('Which locks?', { exact: true }).waitFor();
      await desk.button('About Body').click();
      expect(await page.evaluate('getSelection().toString()')).toBe('Locks');
      expect(desk.errors).toEqual([]);
    });

    it('a role that may only comment writes comments, on selected rich text as well, and changes nothing', async () => {
      const team = await newTeam();
      const role = await team.role();
      await team.workflow({ submit: { roleIds: [role] } });
      const grants = ['entries', 'contentTypes', 'sites', 'workflows'].map((resource) => ({
        resource,
        action: 'read',
      }));
      const critic = await team.member('Critic', [...grants, { resource: 'entries', action: 'transition' }]);
      const { id } = await team.article({ title: 'Locks', body: paragraphs('Locks open') });
      const desk = await team.open(critic, `entries/${id}`);
      const { page } = desk;
      await page.getByText('You may read this entry, but not change it.', { exact: true }).waitFor();
      expect(await desk.button('Save draft').count()).toBe(0);
      await selectWord(desk, 'Locks open');
      await desk.button('Comment on the selected text').click();
      await page.getByRole('textbox', { name: 'New comment', exact: true }).fill('Why?');
      await desk.button('Comment').click();
      await commented(desk).waitFor();
      expect(await anchorsOf(team, id)).toMatchObject([{ text: 'Why?', anchor: { quote: 'Locks' } }]);
      expect(await desk.findings()).toEqual([]);
      await desk.button('Workflow').click();
      await page
        .getByText('Ask for a review: not possible, because it needs another role', { exact: true })
        .waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('a role that may only translate comments in the locale that it cannot write', async () => {
      const team = await newTeam();
      const grants = ['entries', 'contentTypes', 'sites', 'workflows'].map((resource) => ({
        resource,
        action: 'read',
      }));
      const translator = await team.member('Translator', [
        ...grants,
        { resource: 'entries', action: 'update', scope: { locales: ['de'] } },
      ]);
      const { id } = await team.article({ title: 'Locks' });
      const desk = await team.open(translator, `entries/${id}?locale=en`);
      const { page } = desk;
      await page.getByText('You may read this entry, but not change it.', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Comment on Title', exact: true }).click();
      await page.getByRole('textbox', { name: 'New comment', exact: true }).fill('Canal or door?');
      await desk.button('Comment').click();
      const panel = page.getByRole('complementary', { name: 'Comments', exact: true });
      await panel.getByRole('article').getByText('Canal or door?', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Locale', exact: true }).selectOption('de');
      await panel.getByRole('link', { name: 'Show in English (en)', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Title required to publish', exact: true }).fill('Schleusen');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      await panel.getByRole('link', { name: 'Show in English (en)', exact: true }).click();
      await panel.getByRole('button', { name: 'About Title', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Comments on Title: 1', exact: true }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('a user who may only read reads the comments and writes none', async () => {
      const team = await newTeam();
      const viewer = await team.member('Viewer', 'viewer');
      const { id } = await team.article({ title: 'Locks' });
      await team.call('POST', `/entries/${id}/comments`, { body: { text: 'Only read' } });
      const desk = await team.open(viewer, `entries/${id}?panel=comments`);
      const panel = desk.page.getByRole('complementary', { name: 'Comments', exact: true });
      await panel.getByText('Only read', { exact: true }).waitFor();
      await panel.getByText('You may read the comments, but write none.', { exact: true }).waitFor();
      expect(await panel.getByRole('button', { name: 'Reply' }).count()).toBe(0);
      expect(await desk.page.getByRole('button', { name: 'Comment on title' }).count()).toBe(0);
    });
  },
);
