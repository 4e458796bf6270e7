import type { StateFilter } from './entry-filters.js';

interface StateSql {
  /** Test of the stored state for the base state. */
  readonly base: string;
  /** Alias of the row with type and site. */
  readonly place: string;
  readonly value: (given: unknown) => string;
}

/** SQL of a filter by states. */
export function stateCondition(
  { keys, based }: StateFilter,
  alias: string,
  { base, place, value }: StateSql,
): string {
  const stored = `${alias}.workflow_state`;
  const entered =
    keys.length === 1 ? `${stored} = ${value(keys[0])}` : `${stored} = ANY(${value(keys)}::text[])`;
  if (based !== 'all' && based.length === 0) return entered;
  const types = () => value(based === 'all' ? [] : based.map(({ contentTypeId }) => contentTypeId));
  const sites = () => value(based === 'all' ? [] : based.map(({ siteId }) => siteId));
  const isPlaced =
    based === 'all'
      ? ''
      : `AND (${place}.content_type_id, ${place}.site_id) IN (SELECT * FROM unnest(${types()}::uuid[], ${sites()}::uuid[]))`;
  return `(${entered} OR (${stored} ${base} ${isPlaced}))`;
}
