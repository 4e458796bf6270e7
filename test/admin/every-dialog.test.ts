import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, settle, type Desk } from '../support/admin-desk.js';
import { must } from '../support/call.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import {
  createArticleTypes,
  createEntry,
  createType,
  paragraphs,
  publish,
} from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createPage, createPageType } from '../support/factories/tree.js';
import { misplacedIn } from '../support/admin-geometry.js';
import { hasBrowser } from '../support/optional-servers.js';
import { take } from './pictures/dialog-steps.js';
import { dialogs, type DialogPlaces } from './pictures/dialogs.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Every dialog (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let places: DialogPlaces;
  let desk: Desk;
  /** The session of who works in the app. */
  let token: string;

  const send = (address: string, body: object = {}, method: 'POST' | 'PUT' = 'POST') =>
    must<{ id: string }>(app(), { method, path: project.management + address, key: token, body });

  async function writeEntries(): Promise<{ entry: string; day: string }> {
    await createArticleTypes(app(), project);
    await createPageType(app(), project);
    await createType(app(), project, { apiName: 'quote', isBlock: true, name: 'Quote' });
    await createType(app(), project, {
      apiName: 'landing',
      name: 'Landing',
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'parts', type: 'blocks', name: 'Parts', settings: { contentTypes: ['quote'] } },
      ],
    });
    const article = (title: string) =>
      createEntry(app(), project, {
        contentTypeApiName: 'article',
        fields: { title, body: paragraphs('A weir holds the water back.') },
      });
    const { id, version } = await article('A weir');
    await send(`/entries/${id}`, { version, fields: { title: 'A weir on the river' } }, 'PUT');
    await send(`/entries/${id}`, { version: version + 1, fields: { title: 'A weir' } }, 'PUT');
    await publish(app(), project, id);
    await send(`/entries/${id}/comments`, { text: 'Which weir?' });
    await createPage(app(), project, { slug: 'about' });
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    await send(`/entries/${(await article('A lock')).id}/publish`, { scheduledAt });
    return { entry: id, day: scheduledAt.slice(0, 10) };
  }

  async function write(): Promise<DialogPlaces> {
    const { entry, day } = await writeEntries();
    await send('/redirects', { siteId: project.siteId, source: '/old', target: '/about', status: 301 });
    const file = { fileName: 'weir.png', content: png(640, 420).toString('base64') };
    const asset = await uploadAsset(app(), project, { file });
    const release = await send('/releases', { name: 'Reopening' });
    const items = [{ kind: 'entry', entryId: entry, locale: 'en', action: 'publish' }];
    await send(`/releases/${release.id}/items`, { items });
    const report = await send('/custom-reports', {
      name: 'By type',
      source: 'entries',
      metrics: [{ op: 'count' }],
      groupBy: ['status'],
      chart: 'bar',
      visibility: 'shared',
    });
    const role = await send('/roles', { name: 'Translators' });
    const view = await send('/views', {
      resource: 'entries',
      name: 'Articles',
      visibility: 'shared',
      filters: { contentTypeApiName: ['article'] },
    });
    await send('/api-keys', { name: 'Agent', type: 'management', permissions: [] });
    await send('/governance/analyze');
    const ids = { asset: asset.id, release: release.id, report: report.id, role: role.id, view: view.id };
    return { entry, day, ...ids };
  }

  beforeAll(async () => {
    project = await createProject(app(), { locales: ['en', 'de'] });
    const body = await createAdmin(app());
    const login = { method: 'POST', path: '/api/v1/auth/login', body } as const;
    token = (await must<{ accessToken: string }>(app(), login)).accessToken;
    places = await write();
    desk = await openDeskAs(browser(), app(), body);
    // What was typed for the dialog before asks before the page is left.
    desk.page.on('dialog', (question) => void question.accept());
    // The stream of events never ends.
    await desk.page.route('**/api/v1/me/events', (route) => route.abort());
  });

  it.each(dialogs)(
    'fits each width, and axe finds nothing grave in light and dark: $file, $name',
    async ({ at, steps }) => {
      const { page } = desk;
      await desk.open(placeOf(project) + (typeof at === 'string' ? at : at(places)));
      await settle(page);
      for (const step of steps) await take(desk, step);
      await page.locator('dialog[open], [role=menu], [role=listbox]').last().waitFor();
      await settle(page);
      expect(await misplacedIn(page, [390, 1280])).toEqual([]);
      expect(await desk.findings()).toEqual([]);
    },
  );
});
