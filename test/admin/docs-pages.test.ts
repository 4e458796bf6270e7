import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPage } from '../support/browser.js';
import { hasBrowser } from '../support/optional-servers.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { useApp } from '../support/desk.js';
import { useBrowser } from '../support/browser-app.js';

/** Folder for screenshots; none are taken when unset. */
const pictures = process.env.SCREENSHOTS;

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Pages in a browser (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useApp();
  let project: TestProject;
  const browser = useBrowser();

  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), project, id);
  });

  it('the API reference lists operations and calls one', async () => {
    app().composition.offerKeys({
      project: project.slug,
      reference: project.keys.management,
      explorer: project.keys.preview,
    });
    const { page, errors, origins } = await openPage(browser());
    await page.goto(`${app().baseUrl}/docs`);
    await page.locator('.tag').first().waitFor();
    expect(await page.locator('.tag').count()).toBeGreaterThan(10);
    // Only what is opened is rendered.
    expect(await page.locator('.operation').count()).toBe(0);
    await page.locator('.tag', { hasText: 'Content types' }).first().locator('summary').first().click();
    const operation = page.locator('.operation', { hasText: 'List content types' }).first();
    await operation.locator('summary').first().click();
    await operation
      .getByRole('textbox', { name: 'projectSlug', exact: true })
      .or(operation.getByLabel('slug'))
      .first()
      .fill(project.slug);
    await operation.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = operation.locator('.response');
    await answer.getByText('"apiName": "article"').waitFor();
    await page.getByRole('searchbox', { name: 'Filter operations', exact: true }).fill('publish post');
    await page.locator('.operation', { hasText: '/publish' }).first().waitFor();
    if (pictures) await page.screenshot({ path: path.join(pictures, 'reference.png') });
    expect(errors).toEqual([]);
    expect([...origins]).toEqual([app().baseUrl]);
  });

  it('the GraphQL explorer accepts a key, shows the schema and runs a query', async () => {
    app().composition.offerKeys({ project: '', reference: '', explorer: '' });
    const { page, errors, origins } = await openPage(browser());
    await page.goto(`${app().baseUrl}/api/graphql/${project.slug}`);
    expect(errors).toEqual([]);
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill(project.keys.preview);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.result').getByText('"total"').waitFor();
    await page.getByRole('searchbox', { name: 'Search the schema', exact: true }).fill('article');
    await page.locator('.schema').getByRole('button', { name: 'Article', exact: true }).click();
    await page.locator('.schema li', { hasText: 'title' }).first().waitFor();
    if (pictures) await page.screenshot({ path: path.join(pictures, 'explorer.png') });
    expect(errors).toEqual([]);
    expect([...origins]).toEqual([app().baseUrl]);
  });

  it('the GraphQL explorer shows why a delivery key cannot open it', async () => {
    const { page } = await openPage(browser());
    await page.goto(`${app().baseUrl}/api/graphql/${project.slug}`);
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill(project.keys.delivery);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Delivery keys cannot introspect the schema').waitFor();
    expect(await page.locator('.editors').count()).toBe(0);
  });
});
