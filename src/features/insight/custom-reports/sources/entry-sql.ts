import { kindOf } from '../../../../content/field-kinds/index.js';
import { amongSql } from '../../../publishing/delivery/index.js';
import { inScope, type Bind, type ReportColumns } from '../../reports/index.js';
import {
  bucketSql,
  inPeriod,
  matching,
  readsCounters,
  type ReportPlan,
  type SourceSql,
  type SqlContext,
} from './source.js';

const place: ReportColumns = { site: 'r.site_id', locale: 'r.locale', type: 'r.content_type_id' };

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
    inScope(scope, plan.filter, { place, bind: value }),
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
    inScope(scope, plan.filter, { place, bind: value }),
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
  ...place,
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
