import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** `CHROMIUM`, or the path of Debian's package. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasBrowser = existsSync(executablePath);

export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page that records errors and the origins of its requests. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console, scripts and requests. */
  readonly errors: string[];
  readonly origins: Set<string>;
}

/** Opens an empty page that records errors and origins. */
export async function openPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const errors: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text().slice(0, 300));
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`));
  page.on('request', (request) => {
    if (request.url().startsWith('http')) origins.add(new URL(request.url()).origin);
  });
  return { page, errors, origins };
}
