import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { AgentActivity } from '../../../../../contracts/insight/reports/report.js';
import { readableValues } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { seriesChart } from '../charts/chart.js';
import { withFile } from '../files/report-file.js';
import { openReport, pageMeta, pageOf, seriesOf } from '../open-report.js';
import { ActivityRepository } from './activity.repository.js';
import { KeyUsageReportRepository, type CallCounts, type NamedKey } from './key-usage-report.repository.js';

type Counts = Omit<AgentActivity['summary'], 'keys'>;

interface Change {
  readonly action: string;
  readonly events: number;
}

function countsOf(calls: readonly CallCounts[], changes: readonly Change[]): Counts {
  const sums = { calls: 0, reads: 0, writes: 0, publishes: 0, deletes: 0, errors: 0, rateLimited: 0 };
  for (const count of calls)
    for (const key of ['calls', 'reads', 'writes', 'errors', 'rateLimited'] as const) sums[key] += count[key];
  for (const { action, events } of changes) sums[action === 'publish' ? 'publishes' : 'deletes'] += events;
  return sums;
}

/** Callers limited to sites see the keys that are limited to them. */
async function visibleKeys(work: UnitOfWork): Promise<ReadonlyMap<string, NamedKey>> {
  const siteIds = readableValues(work.scope, 'reports', 'siteIds');
  const keys = await work.use(KeyUsageReportRepository).keys(siteIds);
  return new Map(keys.map((key) => [key.id, key]));
}

type KeyRow = AgentActivity['rows'][number];

/** Calls and changes of each key in the period, most used first. */
async function rowsOf(
  work: UnitOfWork,
  query: Parameters<ActivityRepository['byActor']>[0],
  keys: ReadonlyMap<string, NamedKey>,
): Promise<KeyRow[]> {
  const calls = await work.use(KeyUsageReportRepository).byKey(query.period, [...keys.keys()]);
  const changes = await work.use(ActivityRepository).byActor(query);
  const changed = Map.groupBy(changes, ({ actorId }) => actorId);
  const called = new Map(calls.map((call) => [call.apiKeyId, call]));
  const rows = [...keys.values()].flatMap(({ id, name, type }) => {
    const call = called.get(id);
    const own = changed.get(id) ?? [];
    const times = [...own, ...(call === undefined ? [] : [call])].map(({ lastAt }) => lastAt.getTime());
    if (times.length === 0) return [];
    const lastUsedAt = new Date(Math.max(...times)).toISOString();
    const counts = countsOf(call === undefined ? [] : [call], own);
    return [{ apiKeyId: id, name, type, ...counts, lastUsedAt, topTools: [] }];
  });
  return rows.sort((a, b) => b.calls - a.calls || (a.apiKeyId < b.apiKeyId ? -1 : 1));
}

/** @throws AppError 422 for an invalid period, 404 for an unknown filter */
export async function reportAgents(
  work: UnitOfWork,
  input: InputOf<typeof reports.agentActivity>,
): Promise<{ data: AgentActivity; meta: PageMeta }> {
  const { period, filter } = await openReport(work, input);
  const keys = await visibleKeys(work);
  const usage = work.use(KeyUsageReportRepository);
  const actions = { verbs: ['publish', 'delete'] };
  const query = { period, filter, actions, actorType: 'api_key', actorIds: [...keys.keys()] } as const;
  const rows = await rowsOf(work, query, keys);
  const calls = Map.groupBy(await usage.byBucket(period, [...keys.keys()]), ({ bucket }) => bucket);
  const changes = Map.groupBy(await work.use(ActivityRepository).byBucket(query), ({ bucket }) => bucket);
  const shown = pageOf(rows, input);
  const shownIds = shown.map(({ apiKeyId }) => apiKeyId);
  const tools = Map.groupBy(await usage.topTools(period, shownIds), ({ apiKeyId }) => apiKeyId);
  const series = seriesOf(period, (bucket) => countsOf(calls.get(bucket) ?? [], changes.get(bucket) ?? []));
  const all = { calls: [...calls.values()].flat(), changes: [...changes.values()].flat() };
  return {
    data: await withFile(
      {
        range: period.range,
        summary: { keys: rows.length, ...countsOf(all.calls, all.changes) },
        series,
        rows: shown.map((row) => ({
          ...row,
          topTools: (tools.get(row.apiKeyId) ?? []).map(({ tool, calls: count }) => ({ tool, calls: count })),
        })),
      },
      input,
      {
        name: 'agent-activity',
        shape: AgentActivity,
        chart: () => seriesChart('Agent activity', series, ['reads', 'writes', 'errors', 'rateLimited']),
      },
    ),
    meta: pageMeta(rows.length, input),
  };
}
