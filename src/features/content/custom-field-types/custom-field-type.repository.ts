import type { AuditAction } from '../../../../contracts/change-names.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { CustomFieldType } from '../../../../contracts/content/custom-field-types/custom-field-type.js';
import { inTextOrder } from '../../../infrastructure/text-order.js';
import { containing, Repository, type PageQuery } from '../../../persistence/repositories/repository.js';
import { hasCustomType } from '../../shared/field-kind-sql.js';

export interface StoredCustomFieldType extends Omit<CustomFieldType, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface UsingField {
  readonly contentTypeId: string;
  readonly contentTypeApiName: string;
  readonly fieldApiName: string;
  readonly isList: boolean;
  readonly localized: boolean;
  readonly defaultValue: unknown;
}

const columns = `t.id, t.api_name AS "apiName", t.name, t.description, t.json_schema AS "jsonSchema",
  t.graphql_type_name AS "graphqlTypeName", t.default_value AS "defaultValue", t.editor, t.index_as AS "indexAs", t.version,
  (SELECT count(*)::int FROM fields f WHERE f.environment_id = t.environment_id AND ${hasCustomType('f.type')}
     AND f.settings ->> 'customFieldType' = t.api_name) AS "usageCount",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

const sortColumns: Readonly<Record<string, string>> = {
  createdAt: 't.created_at',
  updatedAt: 't.updated_at',
  name: inTextOrder('t.name'),
};

const asJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export class CustomFieldTypeRepository extends Repository {
  async list({ page, limit, orderBy, q }: PageQuery): Promise<Page<StoredCustomFieldType>> {
    const [key = 'updatedAt', direction] = orderBy.split(':');
    const order = direction === 'asc' ? 'ASC' : 'DESC';
    const filter = 't.environment_id = $1 AND ($2::text IS NULL OR normalize(t.name) ILIKE $2)';
    const bind = [this.environmentId, q === undefined ? null : containing(q)];
    const items = await this.query<StoredCustomFieldType>(
      `SELECT ${columns} FROM custom_field_types t WHERE ${filter}
       ORDER BY ${sortColumns[key] ?? 't.updated_at'} ${order}, t.id ${order} LIMIT $3 OFFSET $4`,
      [...bind, limit, (page - 1) * limit],
    );
    const [counted] = await this.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM custom_field_types t WHERE ${filter}`,
      bind,
    );
    return { items, total: counted?.total ?? 0 };
  }

  /** @throws AppError 404 `custom_field_type_not_found` */
  async find(apiName: string): Promise<StoredCustomFieldType> {
    const [found] = await this.query<StoredCustomFieldType>(
      `SELECT ${columns} FROM custom_field_types t WHERE t.environment_id = $1 AND t.api_name = $2`,
      [this.environmentId, apiName],
    );
    if (found === undefined) throw new AppError('custom_field_type_not_found');
    return found;
  }

  /** @throws AppError 409 `api_name_conflict` */
  async insert(type: StoredCustomFieldType): Promise<void> {
    const inserted = this.query(
      `INSERT INTO custom_field_types (tenant_id, environment_id, id, api_name, name, description, json_schema,
         graphql_type_name, default_value, editor, index_as, version, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
      [this.tenantId, this.environmentId, type.id, type.apiName, ...this.#changeable(type), type.createdAt],
    );
    await this.mapViolations(inserted, {
      custom_field_types_api_name_key: () => new AppError('api_name_conflict', { apiName: type.apiName }),
    });
    this.#note('custom_field_type.create', null, type);
  }

  async save(before: StoredCustomFieldType, after: StoredCustomFieldType): Promise<void> {
    await this.query(
      `UPDATE custom_field_types SET name = $3, description = $4, json_schema = $5, graphql_type_name = $6,
         default_value = $7, editor = $8, index_as = $9, version = $10, updated_at = $11
       WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, before.id, ...this.#changeable(after), after.updatedAt],
    );
    this.#note('custom_field_type.update', before, after);
  }

  async remove(type: StoredCustomFieldType): Promise<void> {
    await this.query('DELETE FROM custom_field_types WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      type.id,
    ]);
    this.#note('custom_field_type.delete', type, null);
  }

  /** The first fields of a custom type, by content type and position. */
  async usingFields(apiName: string, limit: number): Promise<UsingField[]> {
    return this.query<UsingField>(
      `SELECT f.content_type_id AS "contentTypeId", c.api_name AS "contentTypeApiName", f.api_name AS "fieldApiName",
         f.is_list AS "isList", f.localized, f.default_value AS "defaultValue"
       FROM fields f JOIN content_types c ON c.environment_id = f.environment_id AND c.id = f.content_type_id
       WHERE f.environment_id = $1 AND ${hasCustomType('f.type')} AND f.settings ->> 'customFieldType' = $2
       ORDER BY c.api_name COLLATE "C", f.position, f.id LIMIT $3`,
      [this.environmentId, apiName, limit],
    );
  }

  #changeable(type: StoredCustomFieldType): unknown[] {
    return [
      type.name,
      type.description,
      JSON.stringify(type.jsonSchema),
      type.graphqlTypeName,
      asJson(type.defaultValue),
      asJson(type.editor),
      type.indexAs,
      type.version,
    ];
  }

  #note(
    action: AuditAction,
    before: StoredCustomFieldType | null,
    after: StoredCustomFieldType | null,
  ): void {
    const { id, name } = (after ?? before)!;
    this.record({
      action,
      target: { type: 'custom_field_type', id, name },
      before: before && { ...before },
      after: after && { ...after },
    });
  }
}

/** A value of a field in a draft; `locale` is null where all locales share it. */
export interface StoredValue {
  readonly entryId: string;
  readonly locale: string | null;
  readonly value: unknown;
  readonly bytes: number;
}

/** Draft values of custom fields. */
export class StoredValueRepository extends Repository {
  /** Entries of a type that are not deleted, the last changed first. */
  async entryIds(contentTypeId: string, limit: number): Promise<string[]> {
    const entries = await this.query<{ id: string }>(
      `SELECT id FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL
       ORDER BY updated_at DESC, id DESC LIMIT $3`,
      [this.environmentId, contentTypeId, limit],
    );
    return entries.map(({ id }) => id);
  }

  /** Values that entries hold of a field. */
  async values({ fieldApiName, localized }: UsingField, entryIds: readonly string[]): Promise<StoredValue[]> {
    const held = localized
      ? `SELECT entry_id AS "entryId", locale, fields -> $3 AS value FROM entry_locales
         WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND fields ? $3`
      : `SELECT id AS "entryId", NULL::text AS locale, shared_fields -> $3 AS value FROM entries
         WHERE environment_id = $1 AND id = ANY($2::uuid[]) AND shared_fields ? $3`;
    return this.query<StoredValue>(
      `SELECT held.*, octet_length(held.value::text) AS bytes FROM (${held}) AS held ORDER BY "entryId", locale`,
      [this.environmentId, [...entryIds], fieldApiName],
    );
  }
}
