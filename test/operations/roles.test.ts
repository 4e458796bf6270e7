import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { must, send } from '../support/call.js';
import { createArticleTypes, createEntry, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

let api: TestApp;
let worker: TestApp;
let project: TestProject;

beforeEach(async () => {
  api = await startTestApp({ role: 'api' });
  worker = await startBeside(api, { role: 'worker', metricsToken: 'a-token-of-the-tests' });
  project = await createProject(api);
  await createArticleTypes(api, project);
});

afterEach(async () => {
  await worker.close();
  await api.close();
});

/** An entry that becomes due shortly. */
async function scheduled(): Promise<string> {
  const draft = { contentTypeApiName: 'article', fields: { title: 'Later' } };
  const { id } = await createEntry(api, project, draft);
  const path = `${project.management}/entries/${id}/publish`;
  const body = { scheduledAt: new Date(Date.now() + 500).toISOString() };
  expect((await send(api, { method: 'POST', path, key: project.keys.management, body })).status).toBe(202);
  return id;
}

const statusOf = async (id: string): Promise<string> => {
  const path = `${project.management}/entries/${id}`;
  return (await must<TestEntry>(api, { method: 'GET', path, key: project.keys.management })).status;
};

describe('Process roles', () => {
  verifies('operation/process-roles');

  it('serves only probes and metrics in the worker role', async () => {
    await worker.composition.jobs.start();
    expect((await worker.request.get('/healthz')).status).toBe(200);
    const ready = await worker.request.get('/readyz');
    expect(ready.body).toMatchObject({ data: { checks: { queue: 'ok' } } });
    const metrics = worker.request.get('/metrics').set('Authorization', 'Bearer a-token-of-the-tests');
    expect((await metrics).status).toBe(200);
    for (const path of [
      `${project.management}/entries`,
      `/api/delivery/projects/${project.slug}/sites/main/content/article`,
      `/api/graphql/${project.slug}`,
      `/api/mcp/${project.slug}`,
      '/api/trpc/entries.list',
      '/openapi.json',
      '/docs',
    ]) {
      const answer = await worker.request.get(path).set('Authorization', `Bearer ${project.keys.management}`);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        503,
        expect.objectContaining({ error: 'service_unavailable', details: { reason: 'role' } }),
      ]);
    }
  });

  it('runs jobs scheduled by the api role in the worker role only', async () => {
    await api.composition.jobs.start();
    expect((await api.request.get('/readyz')).body).toMatchObject({ data: { checks: { queue: 'off' } } });
    const id = await scheduled();
    await waitFor('the schedule is due for longer than the queue is polled', async () => {
      const sql = "SELECT now() > max(scheduled_at) + interval '2 s' AS due FROM scheduled_jobs";
      return (await api.rows<{ due: boolean }>(project.tenantId, sql))[0]?.due;
    });
    expect(await statusOf(id)).toBe('draft');
    await worker.composition.jobs.start();
    await waitFor('the entry is published', async () => (await statusOf(id)) === 'published');
  });

  it('wakes the worker when a job of the api role becomes due', async () => {
    await api.composition.jobs.start();
    await worker.composition.jobs.start();
    const id = await scheduled();
    await waitFor('the entry is published', async () => (await statusOf(id)) === 'published');
  });

  it('records the last use of keys in the api role', async () => {
    await api.composition.jobs.start();
    await statusOf(await scheduled());
    const used = 'SELECT count(*)::int AS count FROM api_keys WHERE last_used_at IS NOT NULL';
    const count = async () => (await api.rows<{ count: number }>(project.tenantId, used))[0]?.count ?? 0;
    await waitFor('the use of a key is written', async () => (await count()) > 0);
  });
});
