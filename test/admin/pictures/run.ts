// `npm run admin:screenshots`: pictures of every screen of the admin app with the content of the demo.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { settle } from '../../support/admin-desk.js';
import { openBrowser } from '../../support/browser.js';
import { hasBrowser } from '../../support/optional-servers.js';
import { startDemo, type DemoService } from '../../bench/admin/demo-service.js';
import { addressOf, screens, type Places, type Screen } from './screens.js';

const root = path.join(import.meta.dirname, '../../..');
const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: path.join(root, 'dist/admin-pictures') },
    /** Also replaces the pictures in the README. */
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const committed = path.join(root, 'src/admin/pictures');

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
const widths = [390, 768, 1280, 1920] as const;
const HEIGHT = 900;
const management = '/api/v1/projects/demo';

/** The first one of a list. */
async function firstOf(demo: DemoService, address: string): Promise<string> {
  const [first] = await demo.call<{ id: string }[]>('GET', management + address);
  return first?.id ?? '';
}

async function placesOf(demo: DemoService): Promise<Places> {
  const entry = await firstOf(demo, '/entries?contentTypeApiName=article&limit=1');
  const asset = await firstOf(demo, '/media?limit=1');
  const report = await demo.call<{ id: string }>('POST', `${management}/custom-reports`, {
    name: 'Entries by type and status',
    source: 'entries',
    metrics: [{ op: 'count' }],
    groupBy: ['contentTypeApiName', 'status'],
    chart: 'bar',
    visibility: 'shared',
  });
  const release = await demo.call<{ id: string }>('POST', `${management}/releases`, {
    name: 'Spring opening',
    description: 'What changes on the day the locks open.',
    requiresApproval: { quorum: 1 },
  });
  const articles = await demo.call<{ id: string }[]>(
    'GET',
    `${management}/entries?contentTypeApiName=article&limit=4`,
  );
  await demo.call('POST', `${management}/releases/${release.id}/items`, {
    items: articles.map(({ id }, index) => ({
      kind: 'entry',
      entryId: id,
      locale: 'en',
      action: index === 3 ? 'unpublish' : 'publish',
      ...(index === 1 && { pinnedVersion: 1 }),
    })),
  });
  return { entry, asset, release: release.id, report: report.id };
}

async function take(page: Page, { name, url }: { name: string; url: string }, width: number): Promise<void> {
  for (const theme of themes) {
    // Charts are drawn for one theme: a page that changes its theme shows the former until they have been read again.
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(url);
    await settle(page);
    const file = path.join(flags.out, `${name}-${theme}-${String(width)}.png`);
    await page.screenshot({ path: file });
  }
}

const smallFile = (name: string, theme: Theme): string => path.join(committed, `${name}-${theme}.webp`);

/** Half as wide, for the README. */
async function shrink({ name, title }: Screen): Promise<void> {
  if (!flags.write || title === undefined) return;
  for (const theme of themes) {
    const picture = sharp(path.join(flags.out, `${name}-${theme}-1280.png`));
    await picture.resize({ width: 960 }).webp({ quality: 78 }).toFile(smallFile(name, theme));
  }
}

async function takeAll(demo: DemoService, browser: Browser): Promise<void> {
  const places = await placesOf(demo);
  const chosen = screens.filter(({ name }) => name.includes(flags.only));
  for (const width of widths) {
    const page = await demo.open(browser, { width, height: HEIGHT });
    await page.route('**/api/v1/me/events', (route) => route.abort());
    for (const screen of chosen) {
      await take(
        page,
        { name: screen.name, url: `${demo.url}/admin/demo/main${addressOf(screen, places)}` },
        width,
      );
    }
    await page.context().close();
    const guest = await browser.newPage({ viewport: { width, height: HEIGHT } });
    await take(guest, { name: 'login', url: `${demo.url}/admin` }, width);
    await guest.close();
  }
  for (const screen of chosen) await shrink(screen);
}

async function main(): Promise<void> {
  if (!hasBrowser) {
    console.log('Skipped: no Chromium. Install it, or set CHROMIUM to its path.');
    return;
  }
  await mkdir(flags.out, { recursive: true });
  if (flags.write) {
    await rm(committed, { recursive: true, force: true });
    await mkdir(committed, { recursive: true });
  }
  const demo = await startDemo();
  const browser = await openBrowser();
  try {
    await takeAll(demo, browser);
    console.log(`Pictures of ${String(screens.length + 1)} screens: ${flags.out}`);
  } finally {
    await browser.close();
    await demo.stop();
  }
}

await main();
process.exit(0);
