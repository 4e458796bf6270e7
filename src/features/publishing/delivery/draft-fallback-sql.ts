import { takesMarkup } from '../../shared/field-kind-sql.js';

/** Ids of the types that read locales in their own way, see `Catalog`. */
export interface LocaleTypes {
  /** Their entries have one document for every locale. */
  readonly typesForAll: readonly string[];
  /** Their localized fields without a value show that of a fallback. */
  readonly typesWithFallback: readonly string[];
}

/** Binds a value and returns its placeholder. */
type Bind = (value: unknown) => string;

/** SQL of the position of a locale in the chain that an entry is read along. */
export type PositionOf = (locale: string) => string;

/** `$2` is the chain. */
export const inChain: PositionOf = (locale) => `array_position($2::text[], ${locale})`;

/** `$5` has the positions by site. */
export const inSiteChain: PositionOf = (locale) => `($5::jsonb -> l.site_id::text ->> ${locale})::int`;

/**
 * The localized values of the draft `l` as its readers see them: what it says itself, else the first of its fallbacks
 * that says something. `$1` is the environment.
 */
export function shownFieldsSql(
  { typesWithFallback }: LocaleTypes,
  positionOf: PositionOf,
  bind: Bind,
): string {
  if (typesWithFallback.length === 0) return 'l.fields';
  return `CASE WHEN l.content_type_id = ANY(${bind(typesWithFallback)}::uuid[]) THEN l.fields || coalesce((
      SELECT jsonb_object_agg(v.key, v.value ORDER BY ${positionOf('o.locale')} DESC)
      FROM entry_locales o CROSS JOIN LATERAL jsonb_each(o.fields) AS v
        JOIN fields f ON f.environment_id = $1 AND f.content_type_id = l.content_type_id AND f.api_name = v.key AND f.localized
      WHERE o.environment_id = $1 AND o.entry_id = l.entry_id AND NOT o.is_deleted
        AND ${positionOf('o.locale')} >= ${positionOf('l.locale')} AND has_value(v.value, ${takesMarkup('f.type')})), '{}')
    ELSE l.fields END`;
}
