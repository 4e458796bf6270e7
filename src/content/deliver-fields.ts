import { kindOf } from './field-kinds/index.js';
import { type FieldDefinition, valueIn, type FieldValues } from './model/field-definition.js';

/**
 * Values as delivered at `include=0` (rule delivery/entry): every field of the type in its order, null or `[]` where
 * it is not set.
 */
export function deliverFields(
  fields: readonly FieldDefinition[],
  values: FieldValues,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field.apiName, deliverField(field, valueIn(values, field.apiName))]),
  );
}

function deliverField(field: FieldDefinition, value: unknown): unknown {
  const { deliver } = kindOf(field);
  if (field.isList) return Array.isArray(value) ? value.map((item: unknown) => deliver(item, field)) : [];
  return value === null || value === undefined ? null : deliver(value, field);
}
