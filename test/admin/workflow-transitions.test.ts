import { describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/optional-servers.js';
import { useTeams } from '../support/collaboration-desk.js';
import { focused } from '../support/element-state.js';
import { reach } from '../support/keyboard.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The workflow of an entry in the editor (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const newTeam = useTeams();

    it('an entry is submitted for review by one user and approved by another', async () => {
      const team = await newTeam();
      await team.workflow({ submit: { requireAssignee: true } });
      const [ada, grace] = await Promise.all([team.member('Ada'), team.member('Grace')]);
      const { id } = await team.article({ title: 'The upper lock' });
      const desk = await team.open(ada, `entries/${id}`);
      await desk.button('Workflow').click();
      const panel = desk.page.getByRole('complementary', { name: 'Workflow', exact: true });
      await panel.getByText('The entry has not changed its state yet.', { exact: true }).waitFor();
      await desk.button('Ask for a review').click();
      await panel.getByText('“Ask for a review” needs an assignee.', { exact: true }).waitFor();
      await panel.getByRole('combobox', { name: 'Then assigned to', exact: true }).selectOption(grace.id);
      await panel.getByRole('textbox', { name: 'Due', exact: true }).fill('2099-06-01T12:00:00');
      await desk.button('Ask for a review').click();
      await panel.getByText('Assigned to Grace', { exact: true }).waitFor();
      await panel.getByText('Draft → In review', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('entry-workflow');
      expect(await team.state(id)).toBe('review');

      const other = await team.open(grace, 'tasks');
      await other.page.getByRole('link', { name: 'The upper lock', exact: true }).click();
      await other.button('Approve').click();
      await other.page.getByText('In review → Approved', { exact: true }).waitFor();
      expect(await team.state(id)).toBe('approved');
      expect([...desk.errors, ...other.errors]).toEqual([]);
    });

    it('a transition that needs a comment asks for it and keeps what was typed in the form', async () => {
      const team = await newTeam();
      await team.workflow({ reject: { requireComment: true } });
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'The lower lock' });
      await team.call('POST', `/entries/${id}/workflow`, { body: { to: 'review' } });
      const desk = await team.open(ada, `entries/${id}?panel=workflow`);
      const panel = desk.page.getByRole('complementary', { name: 'Workflow', exact: true });
      await desk.button('Request changes').waitFor();
      await desk.page.locator('#field-code').fill('A-17');
      await desk.button('Request changes').click();
      await panel.getByText('“Request changes” needs a comment.', { exact: true }).waitFor();
      const comment = panel.getByRole('textbox', { name: 'Comment', exact: true });
      await focused(comment);
      await comment.fill('The date is missing.');
      await desk.button('Request changes').click();
      await panel.getByText('In review → Draft', { exact: true }).waitFor();
      await panel.getByText('The date is missing.', { exact: true }).waitFor();
      expect(await team.state(id)).toBe('draft');
      expect(await desk.page.locator('#field-code').inputValue()).toBe('A-17');
      expect(desk.errors).toEqual([]);
    });

    it('the last author cannot approve, and reads why', async () => {
      const team = await newTeam();
      await team.workflow({ approve: { approvals: { required: 1 } } });
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'One' });
      await team.retitle(id, 'Two', ada);
      await team.call('POST', `/entries/${id}/workflow`, { body: { to: 'review' } });
      const desk = await team.open(ada, `entries/${id}?panel=workflow`);
      await desk.page
        .getByText('Approve: not possible, because it is your own work', { exact: true })
        .waitFor();
      expect(await desk.button('Approve').count()).toBe(0);
      expect(await desk.findings()).toEqual([]);
    });

    it('of two approvals, the one that was given before a change lapses', async () => {
      const team = await newTeam();
      const reviewer = await team.role();
      await team.workflow({ approve: { approvals: { required: 2, roleIds: [reviewer] } } });
      const [ada, grace] = await Promise.all([
        team.member('Ada', 'editor', [reviewer]),
        team.member('Grace', 'editor', [reviewer]),
      ]);
      const { id } = await team.article({ title: 'Weirs' });
      await team.call('POST', `/entries/${id}/workflow`, { body: { to: 'review' } });
      const first = await team.open(ada, `entries/${id}?panel=workflow`);
      await first.page.getByText('approvals: 0 of 2', { exact: true }).waitFor();
      await first.button('Approve').click();
      await first.page.getByText('1 of 2 given, 1 missing', { exact: true }).waitFor();
      await first.page.getByText('because you have approved it already').waitFor();
      await team.retitle(id, 'Weirs and locks');
      const second = await team.open(grace, `entries/${id}?panel=workflow`);
      await second.page.getByText('0 of 2 given, 2 missing', { exact: true }).waitFor();
      await second.page.getByText('lapsed', { exact: true }).waitFor();
      expect(await second.findings()).toEqual([]);
      await second.picture('entry-approvals');
      await second.button('Approve').click();
      await second.page.getByText('1 of 2 given, 1 missing', { exact: true }).waitFor();
      expect(await team.state(id)).toBe('review');
      await first.page.reload();
      await first.button('Approve').click();
      await first.page.getByText('Approved by Grace, Ada', { exact: true }).waitFor();
      expect(await team.state(id)).toBe('approved');
    });

    it('an entry is scheduled only after it was approved', async () => {
      const team = await newTeam();
      await team.workflow();
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Boats' });
      const desk = await team.open(ada, `entries/${id}?panel=publication`);
      const { page } = desk;
      const schedule = async (): Promise<void> => {
        await page.getByLabel('Time', { exact: true }).fill('2099-06-01T12:00');
        await desk.button('Schedule').click();
      };
      await schedule();
      await page.getByText('The entry has to be approved before it is published.', { exact: true }).waitFor();
      await desk.button('Workflow').click();
      await desk.button('Ask for a review').click();
      await desk.button('Approve').click();
      await page.getByText('In review → Approved', { exact: true }).waitFor();
      await desk.button('Publication').click();
      await schedule();
      await desk.button('Cancel the schedule').waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('by keyboard alone: a transition is made and the panel is closed', async () => {
      const team = await newTeam();
      await team.workflow();
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Keys' });
      const desk = await team.open(ada, `entries/${id}`);
      const { page } = desk;
      await reach(page, desk.button('Workflow'));
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary', { name: 'Workflow', exact: true });
      await reach(page, panel.getByRole('textbox', { name: 'Comment', exact: true }));
      await page.keyboard.type('Ready.');
      await reach(page, desk.button('Ask for a review'));
      await page.keyboard.press('Enter');
      await panel.getByText('Ready.', { exact: true }).waitFor();
      await reach(page, panel.getByRole('button', { name: 'Close', exact: true }));
      await page.keyboard.press('Enter');
      await panel.waitFor({ state: 'detached' });
      expect(await team.state(id)).toBe('review');
    });

    it('each locale has its state where the workflow separates them, from its first draft on', async () => {
      const team = await newTeam();
      await team.workflow();
      await team.call('PUT', '/workflows/editorial', { body: { perLocale: true } });
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Locks' });
      await team.call('POST', `/entries/${id}/workflow`, { body: { to: 'review', locale: 'en' } });
      const desk = await team.open(ada, `entries/${id}?panel=workflow`);
      const { page } = desk;
      await page.getByText('This state belongs to English (en).', { exact: true }).waitFor();
      await page.getByText('Draft → In review', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Locale', exact: true }).selectOption('de');
      await page.getByText('There is no draft in this locale yet.', { exact: false }).waitFor();
      await page.getByRole('textbox', { name: 'Title required to publish', exact: true }).fill('Schleusen');
      await desk.button('Save draft').click();
      await page.getByText('This state belongs to German (de).', { exact: true }).waitFor();
      await page.getByText('The entry has not changed its state yet.', { exact: true }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('an entry that no workflow applies to has no panel for one', async () => {
      const team = await newTeam();
      await team.call('PUT', '/workflows/default', { body: { contentTypes: ['author'] } });
      const ada = await team.member('Ada');
      const { id } = await team.article({ title: 'Free' });
      const desk = await team.open(ada, `entries/${id}`);
      await desk.button('Publication').waitFor();
      expect(await desk.button('Workflow').count()).toBe(0);
    });
  },
);
