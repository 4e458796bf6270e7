import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { reach } from '../support/keyboard.js';
import { createMember, createRole, memberPassword } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

const describeInBrowser = hasBrowser ? describe : describe.skip;

interface StoredReport {
  readonly id: string;
  readonly name: string;
}

// Install chromium or set CHROMIUM to its path.
describeInBrowser(
  'Dashboard, governance and custom reports in the admin app (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    let admin: { email: string; password: string };
    const browser = useBrowser();
    let entryId: string;

    const call = <T>(method: 'GET' | 'POST', address: string, body?: object): Promise<T> =>
      must<T>(app(), { method, path: project.management + address, key: project.keys.management, body });

    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      for (const title of ['The upper lock', 'The lower lock'])
        entryId = (await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } }))
          .id;
      await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name: 'Ada' } });
      await publish(app(), project, entryId);
      admin = await createAdmin(app());
    });

    const openAs = async (login: { email: string; password: string }, address: string): Promise<Desk> => {
      const desk = await openDeskAs(browser(), app(), login);
      await desk.open(address);
      return desk;
    };
    const open = (address: string): Promise<Desk> => openAs(admin, placeOf(project) + address);
    const check = async (desk: Desk, name: string): Promise<void> => {
      expect(await desk.findings()).toEqual([]);
      await desk.picture(name);
      expect([desk.errors, [...desk.origins]]).toEqual([[], [app().baseUrl]]);
    };
    const reportNames = async (): Promise<string[]> => {
      const { email, password } = admin;
      const session = { method: 'POST', path: '/api/v1/auth/login', body: { email, password } } as const;
      const { accessToken: key } = await must<{ accessToken: string }>(app(), session);
      const path = `${project.management}/custom-reports`;
      return (await must<StoredReport[]>(app(), { method: 'GET', path, key })).map(({ name }) => name);
    };

    it('a project starts with what changed, what is scheduled and what is amiss', async () => {
      const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
      await call('POST', `/entries/${entryId}/unpublish`, { scheduledAt });
      const desk = await openAs(admin, `/${project.slug}`);
      const { page } = desk;
      await page.waitForURL(/\/main\/dashboard/);
      const scheduled = page.getByRole('region', { name: 'Scheduled', exact: true });
      await scheduled.getByRole('link', { name: 'The lower lock', exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Changed last', exact: true })
        .getByRole('link', { name: 'Ada', exact: true })
        .waitFor();
      await page
        .getByRole('region', { name: 'Content health', exact: true })
        .getByText('Translation is missing', { exact: true })
        .waitFor();
      await page.getByText('Nothing waits for you.', { exact: true }).waitFor();
      const boards = await Promise.all(
        (await page.locator('.boards > *').all()).map((board) => board.boundingBox()),
      );
      const columns = Map.groupBy(boards, (box) => box?.x);
      const endOf = (column: typeof boards): number =>
        Math.max(...column.map((box) => (box?.y ?? 0) + (box?.height ?? 0)));
      const ends = [...columns.values()].map(endOf);
      expect(ends.length).toBeGreaterThan(1);
      // No column is half empty.
      expect(Math.max(...ends)).toBeLessThan(2 * Math.min(...ends));
      await check(desk, 'dashboard');
      await scheduled.getByRole('link', { name: 'The lower lock', exact: true }).click();
      await page.waitForURL(new RegExp(`entries/${entryId}`));
    });

    it('a member who may only read entries sees these parts of the dashboard only', async () => {
      const role = await createRole(app(), project, [
        ...['entries', 'contentTypes', 'sites'].map((resource) => ({ resource, action: 'read' })),
      ]);
      const { email } = await createMember(app(), project, [role]);
      const desk = await openAs({ email, password: memberPassword }, `${placeOf(project)}/dashboard`);
      const { page } = desk;
      await page
        .getByRole('region', { name: 'Changed last', exact: true })
        .getByRole('link', { name: 'Ada', exact: true })
        .waitFor();
      await page.getByRole('region', { name: 'Content health' }).waitFor({ state: 'detached' });
      await page.getByRole('region', { name: 'Governance' }).waitFor({ state: 'detached' });
      await check(desk, 'dashboard-reader');
    });

    it('an analysis finds an issue, whose evidence is read and which is acknowledged with a note', async () => {
      const desk = await open('/governance');
      const { page } = desk;
      await page.getByText('No analysis has run yet.', { exact: false }).waitFor();
      await desk.button('Analyze now').click();
      await page.getByText('Analysis finished.', { exact: false }).waitFor();
      await page.getByLabel('Issue', { exact: true }).selectOption('no_expiry_key');
      await page.waitForURL(/detector=no_expiry_key/);
      const issue = page.getByRole('row').filter({ hasText: 'management' });
      await issue.waitFor();
      await check(desk, 'governance');
      await issue.getByRole('button').click();
      await page.getByRole('heading', { name: 'Evidence', exact: true }).waitFor();
      await page.getByRole('textbox', { name: /^Note / }).fill('Rotated every quarter.');
      await check(desk, 'governance-issue');
      await desk.button('Acknowledge').click();
      await issue.getByText('Acknowledged', { exact: true }).waitFor();
      const stored = await call<{ status: string; note: string; subject: { name: string } }[]>(
        'GET',
        '/governance/issues?detector=no_expiry_key&status=acknowledged',
      );
      expect(stored.map(({ note, subject }) => [subject.name, note])).toEqual([
        ['management', 'Rotated every quarter.'],
      ]);
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('resolved');
      await page.getByText('No issue matches', { exact: true }).waitFor();
    });

    it('a custom report is defined, refused while it is incomplete, run, saved as CSV, changed and deleted', async () => {
      const desk = await open('/custom-reports');
      const { page } = desk;
      await page.getByText('No custom report yet', { exact: true }).waitFor();
      await check(desk, 'custom-reports-empty');
      await desk.button('New report').click();
      await desk.button('Save report').click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
      await check(desk, 'custom-report-invalid');
      await page.getByRole('textbox', { name: /^Name( Enter a value\.)?$/ }).fill('Entries by type');
      const group = page.getByRole('combobox', { name: 'Group 1', exact: true });
      // Words, not names of the API, such as `siteId`.
      for (const option of await group.getByRole('option').allTextContents())
        expect(option).toMatch(/^(?:–|[A-Z][a-z]+(?:,? [a-z]+)*)$/);
      await group.selectOption('contentTypeApiName');
      await desk.button('Add a filter').click();
      await page.getByRole('combobox', { name: 'Key of filter 1', exact: true }).selectOption('status');
      await page.getByRole('textbox', { name: 'Values of filter 1', exact: true }).fill('draft, published');
      await desk.button('Save report').click();
      await page.waitForURL(/custom-reports\/[0-9a-f-]+/);
      const rows = page.getByRole('table').getByRole('row');
      await rows.nth(2).waitFor();
      await waitFor('three rows', async () => (await rows.count()) === 3);
      await check(desk, 'custom-report');
      const saved = page.waitForEvent('download');
      await desk.button('Download CSV').click();
      const csv = await readFile(await (await saved).path(), 'utf8');
      expect(csv.split('\r\n')).toHaveLength(4);
      await desk.button('Edit report').click();
      await page.getByRole('textbox', { name: /^Name( Enter a value\.)?$/ }).fill('Entries by status');
      await page.getByRole('combobox', { name: 'Group 1', exact: true }).selectOption('status');
      await desk.button('Save report').click();
      await page.getByRole('heading', { name: 'Entries by status', exact: true }).waitFor();
      await page.getByRole('columnheader', { name: 'Status', exact: true }).waitFor();
      expect(await reportNames()).toEqual(['Entries by status']);
      await desk.button('Delete').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('No custom report yet', { exact: true }).waitFor();
      expect(await reportNames()).toEqual([]);
    });

    it('a custom report says that the service refused a key, and that groups are left out', async () => {
      const desk = await open('/custom-reports');
      const { page } = desk;
      // The service, not the app, knows that a sum needs a field.
      await desk.button('New report').click();
      await page.getByRole('textbox', { name: /^Name( Enter a value\.)?$/ }).fill('A sum of nothing');
      await page.getByLabel('Calculation 1', { exact: true }).selectOption('sum');
      await desk.button('Save report').click();
      await page.getByRole('group', { name: 'What is calculated', exact: true }).getByRole('alert').waitFor();
      expect(await reportNames()).toEqual([]);
      await page.keyboard.press('Escape');
      await page.route(/customReports\.run/, async (route) => {
        const answer = await route.fetch();
        const text = (await answer.text()).replace('"truncated":false', '"truncated":true');
        await route.fulfill({ response: answer, body: text });
      });
      await desk.button('New report').click();
      await page.getByRole('textbox', { name: /^Name( Enter a value\.)?$/ }).fill('Much');
      await page.getByRole('combobox', { name: 'Group 1', exact: true }).selectOption('date');
      await desk.button('Save report').click();
      await page.getByText('largest of', { exact: false }).waitFor();
      await check(desk, 'custom-report-truncated');
    });

    it('by keyboard alone: a custom report is defined and run', async () => {
      const desk = await open('/custom-reports');
      const { page } = desk;
      await reach(page, desk.button('New report'));
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: /^Name( Enter a value\.)?$/ }).waitFor();
      await page.keyboard.type('Typed');
      await reach(page, page.getByRole('combobox', { name: 'Group 1', exact: true }));
      await page.keyboard.type('locale');
      await reach(page, desk.button('Save report'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Typed', exact: true }).waitFor();
      await page.getByRole('columnheader', { name: 'Locale', exact: true }).waitFor();
    });
  },
);
