import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { compose, type Composition } from '../../src/process/compose.js';
import { testSecret, watched, type TestApp } from './app.js';
import { watchedLogger } from './log-lines.js';

/** A second service over the database of a first one, as a second process would be. */
export interface SecondProcess {
  readonly baseUrl: string;
  readonly composition: Composition;
  close(): Promise<void>;
}

/** Starts it; close it before the first one. */
export async function startSecondProcess({ databaseUrl }: TestApp): Promise<SecondProcess> {
  const composed = await compose({
    serviceUrl: databaseUrl,
    readUrl: databaseUrl,
    poolSize: 4,
    tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
    logger: watchedLogger(),
    mcpAllowedOrigins: [],
    queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
  });
  const composition = watched(composed);
  const server = http.createServer(composition.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    composition,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await composition.close();
    },
  };
}
