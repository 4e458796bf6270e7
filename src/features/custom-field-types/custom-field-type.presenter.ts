import type {
  CustomFieldType,
  CustomFieldTypeWarning,
} from '../../../contracts/resources/custom-field-type.js';
import type { StoredCustomFieldType } from './custom-field-type.repository.js';

/** A custom field type as management shows it. */
export function presentCustomFieldType(type: StoredCustomFieldType): CustomFieldType {
  const { createdAt, updatedAt } = type;
  return { ...type, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** What a write answers. */
export interface WrittenCustomFieldType {
  data: CustomFieldType;
  meta?: { warnings: CustomFieldTypeWarning[] };
}

/** A written type with its remarks, if there are any. */
export function presentWritten(
  type: StoredCustomFieldType,
  warnings: CustomFieldTypeWarning[],
): WrittenCustomFieldType {
  const data = presentCustomFieldType(type);
  return warnings.length === 0 ? { data } : { data, meta: { warnings } };
}
