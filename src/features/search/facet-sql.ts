import type { Bind } from '../shared/index.js';
import { FACET_VALUES, type SearchFacet, type SystemFacet } from './search-index.js';

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

/** SQL of the values in `fields` that facets of fields count, as columns. */
export const facetColumnsSql = (facets: readonly SearchFacet[], fields: string, bind: Bind): string =>
  facets
    .map((facet, place) =>
      'apiName' in facet ? `, ${fields} -> ${bind(facet.apiName)}::text AS facet_${String(place)}` : '',
    )
    .join('');
