/** A prepared statement. */
interface TreeStatement {
  readonly name: string;
  readonly text: string;
}

/** Where a tree starts: at the top, at a node, or at the node of a path. */
type TreeStart = 'top' | 'node' | 'path';

const columns = (
  node: string,
): string => `${node}.id, ${node}.parent_id, ${node}.entry_id, ${node}.type, ${node}.name, ${node}.slug,
  ${node}.url, ${node}.rank, r.path, r.served_path, r.served_rank`;
const route = (node: string): string =>
  `LEFT JOIN routes r ON r.environment_id = $1 AND r.node_id = ${node}.id AND r.locale = ($3::text[])[1]`;

/** A folder is shown where a page below it is served, or a link is in it. Paths compare by byte, and "0" follows "/". */
const isShown = (
  node: string,
): string => `CASE ${node}.type WHEN 'link' THEN true WHEN 'page' THEN r.served_path IS NOT NULL
  ELSE EXISTS (SELECT FROM routes x WHERE x.environment_id = $1 AND x.site_id = $2 AND x.locale = ($3::text[])[1]
      AND x.served_path >= r.path || '/' AND x.served_path < r.path || '0')
    OR EXISTS (SELECT FROM tree_nodes x WHERE x.environment_id = $1 AND x.siblings = ${node}.id AND x.type = 'link') END`;

const starts = (isPreview: boolean): Readonly<Record<TreeStart, string>> => ({
  top: 'n.siblings = $2 AND n.parent_id IS NULL AND $7::text IS NULL AND NOT ($5 AND n.hide_in_menu)',
  node: 'n.id = $7::uuid',
  path: `n.id = (SELECT at.node_id FROM routes at WHERE at.environment_id = $1 AND at.site_id = $2 AND at.node_id IS NOT NULL
    AND at.locale = ($3::text[])[1] AND (at.served_path = $7
      OR ${isPreview ? 'at.own_path = $7 OR (NOT at.is_own AND at.served_path IS NULL AND at.path = $7)' : '(at.own_path = $7 AND at.entry_id IS NULL)'})
    ORDER BY at.served_rank LIMIT 1)`,
});

/** The title of what is served. `$8`: title fields by content type. */
const document = `LEFT JOIN LATERAL (SELECT p.slug AS entry_slug, p.content_type_id, p.fields ->> ($8::jsonb ->> p.content_type_id::text) AS title
  FROM published_entries p WHERE p.environment_id = $1 AND p.entry_id = b.entry_id
    AND (p.locale = ($3::text[])[b.served_rank] OR p.all_locales)) AS d ON true`;
const isShadowed = `(b.served_rank > 1 AND EXISTS (SELECT FROM routes o WHERE o.environment_id = $1 AND o.site_id = $2
  AND o.locale = ($3::text[])[1] AND o.served_path = b.served_path AND (o.served_rank, o.entry_id) < (b.served_rank, b.entry_id)))`;

function statement(start: TreeStart, isPreview: boolean): TreeStatement {
  const shown = (node: string): string => (isPreview ? 'true' : isShown(node));
  const found = isPreview
    ? 'NULL AS path, NULL AS "entrySlug", NULL AS title, NULL AS "contentTypeId" FROM (SELECT * FROM branch LIMIT $6) AS b'
    : `CASE WHEN NOT ${isShadowed} THEN b.served_path END AS path, d.entry_slug AS "entrySlug", d.title,
        d.content_type_id AS "contentTypeId" FROM (SELECT * FROM branch LIMIT $6) AS b ${document}`;
  return {
    name: `site_tree_${start}${isPreview ? '_draft' : ''}`,
    text: `WITH RECURSIVE branch AS (
        SELECT ${columns('n')}, 1 AS level FROM tree_nodes n ${route('n')}
        WHERE n.environment_id = $1 AND n.site_id = $2 AND ${starts(isPreview)[start]} AND ${shown('n')}
        UNION ALL
        SELECT ${columns('c')}, b.level + 1 FROM branch b JOIN tree_nodes c ON c.environment_id = $1 AND c.siblings = b.id
          ${route('c')}
        WHERE b.level < $4 AND NOT ($5 AND c.hide_in_menu) AND ${shown('c')})
      SELECT b.id, b.parent_id AS "parentId", b.entry_id AS "entryId", b.type, b.name, b.slug, b.url, b.rank, ${found}`,
  };
}

/** `$1` environment, `$2` site, `$3` chain of locales, `$4` levels, `$5` menu, `$6` limit, `$7` start, `$8` titles. */
export const treeStatements = {
  live: { top: statement('top', false), node: statement('node', false), path: statement('path', false) },
  draft: { top: statement('top', true), node: statement('node', true), path: statement('path', true) },
} as const satisfies Record<string, Record<TreeStart, TreeStatement>>;

/** Which part of a site's tree to read. */
export interface TreeQuery {
  readonly siteId: string;
  /** A fallback chain, best first. */
  readonly locales: readonly string[];
  readonly start: { readonly at: TreeStart; readonly value: string | null };
  readonly levels: number;
  readonly isMenu: boolean;
  readonly limit: number;
  /** `apiName` of the title field by content type id. */
  readonly titles: Readonly<Record<string, string>>;
}

/** A node as stored; what concerns its entry is null in previews. */
export interface TreeRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly entryId: string | null;
  readonly type: 'page' | 'folder' | 'link';
  readonly name: string | null;
  readonly slug: string | null;
  readonly url: string | null;
  readonly rank: string;
  /** Stored path. */
  readonly path: string | null;
  readonly entrySlug: string | null;
  readonly title: string | null;
  readonly contentTypeId: string | null;
}

/** Reads a tree with one statement, in no order. */
export interface TreeSource {
  tree(query: TreeQuery, isPreview: boolean): Promise<TreeRow[]>;
}
