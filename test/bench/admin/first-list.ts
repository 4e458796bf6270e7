import type { Browser, Page } from 'playwright-core';
import { median } from '../growth/median.js';
import type { DemoService } from './demo-service.js';

const viewport = { width: 1280, height: 900 };

const firstRow = `new Promise((done) => {
  const look = () => document.querySelector('.row-link') === null ? requestAnimationFrame(look) : done(performance.now());
  look();
})`;

/** Milliseconds from the start of the navigation until the first row is drawn. */
async function untilFirstRow(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return Number(await page.evaluate(firstRow));
}

/** With an empty cache: each round is a new context. */
export async function firstList(demo: DemoService, browser: Browser, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await demo.open(browser, viewport);
    times.push(await untilFirstRow(page, `${demo.url}/admin/demo/main`));
    await page.context().close();
  }
  return median(times);
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
