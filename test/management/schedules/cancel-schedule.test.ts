import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createEntry } from '../../support/factories/content.js';
import { openDesk, outcome, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

interface Job {
  readonly jobId: string;
  readonly kind: string;
  readonly locale: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

const morning = new Date('2027-01-10T08:00:00.000Z');
const at = (hour: number) => `2027-01-10T${String(hour).padStart(2, '0')}:00:00.000Z`;

let app: TestApp;
let desk: Desk;
let now = morning;

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
});

beforeEach(async () => {
  now = morning;
  desk = await openDesk(app);
});

afterAll(() => app.close());

const article = async (): Promise<string> =>
  (
    await createEntry(app, desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Later', body: { type: 'doc', content: [] } },
    })
  ).id;

async function schedule(id: string, verb: 'publish' | 'unpublish', body: object): Promise<Job> {
  const response = await desk.post(`/entries/${id}/${verb}`, body);
  expect(response.status).toBe(202);
  return (response.body as { data: Job }).data;
}

async function list(id: string, query = ''): Promise<Job[]> {
  const response = await desk.get(`/entries/${id}/schedules${query}`);
  expect(response.status).toBe(200);
  return (response.body as { data: Job[] }).data;
}

const statuses = async (id: string) =>
  (await list(id, '?status=scheduled,succeeded,failed,canceled')).map(({ status }) => status);

const cancel = (id: string, { jobId }: Job) => desk.delete(`/entries/${id}/schedules/${jobId}`);

/** Cancellations in the audit log and in the outbox, with the reason of each. */
async function cancellations(): Promise<{ records: unknown[]; events: unknown[] }> {
  const [records, events] = await Promise.all([
    app.rows<{ id: string; reason: string }>(
      desk.project.tenantId,
      "SELECT after ->> 'jobId' AS id, after ->> 'reason' AS reason FROM audit_events WHERE action = 'entry.schedule_canceled' ORDER BY 1",
    ),
    app.rows<{ id: string; reason: string }>(
      desk.project.tenantId,
      "SELECT payload -> 'data' ->> 'jobId' AS id, payload -> 'data' ->> 'reason' AS reason FROM outbox_events WHERE type = 'entry.schedule_canceled' ORDER BY 1",
    ),
  ]);
  return { records, events };
}

const oneEach = (job: Job, reason: string) => {
  const rows = [{ id: job.jobId, reason }];
  return { records: rows, events: rows };
};

describe('The schedules of an entry', () => {
  verifies('publication/schedules-replaced');

  it('are listed soonest first with creator, version and comment, waiting ones by default', async () => {
    const id = await article();
    const later = await schedule(id, 'unpublish', { scheduledAt: at(12), timezone: 'Europe/Berlin' });
    const sooner = await schedule(id, 'publish', { scheduledAt: at(9), version: 1, comment: 'Launch' });
    const response = await desk.get(`/entries/${id}/schedules`);
    const common = {
      entryId: id,
      locale: 'en',
      status: 'scheduled',
      error: null,
      orphaned: false,
      completedAt: null,
    };
    expect(response.body).toEqual({
      data: [
        { ...common, jobId: sooner.jobId, kind: 'publish', scheduledAt: at(9), timezone: 'UTC', version: 1 },
        { ...common, jobId: later.jobId, kind: 'unpublish', scheduledAt: at(12), timezone: 'Europe/Berlin' },
      ].map((job, index) => ({
        version: null,
        ...job,
        comment: index === 0 ? 'Launch' : null,
        createdAt: morning.toISOString(),
        createdBy: expect.objectContaining({ type: 'api_key', name: 'management' }),
      })),
      meta: { total: 2, page: 1, limit: 25, pages: 1 },
    });
  });

  it('show the outcome of jobs that have ended on request', async () => {
    const id = await article();
    await schedule(id, 'publish', { scheduledAt: at(9), version: 1 });
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Changed' } });
    now = new Date(at(9));
    await app.composition.jobs.runDue();
    expect(await list(id)).toEqual([]);
    expect(await list(id, '?status=failed')).toMatchObject([
      { status: 'failed', error: { code: 'version_conflict' }, completedAt: at(9) },
    ]);
  });

  it('are paginated', async () => {
    const id = await article();
    await schedule(id, 'publish', { scheduledAt: at(9) });
    await schedule(id, 'unpublish', { scheduledAt: at(10) });
    expect(await list(id, '?limit=1&page=2')).toMatchObject([{ kind: 'unpublish' }]);
  });
});

describe('Canceling a schedule', () => {
  verifies('publication/schedules-replaced');

  it('leaves the entry as it is, with one record and one event', async () => {
    const id = await article();
    const job = await schedule(id, 'publish', { scheduledAt: at(9) });
    const response = await cancel(id, job);
    expect([response.status, response.body]).toEqual([200, { data: { id: job.jobId, deleted: true } }]);
    expect(await list(id)).toEqual([]);
    expect(await cancellations()).toEqual(oneEach(job, 'request'));
    now = new Date(at(10));
    await app.composition.jobs.runDue();
    const { body } = await desk.get(`/entries/${id}`);
    expect(body).toMatchObject({ data: { status: 'draft', version: 1, locales: [{ scheduled: [] }] } });
  });

  it('returns 409 with the status for a job that succeeded, failed or was canceled', async () => {
    const id = await article();
    const done = await schedule(id, 'publish', { scheduledAt: at(9) });
    now = new Date(at(9));
    await app.composition.jobs.runDue();
    const canceled = await schedule(id, 'unpublish', { scheduledAt: at(10) });
    expect((await cancel(id, canceled)).status).toBe(200);
    for (const [job, status] of [
      [done, 'succeeded'],
      [canceled, 'canceled'],
    ] as const) {
      const response = await cancel(id, job);
      expect([response.status, response.body]).toMatchObject([
        409,
        { error: 'job_not_reschedulable', details: { status } },
      ]);
    }
  });

  it('returns 404 for a missing job, a malformed id, a job of another entry and a missing entry', async () => {
    const id = await article();
    const job = await schedule(await article(), 'publish', { scheduledAt: at(9) });
    const missing = '0198c0de-0000-7000-8000-000000000000';
    expect(outcome(await desk.delete(`/entries/${id}/schedules/${missing}`))).toEqual([404, 'job_not_found']);
    expect(outcome(await desk.delete(`/entries/${id}/schedules/none`))).toEqual([404, 'job_not_found']);
    expect(outcome(await cancel(id, job))).toEqual([404, 'job_not_found']);
    expect(outcome(await cancel(missing, job))).toEqual([404, 'entry_not_found']);
  });

  it('requires the permission that scheduling the job required', async () => {
    const id = await article();
    const publishing = await schedule(id, 'publish', { scheduledAt: at(9) });
    const unpublishing = await schedule(id, 'unpublish', { scheduledAt: at(10) });
    const { secret } = await desk.newKey({ type: 'management', permissions: ['read', 'unpublish'] });
    const limited = desk.as(secret);
    const path = `/entries/${id}/schedules`;
    expect(outcome(await limited.delete(`${path}/${publishing.jobId}`))).toEqual([403, 'permission_denied']);
    expect((await limited.get(path)).status).toBe(200);
    expect((await limited.delete(`${path}/${unpublishing.jobId}`)).status).toBe(200);
    expect(await statuses(id)).toEqual(['scheduled', 'canceled']);
  });

  it('and the start of the job exclude each other', async () => {
    for (let round = 0; round < 5; round += 1) {
      now = morning;
      const id = await article();
      const job = await schedule(id, 'publish', { scheduledAt: at(9) });
      now = new Date(at(9));
      const [response] = await Promise.all([cancel(id, job), app.composition.jobs.runDue()]);
      const { body } = await desk.get(`/entries/${id}`);
      const { status } = (body as { data: { status: string } }).data;
      const won = response.status === 200 ? ['draft', 'canceled'] : ['published', 'succeeded'];
      expect([status, ...(await statuses(id))]).toEqual(won);
    }
  });
});

describe('A new schedule', () => {
  verifies('publication/schedules-replaced');

  it('replaces the waiting one of the same kind and locale and no other', async () => {
    const id = await article();
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Später' } });
    const old = await schedule(id, 'publish', { scheduledAt: at(9) });
    const german = await schedule(id, 'publish', { scheduledAt: at(9), locale: 'de' });
    const withdrawal = await schedule(id, 'unpublish', { scheduledAt: at(20) });
    const response = await desk.post(`/entries/${id}/publish`, { scheduledAt: at(11) });
    expect(response.body).toMatchObject({
      data: { kind: 'publish', scheduledAt: at(11) },
      meta: {
        replaced: [{ jobId: old.jobId, kind: 'publish', scheduledAt: at(9), timezone: 'UTC' }],
      },
    });
    const { jobId } = (response.body as { data: Job }).data;
    const ids = (await list(id)).map((job) => job.jobId);
    expect(ids).toEqual([german.jobId, jobId, withdrawal.jobId]);
    expect(await cancellations()).toEqual(oneEach(old, 'replaced'));
  });

  it('is refused with 422 if 50 others wait, and accepted if it replaces one of them', async () => {
    const id = await article();
    await schedule(id, 'unpublish', { scheduledAt: at(9) });
    await app.rows(
      desk.project.tenantId,
      `INSERT INTO scheduled_jobs (tenant_id, project_id, environment_id, id, kind, entry_id, site_id, locale, scheduled_at,
         timezone, wall_time, options, next_attempt_at, created_at, created_by, updated_at)
       SELECT tenant_id, project_id, environment_id, gen_random_uuid(), kind, entry_id, site_id, 'x' || n, scheduled_at,
         timezone, wall_time, options, next_attempt_at, created_at, created_by, updated_at
       FROM scheduled_jobs, generate_series(1, 49) AS n`,
    );
    const refused = await desk.post(`/entries/${id}/publish`, { scheduledAt: at(9) });
    expect(outcome(refused)).toEqual([422, 'limit_reached']);
    await schedule(id, 'unpublish', { scheduledAt: at(10) });
  });

  it('replaces the waiting ones in bulk', async () => {
    const ids = [await article(), await article()];
    const old = await schedule(ids[0] ?? '', 'publish', { scheduledAt: at(9) });
    const body = { action: 'publish', entryIds: ids, params: { scheduledAt: at(10) } };
    const { data } = (await desk.post('/entries/bulk', body)).body as { data: { results: object[] } };
    expect(data.results).toEqual([
      expect.objectContaining({ ok: true, replaced: [expect.objectContaining({ jobId: old.jobId })] }),
      expect.not.objectContaining({ replaced: expect.anything() }),
    ]);
    expect(await statuses(ids[0] ?? '')).toEqual(['canceled', 'scheduled']);
  });
});

describe('A waiting job', () => {
  verifies('publication/schedules-replaced');

  it.each(['publish', 'unpublish'] as const)('is canceled when its locale is %sed now', async (verb) => {
    const id = await article();
    if (verb === 'unpublish') await desk.post(`/entries/${id}/publish`, {});
    const job = await schedule(id, verb, { scheduledAt: at(9) });
    const other = await schedule(id, verb === 'publish' ? 'unpublish' : 'publish', { scheduledAt: at(10) });
    const response = await desk.post(`/entries/${id}/${verb}`, {});
    expect(response.body).toMatchObject({
      data: { locales: [{ scheduled: [{ jobId: other.jobId }] }] },
    });
    expect((await list(id)).map(({ jobId }) => jobId)).toEqual([other.jobId]);
    expect(await cancellations()).toEqual(oneEach(job, `${verb}ed`));
  });

  it('is canceled when its locale is published in bulk, and kept when another locale is published', async () => {
    const id = await article();
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Später' } });
    const job = await schedule(id, 'publish', { scheduledAt: at(9) });
    const bulk = (locale: string) =>
      desk.post('/entries/bulk', { action: 'publish', entryIds: [id], params: { locale } });
    await bulk('de');
    expect(await statuses(id)).toEqual(['scheduled']);
    await bulk('en');
    expect(await statuses(id)).toEqual(['canceled']);
    expect(await cancellations()).toEqual(oneEach(job, 'published'));
  });

  it('is kept when publishing now fails', async () => {
    const id = await article();
    await schedule(id, 'publish', { scheduledAt: at(9) });
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: null } });
    expect(outcome(await desk.post(`/entries/${id}/publish`, {}))).toEqual([422, 'entry_invalid']);
    expect(await statuses(id)).toEqual(['scheduled']);
  });

  it('is canceled with a record and an event when its entry is deleted', async () => {
    const id = await article();
    const job = await schedule(id, 'publish', { scheduledAt: at(9) });
    expect((await desk.delete(`/entries/${id}`)).status).toBe(200);
    expect(await cancellations()).toEqual(oneEach(job, 'deleted'));
  });
});
