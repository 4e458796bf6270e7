import type pg from 'pg';
import { seededIdSql, type BulkPlace } from './bulk-entries.js';

/** Tree nodes of seeded entries. SQL expressions may use `n`, which starts at 1. */
export interface BulkTree {
  readonly entryIdPrefix: string;
  readonly nodeIdPrefix: string;
  readonly locale: string;
  readonly count: number;
  /** SQL of the parent's number, smaller than `n`; null for a root. */
  readonly parent: string;
  /** Levels below the roots. */
  readonly depth: number;
}

const nodes = ({ nodeIdPrefix, entryIdPrefix, count, parent }: BulkTree): string => `
  INSERT INTO tree_nodes (tenant_id, environment_id, id, site_id, parent_id, entry_id, type, rank, created_at, updated_at)
  SELECT $2, $1, ${seededIdSql(nodeIdPrefix, 'n')}, $3, CASE WHEN parent IS NOT NULL THEN ${seededIdSql(nodeIdPrefix, 'parent')} END,
    ${seededIdSql(entryIdPrefix, 'n')}, 'page', n * 4294967296, now(), now()
  FROM generate_series(1, ${String(count)}) AS n CROSS JOIN LATERAL (SELECT (${parent})::int AS parent) AS above ORDER BY n`;

/** Paths of one level; those of the level above must exist. */
const routes = (level: number, { locale }: BulkTree): string => `
  INSERT INTO routes (environment_id, site_id, locale, path, node_id, entry_id, is_own, is_live, is_listed)
  SELECT $1, $3, '${locale}', coalesce(up.path, '') || '/' || l.slug, n.id, n.entry_id, true, l.published_at IS NOT NULL, l.published_at IS NOT NULL
  FROM tree_nodes n
    JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = n.entry_id AND l.locale = '${locale}'
    LEFT JOIN routes up ON up.environment_id = $1 AND up.node_id = n.parent_id AND up.locale = '${locale}'
  WHERE n.tenant_id = $2 AND n.environment_id = $1 AND n.site_id = $3
    AND ${level === 0 ? 'n.parent_id IS NULL' : 'up.path IS NOT NULL'}
    AND NOT EXISTS (SELECT FROM routes r WHERE r.environment_id = $1 AND r.node_id = n.id)`;

/** Adds tree nodes for seeded entries of a site with one locale; run ANALYZE afterwards. */
export async function seedTree(client: pg.Client, place: BulkPlace, tree: BulkTree): Promise<void> {
  const bind = [place.environmentId, place.tenantId, place.siteId];
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [place.tenantId]);
  await client.query(nodes(tree), bind);
  await client.query(
    'UPDATE entry_locales l SET in_tree = true FROM tree_nodes n WHERE n.environment_id = $1 AND n.site_id = $3 AND n.tenant_id = $2 AND l.environment_id = $1 AND l.entry_id = n.entry_id AND NOT l.in_tree',
    bind,
  );
  // Without statistics the planner would look up nodes one by one.
  await client.query('ANALYZE tree_nodes, entry_locales');
  for (let level = 0; level <= tree.depth; level += 1) {
    await client.query(routes(level, tree), bind);
    await client.query('ANALYZE routes');
  }
}
