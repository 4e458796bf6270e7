import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../content/validate-fields.js';

/** Fields whose value differs. */
export function changedNames(before: FieldValues, after: FieldValues): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isEqualJson(before[name], after[name]));
}
