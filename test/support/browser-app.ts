import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { bounded } from './bounded.js';
import type { TestApp } from './app.js';
import { workerBrowser } from './browser.js';
import { using } from './desk.js';
import { useWorkerApp } from './worker-app.js';

/** The service of the worker, which counts requests without limiting them, so that screens show the numbers. */
export const useCountedApp = (): (() => TestApp) => using(() => useWorkerApp('counted'));

/** The browser of the worker. The windows of a test file are closed after it. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await workerBrowser();
  });
  afterAll(async () => {
    for (const context of browser.contexts()) await bounded('A window of the browser', context.close());
  });
  return () => browser;
}
