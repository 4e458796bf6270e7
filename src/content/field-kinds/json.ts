import type { FieldSettings } from '../../../contracts/content/fields/field-kinds.js';
import { checkExactValue } from '../exact-json/exact-json.js';
import { checkAgainstSchema, checkJsonSchema } from '../json-schema/index.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { under, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';

const schemaOf = (field: FieldDefinition) => (field.settings as FieldSettings<'json'>).jsonSchema;

/** Parts of a value that could not be stored exactly. */
export function checkJson(value: unknown): Problem[] {
  return checkExactValue(value).map((issue) => ({ ...issue, path: [...issue.path] }));
}

/** Any JSON value, or one that matches the schema in the settings. */
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
  graphqlType: 'JSON',
  accepts: ['structure'],
});
