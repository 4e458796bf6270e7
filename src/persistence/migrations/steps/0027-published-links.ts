import type { Migration } from './migration.js';

/** Finds published documents by the entries and assets that they name, in blocks and rich text too (rule entries/dependencies). */
export const publishedLinks: Migration = {
  name: '0027-published-links',
  up: `
    CREATE FUNCTION link_targets(fields jsonb, blocks jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(DISTINCT target #>> '{}'), '{}') FROM (VALUES (fields), (blocks)) AS v (part)
        CROSS JOIN LATERAL (
          SELECT jsonb_path_query(part, 'strict $.**._ref', silent => true)
          UNION ALL SELECT jsonb_path_query(part, 'strict $.**.entryId', silent => true)
          UNION ALL SELECT jsonb_path_query(part, 'strict $.**.assetId', silent => true)) AS found (target)
        WHERE jsonb_typeof(target) = 'string'
    $$;
    COMMENT ON FUNCTION link_targets IS
      'Ids in links and rich text, and some that only look like them; readers compare them with the kinds of the fields.';
    CREATE INDEX published_link_targets ON published_entries USING gin (link_targets(fields, blocks));
  `,
  down: 'DROP INDEX published_link_targets; DROP FUNCTION link_targets(jsonb, jsonb);',
};
