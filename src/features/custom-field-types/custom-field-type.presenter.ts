import type {
  CustomFieldType,
  CustomFieldTypeWarning,
} from '../../../contracts/resources/custom-field-type.js';
import type { StoredCustomFieldType } from './custom-field-type.repository.js';

export function presentCustomFieldType(type: StoredCustomFieldType): CustomFieldType {
  const { createdAt, updatedAt } = type;
  return { ...type, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export interface WrittenCustomFieldType {
  data: CustomFieldType;
  meta?: { warnings: CustomFieldTypeWarning[] };
}

/** A written type with its warnings. */
export function presentWritten(
  type: StoredCustomFieldType,
  warnings: CustomFieldTypeWarning[],
): WrittenCustomFieldType {
  const data = presentCustomFieldType(type);
  return warnings.length === 0 ? { data } : { data, meta: { warnings } };
}
