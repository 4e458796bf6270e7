import { describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/optional-servers.js';
import { useTeams } from '../support/collaboration-desk.js';

interface StoredWorkflow {
  readonly slug: string;
  readonly states: { key: string; allowsPublish: boolean }[];
  readonly transitions: {
    from: string;
    to: string;
    requireComment: boolean;
    approvals: { required: number } | null;
  }[];
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Workflows and transitions of several entries in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const newTeam = useTeams();

    it('several entries make a transition, and those that cannot are listed', async () => {
      const team = await newTeam();
      await team.workflow({ submit: { requireComment: true } });
      const ada = await team.member('Ada');
      const titles = ['First lock', 'Second lock', 'Third lock'];
      const made = await Promise.all(titles.map((title) => team.article({ title })));
      const ids = made.map(({ id }) => id);
      const move = (to: string) =>
        team.call('POST', `/entries/${ids[2] ?? ''}/workflow`, { body: { to, comment: 'Now' } });
      await move('review');
      await move('approved');
      const desk = await team.open(ada, '?type=article');
      const { page } = desk;
      await page.getByRole('link', { name: 'Third lock', exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Select every loaded entry', exact: true }).check();
      await desk.button('Workflow').click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('combobox', { name: 'To the state', exact: true })
        .selectOption({ label: 'In review (possible for 2)' });
      await dialog.getByText('Some of these transitions need a comment.', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('bulk-workflow');
      await dialog
        .getByRole('textbox', { name: 'Comment Some of these transitions need a comment.', exact: true })
        .fill('For Grace');
      await desk.button('Move').click();
      await page.getByText('Moved or approved: 2', { exact: true }).waitFor();
      await page
        .getByRole('dialog', { name: 'Refused: 1', exact: true })
        .getByText('Third lock', { exact: true })
        .waitFor();
      expect(await Promise.all(ids.map((id) => team.state(id)))).toEqual(['review', 'review', 'approved']);
      expect(desk.errors).toEqual([]);
    });

    it('a workflow is created, changed and deleted', async () => {
      const team = await newTeam();
      const admin = await team.member('Root', 'admin');
      const stored = async (): Promise<StoredWorkflow | undefined> =>
        (await team.call<StoredWorkflow[]>('GET', '/workflows?limit=100')).find(
          ({ slug }) => slug === 'legal',
        );
      const desk = await team.open(admin, 'workflows');
      const { page } = desk;
      await desk.button('New workflow').click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('textbox', { name: /^Name( required)?$/ })
        .first()
        .fill('Legal');
      await desk.button('Add a state').click();
      const fourth = dialog.getByRole('group', { name: 'State 4', exact: true });
      await fourth.getByRole('textbox', { name: /^Name( required)?$/ }).fill('Signed off');
      expect(await fourth.getByRole('textbox', { name: 'Key', exact: true }).inputValue()).toBe('signed_off');
      await fourth.getByRole('checkbox', { name: 'Can be published', exact: true }).check();
      await desk.button('Create').click();
      await dialog.getByText('No transitions lead from the initial state', { exact: false }).waitFor();
      await desk.button('Add a transition').click();
      const added = dialog.getByRole('group', { name: 'Transition 4', exact: true });
      await added.getByRole('combobox', { name: 'From', exact: true }).selectOption('approved');
      await added.getByLabel(/^To/).selectOption('signed_off');
      await added.getByRole('checkbox', { name: 'Needs a comment', exact: true }).check();
      await added.getByRole('combobox', { name: 'Approvals needed', exact: true }).selectOption('2');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('workflow');
      await desk.button('Create').click();
      await desk.button('Legal').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('workflows');
      expect((await stored())?.transitions.at(-1)).toMatchObject({
        from: 'approved',
        to: 'signed_off',
        requireComment: true,
        approvals: { required: 2, distinctFromAuthor: true },
      });

      await desk.button('Legal').click();
      const third = dialog.getByRole('group', { name: 'State 3', exact: true });
      expect(
        await third.getByRole('textbox', { name: 'Key', exact: true }).getAttribute('readonly'),
      ).not.toBeNull();
      await third.getByRole('checkbox', { name: 'Can be published', exact: true }).uncheck();
      await desk.button('Save').click();
      await dialog.waitFor({ state: 'detached' });
      expect((await stored())?.states.map(({ allowsPublish }) => allowsPublish)).toEqual([
        false,
        false,
        false,
        true,
      ]);
      await desk.button('Legal').click();
      await desk.button('Delete').click();
      await dialog.last().getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('“Legal” deleted', { exact: true }).waitFor();
      expect(await stored()).toBeUndefined();
      expect(desk.errors).toEqual([]);
    });
  },
);
