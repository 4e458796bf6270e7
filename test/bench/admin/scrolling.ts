import pg from 'pg';
import type { Browser } from 'playwright-core';
import { OperationsClient } from '../../../src/cli/client/operations-client.js';
import { compose } from '../../../src/process/compose.js';
import { seedPages, types } from '../growth/content.js';
import { median } from '../growth/median.js';
import { composeOptions } from '../seed-content.js';
import { makeProject } from '../seed/open-service.js';
import type { DemoService } from './demo-service.js';

const SLUG = 'many';

async function seed(demo: DemoService, count: number): Promise<void> {
  const composition = await compose(composeOptions(demo.databaseUrl));
  const owner = new pg.Client({ connectionString: demo.databaseUrl });
  await owner.connect();
  try {
    const client = await OperationsClient.login(composition, demo.admin);
    const { siteId } = await makeProject(client, { slug: SLUG }, types);
    const { rows } = await owner.query<{ tenant_id: string; environment_id: string }>(
      'SELECT tenant_id, environment_id FROM environment_heads WHERE project_slug = $1',
      [SLUG],
    );
    const { tenant_id: tenantId = '', environment_id: environmentId = '' } = rows[0] ?? {};
    await seedPages(owner, { tenantId, environmentId, siteId }, count);
  } finally {
    await owner.end();
    await composition.close();
  }
}

/** Scrolls by half a screen in every frame until so many rows have been passed; frames as milliseconds. */
const scroll = (rows: number): string => `new Promise((done) => {
  const list = document.querySelector('.table-scroll');
  const frames = [];
  let most = 0;
  let last = performance.now();
  const startedAt = last;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    list.scrollTop += 400;
    most = Math.max(most, document.querySelectorAll('[role=row]').length);
    if (list.scrollTop < ${String(rows)} * 40) requestAnimationFrame(step);
    else done({ frames, most, elapsed: now - startedAt });
  };
  requestAnimationFrame(step);
})`;

export interface Scrolling {
  readonly rows: number;
  readonly seconds: number;
  readonly medianFrame: number;
  readonly slowFrame: number;
  readonly requests: number;
  /** Most rows that the page had at once. */
  readonly rowsInPage: number;
}

/** Scrolls through the first rows of a list of `count` entries. */
export async function scrolling(
  demo: DemoService,
  browser: Browser,
  { count, rows }: { readonly count: number; readonly rows: number },
): Promise<Scrolling> {
  await seed(demo, count);
  const page = await demo.open(browser, { width: 1280, height: 900 });
  await page.goto(`${demo.url}/admin/${SLUG}/main?type=page`);
  await page.locator('.row-link').first().waitFor();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('entries.list')) requests += 1;
  });
  const result = await page.evaluate<{ frames: number[]; most: number; elapsed: number }>(scroll(rows));
  await page.context().close();
  const sorted = result.frames.slice(1).toSorted((one, other) => one - other);
  return {
    rows,
    requests,
    rowsInPage: result.most,
    seconds: result.elapsed / 1000,
    medianFrame: median(sorted),
    slowFrame: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}
