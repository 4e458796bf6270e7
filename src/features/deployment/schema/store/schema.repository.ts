import type { AuditAction } from '../../../../../contracts/change-names.js';
import type { Workflow } from '../../../../../contracts/content/workflows/workflow.js';
import type { Scope } from '../../../../access/grants.js';
import type {
  ContentTypeModel,
  CustomFieldTypeModel,
  FieldModel,
  SchemaChange,
  SchemaModel,
} from '../../../../content/schema/schema-model.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { AppError } from '../../../../../contracts/errors.js';
import { isUuid } from '../../../../infrastructure/ids.js';

interface StoredType extends Omit<ContentTypeModel, 'fields'> {
  readonly id: string;
}

export interface StoredWorkflow extends Pick<
  Workflow,
  'slug' | 'name' | 'isDefault' | 'enforcement' | 'perLocale' | 'states' | 'transitions'
> {
  readonly contentTypeIds: readonly string[];
  readonly siteIds: readonly string[];
}

export interface StoredGrant {
  readonly id: string;
  readonly roleId: string;
  readonly resource: string;
  readonly action: string;
  readonly scope: Scope;
}

export interface StoredRole {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly isSystem: boolean;
  readonly memberCount: number;
}

/** What a schema document describes, with ids. One statement per table. */
export class SchemaRepository extends Repository {
  contentTypes(): Promise<StoredType[]> {
    return this.query<StoredType>(
      `SELECT id, api_name AS "apiName", name, description, display_field AS "displayField", is_page AS "isPage",
         is_block AS "isBlock", is_singleton AS "isSingleton", is_localized AS "isLocalized", field_fallback AS "fieldFallback",
         workflow_slug AS "workflowSlug", slug_pattern AS "slugPattern", preview_path AS "previewPath"
       FROM content_types WHERE environment_id = $1`,
      [this.environmentId],
    );
  }

  /** In order of position. */
  fields(): Promise<(FieldModel & { readonly id: string; readonly contentTypeId: string })[]> {
    return this.query<FieldModel & { id: string; contentTypeId: string }>(
      `SELECT id, content_type_id AS "contentTypeId", api_name AS "apiName", name, type, description, required, localized,
         "unique", is_list AS "isList", default_value AS "defaultValue", "group", hidden, deprecated, settings, validations
       FROM fields WHERE environment_id = $1 ORDER BY content_type_id, position, id`,
      [this.environmentId],
    );
  }

  customFieldTypes(): Promise<CustomFieldTypeModel[]> {
    return this.query<CustomFieldTypeModel>(
      `SELECT api_name AS "apiName", name, description, json_schema AS "jsonSchema", graphql_type_name AS "graphqlTypeName",
         default_value AS "defaultValue", editor, index_as AS "indexAs"
       FROM custom_field_types WHERE environment_id = $1`,
      [this.environmentId],
    );
  }

  workflows(): Promise<StoredWorkflow[]> {
    return this.query<StoredWorkflow>(
      `SELECT slug, name, is_default AS "isDefault", enforcement, per_locale AS "perLocale", states, transitions,
         content_type_ids AS "contentTypeIds", site_ids AS "siteIds"
       FROM workflows WHERE environment_id = $1`,
      [this.environmentId],
    );
  }

  sites(): Promise<{ id: string; slug: string }[]> {
    return this.query('SELECT id, slug FROM sites WHERE tenant_id = $1 AND project_id = $2', [
      this.tenantId,
      this.projectId,
    ]);
  }

  roles(): Promise<StoredRole[]> {
    return this.query<StoredRole>(
      `SELECT id, slug, name, description, is_system AS "isSystem",
         (SELECT count(*)::int FROM member_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id) AS "memberCount"
       FROM roles r WHERE tenant_id = $1 AND project_id = $2`,
      [this.tenantId, this.projectId],
    );
  }

  grants(): Promise<StoredGrant[]> {
    return this.query<StoredGrant>(
      `SELECT g.id, g.role_id AS "roleId", g.resource, g.action, g.scope
       FROM role_grants g JOIN roles r ON r.tenant_id = g.tenant_id AND r.id = g.role_id
       WHERE r.tenant_id = $1 AND r.project_id = $2`,
      [this.tenantId, this.projectId],
    );
  }
}

export interface SchemaApplyRecord {
  readonly id: string;
  /** The sections that the document had. */
  readonly before: SchemaModel;
  readonly after: SchemaModel;
  /** Steps that renamed. */
  readonly renames: readonly SchemaChange[];
  /** Versions with a rename number below it were written before the apply. */
  readonly mark: number;
}

/** The last apply of the environment. Writers hold the schema lock. */
export class SchemaApplyRepository extends Repository {
  /** @throws AppError 404 `schema_apply_not_found` */
  async find(id: string): Promise<SchemaApplyRecord> {
    const [found] = await this.query<SchemaApplyRecord>(
      'SELECT id, before, after, renames, rename_number::float8 AS mark FROM schema_applies WHERE environment_id = $1 AND id = $2',
      [this.environmentId, isUuid(id) ? id : null],
    );
    if (found === undefined) throw new AppError('schema_apply_not_found');
    return found;
  }

  /** A number between the versions before and those after this call. */
  async mark(): Promise<number> {
    const [row] = await this.query<{ mark: number }>("SELECT nextval('rename_number')::float8 AS mark");
    return row?.mark ?? 0;
  }

  /** Replaces the previous one. */
  async save(
    { id, before, after, renames, mark }: SchemaApplyRecord,
    steps: readonly SchemaChange[],
  ): Promise<void> {
    this.#note('schema.apply', id, steps);
    await this.query(
      `INSERT INTO schema_applies (tenant_id, environment_id, id, before, after, renames, rename_number)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (environment_id) DO UPDATE SET id = excluded.id, before = excluded.before, after = excluded.after,
         renames = excluded.renames, rename_number = excluded.rename_number`,
      [
        this.tenantId,
        this.environmentId,
        id,
        JSON.stringify(before),
        JSON.stringify(after),
        JSON.stringify(renames),
        mark,
      ],
    );
  }

  /** After its undo. */
  async remove({ id }: SchemaApplyRecord, steps: readonly SchemaChange[]): Promise<void> {
    this.#note('schema.undo', id, steps);
    await this.query('DELETE FROM schema_applies WHERE environment_id = $1', [this.environmentId]);
  }

  /** The changes themselves have records with this one as their cause. */
  #note(action: AuditAction, id: string, steps: readonly SchemaChange[]): void {
    const name = this.bound.scope.environmentSlug ?? '';
    const after = { steps: steps.map(({ changes: _changes, ...step }) => step) };
    this.record({ action, target: { type: 'schema', id, name }, before: null, after });
  }
}
