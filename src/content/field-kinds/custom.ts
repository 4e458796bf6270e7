import { checkAgainstSchema } from '../json-schema/index.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { problem, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';
import { checkJson } from './json.js';

function checkCustom(value: unknown, { customType }: FieldDefinition): Problem[] {
  const problems = checkJson(value);
  if (problems.length > 0) return problems;
  if (customType === undefined)
    return problem('unknown_custom_field_type', 'The custom field type of this field does not exist.');
  return checkAgainstSchema(value, customType.jsonSchema);
}

/** A JSON value that matches the schema of the custom field type in the settings. */
export const custom = defineKind({
  checkShape: checkCustom,
  // A custom type with a GraphQL name has its own type.
  graphqlType: 'JSON',
  valueClass: 'structure',
  customTypeName: ({ customFieldType: name }) => (typeof name === 'string' ? name : undefined),
});
