import { beforeAll } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { openDeskAs, placeOf, type Desk } from './admin-desk.js';
import type { TestApp } from './app.js';
import { useBrowser, useCountedApp } from './browser-app.js';
import { must } from './call.js';
import { createArticleTypes, createEntry, type TestEntry } from './factories/content.js';
import { createAdmin, createProject, type TestProject } from './factories/project.js';

interface Login {
  readonly email: string;
  readonly password: string;
}

/** What tests of the editor share: a project with articles, and windows of the admin app. */
interface EditorScene {
  readonly app: TestApp;
  readonly project: TestProject;
  /** Opens an entry as a super-admin, or as another user; `search` is like `?locale=de`. */
  open(id: string, search?: string, login?: Login): Promise<Desk>;
  article(fields: Record<string, unknown>): Promise<TestEntry>;
  call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T>;
  stored(id: string, locale?: string): Promise<TestEntry>;
}

/** A project with the locales `en`, `de` and `ar` for all tests of a block. */
export function useEditorScene(): () => EditorScene {
  const usedApp = useCountedApp();
  const browser = useBrowser();
  let scene: EditorScene;
  beforeAll(async () => {
    const app = usedApp();
    const project = await createProject(app, { locales: ['en', 'de', 'ar'] });
    await createArticleTypes(app, project);
    const admin = await createAdmin(app);
    const { management, keys } = project;
    const call: EditorScene['call'] = (method, path, body) =>
      must(app, { method, path: `${management}${path}`, key: keys.management, body });
    scene = {
      app,
      project,
      call,
      open: async (id, search = '', login = admin) => {
        const desk = await openDeskAs(browser(), app, login);
        await desk.open(`${placeOf(project)}/entries/${id}${search}`);
        await desk.page.getByRole('heading', { level: 1 }).waitFor();
        return desk;
      },
      article: (fields) => createEntry(app, project, { contentTypeApiName: 'article', fields }),
      stored: (id, locale = 'en') => call('GET', `/entries/${id}?locale=${locale}`),
    };
  });
  return () => scene;
}

/** A text field of the edited entry, not the one beside it in another locale, nor the buttons that name it. */
export const fieldIn = ({ page }: Desk, name: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${name}( |$)`, 'i') });

/** The title of the edited entry. */
export const titleIn = (desk: Desk): Locator => fieldIn(desk, 'title');

/** Chooses from the menu of the entry. */
export async function chooseAction({ page, button }: Desk, name: string): Promise<void> {
  await button('More').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Waits until an automatic save is shown. */
export const saved = ({ page }: Desk): Promise<void> => page.getByText(/^Saved \d/).waitFor();

/** Saves what was typed at once, and waits until it is saved. */
export async function kept(desk: Desk): Promise<void> {
  await desk.page.keyboard.press('Control+s');
  await saved(desk);
  await desk.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
}
