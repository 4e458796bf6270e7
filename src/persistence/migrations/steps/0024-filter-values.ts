import type { Migration } from './migration.js';

/** Longer strings equal nothing. */
const LONGEST_COMPARED = 1000;

/**
 * Exact values of published documents for filters: strings, numbers, booleans, links and lists of them. The index
 * starts with environment and type, so that other lists with the same values cost nothing. Its pending list is
 * short, because each look-up reads it.
 */
export const filterValues: Migration = {
  name: '0024-filter-values',
  up: `
    CREATE FUNCTION filter_values(environment_id uuid, content_type_id uuid, fields jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT jsonb_build_object(environment_id::text, jsonb_build_object(content_type_id::text, jsonb_object_agg(key, value)))
        FROM jsonb_each(fields) WHERE CASE jsonb_typeof(value)
          WHEN 'object' THEN value ? '_ref'
          WHEN 'string' THEN length(value #>> '{}') <= ${String(LONGEST_COMPARED)}
          ELSE value NOT IN ('null', '[]') END $$;
    ALTER TABLE published_entries ADD COLUMN filter_values jsonb
      GENERATED ALWAYS AS (filter_values(environment_id, content_type_id, fields)) STORED;
    CREATE INDEX published_by_value ON published_entries USING gin (filter_values jsonb_path_ops)
      WITH (gin_pending_list_limit = 256);
  `,
  down: `
    ALTER TABLE published_entries DROP COLUMN filter_values;
    DROP FUNCTION filter_values(uuid, uuid, jsonb);
  `,
};
