import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { compose, type Composition } from '../../src/process/compose.js';
import { defaultTimeouts } from '../../src/persistence/connections/session-settings.js';
import { startTestApp, testSecret, watchSecrets, type TestApp } from '../support/app.js';
import { CuttableLine } from '../support/cuttable-line.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { watchedLogger } from '../support/log-lines.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { testMedia } from '../support/test-media.js';

let app: TestApp;
let project: TestProject;
let line: CuttableLine;
let distant: Composition;
let entryId: string;

beforeAll(async () => {
  app = await startTestApp();
  project = await createProject(app);
  await createArticleTypes(app, project);
  entryId = (await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'One' } })).id;
  await publish(app, project, entryId);
  const url = new URL(app.databaseUrl);
  line = new CuttableLine({ host: url.hostname, port: Number(url.port) });
  url.port = String(await line.open());
  url.hostname = '127.0.0.1';
  distant = watchSecrets(
    await compose({
      serviceUrl: url.href,
      readUrl: url.href,
      poolSize: 4,
      timeouts: { ...defaultTimeouts, connectionMs: 10_000 },
      tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
      logger: watchedLogger(),
      mcpAllowedOrigins: [],
      media: testMedia(),
      queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    }),
  );
});

afterAll(async () => {
  // Its connections close in order only while the line is up.
  await distant.close();
  line.close();
  await app.close();
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** One request through every surface. */
function requests() {
  const { management, delivery, keys, slug } = project;
  const service = supertest(distant.handler);
  const list = encodeURIComponent(JSON.stringify({ projectSlug: slug }));
  return {
    'REST management': () => service.get(`${management}/entries`).set(bearer(keys.management)),
    'REST write': () =>
      service
        .post(`${management}/entries`)
        .set(bearer(keys.management))
        .send({ contentTypeApiName: 'article', siteId: project.siteId }),
    'REST delivery': () => service.get(`${delivery}/entries/${entryId}`),
    GraphQL: () =>
      service
        .post(`/api/graphql/${slug}`)
        .set(bearer(keys.delivery))
        .send({ query: '{ articleCollection { total } }' }),
    tRPC: () => service.get(`/api/trpc/entries.list?input=${list}`).set(bearer(keys.management)),
    MCP: () =>
      service
        .post(`/api/mcp/${slug}`)
        .set({ ...bearer(keys.management), Accept: 'application/json, text/event-stream' })
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_sites', arguments: {} } }),
    readiness: () => service.get('/readyz'),
  };
}

describe('While the database is unavailable', () => {
  verifies('hard-away');

  it('returns 503 with Retry-After on every surface while the database is unavailable, and recovers', async () => {
    for (const [surface, ask] of Object.entries(requests()))
      expect([surface, (await ask()).status]).toEqual([surface, expect.any(Number)]);
    line.cut();
    for (const [surface, ask] of Object.entries(requests())) {
      const { status, body, headers, text } = await ask();
      expect([surface, status]).toEqual([surface, 503]);
      expect(headers['retry-after']).toBeDefined();
      expect(body.error ?? body.error?.data?.error).toBeDefined();
      expect(text).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|node_modules|\.ts/);
    }
    line.restore();
    await waitFor('the service is ready', async () => (await requests().readiness()).status === 200);
    for (const [surface, ask] of Object.entries(requests())) {
      const { status } = await ask();
      expect([surface, status]).toEqual([surface, surface === 'REST write' ? 201 : 200]);
    }
  });

  it('replaces connections that the database server ended', async () => {
    const superuser = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
    superuser.pathname = new URL(app.databaseUrl).pathname;
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: superuser.href });
    await client.connect();
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    await waitFor('the service recovers', async () => {
      const answers = await Promise.all(Object.values(requests()).map(async (ask) => (await ask()).status));
      expect(answers.filter((status) => status >= 400 && status !== 503)).toEqual([]);
      return answers.every((status) => status < 300);
    });
  });
});
