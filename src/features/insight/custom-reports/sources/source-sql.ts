import { kindOf } from '../../../../content/field-kinds/index.js';
import { amongSql } from '../../../publishing/delivery/index.js';
import {
  inScope,
  type Bind,
  type ReportColumns,
  grainsOfAll,
  isLimitedToOwn,
  publishingKeys,
  segmentsOf,
  type Span,
} from '../../reports/index.js';
import {
  bucketSql,
  inPeriod,
  matching,
  readsCounters,
  type ReportPlan,
  type SourceSql,
  type SqlContext,
} from './source.js';

const NOWHERE = '00000000-0000-0000-0000-000000000000';

const recordPlace: ReportColumns = {
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
    inScope(scope, plan.filter, { place: recordPlace, bind: value }),
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

const entryPlace: ReportColumns = { site: 'r.site_id', locale: 'r.locale', type: 'r.content_type_id' };

const counted = {
  contentTypeApiName: 'r.content_type_id::text',
  siteId: 'r.site_id::text',
  locale: 'r.locale',
  status: 'r.status',
};

/** With locales, what is written in them is counted, otherwise each entry once. */
const namesLocales = ({ groupBy, filter }: ReportPlan): boolean =>
  groupBy.includes('locale') || filter.locales !== null;

function counterSql({ plan, value, scope, environmentId }: SqlContext): SourceSql {
  const matches = [
    `r.environment_id = ${value(environmentId)} AND NOT r.is_deleted`,
    `r.locale ${namesLocales(plan) ? '<>' : '='} ''`,
    inScope(scope, plan.filter, { place: entryPlace, bind: value }),
    ...matching(plan, counted, value),
  ];
  return {
    from: `FROM entry_counts r WHERE ${matches.join(' AND ')}`,
    columns: counted,
    weight: 'r.entries',
    fields: {},
  };
}

/** Values of fields are compared as by filters of lists. */
function fieldMatches(
  { fields, values }: ReportPlan,
  { key, json }: { readonly key: string; readonly json: string },
  value: Bind,
): string[] {
  const given = values.get(key);
  const field = fields.get(key);
  const comparison = field === undefined ? null : kindOf(field).comparison;
  return given === undefined || comparison === null
    ? []
    : [amongSql(comparison, { json, values: given }, value)];
}

/** Entries by the locale that represents them, or their locales. */
export function entrySql(context: SqlContext): SourceSql {
  const { plan, value, scope, environmentId } = context;
  if (readsCounters(plan, Object.keys(counted))) return counterSql(context);
  const stored = [...plan.fields].map(([key, { apiName }]) => {
    const name = `${value(apiName)}::text`;
    return [key, `coalesce(e.shared_fields -> ${name}, r.fields -> ${name})`] as const;
  });
  const rest = new Map([...plan.values].filter(([key]) => !plan.fields.has(key)));
  const columns = {
    ...counted,
    createdBy: 'e.created_by_id',
    ...(plan.groupBy.includes('date') && { date: bucketSql(plan, 'e.created_at', value) }),
    ...Object.fromEntries(stored.map(([key, json]) => [key, `normalize(${json} #>> '{}', NFC)`])),
  };
  const matches = [
    `r.environment_id = ${value(environmentId)} AND NOT r.is_deleted`,
    ...(namesLocales(plan) ? [] : ['r.is_shown']),
    inScope(scope, plan.filter, { place: entryPlace, bind: value }),
    ...inPeriod(plan, 'e.created_at', value),
    ...matching({ values: rest }, columns, value),
    ...stored.flatMap(([key, json]) => fieldMatches(plan, { key, json }, value)),
  ];
  const numbers = stored.map(
    ([key, json]) => [key, `CASE WHEN jsonb_typeof(${json}) = 'number' THEN (${json})::numeric END`] as const,
  );
  return {
    from: `FROM entry_locales r JOIN entries e ON e.environment_id = r.environment_id AND e.id = r.entry_id
      WHERE ${matches.join(' AND ')}`,
    columns,
    weight: '1',
    fields: {
      createdAt: 'e.created_at',
      updatedAt: 'e.updated_at',
      publishedAt: 'r.published_at',
      ...Object.fromEntries(numbers),
    },
  };
}

const translationPlace: ReportColumns = {
  ...entryPlace,
  verbs: ['reports.read', 'entries.read', 'translations.read'],
};

/** Translations of entries, without their source locales. */
export function translationSql({ plan, value, scope, environmentId }: SqlContext): SourceSql {
  const isCounted = readsCounters(plan, Object.keys(counted));
  const columns = {
    ...counted,
    assigneeId: 'r.assignee_id::text',
    priority: 'r.priority',
    ...(plan.groupBy.includes('date') && { date: bucketSql(plan, 'r.updated_at', value) }),
  };
  const matches = [
    `r.environment_id = ${value(environmentId)} AND NOT r.is_deleted AND r.locale <> ''`,
    inScope(scope, plan.filter, { place: translationPlace, bind: value }),
    ...inPeriod(plan, 'r.updated_at', value),
    ...matching(plan, columns, value),
  ];
  return {
    from: `FROM ${isCounted ? 'translation_counts' : 'translations'} r WHERE ${matches.join(' AND ')}`,
    columns,
    weight: isCounted ? 'r.entries' : '1',
    fields: { updatedAt: 'r.updated_at' },
  };
}
