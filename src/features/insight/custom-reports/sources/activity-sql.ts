import {
  grainsOfAll,
  inScope,
  isLimitedToOwn,
  publishingKeys,
  segmentsOf,
  type ReportColumns,
  type Span,
} from '../../reports/index.js';
import { matching, type SourceSql, type SqlContext } from './source.js';

const NOWHERE = '00000000-0000-0000-0000-000000000000';

const place: ReportColumns = {
  site: 'r.site_id',
  locale: 'r.locale',
  type: 'r.content_type_id',
  actor: 'r.actor_id',
};

const kept = 'r.action, r.actor_type, r.actor_id, r.interface, r.site_id, r.locale, r.content_type_id';

const columns = {
  action: 'r.action',
  resource: "split_part(r.action, '.', 1)",
  actorType: "nullif(r.actor_type, '')",
  actorId: "nullif(r.actor_id, '')",
  interface: "nullif(r.interface, '')",
  contentTypeApiName: `nullif(r.content_type_id::text, '${NOWHERE}')`,
  siteId: `nullif(r.site_id::text, '${NOWHERE}')`,
  locale: "nullif(r.locale, '')",
  date: 'r.bucket::text',
};

const publications = `CASE r.action ${Object.entries(publishingKeys)
  .map(([action, key]) => `WHEN '${action}' THEN '${key}'`)
  .join(' ')} END`;

const actorKeys: readonly string[] = ['actorId', 'interface'];

const spansOf = ({ period, groupBy }: SqlContext['plan']): readonly Span[] => {
  if (period === null) return [];
  return groupBy.includes('date') ? period.buckets : [period];
};

/** Audit records: counts, and one by one those that are not counted yet. */
export function activitySql({ plan, value, scope, ...context }: SqlContext): SourceSql {
  const isPublishing = plan.source === 'publishing';
  const named = isPublishing ? { ...columns, action: publications } : columns;
  const spans = spansOf(plan);
  const isByActor =
    isLimitedToOwn(scope) || [...plan.groupBy, ...plan.values.keys()].some((key) => actorKeys.includes(key));
  const segments = segmentsOf(spans, isByActor ? undefined : grainsOfAll);
  const times = (list: readonly Span[]): string =>
    [list.map(({ start }) => new Date(start)), list.map(({ end }) => new Date(end))]
      .map((given) => `${value(given)}::timestamptz[]`)
      .join(', ');
  const matches = [
    `r.environment_id = ${value(context.environmentId)}`,
    ...(isPublishing ? [`r.action = ANY(${value(Object.keys(publishingKeys))}::text[])`] : []),
    inScope(scope, plan.filter, { place, bind: value }),
    ...matching(plan, named, value),
  ].join(' AND ');
  const project = value(context.projectId);
  return {
    tables: `tail AS MATERIALIZED (SELECT ${kept}, r.at FROM activity_records r WHERE r.chain_id = ${project}
        AND r.number > ${value(context.counted)}::bigint AND ${matches})`,
    from: `FROM (
      SELECT s.bucket, ${kept}, r.events, r.last_at
        FROM unnest(${value(segments.map(({ bucket }) => bucket))}::int[], ${value(segments.map(({ grain }) => grain))}::text[],
            ${times(segments)}) AS s (bucket, grain, first, last)
          CROSS JOIN LATERAL (SELECT r.* FROM activity_counts r WHERE r.project_id = ${project} AND r.grain = s.grain
            AND r.start >= s.first AND r.start < s.last AND ${matches} OFFSET 0) AS r
      UNION ALL
      SELECT (s.position - 1)::int, ${kept}, 1, r.at
        FROM unnest(${times(spans)}) WITH ORDINALITY AS s (first, last, position)
          JOIN tail r ON r.at >= s.first AND r.at < s.last) AS r`,
    columns: named,
    weight: 'r.events',
    fields: { at: 'r.last_at' },
  };
}

const agentColumns = {
  apiKeyId: 'r.api_key_id::text',
  surface: 'r.surface',
  tool: "nullif(r.tool, '')",
  date: 's.bucket::text',
};

/** Management calls of the API keys that the caller sees, failed ones included. */
export function agentSql({ plan, value, projectId, environmentId }: SqlContext): SourceSql {
  const { period, groupBy, keyIds } = plan;
  const spans = period === null ? [] : groupBy.includes('date') ? period.buckets : [period];
  const segments = segmentsOf(spans);
  const times = (of: 'start' | 'end'): string =>
    `${value(segments.map((segment) => new Date(segment[of])))}::timestamptz[]`;
  const matches = [
    `r.project_id = ${value(projectId)} AND r.environment_id = ${value(environmentId)}`,
    `r.api_key_id = ANY(${value(keyIds)}::uuid[])`,
    ...matching(plan, agentColumns, value),
  ].join(' AND ');
  return {
    from: `FROM unnest(${value(segments.map(({ bucket }) => bucket))}::int[], ${value(segments.map(({ grain }) => grain))}::text[],
        ${times('start')}, ${times('end')}) AS s (bucket, grain, first, last)
      CROSS JOIN LATERAL (SELECT r.* FROM api_key_usage r WHERE r.grain = s.grain AND r.start >= s.first AND r.start < s.last
        AND ${matches} OFFSET 0) AS r`,
    columns: agentColumns,
    weight: '(r.calls + r.errors + r.rate_limited)',
    fields: {
      calls: 'r.calls',
      reads: 'r.reads',
      writes: 'r.writes',
      errors: 'r.errors',
      rateLimited: 'r.rate_limited',
      at: 'r.last_at',
    },
  };
}
