import { afterAll, beforeAll, describe } from '@jest/globals';
import { startTestApp, type TestApp } from '../app.js';
import { hasOpenSearch } from '../optional-servers.js';
import { startOpenSearch, type OpenSearchServer } from './opensearch-server.js';
import { startSwitch, type Switch } from './switch.js';

/** A suite that is skipped where OpenSearch is missing. */
export const describeWithOpenSearch = (title: string, suite: () => void): void =>
  (hasOpenSearch ? describe : describe.skip)(`${title} (needs OpenSearch, see .ci/run)`, suite);

export interface OpenSearchApp {
  app(): TestApp;
  server(): OpenSearchServer;
  /** Between the two. */
  line(): Switch;
}

const START_MS = 600_000;
/** Longer than the product's: the machine may be busy. */
const TIMEOUT_MS = 30_000;

/** Starts an application for the suite that searches an OpenSearch of its own. */
export function useOpenSearchApp(): OpenSearchApp {
  let server: OpenSearchServer;
  let line: Switch;
  let app: TestApp;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startOpenSearch();
    ends.unshift(server.stop);
    line = await startSwitch(server.url);
    ends.unshift(line.close);
    const { url } = line;
    const openSearch = { url, prefix: 'tests', timeoutMilliseconds: TIMEOUT_MS };
    app = await startTestApp({ search: { openSearch } });
    ends.unshift(app.close);
  }, START_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return { app: () => app, server: () => server, line: () => line };
}
