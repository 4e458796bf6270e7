import type { AuditAction } from '../../../../contracts/change-names.js';
import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import { nodeColumns, readJoin, readNodeColumns, type PlacedNode, type StoredNode } from './stored-node.js';

export interface NodeRecord {
  readonly action: AuditAction;
  readonly node: StoredNode;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  /** Whether it was changed along with what the call names. */
  readonly isAlong?: boolean;
}

interface Branch {
  readonly ancestorIds: readonly string[];
  /** Levels below; 0 for a leaf. */
  readonly height: number;
}

const insertErrors = { tree_nodes_entry_key: () => new AppError('entry_in_tree', { path: ['entryId'] }) };

/** Writes require the tree's lock. */
export class TreeNodeRepository extends Repository {
  /**
   * @param named the body's path to the id, for error details
   * @throws AppError 404 `tree_node_not_found`
   */
  async find(id: string, ...named: readonly string[]): Promise<StoredNode> {
    const [node] = isUuid(id)
      ? await this.query<StoredNode>(
          `SELECT ${nodeColumns} FROM tree_nodes n WHERE n.environment_id = $1 AND n.id = $2`,
          [this.environmentId, id],
        )
      : [];
    if (node === undefined)
      throw new AppError('tree_node_not_found', named.length > 0 ? { path: named } : undefined);
    return node;
  }

  /** Entry data is in the entry's default locale. */
  async read(id: string): Promise<PlacedNode> {
    const [node] = await this.query<PlacedNode>(
      `SELECT ${readNodeColumns},
         (SELECT count(*)::int FROM tree_nodes b WHERE b.environment_id = n.environment_id AND b.siblings = n.siblings
           AND b.rank < n.rank) AS position,
         (WITH RECURSIVE above AS (
            SELECT n.parent_id AS id, 0 AS depth
            UNION ALL
            SELECT p.parent_id, a.depth + 1 FROM above a JOIN tree_nodes p ON p.environment_id = n.environment_id AND p.id = a.id)
          SELECT max(depth) FROM above) AS depth
       FROM tree_nodes n ${readJoin('NULL')} WHERE n.environment_id = $1 AND n.id = $2`,
      [this.environmentId, id],
    );
    if (node === undefined) throw new AppError('tree_node_not_found');
    return node;
  }

  async insert(node: StoredNode, rank: string): Promise<void> {
    const written = this.query(
      `INSERT INTO tree_nodes (tenant_id, environment_id, id, site_id, parent_id, entry_id, type, name, slug, url,
         hide_in_menu, version, created_at, updated_at, rank)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [this.tenantId, this.environmentId, node.id, node.siteId, node.parentId, ...columnsOf(node), rank],
    );
    await this.mapViolations(written, insertErrors);
  }

  async save(node: StoredNode): Promise<void> {
    const { id, name, slug, url, hideInMenu, version, updatedAt } = node;
    await this.query(
      `UPDATE tree_nodes SET name = $3, slug = $4, url = $5, hide_in_menu = $6, version = $7, updated_at = $8
       WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, id, name, slug, url, hideInMenu, version, updatedAt],
    );
  }

  async move(node: StoredNode, rank: string): Promise<void> {
    await this.query(
      `UPDATE tree_nodes SET parent_id = $3, rank = $4, version = $5, updated_at = $6
       WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, node.id, node.parentId, rank, node.version, node.updatedAt],
    );
  }

  async branchOf(id: string): Promise<Branch> {
    const [branch] = await this.query<Branch>(
      `WITH RECURSIVE above AS (
           SELECT id, parent_id, 0 AS step FROM tree_nodes WHERE environment_id = $1 AND id = $2
           UNION ALL
           SELECT n.id, n.parent_id, a.step + 1 FROM above a JOIN tree_nodes n ON n.environment_id = $1 AND n.id = a.parent_id),
         below AS (
           SELECT $2::uuid AS id, 0 AS step
           UNION ALL
           SELECT n.id, b.step + 1 FROM below b JOIN tree_nodes n ON n.environment_id = $1 AND n.parent_id = b.id)
       SELECT (SELECT array_agg(id ORDER BY step) FROM above) AS "ancestorIds", (SELECT max(step) FROM below) AS height`,
      [this.environmentId, id],
    );
    return branch ?? { ancestorIds: [], height: 0 };
  }

  /** Everything below the node. */
  async descendants(id: string): Promise<StoredNode[]> {
    return this.query(
      `WITH RECURSIVE below AS (
         SELECT n.* FROM tree_nodes n WHERE n.environment_id = $1 AND n.parent_id = $2
         UNION ALL
         SELECT n.* FROM below b JOIN tree_nodes n ON n.environment_id = $1 AND n.parent_id = b.id)
       SELECT ${nodeColumns} FROM below n`,
      [this.environmentId, id],
    );
  }

  async hasChildren(id: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM tree_nodes WHERE environment_id = $1 AND parent_id = $2 LIMIT 1',
      [this.environmentId, id],
    );
    return rows.length > 0;
  }

  /** For the global tree, which has no routes. */
  async hasFolder(parentId: string | null, slug: string, exceptId: string | null): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM tree_nodes WHERE environment_id = $1 AND site_id IS NULL AND parent_id IS NOT DISTINCT FROM $2::uuid
         AND slug = $3 AND id IS DISTINCT FROM $4::uuid LIMIT 1`,
      [this.environmentId, parentId, slug, exceptId],
    );
    return rows.length > 0;
  }

  /** No removed node may have remaining children. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.query('DELETE FROM tree_nodes WHERE environment_id = $1 AND id = ANY($2::uuid[])', [
      this.environmentId,
      ids,
    ]);
  }

  note({ node, ...change }: NodeRecord): void {
    const name = (change.after ?? change.before)?.name;
    this.record({
      ...change,
      target: { type: 'tree_node', id: node.id, name: typeof name === 'string' ? name : node.id },
      siteId: node.siteId,
    });
  }
}

const columnsOf = (node: StoredNode): unknown[] => [
  node.entryId,
  node.type,
  node.name,
  node.slug,
  node.url,
  node.hideInMenu,
  node.version,
  node.createdAt,
  node.updatedAt,
];
