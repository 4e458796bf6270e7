import { conditionsOf } from '../../../contracts/content/fields/field-conditions.js';
import type { Field } from '../api/project-data.js';

/** The fields that a form shows beside these values, each marked as required if it is so now. */
export function shownFields(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): readonly Field[] {
  return fields.flatMap((field) => {
    if (field.hidden) return [];
    const { isVisible, isRequired } = conditionsOf(field, (name) => values[name]);
    if (!isVisible) return [];
    return isRequired === field.required ? [field] : [{ ...field, required: isRequired }];
  });
}
