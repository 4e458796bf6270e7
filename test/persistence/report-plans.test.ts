import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ActivityRepository } from '../../src/features/insight/reports/activity/activity.repository.js';
import { KeyUsageReportRepository } from '../../src/features/insight/reports/activity/key-usage-report.repository.js';
import { HealthNoteRepository } from '../../src/features/insight/reports/health/health-note.repository.js';
import { QueueDepthRepository } from '../../src/features/operations/queue-depth/index.js';
import { GroupCountRepository } from '../../src/features/insight/custom-reports/run/group-counts.repository.js';
import type { ReportPlan } from '../../src/features/insight/custom-reports/sources/source.js';
import { periodOf } from '../../src/features/insight/reports/index.js';
import { newId } from '../../src/infrastructure/ids.js';
import { types } from '../bench/growth/content.js';
import { seedAudit } from '../bench/growth/reports-content.js';
import { createType } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { explainedAt, type RepositoryClass, type Touched } from './plans.js';

const app = useOwnApp();
const RECORDS = 20_000;
const DAYS = 10;
/** Of a few hundred counts a day, of users and keys by action. */
const BOUND = RECORDS / 4;

let project: TestProject;
let environmentId: string;

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en'] });
  for (const type of types) await createType(app(), project, type);
  const [head] = await app().rows<{ id: string }>(
    project.tenantId,
    'SELECT environment_id AS id FROM environment_heads WHERE project_id = $1',
    [project.projectId],
  );
  environmentId = head?.id ?? '';
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedAudit(
    client,
    { tenantId: project.tenantId, siteId: project.siteId, environmentId },
    { count: RECORDS, days: DAYS },
  );
  await client.end();
}, 120_000);

const filter = { siteIds: null, locales: null, contentTypeIds: null };
const names = ['entry.publish', 'entry.unpublish', 'entry.schedule', 'entry.schedule_failed'];
const query = (timezone = 'UTC') => {
  const now = new Date();
  const from = new Date(now.getTime() - DAYS * 86_400_000).toISOString();
  const period = periodOf({ from, granularity: 'day', timezone }, now);
  return { period, filter, actions: { names } };
};

const explained = <T extends object, R>(
  repository: RepositoryClass<T>,
  call: (repository: T) => Promise<R>,
) =>
  explainedAt(
    app(),
    { tenantId: project.tenantId, projectId: project.projectId, environmentId },
    { repository, call },
  );

interface Counted {
  readonly events: number;
}

/** Whether few rows were read, and no audit records but those by number that are not counted, and by action those that are listed. */
function expectCounts(taken: readonly Touched[], ...others: string[]): void {
  const scans = taken.flatMap((one) => one.scans);
  const raw = scans.filter((scan) => scan.includes('audit_events'));
  expect(raw.filter((scan) => !/audit_events_(number|chain)/.test(scan))).toEqual(others);
  expect(scans).not.toContain('seq activity_counts');
  expect(scans).toContain('activity_counts_pkey');
  expect(Math.max(...taken.map(({ rows }) => rows))).toBeLessThan(BOUND);
}

describe('Reports of activity', () => {
  verifies('reports/activity-counts');

  it.each([
    ['by bucket', (activity: ActivityRepository): Promise<Counted[]> => activity.byBucket(query())],
    ['by actor', (activity: ActivityRepository): Promise<Counted[]> => activity.byActor(query())],
  ])('%s read counts, and records only where they are not counted', async (_name, call) => {
    const { result, taken } = await explained(ActivityRepository, call);
    expect(result.reduce((sum: number, { events }) => sum + events, 0)).toBeGreaterThan(BOUND);
    expectCounts(taken);
  });

  it('by bucket read counts of hours in a zone whose days are no days of UTC', async () => {
    const { result, taken } = await explained(ActivityRepository, (activity) =>
      activity.byBucket(query('Europe/Berlin')),
    );
    expect(result.reduce((sum, { events }) => sum + events, 0)).toBeGreaterThan(BOUND);
    expectCounts(taken);
    expect(Math.max(...taken.map(({ rows }) => rows))).toBeLessThan((DAYS + 1) * 24 * names.length + 100);
  });

  it('list the latest events from the quarters that have some', async () => {
    const { result, taken } = await explained(ActivityRepository, (activity) =>
      activity.latest(query(), { limit: 25, offset: 0 }),
    );
    expect(result).toHaveLength(25);
    expectCounts(taken, 'audit_events_action');
  });

  it.each(['audit', 'publishing'] as const)('calculate custom reports of %s from counts', async (source) => {
    const { period } = query();
    const plan: ReportPlan = {
      source,
      period,
      filter,
      groupBy: ['date', 'action'],
      metrics: [{ op: 'count' }],
      values: new Map(),
      fields: new Map(),
      keyIds: [],
    };
    const { result, taken } = await explained(GroupCountRepository, (counts) => counts.counts(plan));
    expect(Number(result.totals[0])).toBeGreaterThan(BOUND / 2);
    expectCounts(taken);
  });
});

describe('Reports of API keys', () => {
  verifies('reports/calls-of-keys');

  const KEYS = 20;
  let keyIds: string[];

  beforeAll(async () => {
    const { tenantId, projectId } = project;
    keyIds = Array.from({ length: KEYS }, newId);
    // Each key in each quarter of an hour, and its days.
    await app().rows(
      tenantId,
      `INSERT INTO api_key_usage (tenant_id, project_id, environment_id, api_key_id, grain, start, surface, tool, calls, reads, writes,
         errors, rate_limited, last_at)
       SELECT $1, $2, $3, k, g.grain, g.start, 'mcp', 'search_content', g.calls, g.calls, 0, 0, 0, g.start
       FROM unnest($4::uuid[]) AS k, LATERAL (
         SELECT 'quarter' AS grain, q AS start, 1 AS calls
         FROM generate_series(date_bin('1 day', now(), 'epoch') - interval '1 day' * $5, now() - interval '1 hour', '15 minutes') AS q
         UNION ALL SELECT 'day', d, 96
         FROM generate_series(date_bin('1 day', now(), 'epoch') - interval '1 day' * $5, now() - interval '1 day', '1 day') AS d) AS g`,
      [tenantId, projectId, environmentId, keyIds, DAYS],
    );
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    await client.query('ANALYZE api_key_usage');
    await client.end();
  });

  it.each([
    ['by bucket', (usage: KeyUsageReportRepository) => usage.byBucket(query().period, keyIds)],
    ['by key', (usage: KeyUsageReportRepository) => usage.byKey(query().period, keyIds)],
    ['by tool', (usage: KeyUsageReportRepository) => usage.topTools(query().period, keyIds)],
  ])('%s read counts of whole days, and quarters only at the ends', async (_name, call) => {
    const { result, taken } = await explained<KeyUsageReportRepository, readonly { calls: number }[]>(
      KeyUsageReportRepository,
      call,
    );
    expect(result.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(KEYS * (DAYS - 1) * 90);
    const scans = taken.flatMap((one) => one.scans);
    expect(scans).toContain('api_key_usage_pkey');
    expect(scans).not.toContain('seq api_key_usage');
    expect(Math.max(...taken.map(({ rows }) => rows))).toBeLessThan(KEYS * (DAYS + 2 * 96));
  });
});

describe('Lists of noted changes', () => {
  const NOTES = 3000;

  beforeAll(async () => {
    await app().rows(
      project.tenantId,
      `INSERT INTO filter_notes (environment_id, content_type_id, entry_id, locale)
       SELECT $1, t.id, $1, 'en' FROM content_types t, generate_series(1, $2::int) WHERE t.environment_id = $1`,
      [environmentId, NOTES],
    );
    await app().rows(
      project.tenantId,
      `INSERT INTO health_notes (tenant_id, environment_id, kind, subject_id)
       SELECT $2, $1, 'entry', $1 FROM generate_series(1, $3::int)`,
      [environmentId, project.tenantId, NOTES],
    );
    for (const table of ['filter_notes', 'health_notes'])
      await app().rows(
        project.tenantId,
        `UPDATE ${table} SET noted_at = now() - interval '1 hour' WHERE environment_id = $1`,
        [environmentId],
      );
  });

  it('are found by their first notes', async () => {
    const { result, taken } = await explained(HealthNoteRepository, (notes) => notes.environments());
    expect(result).toContain(environmentId);
    expect(taken.flatMap(({ scans }) => scans)).toEqual(['health_notes_pkey', 'health_notes_pkey']);
    expect(Math.max(...taken.map(({ rows }) => rows))).toBeLessThan(100);
  });

  it('say by their first notes how long the oldest has waited', async () => {
    const { result, taken } = await explained(QueueDepthRepository, (queues) => queues.lags());
    expect(result.filters).toBeGreaterThanOrEqual(3600);
    expect(result.health).toBeGreaterThanOrEqual(3600);
    expect(result.search).toBeGreaterThanOrEqual(0);
    expect(Math.max(...taken.map(({ rows }) => rows))).toBeLessThan(100);
  });
});
