import type { WorkScope } from '../../persistence/work/unit-of-work.js';
import { casts, filterSql } from '../delivery/index.js';
import { stateCondition } from '../entries/index.js';
import { readableEntries, type Bind } from '../shared/index.js';
import type { SearchFacet, SearchQuery, SearchSort, SystemFacet, SystemSortKey } from './search-index.js';

const FIELDS = '(e.shared_fields || l.fields)';

const sortColumns: Readonly<Record<SystemSortKey, string>> = {
  title: 'lower(l.title)',
  createdAt: 'e.created_at',
  updatedAt: 'e.updated_at',
  publishedAt: 'l.published_at',
};

/** SQL of the value that results are sorted by. */
export function sortSql(sort: SearchSort, bind: Bind): string {
  if ('key' in sort) return sortColumns[sort.key];
  const value = casts[sort.comparison](`(${FIELDS} -> ${bind(sort.apiName)}::text)`);
  return sort.comparison === 'string' ? `lower(${value})` : value;
}

/** SQL that continues the WHERE clause of drafts `e` and `l`. `$1` is the environment. */
export function draftConditions(scope: WorkScope, query: SearchQuery, bind: unknown[]): string {
  const value: Bind = (given) => `$${String(bind.push(given))}`;
  const conditions: string[] = [];
  const among = (column: string, given: readonly string[] | null, type: string): void => {
    if (given !== null) conditions.push(`${column} = ANY(${value(given)}::${type}[])`);
  };
  among('e.content_type_id', query.contentTypeIds, 'uuid');
  among('e.site_id', query.siteIds, 'uuid');
  among('l.locale', query.locales, 'text');
  among('l.status', query.statuses, 'text');
  among('l.assignee_id', query.assigneeIds, 'uuid');
  among('e.created_by_id', query.createdBy, 'text');
  among('e.updated_by_id', query.updatedBy, 'text');
  if (query.states !== null)
    conditions.push(stateCondition(query.states, 'l', { base: 'IS NULL', place: 'e', value }));
  if (query.updatedAfter !== null) conditions.push(`e.updated_at > ${value(query.updatedAfter)}`);
  if (query.updatedBefore !== null) conditions.push(`e.updated_at < ${value(query.updatedBefore)}`);
  const readable = readableEntries(scope, 'e', value);
  if (readable !== null) conditions.push(readable);
  const row = {
    fields: FIELDS,
    columns: { _slug: 'l.slug', _id: 'e.id', _publishedAt: 'l.published_at' },
  };
  const filtered = filterSql(query.conditions, row, bind);
  return `${conditions.map((condition) => ` AND ${condition}`).join('')}${filtered}`;
}

/** Values of one facet. */
const FACET_VALUES = 100;

const facetColumns: Readonly<Record<Exclude<SystemFacet, 'workflowState'>, string>> = {
  contentType: 'content_type_id::text',
  site: 'site_id::text',
  locale: 'locale',
  status: 'status',
  assignee: 'assignee_id::text',
};

const GROUPED = `GROUP BY value ORDER BY count(*) DESC, value LIMIT ${String(FACET_VALUES)}`;

/** SQL of a JSON list of counts over `found`. */
export function facetSql(facet: SearchFacet, place: number): string {
  const listed = (counts: string): string =>
    `(SELECT coalesce(jsonb_agg(to_jsonb(c)), '[]') FROM (${counts}) AS c)`;
  if ('apiName' in facet) {
    const field = `facet_${String(place)}`;
    const values = facet.isList
      ? `FROM found, jsonb_array_elements_text(CASE jsonb_typeof(${field}) WHEN 'array' THEN ${field} ELSE '[]' END) AS value`
      : `FROM found CROSS JOIN LATERAL (SELECT ${field} #>> '{}' AS value) AS v`;
    return listed(`SELECT value, count(*)::int AS count ${values} WHERE value IS NOT NULL ${GROUPED}`);
  }
  if (facet.name === 'workflowState')
    return listed(`SELECT coalesce(workflow_state, '') AS value, content_type_id AS "contentTypeId", site_id AS "siteId",
      count(*)::int AS count FROM found GROUP BY 1, 2, 3`);
  const column = facetColumns[facet.name];
  return listed(
    `SELECT ${column} AS value, count(*)::int AS count FROM found WHERE ${column} IS NOT NULL ${GROUPED}`,
  );
}

/** SQL of the values that facets of fields count, as columns. */
export const facetColumnsSql = (facets: readonly SearchFacet[], bind: Bind): string =>
  facets
    .map((facet, place) =>
      'apiName' in facet ? `, ${FIELDS} -> ${bind(facet.apiName)}::text AS facet_${String(place)}` : '',
    )
    .join('');
