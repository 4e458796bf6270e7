import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { checkJsonSchema } from '../../../content/json-schema/index.js';
import { isReservedTypeName } from '../../../content/model/api-names.js';
import type { ContentTypeModel, SchemaChange, SchemaModel } from '../../../content/schema/index.js';
import { Turns } from '../../../infrastructure/turns.js';
import { assertDefinition, fieldRow } from '../../content-types/index.js';
import type { StoredSchema } from '../store/read-schema.js';

const noFrame = {
  tenantId: '',
  environmentId: '',
  contentTypeId: '',
  now: new Date(0),
  newId: () => '',
};

const byApiName = <T extends { apiName: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.apiName, item]));

/** Names of the fields of a type that the plan writes; all of a new type. */
function writtenFields(
  { apiName, fields }: ContentTypeModel,
  changes: readonly SchemaChange[],
): ReadonlySet<string> {
  const isNew = changes.some(
    ({ kind, action, name }) => kind === 'contentType' && action === 'create' && name === apiName,
  );
  if (isNew) return new Set(fields.map((field) => field.apiName));
  const written = changes.filter(
    ({ kind, contentType, action }) =>
      kind === 'field' && contentType === apiName && action !== 'delete' && action !== 'rename',
  );
  return new Set(written.map(({ name }) => name));
}

function assertJsonSchemas({ customFieldTypes = [] }: SchemaModel, changes: readonly SchemaChange[]): void {
  const written = changes.filter(({ kind, action }) => kind === 'customFieldType' && action !== 'delete');
  const names = new Set(written.map(({ name }) => name));
  for (const { apiName, jsonSchema } of customFieldTypes.filter((type) => names.has(type.apiName))) {
    const path = ['schema', 'customFieldTypes', apiName, 'jsonSchema'];
    const problems = checkJsonSchema(jsonSchema);
    if (problems.length > 0)
      throw invalidInput(...problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })));
  }
}

/** The fields of a type before the plan, by their names then. */
function storedFields({ model }: StoredSchema, typeName: string, changes: readonly SchemaChange[]) {
  const rename = changes.find(
    ({ kind, action, name }) => kind === 'contentType' && action === 'rename' && name === typeName,
  );
  const former = rename?.from ?? typeName;
  return byApiName(model.contentTypes.find(({ apiName }) => apiName === former)?.fields ?? []);
}

/**
 * Checks the definitions that the plan writes, so that a plan fails where its apply would.
 * @throws AppError 422 and 404 as the operations on content types and fields, with paths in the document
 */
export async function assertDefinitions(
  stored: StoredSchema,
  { model }: { readonly model: SchemaModel },
  changes: readonly SchemaChange[],
): Promise<void> {
  assertJsonSchemas(model, changes);
  const types = byApiName(model.contentTypes ?? []);
  const customTypes = byApiName(model.customFieldTypes ?? stored.model.customFieldTypes);
  const created = changes.filter(({ kind, action }) => kind === 'contentType' && action !== 'delete');
  const reserved = created.find(({ name }) => isReservedTypeName(name) && !stored.typeIds.has(name));
  if (reserved !== undefined) throw new AppError('reserved_api_name', { apiName: reserved.name });
  const turns = new Turns();
  for (const [typeName, type] of types) {
    const written = writtenFields(type, changes);
    if (written.size === 0) continue;
    const before = storedFields(stored, typeName, changes);
    const siblings = type.fields.map((field, position) =>
      fieldRow({ ...noFrame, isTypeLocalized: type.isLocalized }, { ...field }, position),
    );
    for (const field of siblings.filter(({ apiName }) => written.has(apiName))) {
      const old = before.get(field.apiName);
      const { contentTypes: known = [] } = (old?.settings ?? {}) as { contentTypes?: string[] };
      const path = ['schema', 'contentTypes', typeName, 'fields', field.apiName];
      assertDefinition(field, {
        siblings,
        types,
        known: old?.type === field.type ? known : [],
        customTypes,
        path,
      });
      await turns.pause();
    }
  }
}
