import { inScope, type Place } from '../../reports/index.js';
import { bucketSql, inPeriod, matching, readsCounters, type SourceSql, type SqlContext } from './source.js';

const place: Place = {
  site: 'r.site_id',
  locale: 'r.locale',
  type: 'r.content_type_id',
  verbs: ['reports.read', 'entries.read', 'translations.read'],
};

const counted = {
  contentTypeApiName: 'r.content_type_id::text',
  siteId: 'r.site_id::text',
  locale: 'r.locale',
  status: 'r.status',
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
    inScope(scope, plan.filter, { place, bind: value }),
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
