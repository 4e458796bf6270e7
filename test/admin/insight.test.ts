import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { focused, pictureWidth } from '../support/element-state.js';
import { reach } from '../support/keyboard.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

const describeInBrowser = hasBrowser ? describe : describe.skip;

// Install chromium or set CHROMIUM to its path.
describeInBrowser('Reports and audit in the admin app (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  let entryId: string;

  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    const article = { contentTypeApiName: 'article', fields: { title: 'The upper lock' } };
    entryId = (await createEntry(app(), project, article)).id;
    await publish(app(), project, entryId);
    const path = `${project.management}/entries/${entryId}`;
    const body = { version: 1, fields: { title: 'The lower lock' } };
    await must(app(), { method: 'PUT', path, key: project.keys.management, body });
    admin = await createAdmin(app());
  });

  const open = async (address: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(`${placeOf(project)}${address}`);
    return desk;
  };
  const check = async (desk: Desk, name: string): Promise<void> => {
    expect(await desk.findings()).toEqual([]);
    await desk.picture(name);
    expect([desk.errors, [...desk.origins]]).toEqual([[], [app().baseUrl]]);
  };

  it('the audit explorer shows what changed in an entry, and who else changed it', async () => {
    const desk = await open('/audit');
    const { page } = desk;
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Entry: changed' });
    await page.waitForURL(/action=entry.update/);
    await page.getByRole('cell', { name: / published entry / }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'management changed entry The lower lock', exact: true }).waitFor();
    await page.getByLabel('Who', { exact: true }).selectOption({ label: 'management' });
    await page.waitForURL(/actorId=/);
    await page.getByRole('cell', { name: 'management changed entry The lower lock', exact: true }).waitFor();
    const lines = "document.querySelector('.data .unbroken').getClientRects().length";
    expect(await page.evaluate(lines)).toBe(1);
    await check(desk, 'audit');
    await desk.button('The lower lock').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('deletion').filter({ hasText: 'upper' }).waitFor();
    await dialog.getByRole('insertion').filter({ hasText: 'lower' }).waitFor();
    await check(desk, 'audit-event');
    await desk.button('All events of this item').click();
    await page.waitForURL(new RegExp(`targetId=${entryId}`));
    await page.getByRole('cell', { name: / published entry / }).waitFor();
    await page.getByRole('cell', { name: / created entry / }).waitFor();
    await waitFor('4 rows', async () => (await page.getByRole('row').count()) === 4);
  });

  it('the audit explorer pages through all events, says when none matches, and verifies the records', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Ada ${String(index)}`);
    for (const name of names)
      await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name } });
    const desk = await open('/audit?action=entry.create&interface=management');
    const { page } = desk;
    await desk.button('Ada 59').waitFor();
    await waitFor('51 rows', async () => (await page.getByRole('row').count()) === 51);
    await desk.button('Show older events').click();
    await desk.button('Ada 0').waitFor();
    await waitFor('62 rows', async () => (await page.getByRole('row').count()) === 62);
    await desk.button('Verify the records').click();
    await page.getByText(/sealed records are unchanged/).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No event matches', { exact: true }).waitFor();
    await check(desk, 'audit-empty');
    await desk.button('Remove filters').click();
    await desk.button('Ada 59').waitFor();
  });

  it('by keyboard alone: an event of the audit is found, read and closed', async () => {
    const desk = await open(`/audit?targetId=${entryId}`);
    const { page } = desk;
    await reach(page, page.getByRole('combobox', { name: 'Action', exact: true }));
    await page.keyboard.type('Entry:');
    await page.waitForURL(/targetType=entry/);
    await page.getByRole('cell', { name: / published entry / }).waitFor();
    const event = desk.button('The lower lock').first();
    await reach(page, event);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Request', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(event);
  });

  it('a report has figures, a chart and rows for the chosen period, grouping and time zone', async () => {
    const desk = await open('/reports/publishing-activity');
    const { page } = desk;
    await page.getByRole('cell', { name: 'The lower lock', exact: true }).waitFor();
    const chart = page.getByRole('region', { name: 'Publishing' }).locator('img');
    await waitFor('a chart of its width', async () => (await pictureWidth(chart)) === 840);
    await check(desk, 'report-publishing');
    await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('7');
    await page.getByRole('combobox', { name: 'Grouping', exact: true }).selectOption('week');
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).selectOption('Asia/Tokyo');
    await page.waitForURL(/timezone=Asia/);
    await page.getByText('Figures of the chart', { exact: true }).click();
    const series = page.getByRole('table', { name: 'Figures of the chart', exact: true });
    await series.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    await waitFor('one or two weeks', async () => {
      const rows = await series.getByRole('row').count();
      return rows === 2 || rows === 3;
    });
    await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('own');
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.getByText('Nothing in this period and scope', { exact: true }).waitFor();
    await check(desk, 'report-empty');
  });

  it('every report is shown for a content type and downloaded as CSV', async () => {
    const desk = await open('/reports/content-health?type=article');
    const { page } = desk;
    await page.getByText('Translation is missing', { exact: true }).first().waitFor();
    await check(desk, 'report-health');
    const saved = page.waitForEvent('download');
    await desk.button('Download CSV').click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect([csv.split('\r\n')[0], csv]).toEqual(['entryId,title,issues', expect.stringContaining(entryId)]);
    const tabs = page.getByRole('navigation', { name: 'Reports', exact: true });
    for (const [tab, shown] of [
      ['Schema usage', 'Title'],
      ['Users', 'Nothing in this period and scope'],
      ['API keys', 'management'],
    ] as const) {
      await tabs.getByRole('link', { name: tab }).click();
      await page.getByText(shown, { exact: true }).first().waitFor();
      await check(desk, `report-${tab}`);
    }
    expect(page.url()).toContain('type=article');
  });

  it('searches without results are listed with where and how often they were made', async () => {
    const search = { method: 'GET', key: project.keys.management } as const;
    for (const q of ['Tide mill', 'tide mill', 'Weir keeper'])
      await must(app(), { ...search, path: `${project.management}/search?q=${encodeURIComponent(q)}` });
    await app().composition.jobs.flushKeyUses();
    const desk = await open('/reports/empty-searches?type=article');
    const { page } = desk;
    const rows = page.getByRole('table', { name: 'Searches without results', exact: true }).getByRole('row');
    await rows.filter({ hasText: 'tide mill' }).waitFor();
    expect(await rows.nth(1).getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['tide mill', '2', 'Editor']),
    );
    await page.getByLabel('Content type', { exact: true }).waitFor({ state: 'detached' });
    await check(desk, 'report-searches');
    const saved = page.waitForEvent('download');
    await desk.button('Download CSV').click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('weir keeper');
  });
});
