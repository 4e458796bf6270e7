import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type {
  CustomFieldTypeWarning,
  CustomFieldType,
} from '../../../../contracts/content/custom-field-types/custom-field-type.js';
import type { Catalog, CustomFieldTypeDefinition } from '../../../content/catalog.js';
import { checkExactValue } from '../../../content/exact-json/exact-json.js';
import type { Problem } from '../../../content/model/problem.js';
import { customTypeClash, shapeOfCustomType } from '../../../content/graphql-names.js';
import { checkAgainstSchema, checkJsonSchema, renewWork } from '../../../content/json-schema/index.js';
import { typeNamesIn } from '../../../content/json-schema/shape.js';
import type { StoredCustomFieldType } from './custom-field-type.repository.js';

const at = (key: string, problems: readonly Problem[]) =>
  problems.map((problem) => ({ ...problem, path: [key, ...problem.path] }));

function defaultProblems({ defaultValue, jsonSchema }: CustomFieldTypeDefinition): Problem[] {
  if (defaultValue === null || defaultValue === undefined) return [];
  const inexact = checkExactValue(defaultValue).map((issue) => ({ ...issue, path: [...issue.path] }));
  if (inexact.length > 0) return inexact;
  renewWork();
  return checkAgainstSchema(defaultValue, jsonSchema);
}

/**
 * Rejects an invalid schema, a default that does not match it, and GraphQL names that are taken.
 * @throws AppError 422 `validation_failed`, 409 `graphql_type_name_conflict`
 */
export function assertUsable(catalog: Catalog, type: CustomFieldTypeDefinition): void {
  const unusable = at('jsonSchema', checkJsonSchema(type.jsonSchema));
  if (unusable.length > 0) throw invalidInput(...unusable);
  const unfit = at('defaultValue', defaultProblems(type));
  if (unfit.length > 0) throw invalidInput(...unfit);
  const clash = customTypeClash(catalog, type);
  if (clash !== undefined) throw new AppError('graphql_type_name_conflict', clash);
}

/** Warns if the schema has no type that the GraphQL name could apply to. */
export function derivationWarnings(type: CustomFieldTypeDefinition): CustomFieldTypeWarning[] {
  const { graphqlTypeName } = type;
  if (graphqlTypeName === null || typeNamesIn(shapeOfCustomType(type)).includes(graphqlTypeName)) return [];
  const message = `No GraphQL type ${graphqlTypeName} follows from the schema: that takes an object with named properties or an enumeration of names.`;
  return [{ code: 'graphql_type_not_derivable', message }];
}

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
