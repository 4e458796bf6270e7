import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('The first day in the admin app (needs Chromium)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();
  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    admin = await createAdmin(app());
  });

  const open = async (address: string): Promise<Desk> => {
    const desk = await openDeskAs(browser(), app(), admin);
    await desk.open(address);
    return desk;
  };

  it('groups of the navigation are closed and opened, stay so, and open for the current screen', async () => {
    const desk = await open(`${placeOf(project)}/dashboard`);
    const { page } = desk;
    const navigation = page.getByRole('navigation', { name: 'Content', exact: true });
    const group = (name: string) => navigation.getByRole('button', { name, exact: true });
    const link = (name: string) => navigation.getByRole('link', { name, exact: true });
    await link('Media library').waitFor();
    expect(await group('Administration').getAttribute('aria-expanded')).toBe('false');
    expect(await link('API keys').count()).toBe(0);
    await group('Administration').click();
    await group('Planning').click();
    expect([await link('API keys').count(), await link('Calendar').count()]).toEqual([1, 0]);
    expect(await desk.findings()).toEqual([]);
    await page.reload();
    await link('API keys').waitFor();
    expect(await link('Calendar').count()).toBe(0);
    await desk.open(`${placeOf(project)}/redirects`);
    await link('Redirects').waitFor();
    await desk.picture('navigation');
    expect(desk.errors).toEqual([]);
  });

  it('the bar at the top names the project and the environment, and nothing is cut off on a narrow screen', async () => {
    const environments = `${project.management}/environments`;
    const body = { slug: 'staging', name: 'Staging area' };
    await must(app(), { method: 'POST', path: environments, key: project.keys.management, body });
    const desk = await open(`${placeOf(project)}/dashboard`);
    const { page } = desk;
    await page.getByRole('banner').getByText('Project', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('combobox', { name: 'Environment', exact: true }).waitFor();
    const hidden: string[] = await page.evaluate(`[...document.querySelector('header.top').children]
      .filter((one) => one.getBoundingClientRect().width > 0 && !one.matches('.grow'))
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1;
      })
      .map((one) => one.outerHTML)`);
    expect(hidden).toEqual([]);
    await desk.button('Menu').click();
    await page.getByRole('link', { name: 'Media library', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
  });

  it('an entry without a title is called untitled, never by its id', async () => {
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'article', fields: {} });
    for (const screen of ['dashboard', 'translations', 'reports/content-health']) {
      const desk = await open(`${placeOf(project)}/${screen}`);
      const main = desk.page.getByRole('main');
      await main.getByText('Untitled', { exact: true }).first().waitFor();
      expect(await main.getByText(id).count()).toBe(0);
    }
  });

  it.each([
    ['Blog', 'article'],
    ['Marketing site', 'page'],
    ['Documentation', 'guide'],
  ])(
    'an empty project starts from the template %s, claims no health of nothing, and publishes its first page',
    async (template, type) => {
      const empty = await createProject(app());
      const desk = await open(`${placeOf(empty)}/dashboard`);
      const { page } = desk;
      const steps = page.getByRole('region', { name: 'Next steps', exact: true });
      await page.getByText('There is no entry yet.', { exact: true }).waitFor();
      expect(await page.getByText('100 %').count()).toBe(0);
      await steps.getByRole('button', { name: template, exact: true }).waitFor();
      if (type === 'article') {
        expect(await desk.findings()).toEqual([]);
        await desk.picture('first-day');
      }
      await steps.getByRole('button', { name: template, exact: true }).click();
      await steps.getByRole('link', { name: /^New entry/ }).waitFor();
      const types = await must<{ apiName: string }[]>(app(), {
        method: 'GET',
        path: `${empty.management}/content-types`,
        key: empty.keys.management,
      });
      expect(types.map(({ apiName }) => apiName)).toContain(type);
      await desk.open(`${placeOf(empty)}/reports/content-health`);
      await page.getByRole('heading', { name: 'There is no entry yet.', exact: true }).waitFor();
      expect(await page.locator('.figures').count()).toBe(0);
      await page.getByRole('link', { name: /^New entry/ }).click();
      await page.waitForURL(new RegExp(`/new/${type}`));
      await page.getByRole('textbox', { name: /^Title/ }).fill('The first page');
      await desk.button('Create draft').click();
      await page.waitForURL(/entries\/[0-9a-f-]{36}/);
      await desk.button('Publish').click();
      await page.getByText('Published', { exact: true }).first().waitFor();
      const path = `${empty.delivery}/routes?path=/the-first-page`;
      const route = await must<object>(app(), { method: 'GET', path, key: empty.keys.delivery });
      expect(route).toMatchObject({ entry: { fields: { title: 'The first page' } } });
      expect(desk.errors).toEqual([]);
    },
    120_000,
  );

  it('"?" lists the shortcuts, and super-admins reach tenants and make one from the first screen', async () => {
    const desk = await open(`${placeOf(project)}/dashboard`);
    const { page } = desk;
    await desk.button('Admin').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard', exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.keyboard.press('Escape');
    await desk.open('');
    await desk.button('New tenant').click();
    const dialog = page.getByRole('dialog', { name: 'New tenant', exact: true });
    await dialog
      .getByRole('textbox', { name: 'Name required', exact: true })
      .first()
      .fill('Tenant of the day');
    expect(
      await dialog.getByRole('textbox', { name: 'Slug required', exact: true }).first().inputValue(),
    ).toBe('tenant-of-the-day');
    expect(await desk.findings()).toEqual([]);
    await desk.button('Close').click();
    await page.getByRole('link', { name: 'Tenants and projects', exact: true }).click();
    await page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor();
    expect(desk.errors).toEqual([]);
  });

  it('texts in another language are loaded when it is chosen', async () => {
    const desk = await open(`${placeOf(project)}/dashboard`);
    const { page } = desk;
    await desk.button('Admin').click();
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de');
    await page.getByRole('link', { name: 'Alle Einträge', exact: true }).first().waitFor();
    expect(desk.errors).toEqual([]);
  });
});
