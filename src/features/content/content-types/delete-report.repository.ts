import type { DeleteCheck } from '../../../../contracts/content/content-types/content-type.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { BlockValueRepository } from '../../environments/renames/index.js';
import { isLinkKind } from '../../shared/field-kind-sql.js';

interface Counts {
  readonly entryCount: number;
  readonly publishedEntryCount: number;
  readonly deletedEntryCount: number;
  readonly treeNodeCount: number;
}

/** Reports what prevents deleting a content type. */
export class DeleteReportRepository extends Repository {
  async of(contentTypeId: string, apiName: string): Promise<DeleteCheck> {
    const bind = [this.environmentId, contentTypeId];
    const [counts] = await this.query<Counts>(
      `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS "entryCount",
         count(*) FILTER (WHERE deleted_at IS NOT NULL)::int AS "deletedEntryCount",
         (SELECT count(DISTINCT entry_id)::int FROM published_entries WHERE environment_id = $1 AND content_type_id = $2) AS "publishedEntryCount",
         (SELECT count(*)::int FROM tree_nodes n JOIN entries e ON e.environment_id = n.environment_id AND e.id = n.entry_id
          WHERE n.environment_id = $1 AND e.content_type_id = $2) AS "treeNodeCount"
       FROM entries WHERE environment_id = $1 AND content_type_id = $2`,
      bind,
    );
    const samples = await this.query<{ id: string }>(
      'SELECT id FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL ORDER BY id LIMIT 10',
      bind,
    );
    const { entryCount, publishedEntryCount, deletedEntryCount, treeNodeCount } = counts ?? {
      entryCount: 0,
      publishedEntryCount: 0,
      deletedEntryCount: 0,
      treeNodeCount: 0,
    };
    const referencedBy = await this.#referencedBy(contentTypeId, apiName);
    const blockers: DeleteCheck['blockers'] = [];
    if (entryCount > 0) blockers.push('has_entries');
    const ownedBlockCount = await new BlockValueRepository(this.bound).count(contentTypeId);
    if (ownedBlockCount > 0) blockers.push('has_owned_blocks');
    if (referencedBy.some(({ count }) => count > 0)) blockers.push('is_referenced');
    const workflowCount = await this.#workflowsNaming(contentTypeId);
    if (workflowCount > 0) blockers.push('in_workflow');
    return {
      canDelete: blockers.length === 0,
      entryCount,
      publishedEntryCount,
      deletedEntryCount,
      ownedBlockCount,
      referencedBy,
      treeNodeCount,
      workflowCount,
      savedViewCount: await this.#naming('saved_views', 'contentTypeApiName', apiName),
      customReportCount: await this.#naming('custom_reports', 'contentTypeApiName', apiName),
      webhookCount: await this.#naming('webhooks', 'contentTypes', apiName),
      blockers,
      sampleEntryIds: samples.map(({ id }) => id),
    };
  }

  async #workflowsNaming(contentTypeId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM workflows WHERE environment_id = $1 AND $2 = ANY (content_type_ids)',
      [this.environmentId, contentTypeId],
    );
    return row?.count ?? 0;
  }

  /** Rows whose filters name the type. */
  async #naming(
    table: 'saved_views' | 'custom_reports' | 'webhooks',
    key: 'contentTypeApiName' | 'contentTypes',
    apiName: string,
  ): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1 AND project_id = $2 AND filters -> $3 ? $4`,
      [this.tenantId, this.projectId, key, apiName],
    );
    return row?.count ?? 0;
  }

  /** Fields that allow the type, texts only if they name it, each with the number of entries that link to the type's entries. */
  #referencedBy(contentTypeId: string, apiName: string): Promise<DeleteCheck['referencedBy']> {
    return this.query<DeleteCheck['referencedBy'][number]>(
      `SELECT t.api_name AS "contentTypeApiName", f.api_name AS "fieldApiName",
         (SELECT count(DISTINCT k.entry_id)::int FROM entry_links k
            JOIN entries source ON source.environment_id = k.environment_id AND source.id = k.entry_id AND source.deleted_at IS NULL
            JOIN entries target ON target.environment_id = k.environment_id AND target.id = k.target_id
              AND target.deleted_at IS NULL AND target.content_type_id = $2
          WHERE k.environment_id = f.environment_id AND k.field_id = f.id) AS count
       FROM fields f JOIN content_types t ON t.environment_id = f.environment_id AND t.id = f.content_type_id
       WHERE f.environment_id = $1 AND (
         (${isLinkKind('f.type')} AND (NOT f.settings ? 'contentTypes' OR f.settings -> 'contentTypes' ? $3))
         OR f.validations -> 'allowedEmbeds' ? $3 OR f.validations -> 'allowedLinks' ? $3)
       ORDER BY t.api_name COLLATE "C", f.api_name COLLATE "C"`,
      [this.environmentId, contentTypeId, apiName],
    );
  }
}
