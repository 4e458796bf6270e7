import { kindOf } from './field-kinds/index.js';
import type { FieldDefinition } from './model/field-definition.js';

interface SluggedType {
  readonly fields: readonly FieldDefinition[];
}

const givesSlug = (field: FieldDefinition): boolean => kindOf(field).givesSlug;

/** `apiName` of the field whose value is the entry's slug. */
export const slugFieldOf = ({ fields }: SluggedType): string | undefined =>
  fields.find((field) => givesSlug(field) && !field.isList)?.apiName;

/** `apiName` of the field that a slug is made from, as the slug field's settings name it. */
export function slugSourceOf({ fields }: SluggedType): string | undefined {
  const settings = fields.find(givesSlug)?.settings as { sourceField?: string } | undefined;
  return settings?.sourceField;
}
