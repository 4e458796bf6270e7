import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { createArticleTypes } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { LogLines } from '../support/log-lines.js';

const lines = new LogLines();
let app: TestApp;
let project: TestProject;
let owner: pg.Client;

beforeAll(async () => {
  const timeouts = { connectionMs: 30_000, statementMs: 60_000, lockMs: 300, idleMs: 60_000 };
  app = await startTestApp({ logger: lines.logger, timeouts });
  project = await createProject(app);
  await createArticleTypes(app, project);
  owner = new pg.Client({ connectionString: app.databaseUrl });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await app.close();
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

describe('A 503 that the database caused', () => {
  it('logs its cause once per request with its code, without statement or values', async () => {
    const { management, keys, slug } = project;
    const list = encodeURIComponent(
      JSON.stringify({ 0: { projectSlug: slug, q: 'needle' }, 1: { projectSlug: slug, q: 'needle' } }),
    );
    await owner.query('BEGIN; LOCK TABLE entries, entry_locales IN ACCESS EXCLUSIVE MODE');
    const answers = [
      await app.request.get(`${management}/entries?q=needle`).set(bearer(keys.management)),
      await app.request
        .get(`/api/trpc/entries.list,entries.list?batch=1&input=${list}`)
        .set(bearer(keys.management)),
    ];
    await owner.query('ROLLBACK');
    const logged = lines.of('database unavailable');
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(logged.map(({ requestId }) => requestId)).toEqual(
      answers.map(({ headers }) => headers['x-request-id']),
    );
    for (const line of logged) {
      expect(line).toMatchObject({ err: { cause: { code: '55P03' } } });
      expect(JSON.stringify(line)).not.toMatch(/SELECT|needle/);
    }
  });

  it('logs the message and code of a failure that is a plain object', () => {
    lines.logger.error(
      { err: { message: 'the queue failed', code: '57P01', sql: 'SELECT 1' } },
      'plain failure',
    );
    expect(lines.of('plain failure')).toMatchObject([
      { err: { message: 'the queue failed', code: '57P01' } },
    ]);
    expect(JSON.stringify(lines.of('plain failure'))).not.toMatch(/SELECT|object Object/);
  });
});
