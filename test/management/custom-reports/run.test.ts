import { beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { startBeside } from '../../support/app.js';
import { Desk, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { createMember, createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { actorId, checkAfterRecords, timeOf, type MadeRecord } from '../reports/records.js';
import { define, report, run, table } from './desk.js';

const app = useOwnApp();

let desk: Desk;
let entryIds: string[];

beforeAll(async () => {
  desk = await openDesk(app());
  entryIds = [];
  for (const input of [
    { contentTypeApiName: 'article', fields: { title: 'One' } },
    { contentTypeApiName: 'author', fields: { name: 'Ada' } },
  ])
    entryIds.push((await createEntry(app(), desk.project, input)).id);
});

const range = { from: '2026-03-22T07:30:00Z', to: '2026-04-06T20:45:00Z' };
const inRange = (record: MadeRecord): boolean =>
  timeOf(record) >= Date.parse(range.from) && timeOf(record) < Date.parse(range.to);

const dateIn = (timezone: string, record: MadeRecord): string =>
  Temporal.Instant.fromEpochMilliseconds(timeOf(record))
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();

const sorted = (rows: unknown[][]): unknown[][] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Counts of the records by their keys, which a report calculates. */
function recount(records: readonly MadeRecord[], keysOf: (record: MadeRecord) => unknown[]): unknown[][] {
  const counts = new Map<string, number>();
  for (const record of records) {
    const key = JSON.stringify(keysOf(record));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => [...(JSON.parse(key) as unknown[]), count]);
}

describe('A custom report of activity', () => {
  verifies('reports/custom-limits');

  it('equals a recount of the records, counted or not, in any zone', async () => {
    const actions = ['entry.publish', 'entry.unpublish', 'entry.update', 'entry.create'];
    const byDate = await define(desk, { source: 'audit', groupBy: ['date', 'action'], range });
    const byActor = await define(desk, {
      source: 'publishing',
      groupBy: ['actorId', 'contentTypeApiName'],
      filters: { locale: ['de'], action: ['published'] },
      range,
    });
    await checkAfterRecords({ desk, entryIds, actions }, async (written, timezone) => {
      const wanted = written.filter(inRange);
      const dated = await run(desk, byDate.id, `?timezone=${timezone}`);
      expect(dated.data.totals).toEqual({ count: wanted.length });
      expect(sorted(table(dated))).toEqual(
        sorted(recount(wanted, (one) => [dateIn(timezone, one), one.action])),
      );
      const dates = table(dated).map(([date]) => String(date));
      expect(dates).toEqual(dates.toSorted());
      const published = wanted.filter((one) => one.locale === 'de' && one.action === 'entry.publish');
      const acted = await run(desk, byActor.id, `?timezone=${timezone}`);
      expect(sorted(table(acted))).toEqual(
        sorted(recount(published, (one) => [actorId(one.actor), one.entry === 0 ? 'article' : 'author'])),
      );
      expect(acted.meta).toEqual({ groups: table(acted).length, truncated: false });
    });
  });

  it('returns the largest groups and says so, where there are more than it returns', async () => {
    const { tenantId, projectId } = desk.project;
    await app().rows(
      tenantId,
      `INSERT INTO audit_events (id, tenant_id, project_id, environment_id, at, action, actor, target, changed_fields, context, metadata)
       SELECT gen_random_uuid(), $1, $2, e.id, '2026-05-01', 'view.create', jsonb_build_object('type', 'user', 'id', 'user ' || (n % 1100)),
         '{"type":"view","id":"x"}', '{}', '{"interface":"management"}', '{}'
       FROM generate_series(1, 1101) AS n, environments e WHERE e.project_id = $2`,
      [tenantId, projectId],
    );
    const result = await report(desk, {
      source: 'audit',
      groupBy: ['actorId', 'interface'],
      filters: { action: ['view.create'] },
      range: { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' },
    });
    expect(result.meta).toEqual({ groups: 1100, truncated: true });
    expect(result.data.rows).toHaveLength(1000);
    expect(result.data.rows[0]).toEqual({
      groups: {
        actorId: { value: 'user 1', label: 'user 1' },
        interface: { value: 'management', label: 'management' },
      },
      values: { count: 2 },
    });
    expect(result.data.totals).toEqual({ count: 1101 });
  });
});

describe('A custom report that reads too much', () => {
  verifies('reports/custom-limits');

  it('is 422 when its statement takes longer than it may, and works again within its limits', async () => {
    const { tenantId, projectId } = desk.project;
    const range = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
    const { id } = await define(desk, { source: 'audit', groupBy: ['actorId'], range });
    await app().rows(
      tenantId,
      `INSERT INTO activity_counts (tenant_id, project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id,
         locale, content_type_id, events, last_at)
       SELECT $1, $2, e.id, 'day', '2026-06-01', 'view.create', 'user', 'user ' || n, 'management', $3, '', $3, 1, '2026-06-01'
       FROM generate_series(1, 50000) AS n, environments e WHERE e.project_id = $2`,
      [tenantId, projectId, '00000000-0000-0000-0000-000000000000'],
    );
    const beside = await startBeside(app(), { reports: { customMs: 1 } });
    const limited = await new Desk(beside, desk.project).get(`/custom-reports/${id}/run`);
    await beside.close();
    expect(outcome(limited)).toEqual([422, 'report_too_large']);
    expect((await run(desk, id)).data.totals).toEqual({ count: 50_000 });
  });
});

describe('Custom reports of agents', () => {
  verifies('reports/custom-limits');

  it('count the calls of each key', async () => {
    const { id, secret } = await desk.newKey({ type: 'management', name: 'Bot' });
    const agent = desk.as(secret);
    await agent.get('/entries');
    await agent.get('/entries/none');
    await app().composition.jobs.flushKeyUses();
    const metrics = [{ op: 'count' }, { op: 'sum', field: 'reads' }, { op: 'sum', field: 'errors' }];
    const result = await report(desk, {
      source: 'agents',
      groupBy: ['apiKeyId', 'surface'],
      metrics,
      filters: { apiKeyId: [id] },
    });
    expect(table(result)).toEqual([[id, 'rest', 2, 1, 1]]);
    expect(result.data.rows[0]?.groups.apiKeyId).toEqual({ value: id, label: 'Bot' });
    const roleId = await createRole(app(), desk.project, [
      { resource: 'reports', action: 'read', scope: { siteIds: [desk.project.siteId] } },
      { resource: 'entries', action: 'read' },
    ]);
    const { token } = await createMember(app(), desk.project, [roleId]);
    const shared = await define(desk, { source: 'agents', groupBy: ['apiKeyId'], visibility: 'shared' });
    expect(table(await run(desk.as(token), shared.id))).toEqual([]);
  });

  it('refuse a period that is too long or empty', async () => {
    const { id } = await define(desk, { source: 'publishing' });
    for (const query of ['?from=2020-01-01T00:00:00Z', '?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z'])
      expect(outcome(await desk.get(`/custom-reports/${id}/run${query}`))).toEqual([
        422,
        'validation_failed',
      ]);
  });
});
