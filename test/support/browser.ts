import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** The headless browser of the machine: `CHROMIUM`, or where Debian's package puts it. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser to test pages with. */
export const hasBrowser = existsSync(executablePath);

/** Starts the browser. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page that is watched: what went wrong in it, and where it went for its files. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console, of scripts and of requests. */
  readonly errors: string[];
  /** Origins of everything that was asked for. */
  readonly origins: Set<string>;
}

/** Opens an empty page and watches it. */
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
