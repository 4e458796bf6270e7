import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Publication of an entry in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    const browser = useBrowser();
    let admin: { email: string; password: string };
    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      admin = await createAdmin(app());
    });

    async function openPanel(fields: Record<string, unknown>) {
      const { id } = await createEntry(app(), project, { contentTypeApiName: 'article', fields });
      const desk = await openDeskAs(browser(), app(), admin);
      await desk.open(`${placeOf(project)}/entries/${id}`);
      await desk.button('Publication').click();
      return { desk, page: desk.page, id };
    }

    const schedulesOf = (id: string) =>
      must<{ kind: string; locale: string; scheduledAt: string; timezone: string }[]>(app(), {
        method: 'GET',
        path: `${project.management}/entries/${id}/schedules`,
        key: project.keys.management,
      });

    it('a draft is checked, completed, and previewed with a link', async () => {
      const { desk, page } = await openPanel({});
      await desk.button('Check the draft').click();
      await page.getByText('Version 1 cannot be published yet.', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await page
        .getByRole('textbox', { name: 'Title required to publish', exact: true })
        .fill('The upper lock');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      await desk.button('Check the draft').click();
      await page.getByText('Version 2 can be published.', { exact: true }).waitFor();
      await desk.button('Create a preview link').click();
      const link = page.getByRole('link', { name: 'Open the preview', exact: true });
      await link.waitFor();
      const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await opened.getByRole('heading', { level: 1, name: 'The upper lock', exact: true }).waitFor();
    });

    it('a locale is scheduled in a time zone, and the schedule is canceled, by keyboard alone', async () => {
      const { desk, page, id } = await openPanel({ title: 'The lower lock' });
      await page.getByText('Nothing is scheduled.', { exact: true }).waitFor();
      const zone = page.getByRole('combobox', { name: 'Time zone', exact: true });
      const time = page.getByLabel('Time', { exact: true });
      expect(await zone.inputValue()).toBe(
        await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone'),
      );
      expect(await desk.button('Schedule').isDisabled()).toBe(true);
      await zone.fill('Europe/Nowhere');
      await page.getByText('There is no such time zone.', { exact: true }).waitFor();
      await zone.fill('Europe/Berlin');
      await time.fill('2001-06-01T12:00');
      await page.getByText('This time is in the past in Europe/Berlin.', { exact: true }).waitFor();
      expect(await time.getAttribute('aria-invalid')).toBe('true');
      expect(await desk.button('Schedule').isDisabled()).toBe(true);
      expect(await desk.findings()).toEqual([]);
      await time.fill('2099-06-01T12:00');
      await desk.button('Schedule').focus();
      await page.keyboard.press('Enter');
      await desk.button('Cancel the schedule').waitFor();
      await page.getByText('Jun 1, 2099, 12:00').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('entry-publication');
      expect(await schedulesOf(id)).toMatchObject([
        {
          kind: 'publish',
          locale: 'en',
          scheduledAt: '2099-06-01T10:00:00.000Z',
          timezone: 'Europe/Berlin',
        },
      ]);
      await desk.button('Cancel the schedule').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Nothing is scheduled.', { exact: true }).waitFor();
      expect(await schedulesOf(id)).toEqual([]);
    });
  },
);
