import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { openDeskAs, type Desk } from '../support/admin-desk.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../support/members.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

const csv = 'sku,title,price,parent\na,Upper lock,4,b\nb,Weir,5,\nc,Gate,6,\n,Without an id,7,\n';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Imports in a browser (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let owner: TestMember;
  beforeAll(async () => {
    project = await createProject(app());
    owner = await createMember(app(), project, [await systemRoleId(app(), project, 'owner')]);
  });

  const openImports = async (): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), { email: owner.email, password: memberPassword });
    await desk.page.goto(`${app().baseUrl}/admin/${project.slug}/main/imports`);
    return desk;
  };

  /** Runs waiting jobs, as the service does in the background, until the app shows what they lead to. */
  const runJobs = (what: string, shown: Locator): Promise<boolean> =>
    waitFor(what, async () => {
      await app().composition.jobs.importFiles();
      return (await shown.count()) > 0;
    });

  it('a table is checked, its mapping is changed, and its rows become entries', async () => {
    const desk = await openImports();
    const { page } = desk;
    await page.getByRole('heading', { name: 'No imports yet', exact: true }).waitFor();
    await desk.button('Import a file').click();
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'parts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    expect(await page.locator('select[name=system]').inputValue()).toBe('csv');
    await page.getByLabel('Content type of the rows').fill('part');
    expect(await desk.findings()).toEqual([]);
    await desk.picture('import-start');
    await desk.button('Check the file').click();
    await runJobs(
      'the file was checked',
      page.getByText('This was a check: nothing was changed.', { exact: true }),
    );
    await page.getByRole('row', { name: /^Entries 3 0 0 0 1$/ }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('import-checked');

    await page.getByText('Mapping', { exact: true }).click();
    const mapping = page.getByRole('textbox', { name: 'Mapping', exact: true });
    await mapping.fill((await mapping.inputValue()).replace('apiName: title', 'apiName: heading'));
    expect(await desk.button('Import now').count()).toBe(0);
    await desk.button('Check again').click();
    await runJobs('the file was checked again', desk.button('Import now'));
    await desk.button('Import now').click();
    await runJobs(
      'the rows were imported',
      page.getByText('The content is in the project.', { exact: false }),
    );
    expect(await desk.findings()).toEqual([]);
    await desk.picture('import-done');
    await page.getByRole('link', { name: 'Open the entries', exact: true }).click();
    await page.getByText('Upper lock', { exact: true }).waitFor();
    await page.goto(`${app().baseUrl}/admin/${project.slug}/main/imports`);
    await page.getByRole('link', { name: 'parts.csv', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await desk.picture('imports');
  });

  it('a file that cannot be read says so, and a waiting import is canceled', async () => {
    const desk = await openImports();
    const { page } = desk;
    const start = async (name: string, content: string): Promise<void> => {
      await page.goto(`${app().baseUrl}/admin/${project.slug}/main/imports`);
      await desk.button('Import a file').click();
      await page.getByLabel('File', { exact: true }).setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
      await desk.button('Check the file').click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
    };
    await start('waiting.json', '{}');
    await desk.button('Cancel the import').click();
    await page.getByText('canceled', { exact: true }).waitFor();
    await start('broken.json', '{"entries": [');
    await runJobs('the import has failed', page.getByText('failed', { exact: true }));
    await page.getByText('broken.json', { exact: false }).nth(1).waitFor();
    await desk.picture('import-failed');
  });
});
