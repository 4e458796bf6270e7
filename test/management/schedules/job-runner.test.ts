import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startBeside, startTestApp, type TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import { createArticleTypes, createEntry, type TestEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { waitFor } from '../../support/wait-for.js';

let app: TestApp;
let project: TestProject;

beforeEach(async () => {
  app = await startTestApp();
  project = await createProject(app);
  await createArticleTypes(app, project);
});

afterEach(() => app.close());

const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

async function scheduled(milliseconds: number): Promise<string> {
  const { id } = await createEntry(app, project, {
    contentTypeApiName: 'article',
    fields: { title: 'Later' },
  });
  const path = `${project.management}/entries/${id}/publish`;
  const body = { scheduledAt: at(milliseconds) };
  expect((await send(app, { method: 'POST', path, key: project.keys.management, body })).status).toBe(202);
  return id;
}

const statusOf = async (id: string): Promise<string> => {
  const path = `${project.management}/entries/${id}`;
  return (await must<TestEntry>(app, { method: 'GET', path, key: project.keys.management })).status;
};

const untilPublished = (id: string): Promise<boolean> =>
  waitFor('the entry is published', async () => (await statusOf(id)) === 'published');

/** Waits until every schedule is due by the clock of the database. */
const untilDue = (milliseconds: number): Promise<unknown> =>
  waitFor('the schedule is due', async () => {
    const sql = `SELECT now() > max(scheduled_at) + $1 * interval '1 ms' AS due FROM scheduled_jobs`;
    return (await app.rows<{ due: boolean }>(project.tenantId, sql, [milliseconds]))[0]?.due;
  });

describe('a process that runs jobs', () => {
  it('publishes a scheduled entry at its time and not before', async () => {
    await app.composition.jobs.start();
    const soon = Date.now() + 1500;
    const id = await scheduled(1500);
    await untilPublished(id);
    const sql = 'SELECT published_at AS at FROM entry_locales WHERE entry_id = $1';
    const [published] = await app.rows<{ at: Date }>(project.tenantId, sql, [id]);
    expect(published?.at.getTime()).toBeGreaterThanOrEqual(soon);
  });

  it('publishes entries that became due while no process ran', async () => {
    const id = await scheduled(300);
    await untilDue(0);
    expect(await statusOf(id)).toBe('draft');
    await app.composition.jobs.start();
    await untilPublished(id);
  });

  it("runs jobs as the service role, while the owner keeps the queue's tables", async () => {
    await app.composition.jobs.start();
    const rows = await app.rows<{ owner: string; mine: boolean }>(
      null,
      `SELECT DISTINCT pg_get_userbyid(relowner) = current_user AS mine FROM pg_class
       WHERE relnamespace = 'pgboss'::regnamespace AND relkind IN ('r', 'p')`,
    );
    expect(rows).toEqual([{ mine: true }]);
  });

  it('starts no job during shutdown and closes without waiting for one', async () => {
    const runner = await startBeside(app);
    await runner.composition.jobs.start();
    const id = await scheduled(5000);
    runner.composition.beginDrain();
    await untilDue(1500);
    expect(await statusOf(id)).toBe('draft');
    await runner.close();
    expect(await statusOf(id)).toBe('draft');
  }, 120_000);
});
