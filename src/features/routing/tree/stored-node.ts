import type { EntryStatus } from '../../../../contracts/entries/entries/entry.js';
import type { TreeNode, TreeBranch } from '../../../../contracts/routing/tree/tree-node.js';
import type { Catalog } from '../../../content/catalog.js';
import { publicPath } from '../../../content/route-path.js';

export interface StoredNode {
  readonly id: string;
  /** Null in the global tree. */
  readonly siteId: string | null;
  readonly parentId: string | null;
  readonly entryId: string | null;
  readonly type: TreeNode['type'];
  readonly name: string | null;
  readonly slug: string | null;
  readonly url: string | null;
  readonly hideInMenu: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A node before and after a move. */
export interface MovedNode {
  readonly before: StoredNode;
  readonly after: StoredNode;
}

/** Adds data of its entry, children and routes. */
export interface ReadNode extends StoredNode {
  readonly entryTitle: string | null;
  readonly entrySlug: string | null;
  readonly entryStatus: EntryStatus | null;
  readonly childCount: number;
  /** By locale, without locale prefix. */
  readonly paths: Readonly<Record<string, string>>;
}

export interface PlacedNode extends ReadNode {
  readonly position: number;
  readonly depth: number;
}

export const nodeColumns = `n.id, n.site_id AS "siteId", n.parent_id AS "parentId", n.entry_id AS "entryId", n.type, n.name, n.slug,
  n.url, n.hide_in_menu AS "hideInMenu", n.version, n.created_at AS "createdAt", n.updated_at AS "updatedAt"`;

/** Columns of {@link ReadNode}; require {@link readJoin}. */
export const readNodeColumns = `${nodeColumns}, shown.title AS "entryTitle", shown.slug AS "entrySlug", shown.status AS "entryStatus",
  (SELECT count(*)::int FROM tree_nodes c WHERE c.environment_id = n.environment_id AND c.parent_id = n.id) AS "childCount",
  coalesce((SELECT jsonb_object_agg(r.locale, r.path) FROM routes r
    WHERE r.environment_id = n.environment_id AND r.node_id = n.id), '{}'::jsonb) AS paths`;

/**
 * Title locale: the requested one, else the site's default, else the first.
 * @param locale SQL expression
 */
export const readJoin = (locale: string): string => `LEFT JOIN LATERAL (
    SELECT d.title, d.slug, d.status FROM entry_locales d JOIN sites s ON s.tenant_id = d.tenant_id AND s.id = d.site_id
    WHERE d.environment_id = n.environment_id AND d.entry_id = n.entry_id
    ORDER BY d.is_deleted, d.locale IS NOT DISTINCT FROM ${locale} DESC, d.locale = s.default_locale DESC, d.created_at, d.locale
    LIMIT 1) shown ON true`;

export function presentNode(node: PlacedNode, catalog: Catalog): TreeNode {
  const { entryTitle, entrySlug, paths, createdAt, updatedAt, ...own } = node;
  const site = node.siteId === null ? undefined : catalog.site(node.siteId);
  const slug = node.entryId === null ? node.slug : entrySlug;
  return {
    ...own,
    name: node.name ?? entryTitle ?? slug ?? node.id,
    slug,
    path: Object.fromEntries(
      (site?.locales ?? [])
        .filter((locale) => locale in paths)
        .map((locale) => [locale, site === undefined ? '' : publicPath(site, locale, paths[locale] ?? '')]),
    ),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function nestNodes(nodes: readonly TreeNode[]): TreeBranch[] {
  const branches = new Map<string, TreeBranch>(nodes.map((node) => [node.id, { ...node, children: [] }]));
  const roots: TreeBranch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.parentId === null ? undefined : branches.get(branch.parentId);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}
