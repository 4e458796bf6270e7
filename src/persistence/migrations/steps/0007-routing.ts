import { grant, tenantWall, type Migration } from './migration.js';

/**
 * The trees of sites, the routes of their pages, those that a locale shows by fallback included (rule delivery/paths),
 * and redirects. Delivery reads trees and redirects as the reader role.
 */
export const routing: Migration = {
  name: '0007-routing',
  up: `
    CREATE TABLE redirects (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      site_id uuid NOT NULL,
      source text COLLATE "C" NOT NULL,
      target text COLLATE "C",
      status integer NOT NULL CHECK (status = ANY (ARRAY[301, 302, 307, 308, 410])),
      match_type text NOT NULL CHECK (match_type IN ('exact', 'prefix', 'regex')),
      locale text,
      is_active boolean NOT NULL,
      origin text NOT NULL CHECK (origin IN ('manual', 'import', 'auto')),
      note text,
      hit_count integer NOT NULL DEFAULT 0,
      last_hit_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      query_match text NOT NULL DEFAULT 'ignore' CHECK (query_match IN ('ignore', 'exact', 'pass')),
      PRIMARY KEY (environment_id, id),
      CONSTRAINT redirects_source_key UNIQUE NULLS NOT DISTINCT (environment_id, source, site_id, locale),
      CONSTRAINT redirects_target_check CHECK ((target IS NULL) = (status = 410)),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX redirects_created ON redirects (environment_id, created_at DESC, id DESC);
    CREATE INDEX redirects_patterns ON redirects (environment_id, site_id, created_at, id) WHERE match_type = 'regex';
    CREATE INDEX redirects_target ON redirects (environment_id, target, site_id);
    CREATE INDEX redirects_updated ON redirects (environment_id, updated_at DESC, id DESC);

    CREATE TABLE tree_nodes (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      site_id uuid,
      parent_id uuid,
      entry_id uuid,
      type text NOT NULL,
      name text,
      slug text,
      url text,
      rank bigint NOT NULL,
      hide_in_menu boolean NOT NULL DEFAULT false,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      siblings uuid NOT NULL GENERATED ALWAYS AS (COALESCE(parent_id, site_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT tree_nodes_rank_key UNIQUE (environment_id, siblings, rank) DEFERRABLE,
      CONSTRAINT tree_nodes_shape CHECK (
CASE type
    WHEN 'page' THEN ((entry_id IS NOT NULL) AND (slug IS NULL) AND (url IS NULL))
    WHEN 'folder' THEN ((entry_id IS NULL) AND (slug IS NOT NULL) AND (name IS NOT NULL) AND (url IS NULL))
    WHEN 'link' THEN ((entry_id IS NULL) AND (slug IS NULL) AND (name IS NOT NULL))
    ELSE false
END),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) DEFERRABLE,
      FOREIGN KEY (environment_id, parent_id) REFERENCES tree_nodes (environment_id, id) DEFERRABLE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX tree_nodes_entry_key ON tree_nodes (environment_id, entry_id) WHERE entry_id IS NOT NULL;
    CREATE INDEX tree_nodes_parent ON tree_nodes (environment_id, parent_id) WHERE parent_id IS NOT NULL;
    CREATE INDEX tree_nodes_site ON tree_nodes (tenant_id, site_id);
    COMMENT ON COLUMN tree_nodes.siblings IS 'What a node shares with its siblings: its parent, else its site, else the global tree.';

    CREATE TABLE routes (
      environment_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      path text COLLATE "C" NOT NULL,
      node_id uuid,
      entry_id uuid,
      is_own boolean NOT NULL,
      is_live boolean NOT NULL,
      is_listed boolean NOT NULL,
      own_path text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN is_own THEN path
    ELSE NULL::text
END) STORED,
      fallback_path text COLLATE "C",
      fallback_rank smallint,
      served_path text COLLATE "C" GENERATED ALWAYS AS (
CASE
    WHEN is_live THEN path
    ELSE fallback_path
END) STORED,
      served_rank smallint GENERATED ALWAYS AS (
CASE
    WHEN is_live THEN 1
    ELSE (fallback_rank)::integer
END) STORED,
      CONSTRAINT routes_path_key UNIQUE (environment_id, site_id, locale, own_path) DEFERRABLE,
      CONSTRAINT routes_fallback_length CHECK (octet_length(fallback_path) <= 1960),
      CONSTRAINT routes_path_length CHECK (octet_length(path) <= 1960),
      FOREIGN KEY (environment_id, node_id) REFERENCES tree_nodes (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX routes_entry ON routes (environment_id, entry_id, locale) WHERE entry_id IS NOT NULL;
    CREATE INDEX routes_listed ON routes (environment_id, site_id, locale, path) WHERE is_listed;
    CREATE UNIQUE INDEX routes_node_key ON routes (environment_id, node_id, locale) WHERE node_id IS NOT NULL;
    CREATE INDEX routes_served ON routes (environment_id, site_id, locale, served_path) WHERE served_path IS NOT NULL;
    COMMENT ON TABLE routes IS 'Paths without the prefix of their locale. Folders have rows, too, so that no page can take their path. A home entry outside the tree has rows without a node.';
    COMMENT ON COLUMN routes.is_own IS 'Whether the node has a segment in this locale. One that is borrowed from another locale carries the paths below it, claims nothing and is never served.';
    COMMENT ON COLUMN routes.is_listed IS 'Live, and not kept out of sitemaps by a field noindex.';
    COMMENT ON COLUMN routes.fallback_path IS 'Path of a page that this locale shows by fallback: the path of its parent and the slug of the fallback.';
    COMMENT ON COLUMN routes.fallback_rank IS 'Position in the fallback chain of the locale shown, from 2.';

    CREATE FUNCTION count_redirect_hits(gathered jsonb) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
      WITH hit AS MATERIALIZED (
        SELECT r.environment_id, r.id, h.count, h.at
        FROM jsonb_to_recordset(gathered) AS h ("environmentId" uuid, id uuid, count integer, at timestamptz)
          JOIN redirects r ON r.environment_id = h."environmentId" AND r.id = h.id
        ORDER BY r.environment_id, r.id FOR NO KEY UPDATE OF r)
      UPDATE redirects r SET hit_count = least(r.hit_count::bigint + hit.count, 2147483647), last_hit_at = greatest(r.last_hit_at, hit.at)
      FROM hit WHERE r.environment_id = hit.environment_id AND r.id = hit.id
    $$;

    CREATE POLICY delivered ON redirects FOR SELECT TO headwater_reader
      USING (is_active);
    CREATE POLICY hits_counted ON redirects FOR ALL TO CURRENT_USER
      USING (is_platform_work())
      WITH CHECK (is_platform_work());
    ${tenantWall('redirects')}
    CREATE POLICY delivered ON tree_nodes FOR SELECT TO headwater_reader
      USING (site_id IS NOT NULL);
    ${tenantWall('tree_nodes')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'redirects, tree_nodes, routes')}
    GRANT SELECT ON routes TO headwater_reader;
    GRANT SELECT (environment_id, id, site_id, source, target, status, match_type, locale, is_active, created_at, query_match) ON redirects TO headwater_reader;
    GRANT SELECT (environment_id, id, site_id, parent_id, entry_id, type, name, slug, url, rank, hide_in_menu, siblings) ON tree_nodes TO headwater_reader;
    REVOKE ALL ON FUNCTION count_redirect_hits(jsonb) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION count_redirect_hits(jsonb) TO headwater_service;
  `,
  down: `
    DROP FUNCTION count_redirect_hits CASCADE;
    DROP TABLE routes, tree_nodes, redirects CASCADE;
  `,
};
