import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ScheduledRelease } from '../../../contracts/entries/releases/release.js';
import { createMember, sessionWith, systemRoleId } from '../../support/members.js';
import { outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, ReleaseDesk } from './release-desk.js';

const app = useOwnApp();
let scene: ReleaseDesk;

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
});

const LATER = '2099-01-01T00:00:00Z';

const schedule = (id: string, body: object = { scheduledAt: LATER }) =>
  scene.data<ScheduledRelease>(scene.desk.post(`/releases/${id}/schedule`, body), 202);

/** Makes a job due, and runs it. */
async function runNow(jobId: string): Promise<void> {
  await app().rows(
    scene.desk.project.tenantId,
    "UPDATE scheduled_jobs SET next_attempt_at = now() - interval '1 second' WHERE id = $1",
    [jobId],
  );
  await app().composition.jobs.runDue();
}

const inCalendar = async (query: string) => {
  const from = '2098-12-01T00:00:00Z';
  const path = `/calendar?from=${from}&to=2099-02-01T00:00:00Z&kind=release&status=scheduled${query}`;
  return scene.data<{ id: string; entryTitle: string; status: string; releaseId: string }[]>(
    scene.desk.get(path),
  );
};

describe('a scheduled release', () => {
  verifies('publication/release-schedules');

  it('is published as a whole when its job runs', async () => {
    const articles = [await scene.article({ title: 'A' }), await scene.article({ title: 'B' })];
    const { id } = await scene.release(articles.map((article) => entryItem(article)));
    const job = await schedule(id, { scheduledAt: '2099-01-01T09:00:00', timezone: 'Europe/Berlin' });
    const when = { scheduledAt: '2099-01-01T08:00:00.000Z', timezone: 'Europe/Berlin' };
    expect(job).toEqual({
      jobId: expect.any(String),
      status: 'scheduled',
      kind: 'release',
      releaseId: id,
      ...when,
    });
    expect(await scene.read(id)).toMatchObject({ status: 'scheduled', jobId: job.jobId, ...when });
    expect(await scene.title(articles[0]!)).toBeUndefined();
    await runNow(job.jobId);
    expect(await Promise.all(articles.map((article) => scene.title(article)))).toEqual(['A', 'B']);
    expect(await scene.read(id)).toMatchObject({ status: 'published', jobId: null });
    const events = await app().rows<{ type: string }>(
      scene.desk.project.tenantId,
      "SELECT type FROM outbox_events WHERE payload -> 'data' ->> 'releaseId' = $1 ORDER BY created_at, type",
      [id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'release.created',
      'release.scheduled',
      'release.published',
    ]);
  });

  it('fails as a whole if an item cannot be published any more, notifies its user, and can be opened again', async () => {
    const member = await createMember(app(), scene.desk.project, [
      await systemRoleId(app(), scene.desk.project, 'editor'),
    ]);
    const [good, bad] = [await scene.article({ title: 'Good' }), await scene.article({ title: 'Bad' })];
    const { id } = await scene.release([entryItem(good), entryItem(bad)]);
    const { jobId } = await scene.data<ScheduledRelease>(
      scene.desk.as(member.token).post(`/releases/${id}/schedule`, { scheduledAt: LATER }),
      202,
    );
    await scene.edit(bad, { fields: { title: null } });
    await runNow(jobId);
    expect(await scene.live(good)).toBeUndefined();
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      jobId: null,
      error: { code: 'release_invalid', details: { items: [{ code: 'entry_invalid' }] } },
    });
    const failed = await app().rows(
      scene.desk.project.tenantId,
      "SELECT 1 FROM outbox_events WHERE type = 'release.failed' AND payload -> 'data' ->> 'releaseId' = $1",
      [id],
    );
    expect(failed).toHaveLength(1);
    await app().composition.jobs.deliverWebhooks();
    const notices = await app().rows(
      scene.desk.project.tenantId,
      'SELECT kind, subject_id AS "subjectId" FROM notifications WHERE user_id = $1',
      [member.id],
    );
    expect(notices).toEqual([{ kind: 'schedule_failed', subjectId: id }]);
    expect(await scene.data(scene.desk.post(`/releases/${id}/reopen`))).toMatchObject({
      status: 'open',
      error: null,
      scheduledAt: null,
    });
    await scene.edit(bad, { fields: { title: 'Better' } });
    await scene.published(id);
    expect(await scene.title(good)).toBe('Good');
  });

  it('is checked when it is scheduled', async () => {
    const { id } = await scene.release([entryItem(await scene.article({}))]);
    const refused = await scene.desk.post(`/releases/${id}/schedule`, { scheduledAt: LATER });
    expect(outcome(refused)).toEqual([422, 'release_invalid']);
    const past = await scene.desk.post(`/releases/${id}/schedule`, { scheduledAt: '2001-01-01T00:00:00Z' });
    expect(outcome(past)).toEqual([422, 'validation_failed']);
    expect((await scene.read(id)).status).toBe('open');
  });

  it('is in the calendar, where its job is moved, and canceled, which opens it', async () => {
    const { siteId } = scene.desk.project;
    const { id, name } = await scene.release([entryItem(await scene.article())]);
    const { jobId } = await schedule(id);
    const found = {
      id: jobId,
      kind: 'release',
      releaseId: id,
      entryId: null,
      entryTitle: name,
      status: 'scheduled',
    };
    expect(await inCalendar('')).toEqual([expect.objectContaining(found)]);
    expect(await inCalendar(`&siteId=${siteId}&locale=en`)).toHaveLength(1);
    expect(await inCalendar('&locale=de')).toEqual([]);
    const moved = await scene.data(
      scene.desk.post('/calendar/reschedule', { jobId, scheduledAt: '2099-01-05T00:00:00Z' }),
    );
    expect(moved).toMatchObject({ status: 'scheduled', kind: 'release', releaseId: id, entryId: null });
    expect(await scene.read(id)).toMatchObject({ scheduledAt: '2099-01-05T00:00:00.000Z' });
    expect(outcome(await scene.desk.delete(`/releases/${id}`))).toEqual([409, 'release_scheduled']);
    const items = [entryItem(await scene.article())];
    expect(outcome(await scene.desk.post(`/releases/${id}/items`, { items }))).toEqual([
      409,
      'release_scheduled',
    ]);
    expect(outcome(await scene.desk.post(`/releases/${id}/reopen`))).toEqual([409, 'release_scheduled']);
    const viewer = await sessionWith(app(), scene.desk.project, [
      { resource: 'calendar', action: '*' },
      { resource: 'entries', action: 'read' },
    ]);
    const asViewer = scene.desk.as(viewer);
    expect(
      await scene.data(asViewer.get('/calendar?from=2098-12-01T00:00:00Z&to=2099-02-01T00:00:00Z')),
    ).toEqual([]);
    expect(outcome(await asViewer.post('/calendar/reschedule', { jobId, scheduledAt: null }))).toEqual([
      403,
      'permission_denied',
    ]);
    await scene.data(scene.desk.post('/calendar/reschedule', { jobId, scheduledAt: null }));
    expect(await scene.read(id)).toMatchObject({ status: 'open', scheduledAt: null, jobId: null });
    const again = await scene.desk.post('/calendar/reschedule', { jobId, scheduledAt: null });
    expect(outcome(again)).toEqual([409, 'job_not_reschedulable']);
  });

  it('has one job, which a new schedule replaces and an earlier publication cancels', async () => {
    const article = await scene.article({ title: 'Early' });
    const { id } = await scene.release([entryItem(article)]);
    const [first, second] = [await schedule(id), await schedule(id)];
    const states = () =>
      app().rows<{ id: string; status: string }>(
        scene.desk.project.tenantId,
        'SELECT id, status FROM scheduled_jobs WHERE release_id = $1 ORDER BY id',
        [id],
      );
    expect(await states()).toEqual([
      { id: first.jobId, status: 'canceled' },
      { id: second.jobId, status: 'scheduled' },
    ]);
    await scene.published(id);
    expect(await scene.title(article)).toBe('Early');
    expect((await states()).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });
});

describe('the bulk action addToRelease', () => {
  verifies('publication/release-schedules', 'entries/bulk');

  it('adds the drafts, and refuses those that are missing or in the release already', async () => {
    const [one, two] = [await scene.article(), await scene.article()];
    const { id } = await scene.release([entryItem(one)]);
    const missing = '0198c0de-0000-7000-8000-000000000000';
    const body = { action: 'addToRelease', entryIds: [one.id, two.id, missing], params: { releaseId: id } };
    const { results } = await scene.data<{ results: object[] }>(scene.desk.post('/entries/bulk', body));
    expect(results).toEqual([
      expect.objectContaining({ entryId: one.id, ok: false, error: 'release_conflict' }),
      { entryId: two.id, ok: true, version: 1 },
      expect.objectContaining({ entryId: missing, ok: false, error: 'entry_not_found' }),
    ]);
    expect((await scene.read(id)).items).toMatchObject([
      { entryId: one.id },
      { entryId: two.id, action: 'publish' },
    ]);
    await scene.published(id);
    expect(outcome(await scene.desk.post('/entries/bulk', body))).toEqual([409, 'release_closed']);
  });
});
