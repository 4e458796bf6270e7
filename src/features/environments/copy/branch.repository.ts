import { Repository } from '../../../persistence/repositories/repository.js';
import { schemaKinds } from './schema-kinds.js';

export class BranchRepository extends Repository {
  /** Makes the environment a branch of the base, whose changes are journaled from here on. */
  async open(baseId: string, copiesContent: boolean): Promise<void> {
    await this.query('SELECT open_branch($1, $2, $3, $4)', [
      this.tenantId,
      this.environmentId,
      baseId,
      copiesContent,
    ]);
  }

  /** What the base has in common with other environments, the copy has, too. */
  async copyBases(baseId: string, copiesContent: boolean): Promise<void> {
    await this.query(
      `INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, rename_number, status, number)
       SELECT b.tenant_id, least(o.id, $1), greatest(o.id, $1), b.kind, b.item_id, b.part, b.environment_id, b.row, b.rename_number,
         b.status, b.number
       FROM environment_bases b CROSS JOIN LATERAL (SELECT CASE b.low_id WHEN $2 THEN b.high_id ELSE b.low_id END AS id) AS o
       WHERE (b.low_id = $2 OR b.high_id = $2) AND o.id <> $1 AND ($3 OR b.kind = ANY ($4::text[]))`,
      [this.environmentId, baseId, copiesContent, [...schemaKinds]],
    );
  }

  /** Branches of an environment that is deleted remain comparable with each other and with its base. */
  async passOn(environmentId: string): Promise<void> {
    await this.query(
      `INSERT INTO former_vocabularies (tenant_id, project_id, environment_id, types, fields, renames)
       SELECT $1, $2, $3,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'apiName', api_name)), '[]') FROM content_types WHERE environment_id = $3),
         (SELECT coalesce(json_agg(json_build_object('id', id, 'contentTypeId', content_type_id, 'apiName', api_name, 'type', type,
            'isList', is_list)), '[]') FROM fields WHERE environment_id = $3),
         (SELECT coalesce(json_agg(json_build_object('number', number, 'kind', CASE WHEN field_id IS NULL THEN 'contentType' ELSE 'field' END,
            'contentTypeId', content_type_id, 'from', from_name, 'to', to_name) ORDER BY number), '[]')
          FROM renames WHERE environment_id = $3)
       WHERE EXISTS (SELECT FROM environment_branches WHERE $3 IN (environment_id, base_environment_id))`,
      [this.tenantId, this.projectId, environmentId],
    );
    await this.query('SELECT pass_on_branches($1)', [environmentId]);
  }
}
