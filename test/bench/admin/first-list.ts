import type { Browser, Page } from 'playwright-core';
import { median } from '../growth/median.js';
import type { DemoService } from './demo-service.js';

const viewport = { width: 1280, height: 900 };

/** Milliseconds from the start of the navigation until something is drawn. */
const untilDrawn = (selector: string): string => `new Promise((done) => {
  const look = () => document.querySelector('${selector}') === null ? requestAnimationFrame(look) : done(performance.now());
  look();
})`;
const FIRST_ROW = '.row-link';
const FIRST_FIELD = '.editor-form :is(input, [contenteditable])';

async function timeOf(page: Page, address: string, selector: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return Number(await page.evaluate(untilDrawn(selector)));
}

export interface FirstViews {
  /** Medians in milliseconds. */
  readonly list: number;
  readonly entry: number;
}

/** Each round is a new context, with an empty cache. @param slowdown of the processor */
export async function firstViews(
  demo: DemoService,
  browser: Browser,
  { rounds, slowdown }: { readonly rounds: number; readonly slowdown: number },
): Promise<FirstViews> {
  const list = `${demo.url}/admin/demo/main`;
  const [some] = await demo.call<{ id: string }[]>('GET', '/api/v1/projects/demo/entries?limit=1');
  const times: Record<keyof FirstViews, number[]> = { list: [], entry: [] };
  const measure = async (view: keyof FirstViews, address: string, selector: string): Promise<void> => {
    const page = await demo.open(browser, viewport);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    times[view].push(await timeOf(page, address, selector));
    await page.context().close();
  };
  for (let round = 0; round < rounds; round += 1) {
    await measure('list', list, FIRST_ROW);
    await measure('entry', `${list}/entries/${some?.id ?? ''}`, FIRST_FIELD);
  }
  return { list: median(times.list), entry: median(times.entry) };
}

/** Bytes of JavaScript that the login page loads, as sent. */
export async function initialScripts(demo: DemoService, browser: Browser): Promise<number> {
  const page = await browser.newPage({ viewport });
  await page.goto(`${demo.url}/admin`);
  await page.getByLabel('Email address').waitFor();
  const bytes: unknown = await page.evaluate(
    "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
  );
  await page.close();
  return Number(bytes);
}
