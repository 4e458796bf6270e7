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
      await page.getByRole('link', { name: 'Third lock' }).waitFor();
      await page.getByLabel('Select every loaded entry').check();
      await desk.button('Workflow').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('To the state').selectOption({ label: 'In review (possible for 2)' });
      await dialog.getByText('Some of these transitions need a comment.').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('bulk-workflow');
      await dialog.getByLabel('Comment').fill('For Grace');
      await desk.button('Move').click();
      await page.getByText('Moved or approved: 2').waitFor();
      await page.getByRole('dialog', { name: 'Refused: 1' }).getByText('Third lock').waitFor();
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
      await dialog.getByLabel('Name').first().fill('Legal');
      await desk.button('Add a state').click();
      const fourth = dialog.getByRole('group', { name: 'State 4' });
      await fourth.getByLabel('Name').fill('Signed off');
      expect(await fourth.getByLabel('Key').inputValue()).toBe('signed_off');
      await fourth.getByLabel('Can be published').check();
      await desk.button('Create').click();
      await dialog.getByText('No transitions lead from the initial state', { exact: false }).waitFor();
      await desk.button('Add a transition').click();
      const added = dialog.getByRole('group', { name: 'Transition 4' });
      await added.getByLabel('From').selectOption('approved');
      await added.getByLabel(/^To/).selectOption('signed_off');
      await added.getByLabel('Needs a comment').check();
      await added.getByLabel('Approvals needed').selectOption('2');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('workflow');
      await desk.button('Create').click();
      await desk.button('Legal').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('workflows');
      expect((await stored())?.transitions.at(-1)).toMatchObject({
        ...{ from: 'approved', to: 'signed_off', requireComment: true },
        approvals: { required: 2, distinctFromAuthor: true },
      });

      await desk.button('Legal').click();
      const third = dialog.getByRole('group', { name: 'State 3' });
      expect(await third.getByLabel('Key').getAttribute('readonly')).not.toBeNull();
      await third.getByLabel('Can be published').uncheck();
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
      await dialog.last().getByRole('button', { name: 'Delete' }).click();
      await page.getByText('“Legal” deleted').waitFor();
      expect(await stored()).toBeUndefined();
      expect(desk.errors).toEqual([]);
    });
  },
);
