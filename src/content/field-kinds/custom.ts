import type { FieldDefinition } from '../model/field-definition.js';
import { checkAgainstSchema } from '../json-schema/index.js';
import { defineKind } from './define-kind.js';
import { checkJson } from './json.js';
import { problem, type Problem } from '../model/problem.js';

function checkCustom(value: unknown, { customType }: FieldDefinition): Problem[] {
  const problems = checkJson(value);
  if (problems.length > 0) return problems;
  if (customType === undefined)
    return problem('unknown_custom_field_type', 'The custom field type of the field does not exist.');
  return checkAgainstSchema(value, customType.jsonSchema);
}

/** A JSON value that fits the schema of the custom field type its settings name. */
export const custom = defineKind({ checkShape: checkCustom, canBecome: ['json'] });
