import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import { createArticleTypes, createEntry, type TestEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';

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

async function published(id: string, withinMilliseconds: number): Promise<boolean> {
  for (const end = Date.now() + withinMilliseconds; Date.now() < end; await delay(100))
    if ((await statusOf(id)) === 'published') return true;
  return false;
}

describe('a process that runs jobs', () => {
  it('publishes within seconds of the time, and not before', async () => {
    await app.composition.jobs.start();
    const id = await scheduled(1500);
    expect(await statusOf(id)).toBe('draft');
    expect(await published(id, 10_000)).toBe(true);
  });

  it('begins with what became due while no process ran', async () => {
    const id = await scheduled(300);
    await delay(500);
    expect(await statusOf(id)).toBe('draft');
    await app.composition.jobs.start();
    expect(await published(id, 10_000)).toBe(true);
  });

  it('works as the service role, and leaves the queue’s tables to the owner', async () => {
    await app.composition.jobs.start();
    const rows = await app.rows<{ owner: string; mine: boolean }>(
      null,
      `SELECT DISTINCT pg_get_userbyid(relowner) = current_user AS mine FROM pg_class
       WHERE relnamespace = 'pgboss'::regnamespace AND relkind IN ('r', 'p')`,
    );
    expect(rows).toEqual([{ mine: true }]);
  });

  it('stops within seconds, and begins no job afterwards', async () => {
    await app.composition.jobs.start();
    const id = await scheduled(1500);
    const begun = Date.now();
    app.composition.beginDrain();
    await delay(3000);
    expect(await statusOf(id)).toBe('draft');
    await app.close();
    expect(Date.now() - begun).toBeLessThan(8000);
    app = await startTestApp();
  });
});
