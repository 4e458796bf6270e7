import { beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { createMember, createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { actorId, checkAfterRecords, timeOf } from './records.js';

const app = useOwnApp();

interface Report {
  readonly summary: Record<string, number>;
  readonly series: ({ date: string } & Record<string, number | string>)[];
  readonly rows: Record<string, unknown>[];
}

let desk: Desk;
let entryIds: string[];

beforeAll(async () => {
  desk = await openDesk(app());
  const made = [
    { contentTypeApiName: 'article', fields: { title: '=HYPERLINK("x")' } },
    { contentTypeApiName: 'article', fields: { title: 'Two' } },
    { contentTypeApiName: 'author', fields: { name: 'Ada' } },
  ];
  entryIds = [];
  for (const input of made) entryIds.push((await createEntry(app(), desk.project, input)).id);
});

const read = async (path: string): Promise<Report> => {
  const response = await desk.get(`/reports/${path}`);
  expect(outcome(response)).toEqual([200, undefined]);
  return (response.body as { data: Report }).data;
};

const keys: Readonly<Record<string, string>> = {
  'entry.publish': 'published',
  'entry.unpublish': 'unpublished',
  'entry.schedule': 'scheduled',
  'entry.schedule_failed': 'failed',
};

const dateIn = (timezone: string, time: number): string =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone).toPlainDate().toString();

describe('Reports of activity', () => {
  verifies('reports/activity', 'reports/activity-complete');

  it('equal a recount of the records, counted or not, in any zone and by any filter', async () => {
    const actions = [...Object.keys(keys), 'entry.update', 'entry.create', 'entry.delete'];
    await checkAfterRecords({ desk, entryIds, actions }, async (written, timezone) => {
      const from = '2026-03-22T07:30:00Z';
      const to = '2026-04-06T20:45:00Z';
      const wanted = written.filter(
        (one) =>
          timeOf(one) >= Date.parse(from) &&
          timeOf(one) < Date.parse(to) &&
          one.locale === 'de' &&
          one.entry < 2,
      );
      const range = `from=${from}&to=${to}&timezone=${timezone}&locale=de&contentTypeApiName=article`;
      const publishing = await read(`publishing-activity?${range}`);
      const published = wanted.filter(({ action }) => action in keys);
      const counts = Object.values(keys).map((key) => [
        key,
        published.filter(({ action }) => keys[action] === key).length,
      ]);
      expect(publishing.summary).toEqual(Object.fromEntries(counts));
      for (const { date, ...bucket } of publishing.series) {
        const of = published.filter((one) => dateIn(timezone, timeOf(one)) === date);
        for (const key of Object.values(keys))
          expect([date, key, bucket[key]]).toEqual([
            date,
            key,
            of.filter(({ action }) => keys[action] === key).length,
          ]);
      }
      const times = published.map(timeOf).sort((a, b) => b - a);
      expect(publishing.rows.map(({ at }) => Date.parse(String(at)))).toEqual(times.slice(0, 25));
      const users = await read(`user-activity?${range}`);
      for (const position of [0, 1, 2]) {
        const of = wanted.filter(({ actor }) => actor === position);
        const row = users.rows.find(({ userId }) => userId === actorId(position));
        const number = (action: string): number => of.filter((one) => one.action === action).length;
        expect([row?.created ?? 0, row?.updated ?? 0, row?.published ?? 0, row?.deleted ?? 0]).toEqual(
          ['entry.create', 'entry.update', 'entry.publish', 'entry.delete'].map(number),
        );
      }
    });
  });

  it('are CSV on request, whose cells no spreadsheet runs', async () => {
    const { version } = (await desk.get(`/entries/${entryIds[0]!}`)).body.data as { version: number };
    expect((await desk.post(`/entries/${entryIds[0]!}/publish`, { version })).status).toBe(200);
    const response = await desk.get('/reports/publishing-activity?format=csv');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('publishing-activity.csv');
    const [head, row] = response.text.split('\r\n');
    expect(head).toBe('entryId,title,contentTypeApiName,siteId,locale,action,at,by');
    expect(row).toContain(
      `${entryIds[0]!},"'=HYPERLINK(""x"")",article,${desk.project.siteId},en,published,`,
    );
  });

  it('refuse a period that is empty or too long, and what does not exist', async () => {
    const results = await Promise.all(
      [
        'from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z',
        'from=2020-01-01T00:00:00Z',
        'timezone=Mars/Olympus',
        'contentTypeApiName=none',
        'locale=xx',
      ].map((query) => desk.get(`/reports/user-activity?${query}`)),
    );
    expect(results.map(outcome)).toEqual([
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [404, 'content_type_not_found'],
      [404, 'locale_not_found'],
    ]);
  });

  it('count only what the caller may read', async () => {
    const site = { siteIds: [desk.project.siteId] };
    const roleIn = (scope: object): Promise<string> =>
      createRole(app(), desk.project, [
        { resource: 'reports', action: 'read', scope },
        { resource: 'entries', action: 'read' },
      ]);
    const summaryFor = async (scope: object): Promise<Record<string, number>> => {
      const member = await createMember(app(), desk.project, [await roleIn(scope)]);
      const { body } = await desk.as(member.token).get('/reports/publishing-activity');
      return (body as { data: Report }).data.summary;
    };
    const all = (await read('publishing-activity')).summary;
    expect(all.published).toBeGreaterThan(0);
    expect(await summaryFor(site)).toEqual(all);
    expect(await summaryFor({ contentTypes: ['author'] })).toMatchObject({ published: 0 });
  });

  it('count only own events for a caller who may read own reports, also in counts of all', async () => {
    const { id: entryId } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Of two' },
    });
    const roleId = await createRole(app(), desk.project, [
      { resource: 'reports', action: 'read', scope: { ownOnly: true } },
      { resource: 'entries', action: 'read' },
      { resource: 'entries', action: 'publish' },
    ]);
    const { token } = await createMember(app(), desk.project, [roleId]);
    const member = desk.as(token);
    expect((await member.post(`/entries/${entryId}/publish`, {})).status).toBe(200);
    expect((await desk.post(`/entries/${entryId}/unpublish`, {})).status).toBe(200);
    await app().composition.jobs.sealAudit();
    const now = Date.now();
    const day = new Date(Math.floor(now / 86_400_000 + 1) * 86_400_000).toISOString();
    const { body } = await member.get(`/reports/publishing-activity?to=${day}&timezone=Europe/Berlin`);
    const { summary, series } = (body as { data: Report }).data;
    expect(summary).toEqual({ published: 1, unpublished: 0, scheduled: 0, failed: 0 });
    expect(series.reduce((sum, { published }) => sum + Number(published), 0)).toBe(1);
  });
});

describe('The report of agent activity', () => {
  verifies('reports/calls-of-keys');

  it('counts the calls of each key by outcome, with its publications', async () => {
    const { id, secret } = await desk.newKey({ type: 'management' });
    const agent = desk.as(secret);
    await agent.get('/entries');
    await agent.get('/entries/none');
    const entry = (
      await agent.post('/entries', {
        contentTypeApiName: 'article',
        siteId: desk.project.siteId,
        fields: { title: 'By an agent' },
      })
    ).body.data as { id: string };
    await agent.post(`/entries/${entry.id}/publish`, {});
    await app().composition.jobs.flushKeyUses();
    const { rows, summary } = await read('agent-activity');
    const row = rows.find(({ apiKeyId }) => apiKeyId === id);
    expect(row).toMatchObject({
      type: 'management',
      calls: 3,
      reads: 1,
      writes: 2,
      publishes: 1,
      deletes: 0,
      errors: 1,
      rateLimited: 0,
      topTools: [],
    });
    expect(summary.calls).toBeGreaterThanOrEqual(3);
    const addresses = 'SELECT address, calls::int FROM api_key_addresses WHERE api_key_id = $1';
    expect(await app().rows(desk.project.tenantId, addresses, [id])).toEqual([
      { address: '127.0.0.1', calls: 4 },
    ]);
    const roleId = await createRole(app(), desk.project, [
      { resource: 'reports', action: 'read', scope: { siteIds: [desk.project.siteId] } },
      { resource: 'entries', action: 'read' },
    ]);
    const { token } = await createMember(app(), desk.project, [roleId]);
    const limited = await desk.as(token).get('/reports/agent-activity');
    expect((limited.body as { data: Report }).data.rows).toEqual([]);
  });
});
