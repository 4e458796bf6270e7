import type { Browser, CDPSession, Page } from 'playwright-core';
import { median } from '../growth/median.js';
import type { DemoService } from './demo-service.js';

const management = '/api/v1/projects/demo';
const PARAGRAPHS = 200;
/** 100 KB of text in all. */
const text = 'The quick brown fox jumps over the lazy dog by the lock, again. '.repeat(8).slice(0, 500);
const paragraph = { type: 'paragraph', content: [{ type: 'text', text }] };

async function longEntry(demo: DemoService): Promise<string> {
  const sites = await demo.call<{ id: string }[]>('GET', `${management}/sites?limit=1`);
  await demo.call('POST', `${management}/content-types`, {
    apiName: 'long_text',
    name: 'Long text',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'richText' },
    ],
  });
  const body = { type: 'doc', content: Array.from({ length: PARAGRAPHS }, () => paragraph) };
  const entry = await demo.call<{ id: string }>('POST', `${management}/entries`, {
    contentTypeApiName: 'long_text',
    siteId: sites[0]?.id,
    fields: { title: 'Long', body },
  });
  return entry.id;
}

const BLOCKS = 300;

interface PageLong {
  readonly empty: string;
  readonly large: string;
}

/** An empty page, and one of 200 KB of text and 300 blocks. */
async function pages(demo: DemoService): Promise<PageLong> {
  const sites = await demo.call<{ id: string }[]>('GET', `${management}/sites?limit=1`);
  const localized = true;
  await demo.call('POST', `${management}/content-types`, {
    apiName: 'bench_part',
    name: 'Part',
    isBlock: true,
    fields: [
      { apiName: 'words', type: 'text', localized },
      { apiName: 'note', type: 'longText', localized },
    ],
  });
  await demo.call('POST', `${management}/content-types`, {
    apiName: 'bench_page',
    name: 'Bench page',
    fields: [
      { apiName: 'title', type: 'text', localized },
      { apiName: 'body', type: 'richText', localized },
      { apiName: 'parts', type: 'blocks', localized: false, settings: { contentTypes: ['bench_part'] } },
    ],
  });
  const create = async (fields: object): Promise<string> => {
    const call = { contentTypeApiName: 'bench_page', siteId: sites[0]?.id, fields };
    return (await demo.call<{ id: string }>('POST', `${management}/entries`, call)).id;
  };
  const body = { type: 'doc', content: Array.from({ length: 2 * PARAGRAPHS }, () => paragraph) };
  const parts = Array.from({ length: BLOCKS }, (_, index) => ({
    _type: 'bench_part',
    fields: { words: `Part ${String(index)}`, note: text },
  }));
  return { empty: await create({ title: 'Empty' }), large: await create({ title: 'Large', body, parts }) };
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;

interface TypedPage {
  /** Milliseconds from the key to the next task after the frame. */
  readonly p50: number;
  readonly p95: number;
  /** Inputs of the form that are rendered. */
  readonly inputs: number;
}

/** Types in the titles of both pages in turns, so that both see the same load. */
export async function pageKeystrokes(
  demo: DemoService,
  browser: Browser,
  count: number,
): Promise<Readonly<Record<keyof PageLong, TypedPage>>> {
  const ids = await pages(demo);
  const open = async (id: string): Promise<Page> => {
    const page = await demo.open(browser, { width: 1280, height: 900 });
    await page.goto(`${demo.url}/admin/demo/main/entries/${id}`);
    await page.getByRole('textbox', { name: /^body/i }).waitFor();
    await page.getByRole('textbox', { name: /^title/i }).click();
    return page;
  };
  const opened = { empty: await open(ids.empty), large: await open(ids.large) };
  const times: Record<keyof PageLong, number[]> = { empty: [], large: [] };
  for (let key = 0; key < count; key += 1)
    for (const name of ['empty', 'large'] as const) {
      const page = opened[name];
      await page.bringToFront();
      await drawn(page);
      const start = performance.now();
      await page.keyboard.press('x');
      await drawn(page);
      times[name].push(performance.now() - start);
    }
  const typed = async (name: keyof PageLong): Promise<TypedPage> => ({
    p50: percentile(times[name], 0.5),
    p95: percentile(times[name], 0.95),
    inputs: await opened[name]
      .locator('.editor-form :is(input, textarea, select, [contenteditable])')
      .count(),
  });
  const result = { empty: await typed('empty'), large: await typed('large') };
  for (const page of Object.values(opened)) await page.context().close();
  return result;
}

/** Milliseconds that the main thread of the page has worked: scripts, styles, layout and drawing. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');

export interface Keystrokes {
  /** Medians in milliseconds: work of a keystroke, and of the measurement without one. */
  readonly work: number;
  readonly idle: number;
}

/** Types in the middle of a rich text of 100 KB. */
export async function keystrokes(demo: DemoService, browser: Browser, count: number): Promise<Keystrokes> {
  const id = await longEntry(demo);
  const page = await demo.open(browser, { width: 1280, height: 900 });
  await page.goto(`${demo.url}/admin/demo/main/entries/${id}`);
  const editor = page.getByRole('textbox', { name: 'body' });
  await editor
    .getByRole('paragraph')
    .nth(PARAGRAPHS / 2)
    .click();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const measure = async (act: () => Promise<void>): Promise<number> => {
    const before = await workOf(session);
    await act();
    await drawn(page);
    return (await workOf(session)) - before;
  };
  const times: number[] = [];
  const idle: number[] = [];
  for (let key = 0; key < count; key += 1) {
    times.push(await measure(() => page.keyboard.press('x')));
    idle.push(await measure(() => Promise.resolve()));
  }
  await page.context().close();
  return { work: median(times), idle: median(idle) };
}
