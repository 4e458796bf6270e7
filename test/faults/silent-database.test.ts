import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { compose, type Composition } from '../../src/process/compose.js';
import { startTestApp, testSecret, watchSecrets, type TestApp } from '../support/app.js';
import { CuttableLine } from '../support/cuttable-line.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { watchedLogger } from '../support/log-lines.js';
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
      timeouts: { connectionMs: 3000, statementMs: 4000, lockMs: 2000, idleMs: 10_000 },
      tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
      logger: watchedLogger(),
      mcpAllowedOrigins: [],
      media: testMedia(),
      queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    }),
  );
});

afterAll(async () => {
  line.restore();
  await distant.close();
  line.close();
  await app.close();
});

afterEach(() => {
  line.restore();
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** One request per pool and surface. */
function requests(): Record<string, () => supertest.Test> {
  const { management, delivery, keys, slug } = project;
  const service = supertest(distant.handler);
  return {
    'REST list': () => service.get(`${management}/entries`).set(bearer(keys.management)),
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
    readiness: () => service.get('/readyz'),
  };
}

/** Every request several times at once, so that every connection of every pool is used. */
async function askAll(): Promise<{ surface: string; status: number; code: unknown }[]> {
  const asked = Object.entries(requests()).flatMap(([surface, ask]) =>
    Array.from({ length: 5 }, async () => {
      const { status, body } = await ask();
      return { surface, status, code: (body as { error?: unknown }).error };
    }),
  );
  return Promise.all(asked);
}

async function expectRecovery(): Promise<void> {
  await waitFor('every request succeeds', async () => (await askAll()).every(({ status }) => status < 300));
}

describe('An unresponsive database', () => {
  it('gets every request a 503 while nothing is forwarded, and recovers without a restart', async () => {
    await expectRecovery();
    line.silence();
    await waitFor(
      'the caches are stale',
      async () => (await requests()['REST delivery']?.())?.status === 503,
    );
    for (const { surface, status, code } of await askAll()) {
      expect([surface, status]).toEqual([surface, 503]);
      expect([surface, code]).toEqual([surface, 'service_unavailable']);
    }
    line.restore();
    await expectRecovery();
  });

  it('gets every request an answer while old connections alone are silent, and replaces them all', async () => {
    await expectRecovery();
    line.silence({ oldOnly: true });
    for (const { surface, status } of await askAll())
      expect([surface, [200, 201, 503]]).toEqual([surface, expect.arrayContaining([status])]);
    await expectRecovery();
  });

  it('fails the readiness check instead of keeping it waiting, and again when it is repeated', async () => {
    await expectRecovery();
    line.silence();
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await supertest(distant.handler).get('/readyz');
      expect([status, body.error, body.details.reason]).toEqual([503, 'service_unavailable', 'database']);
    }
    line.restore();
    await waitFor(
      'the service is ready',
      async () => (await supertest(distant.handler).get('/readyz')).status === 200,
    );
  });
});
