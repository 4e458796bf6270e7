import type { ContentType } from '../../../contracts/resources/content-type.js';
import type { Field } from '../../../contracts/resources/field.js';
import type { ContentTypeRow, FieldRow } from '../../persistence/models/content.js';

/** A content type with its fields and the number of its entries. */
export interface WholeContentType {
  readonly type: ContentTypeRow;
  /** In order of position. */
  readonly fields: readonly FieldRow[];
  readonly entryCount: number;
}

/** A field as management shows it. */
export function presentField(row: FieldRow): Field {
  const { tenantId: _t, environmentId: _e, contentTypeId: _c, createdAt: _at, updatedAt: _up, ...field } = row;
  return { ...field, defaultValue: field.defaultValue ?? null } as Field;
}

/** A content type as management shows it. */
export function presentContentType({ type, fields, entryCount }: WholeContentType): ContentType {
  const { tenantId: _t, environmentId: _e, typeName: _n, createdAt, updatedAt, ...own } = type;
  return {
    ...own,
    fields: fields.map(presentField),
    fieldCount: fields.length,
    entryCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
