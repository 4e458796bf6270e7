import type { Browser, Page } from 'playwright-core';
import { serverPath } from './optional-servers.js';
import { closeWithWorker } from './worker.js';

/** Starts a browser. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: serverPath('CHROMIUM'), args: ['--no-sandbox', '--disable-gpu'] });
}

let shared: Promise<Browser> | undefined;

/** The browser that the test files of a worker share; one that has ended is replaced. */
export async function workerBrowser(): Promise<Browser> {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  shared = openBrowser();
  const browser = await shared;
  closeWithWorker(() => browser.close());
  return browser;
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
