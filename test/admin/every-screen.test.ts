import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, settle, type Desk } from '../support/admin-desk.js';
import { must } from '../support/call.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createPage, createPageType } from '../support/factories/tree.js';
import { misplacedIn } from '../support/admin-geometry.js';
import { newClient, requestOf } from '../support/oauth-client.js';
import { hasBrowser } from '../support/optional-servers.js';
import { addressOf, screens, type Places } from './pictures/screens.js';

/** Of the window and what it showed before it moved, the sum that a page may have. */
const SHIFT = 0.02;

/** Collects layout shifts that no user caused, with what moved. */
const observe = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
          (node?.parentElement?.className ?? '') + ' > ' + (node?.nodeName ?? '') + '.' + (node?.className ?? '') +
            ' ' + [from.x, from.y, from.width, from.height] + ' to ' + [to.x, to.y, to.width, to.height]) });
  }).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** The shifts of a page, if they are too many. */
async function shiftsOf({ page }: Desk): Promise<readonly Shift[]> {
  const shifts = await page.evaluate<Shift[]>('shifts');
  return shifts.reduce((sum, { value }) => sum + value, 0) <= SHIFT ? [] : shifts;
}

/** Nothing moves while it loads, nothing lies outside a window or over something else, and axe finds nothing grave. */
async function expectCalm({ wide, narrow }: Record<'wide' | 'narrow', Desk>): Promise<void> {
  expect({ wide: await shiftsOf(wide), narrow: await shiftsOf(narrow) }).toEqual({ wide: [], narrow: [] });
  expect(await misplacedIn(narrow.page, [390, 1280])).toEqual([]);
  expect(await misplacedIn(wide.page, [768, 1280, 1920])).toEqual([]);
  expect(await wide.findings()).toEqual([]);
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Every screen (needs /usr/bin/chromium or CHROMIUM)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let admin: { email: string; password: string };
  let places: Places;
  let desks: Record<'wide' | 'narrow', Desk>;

  const send = <T = { id: string }>(path: string, body: object): Promise<T> =>
    must<T>(app(), { method: 'POST', path: project.management + path, key: project.keys.management, body });

  async function write(): Promise<Places> {
    await createArticleTypes(app(), project);
    await createPageType(app(), project);
    const article = (title: string) =>
      createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });
    const [entry] = [await article('A weir'), await article('A lock'), await article('A bridge')];
    await publish(app(), project, entry.id);
    await send(`/entries/${entry.id}/comments`, { text: 'Which weir?' });
    await createPage(app(), project, { slug: 'about' });
    await send('/redirects', { siteId: project.siteId, source: '/old', target: '/about', status: 301 });
    const asset = await uploadAsset(app(), project, {
      file: { fileName: 'weir.png', content: png(640, 420).toString('base64') },
    });
    const release = await send('/releases', { name: 'Reopening' });
    await send(`/releases/${release.id}/items`, {
      items: [{ kind: 'entry', entryId: entry.id, locale: 'en', action: 'publish' }],
    });
    return { entry: entry.id, asset: asset.id, release: release.id, report: '' };
  }

  beforeAll(async () => {
    project = await createProject(app(), { locales: ['en', 'de'] });
    admin = await createAdmin(app());
    places = await write();
    const [wide, narrow] = [
      await openDeskAs(browser(), app(), admin),
      await openDeskAs(browser(), app(), admin),
    ];
    await narrow.page.setViewportSize({ width: 390, height: 844 });
    // Its words are longer.
    await narrow.page.addInitScript("localStorage['headwater.language'] = 'de'");
    for (const { page } of [wide, narrow]) {
      await page.addInitScript(observe);
      // The stream of events never ends.
      await page.route('**/api/v1/me/events', (route) => route.abort());
    }
    desks = { wide, narrow };
  });

  it.each(screens.filter(({ name }) => name !== 'custom-report'))(
    'moves nothing while it loads, fits each width, and axe finds nothing grave in light and dark: $name',
    async (screen) => {
      const { wide, narrow } = desks;
      for (const desk of [wide, narrow]) {
        await desk.open(placeOf(project) + addressOf(screen, places));
        await settle(desk.page);
        await desk.page.getByRole('heading', { level: 1 }).first().waitFor();
      }
      await expectCalm({ wide, narrow });
    },
  );

  it('moves nothing while it loads, and axe finds nothing grave in light and dark: consent to an app', async () => {
    const resource = `${app().baseUrl}/api/mcp/${project.slug}`;
    for (const desk of [desks.wide, desks.narrow]) {
      const requestId = await requestOf(app(), await newClient(app()), { resource });
      await desk.open(`/oauth?requestId=${requestId}`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
      await settle(desk.page);
    }
    await expectCalm(desks);
  });
});
