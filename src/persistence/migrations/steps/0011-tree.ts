import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Trees and their paths. Siblings have sparse ranks, so a move writes one row; positions are counted from ranks.
 * `routes` is a read model kept by the same transactions.
 */
export const tree: Migration = {
  name: '0011-tree',
  up: `
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
      siblings uuid NOT NULL GENERATED ALWAYS AS
        (coalesce(parent_id, site_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT tree_nodes_rank_key UNIQUE (environment_id, siblings, rank) DEFERRABLE INITIALLY IMMEDIATE,
      CONSTRAINT tree_nodes_shape CHECK (CASE type
        WHEN 'page' THEN entry_id IS NOT NULL AND slug IS NULL AND url IS NULL
        WHEN 'folder' THEN entry_id IS NULL AND slug IS NOT NULL AND name IS NOT NULL AND url IS NULL
        WHEN 'link' THEN entry_id IS NULL AND slug IS NULL AND name IS NOT NULL
        ELSE false END),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, parent_id) REFERENCES tree_nodes (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id)
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
      own_path text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN is_own THEN path END) STORED,
      CONSTRAINT routes_path_key UNIQUE (environment_id, site_id, locale, own_path) DEFERRABLE INITIALLY IMMEDIATE,
      CONSTRAINT routes_path_length CHECK (octet_length(path) <= 1960),
      FOREIGN KEY (environment_id, node_id) REFERENCES tree_nodes (environment_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX routes_node_key ON routes (environment_id, node_id, locale) WHERE node_id IS NOT NULL;
    CREATE INDEX routes_entry ON routes (environment_id, entry_id, locale) WHERE entry_id IS NOT NULL;
    CREATE INDEX routes_live ON routes (environment_id, site_id, locale, path) WHERE is_live;
    CREATE INDEX routes_listed ON routes (environment_id, site_id, locale, path) WHERE is_listed;
    COMMENT ON TABLE routes IS
      'Paths without the prefix of their locale. Folders have rows, too, so that no page can take their path. A home entry outside the tree has rows without a node.';
    COMMENT ON COLUMN routes.is_own IS
      'Whether the node has a segment in this locale. One that is borrowed from another locale carries the paths below it, claims nothing and is never served.';

    COMMENT ON COLUMN routes.is_listed IS 'Live, and not kept out of sitemaps by a field noindex.';

    -- Slugs are unique by type outside a site's tree and by path inside it.
    ALTER TABLE entry_locales ADD COLUMN in_tree boolean NOT NULL DEFAULT false;
    DROP INDEX entry_locales_slug_key;
    CREATE UNIQUE INDEX entry_locales_slug_key ON entry_locales (environment_id, site_id, content_type_id, locale, slug)
      WHERE NOT is_deleted AND NOT in_tree;

    -- Kept beside the document, so that a sitemap need not open documents.
    ALTER TABLE published_entries ADD COLUMN is_unlisted boolean NOT NULL
      GENERATED ALWAYS AS (coalesce(fields -> 'noindex' = 'true'::jsonb, false)) STORED;

    ${tenantWall('tree_nodes')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'tree_nodes, routes')}
    GRANT SELECT ON routes TO headwater_reader;
  `,
  down: `
    ALTER TABLE published_entries DROP COLUMN is_unlisted;
    DROP INDEX entry_locales_slug_key;
    ALTER TABLE entry_locales DROP COLUMN in_tree;
    CREATE UNIQUE INDEX entry_locales_slug_key ON entry_locales (environment_id, site_id, content_type_id, locale, slug)
      WHERE NOT is_deleted;
    DROP TABLE routes, tree_nodes;
  `,
};
