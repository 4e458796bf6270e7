import type { FieldDefinition } from './catalog.js';
import { fieldKindRules, type FieldKindRules } from './field-kinds/index.js';
import { valueIn, type FieldValues } from './model/field-values.js';

/**
 * Values as delivery shows them at `include=0` (specification 2.1): every field of the type in its
 * order, null for one that is not set, `[]` for a list that is not.
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
  const { deliver }: FieldKindRules = fieldKindRules[field.type];
  if (field.isList) return Array.isArray(value) ? value.map((item: unknown) => deliver(item, field)) : [];
  return value === null || value === undefined ? null : deliver(value, field);
}
