import { beforeEach, describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { superAdmin } from '../../support/factories/project.js';
import { createMember, createRole, sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';

const START = '2027-01-10T08:00:00.000Z';
let now = new Date(START);
const app = useOwnApp({ clock: () => now });

beforeEach(() => {
  now = new Date(START);
});

const at = (day: number, time = '09:00'): string => `2027-01-${String(day)}T${time}:00.000Z`;
const list = (desk: Desk, query = '') => desk.get(`/calendar?${query}`);
const move = (desk: Desk, jobId: string, scheduledAt: string | null, rest: object = {}) =>
  desk.post('/calendar/reschedule', { jobId, scheduledAt, ...rest });

async function schedule(desk: Desk, id: string, verb: 'publish' | 'unpublish', day: number): Promise<string> {
  const response = await desk.post(`/entries/${id}/${verb}`, { scheduledAt: at(day) });
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  return (response.body as { data: { jobId: string } }).data.jobId;
}

const runJobs = async (): Promise<void> => {
  await app().composition.jobs.runDue();
};

describe('GET calendar', () => {
  verifies('publication/calendar', 'publication/calendar-order');

  it('lists jobs and direct publications, soonest first, each once', async () => {
    const desk = await openDesk(app());
    const direct = await article(desk, { title: 'Direct' });
    const later = await article(desk, { title: 'Later' });
    await desk.post(`/entries/${direct.id}/publish`, {});
    const unpublish = await schedule(desk, direct.id, 'unpublish', 20);
    const publish = await schedule(desk, later.id, 'publish', 12);
    const { body } = await list(desk);
    expect(column({ body } as never, 'kind')).toEqual(['published', 'publish', 'unpublish']);
    expect(body.data[1]).toEqual({
      id: publish,
      kind: 'publish',
      entryId: later.id,
      releaseId: null,
      entryTitle: 'Later',
      contentTypeApiName: 'article',
      siteId: expect.any(String),
      locale: 'en',
      scheduledAt: at(12),
      timezone: 'UTC',
      status: 'scheduled',
      completedAt: null,
      error: null,
      createdBy: { type: 'api_key', id: expect.any(String), name: 'management' },
      orphaned: false,
      conflicts: [],
    });
    now = new Date(at(13));
    await runJobs();
    const done = (await list(desk, 'kind=publish,published')).body.data as { id: string; status: string }[];
    expect(done.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(column(await list(desk, 'status=scheduled'), 'id')).toEqual([unpublish]);
  });

  it('filters by range, site and locale, and limits the range', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    const job = await schedule(desk, id, 'publish', 12);
    expect(column(await list(desk, `from=${at(12)}&to=${at(13)}`), 'id')).toEqual([job]);
    expect((await list(desk, `from=${at(11)}&to=${at(12)}`)).body.meta.total).toBe(0);
    expect((await list(desk, 'locale=de')).body.meta.total).toBe(0);
    expect((await list(desk, 'siteId=019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69')).body.meta.total).toBe(0);
    expect(issues(await list(desk, `from=${at(12)}&to=${at(12)}`))).toEqual([['to', 'invalid_range']]);
    expect(issues(await list(desk, 'from=2020-01-01T00:00:00Z'))).toEqual([['from', 'invalid_range']]);
  });

  it('names the other waiting jobs of the same entry and locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Twice' });
    await desk.post(`/entries/${id}/publish`, {});
    const unpublish = await schedule(desk, id, 'unpublish', 14);
    const publish = await schedule(desk, id, 'publish', 15);
    const items = (await list(desk, 'status=scheduled')).body.data as { id: string; conflicts: string[] }[];
    expect(items.map((item) => [item.id, item.conflicts])).toEqual([
      [unpublish, [publish]],
      [publish, [unpublish]],
    ]);
  });

  it('leaves out entries that the caller may not read', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Hidden' });
    await schedule(desk, id, 'publish', 12);
    const grants = [
      { resource: 'calendar', action: 'read' },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ];
    const member = desk.as(await sessionWith(app(), desk.project, grants));
    expect((await list(member)).body).toMatchObject({ data: [], meta: { total: 0 } });
  });
});

describe('POST calendar/reschedule', () => {
  verifies('publication/calendar', 'publication/calendar-changes');

  it('moves a job, which then runs at its new time only', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Moved' });
    const jobId = await schedule(desk, id, 'publish', 12);
    const moved = await move(desk, jobId, '2027-01-20T10:00:00', { timezone: 'Europe/Berlin' });
    const shown = { jobId, releaseId: null, kind: 'publish', entryId: id, locale: 'en' };
    expect([moved.status, moved.body.data]).toEqual([
      200,
      { ...shown, status: 'scheduled', scheduledAt: at(20), timezone: 'Europe/Berlin' },
    ]);
    now = new Date(at(13));
    await runJobs();
    expect((await desk.get(`/entries/${id}`)).body.data.status).toBe('draft');
    now = new Date(at(20));
    await runJobs();
    expect((await desk.get(`/entries/${id}`)).body.data.status).toBe('published');
    const records = (await desk.get(`/audit-events?targetId=${id}&action=entry.reschedule`)).body.data as {
      before: object;
      after: object;
    }[];
    expect(records).toMatchObject([{ before: { scheduledAt: at(12) }, after: { scheduledAt: at(20) } }]);
  });

  it('cancels a job with null', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Canceled' });
    const jobId = await schedule(desk, id, 'publish', 12);
    expect((await move(desk, jobId, null)).body.data).toMatchObject({ jobId, status: 'canceled' });
    expect(outcome(await move(desk, jobId, at(15)))).toEqual([409, 'job_not_reschedulable']);
    now = new Date(at(13));
    await runJobs();
    expect((await desk.get(`/entries/${id}`)).body.data.status).toBe('draft');
  });

  it('rejects past times, unknown jobs and jobs that have ended', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Done' });
    const jobId = await schedule(desk, id, 'publish', 12);
    expect(issues(await move(desk, jobId, '2027-01-09T09:00:00Z'))).toEqual([
      ['scheduledAt', 'not_in_future'],
    ]);
    expect(outcome(await move(desk, id, at(15)))).toEqual([404, 'job_not_found']);
    const other = await openDesk(app());
    expect(outcome(await move(other, jobId, at(15)))).toEqual([404, 'job_not_found']);
    now = new Date(at(13));
    await runJobs();
    const refused = await move(desk, jobId, at(15));
    expect([outcome(refused), refused.body.details]).toEqual([
      [409, 'job_not_reschedulable'],
      { status: 'succeeded' },
    ]);
  });

  it('requires the permission to publish the entry', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Mine' });
    const jobId = await schedule(desk, id, 'publish', 12);
    const grants = [
      { resource: 'calendar', action: 'update' },
      { resource: 'entries', action: 'read' },
    ];
    const member = desk.as(await sessionWith(app(), desk.project, grants));
    expect(outcome(await move(member, jobId, at(15)))).toEqual([403, 'permission_denied']);
  });
});

/** Content lines, unfolded. */
const linesOf = (ics: string): string[] => ics.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
const fetchFeed = (url: string, headers: Record<string, string> = {}) =>
  Promise.resolve(app().request.get(url).set(headers).responseType('text'));

async function feedUrl(desk: Desk, query = ''): Promise<string> {
  const { data } = (await desk.get(`/calendar/feed-url${query}`)).body as { data: { url: string } };
  return data.url;
}

describe('The calendar feed', () => {
  verifies('publication/calendar-feed');

  it('lists past and coming jobs as RFC 5545 events in UTC, with stable ids', async () => {
    const desk = await openDesk(app());
    const title = 'Über; "locks", \\ weirs 日本語 🦆 '.repeat(5).trim();
    const direct = await article(desk, { title: 'Direct' });
    const later = await article(desk, { title });
    await desk.post(`/entries/${direct.id}/publish`, {});
    const canceled = await schedule(desk, direct.id, 'unpublish', 20);
    const job = await schedule(desk, later.id, 'publish', 12);
    await move(desk, canceled, null);
    const response = await fetchFeed(await feedUrl(desk));
    expect([response.status, response.headers['content-type']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    const ics = String(response.body);
    for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const lines = linesOf(ics);
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
    expect(lines.filter((line) => /^(?:UID|DTSTART|STATUS)/.test(line))).toEqual([
      expect.stringMatching(`^UID:${direct.id}`),
      'DTSTART:20270110T080000Z',
      'STATUS:CONFIRMED',
      `UID:${job}@headwater`,
      'DTSTART:20270112T090000Z',
      'STATUS:CONFIRMED',
      `UID:${canceled}@headwater`,
      'DTSTART:20270120T090000Z',
      'STATUS:CANCELLED',
    ]);
    const escaped = title.replaceAll('\\', '\\\\').replaceAll(/[;,]/g, '\\$&');
    expect(lines).toContain(`SUMMARY:Publish ${escaped} (en)`);
  });

  it('is revalidated by its entity tag', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await schedule(desk, id, 'publish', 12);
    const url = await feedUrl(desk);
    const first = await fetchFeed(url);
    const etag = String(first.headers.etag);
    expect((await fetchFeed(url, { 'If-None-Match': etag })).status).toBe(304);
    now = new Date(at(11));
    expect((await fetchFeed(url, { 'If-None-Match': etag })).status).toBe(304);
    await schedule(desk, id, 'unpublish', 14);
    const changed = await fetchFeed(url, { 'If-None-Match': etag });
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false]);
  });

  it('applies the filters of its URL, and takes a credential instead of a token', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await desk.post(`/entries/${id}/publish`, {});
    const job = await schedule(desk, id, 'unpublish', 12);
    const uids = async (url: string, headers = {}) =>
      linesOf(String((await fetchFeed(url, headers)).body)).filter((line) => line.startsWith('UID:'));
    expect(await uids(await feedUrl(desk, '?kind=unpublish,publish&status=scheduled&locale=en'))).toEqual([
      `UID:${job}@headwater`,
    ]);
    const path = `${desk.project.management}/calendar/feed`;
    expect(await uids(path, { Authorization: `Bearer ${desk.project.keys.management}` })).toHaveLength(2);
    expect((await fetchFeed(path)).status).toBe(401);
  });

  it('refuses altered, expired and foreign URLs', async () => {
    const desk = await openDesk(app());
    const other = await openDesk(app());
    const url = await feedUrl(desk);
    const refused = async (given: string) => {
      const response = await app().request.get(given);
      return [response.status, (response.body as { error?: string }).error];
    };
    expect(await refused(url.slice(0, -6))).toEqual([403, 'invalid_signature']);
    expect(await refused(url.replace(desk.project.slug, other.project.slug))).toEqual([
      403,
      'invalid_signature',
    ]);
    expect(await refused(url.replace(desk.project.slug, 'nowhere'))).toEqual([403, 'invalid_signature']);
    expect(await refused(url.replace('/calendar/feed?', '/calendar?'))).toEqual([401, 'unauthorized']);
    now = new Date(Date.parse(START) + 366 * 86_400_000);
    expect(await refused(url)).toEqual([403, 'invalid_signature']);
  });

  it('shows what the caller may read at the time, and ends with the user or key', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Seen' });
    await schedule(desk, id, 'publish', 12);
    const grants = [
      { resource: 'calendar', action: 'read' },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ];
    const roleId = await createRole(app(), desk.project, grants);
    const member = await createMember(app(), desk.project, [roleId]);
    const url = await feedUrl(desk.as(member.token));
    expect(String((await fetchFeed(url)).body)).not.toContain('VEVENT');
    const admin = desk.as(await superAdmin(app()));
    const widened = { resource: 'entries', action: 'read' };
    expect((await admin.post(`/roles/${roleId}/permissions`, widened)).status).toBe(201);
    expect(String((await fetchFeed(url)).body)).toContain('SUMMARY:Publish Seen (en)');
    expect((await admin.delete(`/users/${member.id}`)).status).toBe(200);
    expect((await fetchFeed(url)).status).toBe(403);
    const made = await desk.newKey({ type: 'management', permissions: ['read'] });
    const ofKey = await feedUrl(desk.as(made.secret));
    expect((await fetchFeed(ofKey)).status).toBe(200);
    await desk.delete(`/api-keys/${made.id}`);
    expect((await app().request.get(ofKey)).body).toMatchObject({ error: 'api_key_revoked' });
  });
});
