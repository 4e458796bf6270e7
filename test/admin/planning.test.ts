import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Job {
  readonly id: string;
  readonly entryId: string;
  readonly scheduledAt: string;
  readonly status: string;
}

/** Of the month after the next one, which no clock reaches while the tests run. */
const month = ((now) => new Date(now.getFullYear(), now.getMonth() + 2, 15))(new Date());
const dayOf = (day: number): string =>
  [month.getFullYear(), month.getMonth() + 1, day].map((part) => String(part).padStart(2, '0')).join('-');
/** At noon, which is the same day in most zones. */
const noonOf = (day: number): string =>
  new Date(month.getFullYear(), month.getMonth(), day, 12).toISOString();

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The calendar and the tasks in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    let editor: TestMember;
    const browser = useBrowser();
    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      editor = await createMember(app(), project, [await systemRoleId(app(), project, 'admin')]);
    });

    const read = <T>(path: string, key = project.keys.management): Promise<T> =>
      must<T>(app(), { method: 'GET', path: `${project.management}${path}`, key });
    const send = <T = { id: string }>(path: string, body: object): Promise<T> =>
      must<T>(app(), {
        method: 'POST',
        path: `${project.management}${path}`,
        key: project.keys.management,
        body,
      });
    const openAs = async ({ email }: TestMember, address: string): Promise<Desk> => {
      const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
      await desk.open(`${placeOf(project)}/${address}`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
      return desk;
    };
    const article = (title: string) =>
      createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });
    /** An article that is published at noon of a day. */
    const planned = async (title: string, day: number): Promise<string> => {
      const { id } = await article(title);
      await send(`/entries/${id}/publish`, { scheduledAt: noonOf(day) });
      return id;
    };
    const jobOf = async (entryId: string): Promise<Job | undefined> => {
      const range = `from=${noonOf(1)}&to=${noonOf(28)}`;
      const jobs = await read<Job[]>(`/calendar?${range}`);
      return jobs.find((job) => job.entryId === entryId);
    };

    it('a waiting job is dragged to another day, moved to another time and canceled', async () => {
      const title = `Planned ${unique()}`;
      const id = await planned(title, 10);
      const desk = await openAs(editor, `calendar?day=${dayOf(15)}`);
      const { page } = desk;
      const item = page.getByRole('button', { name: title });
      const cell = (day: number) =>
        page.locator('td', { has: page.locator(`time[datetime="${dayOf(day)}"]`) });
      await cell(10).getByRole('button', { name: title }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('calendar-month');
      await item.dragTo(cell(13));
      await cell(13).getByRole('button', { name: title }).waitFor();
      expect((await jobOf(id))?.scheduledAt).toBe(noonOf(13));
      await item.click();
      await page.getByRole('textbox', { name: 'Time', exact: true }).fill(`${dayOf(20)}T09:30`);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('calendar-job');
      await desk.button('Move').click();
      await cell(20).getByRole('button', { name: title }).waitFor();
      const moved = new Date(month.getFullYear(), month.getMonth(), 20, 9, 30).toISOString();
      expect((await jobOf(id))?.scheduledAt).toBe(moved);
      await item.click();
      await desk.button('Cancel the job').click();
      await page.getByText(`${title}: canceled`).waitFor();
      expect((await jobOf(id))?.status).toBe('canceled');
      expect(desk.errors).toEqual([]);
    });

    it('by keyboard alone, a job is found in the week, moved by a day and keeps the focus', async () => {
      const title = `By keys ${unique()}`;
      const id = await planned(title, 14);
      const desk = await openAs(editor, `calendar?day=${dayOf(14)}`);
      const { page } = desk;
      const { keyboard } = page;
      await desk.button('Week').focus();
      await keyboard.press('Enter');
      await page.waitForURL(/view=week/);
      const focused = page.locator('.calendar-item:focus', { hasText: title });
      await page.getByRole('button', { name: title }).waitFor();
      for (let press = 0; press < 60 && (await focused.count()) === 0; press += 1)
        await keyboard.press('Tab');
      await keyboard.press('Alt+ArrowUp');
      await page.getByText(`${title}: moved to`, { exact: false }).waitFor();
      expect((await jobOf(id))?.scheduledAt).toBe(noonOf(7));
      await desk.button('Week before').focus();
      await keyboard.press('Enter');
      await page.getByRole('button', { name: title }).waitFor();
      for (let press = 0; press < 60 && (await focused.count()) === 0; press += 1)
        await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Time', exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('calendar-week');
    });

    it('the calendar is filtered, and has an address for calendar programs', async () => {
      const title = `Filtered ${unique()}`;
      const { id } = await article(title);
      await send(`/entries/${id}/publish`, {});
      await send(`/entries/${id}/unpublish`, { scheduledAt: noonOf(22) });
      const desk = await openAs(editor, `calendar?day=${dayOf(15)}`);
      const { page } = desk;
      await page.getByRole('button', { name: title }).waitFor();
      await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('publish');
      await page.getByRole('button', { name: title }).waitFor({ state: 'detached' });
      await desk.button('Subscribe').click();
      const url = await page
        .getByRole('textbox', { name: /^Address It works until [A-Z][a-z]{2} \d{1,2}, \d{4}, 12:00 AM\.$/ })
        .inputValue();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('calendar-feed');
      const feed = await app().request.get(new URL(url).pathname + new URL(url).search);
      expect([feed.status, feed.text.startsWith('BEGIN:VCALENDAR')]).toEqual([200, true]);
    });

    it('a super-admin who is no member sees whose tasks are shown', async () => {
      const desk = await openDeskAs(browser(), app(), await createAdmin(app()));
      await desk.open(`${placeOf(project)}/tasks`);
      await desk.page.getByText('Nothing is waiting', { exact: true }).waitFor();
      const chosen = desk.page
        .getByRole('combobox', { name: 'Tasks of', exact: true })
        .locator('option:checked');
      expect(await chosen.textContent()).toBe('Admin (me)');
    });

    it('work is given to someone, done by them, and a mention is resolved', async () => {
      const [title, other] = [`Work ${unique()}`, `Mentioned ${unique()}`];
      const { id } = await article(title);
      const colleague = await createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);
      const mentioned = await article(other);
      await send(`/entries/${mentioned.id}/comments`, { text: `@[${colleague.id}], please look` });
      const desk = await openAs(editor, 'tasks');
      const { page } = desk;
      await page.getByText('Nothing is waiting', { exact: true }).waitFor();
      await desk.button('Assign work').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Choose an entry', exact: true }).click();
      await page.getByRole('button', { name: title }).click();
      await page.getByRole('combobox', { name: /^Work/ }).selectOption('de');
      await page.getByRole('combobox', { name: 'Assigned to', exact: true }).selectOption(colleague.id);
      await page.getByRole('textbox', { name: 'Due', exact: true }).fill(`${dayOf(12)}T12:00`);
      await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Please keep the names.');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('task-new');
      await desk.button('Assign').click();
      await page.getByText('Work assigned', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Tasks of', exact: true }).selectOption(colleague.id);
      await page.getByRole('link', { name: title }).waitFor();
      const given = await read<{ kind: string; dueAt: string | null }[]>(
        '/tasks?assigneeId=me',
        colleague.token,
      );
      expect(given.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
        ['translation', noonOf(12)],
        ['mention', null],
      ]);

      const theirs = await openAs(colleague, 'tasks');
      await theirs.page.getByText('Tasks: 2', { exact: true }).waitFor();
      await theirs.page.getByText(', please look', { exact: false }).waitFor();
      expect(await theirs.findings()).toEqual([]);
      await theirs.picture('tasks');
      await theirs.button(`Done: ${other}`).click();
      await theirs.page.getByText('Thread resolved', { exact: true }).waitFor();
      await must(app(), {
        method: 'PUT',
        path: `${project.management}/entries/${id}`,
        key: colleague.token,
        body: { version: 1, fields: { title: 'Arbeit' }, locale: 'de' },
      });
      await theirs.page.reload();
      await theirs.button(`Edit: ${title}`).click();
      await theirs.page
        .getByRole('dialog')
        .getByRole('combobox', { name: 'Status', exact: true })
        .selectOption('complete');
      await theirs.button('Save').click();
      await theirs.page.getByText('Nothing is waiting', { exact: true }).waitFor();
      expect(await read('/tasks?assigneeId=me', colleague.token)).toEqual([]);
    });

    it('an entry that waits for an approval is approved in the list of tasks', async () => {
      await send('/workflows', {
        name: 'Editorial',
        slug: 'editorial',
        contentTypes: ['author'],
        states: [
          { key: 'draft', name: 'Draft', isInitial: true },
          { key: 'in_review', name: 'Being reviewed' },
          { key: 'approved', name: 'Approved', allowsPublish: true },
        ],
        transitions: [
          { from: 'draft', to: 'in_review', name: 'Ask for a review' },
          { from: 'in_review', to: 'approved', name: 'Approve' },
        ],
      });
      const { id } = await createEntry(app(), project, {
        contentTypeApiName: 'author',
        fields: { name: 'To approve' },
      });
      const reviewer = await createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);
      await send(`/entries/${id}/workflow`, { to: 'in_review', assigneeId: reviewer.id });
      const desk = await openAs(reviewer, 'tasks');
      const { page } = desk;
      await page.getByText('Being reviewed', { exact: false }).waitFor();
      expect(await page.getByRole('main').innerText()).not.toContain('in_review');
      await page.getByRole('button', { name: 'Edit: To approve', exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Comment', exact: true }).fill('Fine.');
      await page.getByRole('combobox', { name: 'Then assigned to', exact: true }).selectOption('none');
      await expectAccessible(desk, 'workflow of a task');
      await desk.picture('task-workflow');
      await desk.button('Approve').click();
      await page.getByText('Nothing is waiting', { exact: true }).waitFor();
      const { state } = await read<{ state: string }>(`/entries/${id}/workflow`);
      expect(state).toBe('approved');
    });

    it('who may only read moves and assigns nothing', async () => {
      const title = `Only seen ${unique()}`;
      await planned(title, 17);
      const viewer = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
      const desk = await openAs(viewer, `calendar?day=${dayOf(15)}`);
      const { page } = desk;
      await page.getByRole('button', { name: title }).click();
      await page.getByRole('dialog').getByText('waiting', { exact: false }).waitFor();
      expect(await desk.button('Move').count()).toBe(0);
      await desk.open(`${placeOf(project)}/tasks`);
      await page.getByText('Nothing is waiting', { exact: true }).waitFor();
      expect(await desk.button('Assign work').count()).toBe(0);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('tasks-empty');
    });
  },
);
