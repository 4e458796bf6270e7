import type { FieldSettings } from '../../../contracts/resources/field-kinds.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { checkExactValue } from '../exact-json/exact-json.js';
import { checkAgainstSchema, checkJsonSchema } from '../json-schema/index.js';
import { defineKind } from './define-kind.js';
import { under, type Problem } from '../model/problem.js';

const schemaOf = (field: FieldDefinition) => (field.settings as FieldSettings<'json'>).jsonSchema;

/** What in a value could not be kept as it is. */
export function checkJson(value: unknown): Problem[] {
  return checkExactValue(value).map((issue) => ({ ...issue, path: [...issue.path] }));
}

/** Any JSON value, or one that fits the schema in the settings. */
export const json = defineKind({
  checkShape: (value, field) => {
    const problems = checkJson(value);
    const schema = schemaOf(field);
    return problems.length > 0 || schema === undefined ? problems : checkAgainstSchema(value, schema);
  },
  checkOptions: (field) => {
    const schema = schemaOf(field);
    return schema === undefined ? [] : under(checkJsonSchema(schema), 'settings', 'jsonSchema');
  },
});
