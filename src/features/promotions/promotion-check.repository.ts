import { AppError } from '../../../contracts/errors.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { ItemKind } from './item-kinds.js';

const named: readonly [ItemKind, string, string][] = [
  ['contentType', 'content_types', ''],
  ['mediaFolder', 'media_folders', ''],
  ['media', 'media_assets', ''],
  ['entry', 'entries', ' AND deleted_at IS NULL'],
  ['treeNode', 'tree_nodes', ''],
];

const missingSql = named
  .map(
    ([
      kind,
      table,
      extra,
    ]) => `SELECT '${kind}' AS kind, id FROM ${table} WHERE environment_id = $2 AND id = ANY ($3::uuid[])${extra}
      AND id NOT IN (SELECT id FROM ${table} WHERE environment_id = $1 AND id = ANY ($3::uuid[])${extra})`,
  )
  .join(' UNION ALL ');

export class PromotionCheckRepository extends Repository {
  /** Of these ids, items that the source has and this environment lacks. */
  missing(sourceId: string, ids: readonly string[]): Promise<{ kind: ItemKind; id: string }[]> {
    return this.query(`${missingSql} ORDER BY 1, 2`, [this.environmentId, sourceId, ids]);
  }

  /** @throws AppError 409 `media_in_use` */
  async assertUnused(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const used = await this.query<{ id: string }>(
      'SELECT id FROM media_assets WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND is_used ORDER BY id',
      [this.environmentId, ids],
    );
    if (used.length > 0) throw new AppError('media_in_use', { assetIds: used.map(({ id }) => id) });
  }

  /** Sites of the project. */
  async siteIds(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT id FROM sites WHERE tenant_id = $1 AND project_id = $2',
      [this.tenantId, this.projectId],
    );
    return rows.map(({ id }) => id);
  }
}
