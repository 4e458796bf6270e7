import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { hasBrowser, openBrowser, openPage } from '../support/browser.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';

/** Folder for screenshots; none are taken when unset. */
const pictures = process.env.SCREENSHOTS;

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Pages in a browser (needs /usr/bin/chromium or CHROMIUM)', () => {
  let app: TestApp;
  let project: TestProject;
  let browser: Browser;

  beforeAll(async () => {
    app = await startTestApp();
    project = await createProject(app);
    await createArticleTypes(app, project);
    const { id } = await createEntry(app, project, { contentTypeApiName: 'author', fields: { name: 'Ada' } });
    await publish(app, project, id);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('the API reference lists operations and calls one', async () => {
    app.composition.offerKeys({ reference: project.keys.management, explorer: project.keys.preview });
    const { page, errors, origins } = await openPage(browser);
    await page.goto(`${app.baseUrl}/docs`);
    const operation = page
      .locator('.opblock', { hasText: '/content-types' })
      .filter({ hasText: 'GET' })
      .first();
    await page.locator('.opblock-tag', { hasText: 'Content types' }).first().click();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByPlaceholder('projectSlug').fill(project.slug);
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table').first();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('"apiName": "article"');
    if (pictures) await page.screenshot({ path: path.join(pictures, 'reference.png') });
    expect(errors).toEqual([]);
    expect([...origins]).toEqual([app.baseUrl]);
  });

  it('the GraphQL explorer accepts a key, shows the schema and runs a query', async () => {
    app.composition.offerKeys({ reference: '', explorer: '' });
    const { page, errors, origins } = await openPage(browser);
    await page.goto(`${app.baseUrl}/api/graphql/${project.slug}`);
    expect(errors).toEqual([]);
    await page.getByLabel('API key').fill(project.keys.preview);
    await page.getByRole('button', { name: 'Open' }).click();
    const total = page.locator('.result-window').getByText('"total"').first();
    // The button exists before its query is loaded.
    for (let click = 0; click < 10 && !(await total.isVisible()); click += 1) {
      await page.locator('.graphiql-execute-button').click();
      await total.waitFor({ timeout: 5000 }).catch(() => undefined);
    }
    await total.waitFor({ timeout: 5000 });
    await page
      .getByRole('button', { name: /Documentation Explorer/ })
      .first()
      .click();
    await page.getByText('articleCollection').last().waitFor();
    if (pictures) await page.screenshot({ path: path.join(pictures, 'explorer.png') });
    expect(errors).toEqual([]);
    expect([...origins]).toEqual([app.baseUrl]);
  });

  it('the GraphQL explorer shows why a delivery key cannot open it', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${app.baseUrl}/api/graphql/${project.slug}`);
    await page.getByLabel('API key').fill(project.keys.delivery);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Delivery keys cannot introspect the schema').waitFor();
    expect(await page.locator('.graphiql-container').count()).toBe(0);
  });
});
