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
