import { afterAll, afterEach, beforeAll } from '@jest/globals';
import supertest from 'supertest';
import {
  defaultTimeouts,
  type DatabaseTimeouts,
} from '../../src/persistence/connections/session-settings.js';
import { compose, type Composition } from '../../src/process/compose.js';
import type { Logger } from '../../src/infrastructure/logger.js';
import { startTestApp, testSecret, watchSecrets, type TestApp } from './app.js';
import { bounded } from './bounded.js';
import { DatabaseProxy } from './database-proxy.js';
import { DatabaseWatch } from './database-watch.js';
import { createArticleTypes, createEntry, publish } from './factories/content.js';
import { createProject, type TestProject } from './factories/project.js';
import { watchedLogger } from './log-lines.js';

export interface DistantOptions {
  readonly timeouts?: DatabaseTimeouts;
  readonly logger?: Logger;
}

/** A service whose database is behind a proxy, and another one beside it that reaches the database directly. */
export interface DistantService {
  readonly app: TestApp;
  readonly project: TestProject;
  /** Published. */
  readonly entryId: string;
  readonly proxy: DatabaseProxy;
  readonly watch: DatabaseWatch;
  readonly composition: Composition;
  readonly request: ReturnType<typeof supertest>;
  close(): Promise<void>;
}

async function startDistantService({ timeouts, logger }: DistantOptions): Promise<DistantService> {
  const app = await startTestApp();
  const project = await createProject(app);
  await createArticleTypes(app, project);
  const entry = await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'One' } });
  await publish(app, project, entry.id);
  const watch = await DatabaseWatch.open(app);
  const { proxy, url } = await DatabaseProxy.open(app.databaseUrl);
  const composition = watchSecrets(
    await compose({
      serviceUrl: url,
      readUrl: url,
      poolSize: 4,
      timeouts: timeouts ?? defaultTimeouts,
      tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
      logger: logger ?? watchedLogger(),
      mcpAllowedOrigins: [],
      media: app.media,
      queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    }),
  );
  return {
    app,
    project,
    entryId: entry.id,
    proxy,
    watch,
    composition,
    request: supertest(composition.handler),
    close: async () => {
      // Connections close in order only while the proxy forwards; one that lost messages does not, and is cut.
      proxy.restore();
      const closing = composition.close();
      await bounded('A service behind a proxy', closing, 5000);
      proxy.close();
      await bounded('A service without its database', closing);
      await watch.close();
      await app.close();
    },
  };
}

/** Starts both services for all tests of a file, and restores the proxy after each. */
export function useDistantService(options: DistantOptions = {}): () => DistantService {
  let distant: DistantService;
  beforeAll(async () => {
    distant = await startDistantService(options);
  });
  afterEach(() => {
    distant.proxy.restore();
  });
  afterAll(() => distant.close());
  return () => distant;
}

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

export type Surface = 'REST list' | 'REST write' | 'REST delivery' | 'GraphQL' | 'tRPC' | 'MCP' | 'readiness';

/** One request per pool and surface, through the proxy. */
export function requestsOf(distant: DistantService): Readonly<Record<Surface, () => supertest.Test>> {
  const { management, delivery, keys, slug, siteId } = distant.project;
  const service = distant.request;
  const list = encodeURIComponent(JSON.stringify({ projectSlug: slug }));
  return {
    'REST list': () => service.get(`${management}/entries`).set(bearer(keys.management)),
    'REST write': () =>
      service
        .post(`${management}/entries`)
        .set(bearer(keys.management))
        .send({ contentTypeApiName: 'article', siteId }),
    'REST delivery': () => service.get(`${delivery}/entries/${distant.entryId}`),
    GraphQL: () =>
      service
        .post(`/api/graphql/${slug}`)
        .set(bearer(keys.delivery))
        .send({ query: '{ articleCollection { total } }' }),
    tRPC: () => service.get(`/api/trpc/entries.list?input=${list}`).set(bearer(keys.management)),
    MCP: () => callTool(distant, 'list_sites', {}),
    readiness: () => service.get('/readyz'),
  };
}

/** Calls an MCP tool through the proxy. */
export function callTool({ project, request }: DistantService, name: string, args: object): supertest.Test {
  return request
    .post(`/api/mcp/${project.slug}`)
    .set({ ...bearer(project.keys.management), Accept: 'application/json, text/event-stream' })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** The outcome of every request, each several times at once, so that every connection of every pool is used. */
export async function askAll(
  distant: DistantService,
): Promise<{ surface: string; status: number; code: unknown; text: string }[]> {
  const asked = Object.entries(requestsOf(distant)).flatMap(([surface, ask]) =>
    Array.from({ length: 5 }, async () => {
      const { status, body, text } = await ask();
      return { surface, status, code: codeOf(body), text };
    }),
  );
  return Promise.all(asked);
}

/** The error code, wherever the surface has it. */
function codeOf(body: unknown): unknown {
  const { error, result } = body as { error?: unknown; result?: { structuredContent?: { error?: unknown } } };
  const { data } = Object(error) as { data?: { error?: unknown } };
  return data?.error ?? error ?? result?.structuredContent?.error;
}
