import type { ContentType } from '../../../contracts/resources/content-type.js';
import type { Field } from '../../../contracts/resources/field.js';
import type { FieldRow, WholeContentType } from './content-type.repository.js';

/** A field as management shows it. */
export function presentField(row: FieldRow): Field {
  const {
    tenantId: _t,
    environmentId: _e,
    contentTypeId: _c,
    createdAt: _at,
    updatedAt: _up,
    ...field
  } = row;
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
