import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import { createArticleTypes, createEntry, type TestEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

let app: TestApp;
let project: TestProject;
let now = new Date('2027-01-10T08:00:00.000Z');

interface Job {
  jobId: string;
  status: string;
}

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
});

beforeEach(async () => {
  now = new Date('2027-01-10T08:00:00.000Z');
  project = await createProject(app);
  await createArticleTypes(app, project);
});

afterAll(() => app.close());

const article = (fields: Record<string, unknown> = { title: 'Later' }) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields });

const call = (id: string, verb: 'publish' | 'unpublish', body: object, key = project.keys.management) =>
  send(app, { method: 'POST', path: `${project.management}/entries/${id}/${verb}`, key, body });

const read = (id: string): Promise<TestEntry & { locales: { scheduled: object[] }[] }> =>
  must(app, { method: 'GET', path: `${project.management}/entries/${id}`, key: project.keys.management });

const jobs = () =>
  app.rows<{ id: string; status: string; attempts: number; error: { code: string } | null; wall: string }>(
    project.tenantId,
    'SELECT id, status, attempts, error, wall_time::text AS wall FROM scheduled_jobs ORDER BY scheduled_at, id',
  );

const events = async (type: string) =>
  (
    await app.rows<{ payload: { data: Record<string, unknown>; actor: object } }>(
      project.tenantId,
      'SELECT payload FROM outbox_events WHERE type = $1 ORDER BY id',
      [type],
    )
  ).map(({ payload }) => payload);

async function schedule(id: string, verb: 'publish' | 'unpublish', scheduledAt: string): Promise<Job> {
  const response = await call(id, verb, { scheduledAt });
  expect(response.status).toBe(202);
  return (response.body as { data: Job }).data;
}

describe('202', () => {
  verifies('publication/schedules', 'http/accepted');

  it('returns the scheduled job, shows it on the locale and does not change the entry', async () => {
    const { id } = await article();
    const body = { scheduledAt: '2027-01-11T09:00:00+01:00', timezone: 'Europe/Berlin' };
    const response = await call(id, 'publish', body);
    const when = { scheduledAt: '2027-01-11T08:00:00.000Z', timezone: 'Europe/Berlin' };
    expect([response.status, response.body]).toEqual([
      202,
      {
        data: {
          jobId: expect.any(String),
          status: 'scheduled',
          kind: 'publish',
          entryId: id,
          locale: 'en',
          ...when,
        },
      },
    ]);
    const { jobId } = (response.body as { data: Job }).data;
    const entry = await read(id);
    expect([entry.status, entry.version]).toEqual(['draft', 1]);
    expect(entry.locales[0]?.scheduled).toEqual([{ jobId, kind: 'publish', ...when }]);
    expect((await jobs()).map(({ wall }) => wall)).toEqual(['2027-01-11 09:00:00']);
    expect((await events('entry.scheduled')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ jobId, entryId: id, kind: 'publish', locale: 'en', ...when }),
    ]);
  });

  it.each([
    ['a wall time in its zone', '2027-07-01T12:00:00', 'Europe/Berlin', '2027-07-01T10:00:00.000Z'],
    [
      'a wall time that the spring leaves out: forward',
      '2027-03-28T02:30:00',
      'Europe/Berlin',
      '2027-03-28T01:30:00.000Z',
    ],
    [
      'a wall time that the autumn repeats: the first',
      '2027-10-31T02:30:00',
      'Europe/Berlin',
      '2027-10-31T00:30:00.000Z',
    ],
  ])('accepts %s', async (_what, scheduledAt, timezone, instant) => {
    const { id } = await article();
    const { body } = await call(id, 'publish', { scheduledAt, timezone });
    expect(body).toMatchObject({ data: { scheduledAt: instant, timezone } });
  });
});

describe('a due schedule', () => {
  verifies('publication/schedule-jobs');

  it('publishes once for the user who scheduled it, with one audit record that names the job', async () => {
    const { id } = await article();
    const { jobId } = await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    now = new Date('2027-01-10T08:59:59.999Z');
    expect(await app.composition.jobs.runDue()).toBe(0);
    now = new Date('2027-01-10T09:00:00.000Z');
    await Promise.all([app.composition.jobs.runDue(), app.composition.jobs.runDue()]);
    await app.composition.jobs.runDue();
    const entry = await read(id);
    expect([entry.status, entry.locales[0]?.scheduled]).toEqual(['published', []]);
    expect(await jobs()).toEqual([expect.objectContaining({ id: jobId, status: 'succeeded', attempts: 1 })]);
    const records = await app.rows<{ actor: { type: string }; context: object; metadata: object }>(
      project.tenantId,
      "SELECT actor, context, metadata FROM audit_events WHERE action = 'entry.publish'",
    );
    expect(records).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'api_key', name: 'management' }),
        context: expect.objectContaining({ interface: 'system' }),
        metadata: { jobId },
      }),
    ]);
    expect(await events('entry.published')).toHaveLength(1);
  });

  it('unpublishes by a second job', async () => {
    const { id } = await article();
    await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    await schedule(id, 'unpublish', '2027-01-10T10:00:00Z');
    now = new Date('2027-01-10T09:30:00Z');
    await app.composition.jobs.runDue();
    expect((await read(id)).status).toBe('published');
    now = new Date('2027-01-10T10:30:00Z');
    await app.composition.jobs.runDue();
    expect((await read(id)).status).toBe('draft');
  });

  it('fails if the draft is no longer valid, emits an event and does not change the entry', async () => {
    const { id } = await article();
    const { jobId } = await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    const key = project.keys.management;
    const change = { version: 1, fields: { title: null } };
    await must(app, { method: 'PUT', path: `${project.management}/entries/${id}`, key, body: change });
    now = new Date('2027-01-10T09:00:00Z');
    await app.composition.jobs.runDue();
    expect((await read(id)).status).toBe('draft');
    expect(await jobs()).toEqual([
      expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({ code: 'entry_invalid' }),
      }),
    ]);
    expect((await events('entry.schedule_failed')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ jobId, entryId: id, kind: 'publish', error: 'entry_invalid' }),
    ]);
    expect(
      await app.rows(project.tenantId, "SELECT 1 FROM audit_events WHERE action = 'entry.schedule_failed'"),
    ).toHaveLength(1);
  });

  it('fails if the entry no longer has the requested version', async () => {
    const { id } = await article();
    await call(id, 'publish', { scheduledAt: '2027-01-10T09:00:00Z', version: 1 });
    const key = project.keys.management;
    const change = { version: 1, fields: { title: 'Changed' } };
    await must(app, { method: 'PUT', path: `${project.management}/entries/${id}`, key, body: change });
    now = new Date('2027-01-10T09:00:00Z');
    await app.composition.jobs.runDue();
    expect((await jobs())[0]).toMatchObject({ status: 'failed', error: { code: 'version_conflict' } });
  });

  it('retries three times when the service is unavailable', async () => {
    const { id } = await article();
    await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    const trouble = `CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
      CREATE TRIGGER trouble BEFORE INSERT ON published_entries FOR EACH ROW WHEN (NEW.entry_id = '${id}') EXECUTE FUNCTION trouble()`;
    await app.rows(null, trouble);
    now = new Date('2027-01-10T09:00:00Z');
    for (const seconds of [0, 30, 120]) {
      now = new Date(now.getTime() + seconds * 1000);
      await app.composition.jobs.runDue();
      expect((await jobs())[0]).toMatchObject({ status: 'scheduled', error: { code: expect.any(String) } });
      expect(await app.composition.jobs.runDue()).toBe(0);
    }
    now = new Date(now.getTime() + 600_000);
    await app.composition.jobs.runDue();
    expect((await jobs())[0]).toMatchObject({ status: 'failed', attempts: 4 });
    await app.rows(null, 'DROP TRIGGER trouble ON published_entries; DROP FUNCTION trouble()');
  });

  it('cancels the job when the entry is deleted', async () => {
    const { id } = await article();
    await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    const path = `${project.management}/entries/${id}`;
    await must(app, { method: 'DELETE', path, key: project.keys.management });
    now = new Date('2027-01-10T09:00:00Z');
    expect(await app.composition.jobs.runDue()).toBe(0);
    expect((await jobs())[0]).toMatchObject({ status: 'canceled', attempts: 0 });
  });
});

describe('tenant isolation', () => {
  it('runs jobs of two tenants concurrently without exposing one to the other', async () => {
    const mine = project;
    const { id } = await article();
    await schedule(id, 'publish', '2027-01-10T09:00:00Z');
    project = await createProject(app);
    await createArticleTypes(app, project);
    const theirs = await article();
    await schedule(theirs.id, 'publish', '2027-01-10T09:00:00Z');
    expect(await jobs()).toHaveLength(1);
    now = new Date('2027-01-10T09:00:00Z');
    expect(await app.composition.jobs.runDue()).toBe(2);
    expect((await read(theirs.id)).status).toBe('published');
    project = mine;
    expect((await read(id)).status).toBe('published');
  });
});

describe('refusals', () => {
  it.each([
    ['a past time', { scheduledAt: '2027-01-10T07:59:59Z' }, 'scheduledAt', 'not_in_future'],
    ['this very moment', { scheduledAt: '2027-01-10T08:00:00Z' }, 'scheduledAt', 'not_in_future'],
    ['a wall time without a zone', { scheduledAt: '2028-01-10T08:00:00' }, 'timezone', 'required'],
    ['a zone without a time', { timezone: 'Europe/Berlin' }, 'timezone', 'not_supported'],
    [
      'an unknown zone',
      { scheduledAt: '2028-01-10T08:00:00Z', timezone: 'Mars/Olympus' },
      'timezone',
      'custom',
    ],
    [
      'an offset as a zone',
      { scheduledAt: '2028-01-10T08:00:00Z', timezone: '+01:00' },
      'timezone',
      'custom',
    ],
    ['a day that does not exist', { scheduledAt: '2027-02-30T08:00:00Z' }, 'scheduledAt', 'invalid_format'],
  ])('returns 422 for %s', async (_what, body, key, code) => {
    const { id } = await article();
    const response = await call(id, 'publish', body);
    expect([response.status, response.body]).toMatchObject([
      422,
      { error: 'validation_failed', details: { issues: [{ path: [key], code }] } },
    ]);
    expect(await jobs()).toEqual([]);
  });

  it('returns 422 for a misspelled key instead of publishing at once', async () => {
    const { id } = await article();
    expect((await call(id, 'publish', { scheduleAt: '2028-01-10T08:00:00Z' })).status).toBe(422);
    expect((await read(id)).status).toBe('draft');
  });

  it('returns 422 when scheduling a draft that could not be published now', async () => {
    const { id } = await article({});
    const response = await call(id, 'publish', { scheduledAt: '2028-01-10T08:00:00Z' });
    expect([response.status, (response.body as { error: string }).error]).toEqual([422, 'entry_invalid']);
  });

  it('returns an error for a key without publish permission, a missing entry and an unknown locale', async () => {
    const { id } = await article();
    const { secret } = await must<{ secret: string }>(app, {
      method: 'POST',
      path: `${project.management}/api-keys`,
      key: project.keys.management,
      body: { name: 'Writer', type: 'management', permissions: ['read', 'update'] },
    });
    const body = { scheduledAt: '2028-01-10T08:00:00Z' };
    expect((await call(id, 'publish', body, secret)).status).toBe(403);
    expect((await call('0198c0de-0000-7000-8000-000000000000', 'publish', body)).status).toBe(404);
    expect((await call(id, 'publish', { ...body, locale: 'es' })).status).toBe(404);
  });
});
