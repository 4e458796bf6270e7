import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, openDeskAs, placeOf } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { reach } from '../support/keyboard.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

const describeInBrowser = hasBrowser ? describe : describe.skip;

interface StoredEntry {
  readonly status: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

// Install chromium or set CHROMIUM to its path.
describeInBrowser('By keyboard alone (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  let project: TestProject;
  let admin: { email: string; password: string };
  const browser = useBrowser();

  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    admin = await createAdmin(app());
  });

  const article = async (title: string): Promise<string> =>
    (await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } })).id;
  const stored = (id: string): Promise<StoredEntry> => {
    const path = `${project.management}/entries/${id}`;
    return must<StoredEntry>(app(), { method: 'GET', path, key: project.keys.management });
  };

  it('by keyboard alone: a user logs in, finds an entry and opens it', async () => {
    await article('A weir');
    const id = await article('A boat race');
    const desk = await openDesk(browser(), app());
    const { page } = desk;
    await desk.open(placeOf(project));
    await reach(page, page.getByRole('textbox', { name: 'Email address', exact: true }));
    await page.keyboard.type(admin.email);
    await reach(page, page.getByRole('textbox', { name: 'Password', exact: true }));
    await page.keyboard.type(admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'A weir', exact: true }).waitFor();
    await reach(page, page.getByRole('searchbox', { name: 'Search titles', exact: true }));
    await page.keyboard.type('boat');
    await page.getByRole('link', { name: 'A weir' }).waitFor({ state: 'detached' });
    await reach(page, page.getByRole('link', { name: 'A boat race', exact: true }));
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`entries/${id}`));
    await page.getByRole('textbox', { name: 'Title required to publish', exact: true }).waitFor();
  });

  it('by keyboard alone: an entry is created and published', async () => {
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await desk.open(`${placeOf(project)}/new/article`);
    await reach(page, page.getByRole('textbox', { name: 'Title required to publish', exact: true }));
    await page.keyboard.type('The long lock');
    await reach(page, desk.button('Create draft'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/entries\/[0-9a-f-]+/);
    await reach(page, desk.button('Publish'));
    await page.keyboard.press('Enter');
    await page.getByText('Published in English (en)', { exact: true }).waitFor();
    const id = /entries\/([^?]+)/.exec(page.url())?.[1] ?? '';
    const { status, fields } = await stored(id);
    expect([status, fields.title]).toEqual(['published', 'The long lock']);
  });

  it('by keyboard alone: the title and text of an entry are changed, and saved by a shortcut', async () => {
    const id = await article('Before');
    const desk = await openDeskAs(browser(), app(), admin);
    const { page } = desk;
    await desk.open(`${placeOf(project)}/entries/${id}`);
    await reach(page, page.getByRole('textbox', { name: 'Title required to publish', exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('After');
    await reach(page, page.getByRole('textbox', { name: 'Body', exact: true }));
    await page.keyboard.type('Plain, ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('bold');
    await page.keyboard.press('Control+s');
    await page.getByText('Draft saved', { exact: true }).waitFor();
    expect((await stored(id)).fields).toMatchObject({
      title: 'After',
      body: {
        content: [{ content: [{ text: 'Plain, ' }, { text: 'bold', marks: [{ type: 'bold' }] }] }],
      },
    });
  });
});
