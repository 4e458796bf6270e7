import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { customFieldTypes } from '../../../../contracts/content/custom-field-types/custom-field-types.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  CustomFieldTypeRepository,
  type StoredCustomFieldType,
  type UsingField,
  StoredValueRepository,
  type StoredValue,
} from './custom-field-type.repository.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type {
  CustomFieldType,
  CustomFieldTypeWarning,
} from '../../../../contracts/content/custom-field-types/custom-field-type.js';
import type { Problem } from '../../../content/model/problem.js';
import {
  checkAgainstSchema,
  renewWork,
  type JsonSchema,
  checkJsonSchema,
} from '../../../content/json-schema/index.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import type { Catalog, CustomFieldTypeDefinition } from '../../../content/catalog.js';
import { checkExactValue } from '../../../content/exact-json/exact-json.js';
import { customTypeClash, shapeOfCustomType } from '../../../content/graphql-names.js';
import { typeNamesIn } from '../../../content/json-schema/shape.js';

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
function assertUsable(catalog: Catalog, type: CustomFieldTypeDefinition): void {
  const unusable = at('jsonSchema', checkJsonSchema(type.jsonSchema));
  if (unusable.length > 0) throw invalidInput(...unusable);
  const unfit = at('defaultValue', defaultProblems(type));
  if (unfit.length > 0) throw invalidInput(...unfit);
  const clash = customTypeClash(catalog, type);
  if (clash !== undefined) throw new AppError('graphql_type_name_conflict', clash);
}

/** Warns if the schema has no type that the GraphQL name could apply to. */
function derivationWarnings(type: CustomFieldTypeDefinition): CustomFieldTypeWarning[] {
  const { graphqlTypeName } = type;
  if (graphqlTypeName === null || typeNamesIn(shapeOfCustomType(type)).includes(graphqlTypeName)) return [];
  const message = `No GraphQL type ${graphqlTypeName} follows from the schema: that takes an object with named properties or an enumeration of names.`;
  return [{ code: 'graphql_type_not_derivable', message }];
}

function presentCustomFieldType(type: StoredCustomFieldType): CustomFieldType {
  const { createdAt, updatedAt } = type;
  return { ...type, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export interface WrittenCustomFieldType {
  data: CustomFieldType;
  meta?: { warnings: CustomFieldTypeWarning[] };
}

/** A written type with its warnings. */
function presentWritten(
  type: StoredCustomFieldType,
  warnings: CustomFieldTypeWarning[],
): WrittenCustomFieldType {
  const data = presentCustomFieldType(type);
  return warnings.length === 0 ? { data } : { data, meta: { warnings } };
}

/** Registers a custom field type. */
export async function createCustomFieldType(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.create>,
): Promise<WrittenCustomFieldType> {
  const catalog = await work.use(CatalogRepository).current();
  const { customFieldTypes } = catalog;
  if (customFieldTypes.has(input.apiName))
    throw new AppError('api_name_conflict', { apiName: input.apiName });
  if (customFieldTypes.size >= limits.customFieldTypesPerProject)
    throw new AppError('limit_reached', { limit: limits.customFieldTypesPerProject });
  const type: StoredCustomFieldType = {
    id: work.newId(),
    apiName: input.apiName,
    name: input.name,
    description: input.description ?? null,
    jsonSchema: input.jsonSchema,
    graphqlTypeName: input.graphqlTypeName ?? null,
    defaultValue: input.defaultValue ?? null,
    editor: input.editor ?? null,
    indexAs: input.indexAs ?? 'none',
    version: 1,
    usageCount: 0,
    createdAt: work.now,
    updatedAt: work.now,
  };
  assertUsable(catalog, type);
  await work.use(CustomFieldTypeRepository).insert(type);
  return presentWritten(type, derivationWarnings(type));
}

/** Fields listed in a 409. */
const namedFields = 100;

/** Deletes a custom field type that no field uses; else the 409 names the fields. */
export async function deleteCustomFieldType(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.delete>,
): Promise<{ data: Deleted }> {
  const types = work.use(CustomFieldTypeRepository);
  const type = await types.find(input.apiName);
  if (type.usageCount > 0) {
    const fields = await types.usingFields(type.apiName, namedFields);
    throw new AppError('custom_field_type_in_use', {
      usageCount: type.usageCount,
      usedBy: fields.map(({ contentTypeApiName, fieldApiName }) => ({ contentTypeApiName, fieldApiName })),
    });
  }
  await types.remove(type);
  return { data: { id: type.id, deleted: true } };
}

export async function getCustomFieldType(
  work: UnitOfWork,
  { apiName }: InputOf<typeof customFieldTypes.get>,
): Promise<{ data: CustomFieldType }> {
  return { data: presentCustomFieldType(await work.use(CustomFieldTypeRepository).find(apiName)) };
}

/** Lists the custom field types of the environment. */
export async function listCustomFieldTypes(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.list>,
): Promise<{ data: CustomFieldType[]; meta: PageMeta }> {
  const { items, total } = await work.use(CustomFieldTypeRepository).list(input);
  return listEnvelope({ items: items.map(presentCustomFieldType), total }, input);
}

/** Limits of one change: fields, entries and bytes of values to check, and warnings to report. */
const bounds = { fields: 100, entries: 1000, bytes: 16_777_216, warnings: 100 } as const;
/** Entries read at once into memory. */
const pageEntries = 25;

/** The first mismatch of a field's value or of each list item. */
function mismatchOf(value: unknown, isList: boolean, schema: JsonSchema): Problem | undefined {
  if (!isList) return checkAgainstSchema(value, schema)[0];
  for (const [index, item] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
    const [problem] = checkAgainstSchema(item, schema);
    if (problem !== undefined) return { ...problem, path: [index, ...problem.path] };
  }
  return undefined;
}

/** Checks stored values until a limit is reached. */
class Revalidation {
  readonly warnings: CustomFieldTypeWarning[] = [];
  isComplete = true;
  #entriesLeft: number = bounds.entries;
  #bytesLeft: number = bounds.bytes;
  #isStopped = false;

  constructor(
    private readonly values: StoredValueRepository,
    private readonly schema: JsonSchema,
  ) {}

  async field(field: UsingField): Promise<void> {
    this.#default(field);
    const ids = await this.values.entryIds(field.contentTypeId, this.#entriesLeft + 1);
    if (ids.length > this.#entriesLeft) this.isComplete = false;
    const seen = ids.slice(0, this.#entriesLeft);
    this.#entriesLeft -= seen.length;
    for (let start = 0; start < seen.length && !this.#isStopped; start += pageEntries) {
      const held = await this.values.values(field, seen.slice(start, start + pageEntries));
      for (const value of held) this.#value(field, value);
      if (this.#bytesLeft < 0 || this.warnings.length >= bounds.warnings) this.#stop();
    }
  }

  #stop(): void {
    this.#isStopped = true;
    this.isComplete = false;
  }

  #default({ defaultValue, isList, contentTypeApiName, fieldApiName }: UsingField): void {
    if (defaultValue === null || defaultValue === undefined) return;
    const problem = mismatchOf(defaultValue, isList, this.schema);
    if (problem === undefined) return;
    const { message, path } = problem;
    this.warnings.push({ code: 'default_invalid', message, contentTypeApiName, fieldApiName, path });
  }

  #value({ contentTypeApiName, fieldApiName, isList }: UsingField, held: StoredValue): void {
    this.#bytesLeft -= held.bytes;
    const problem = mismatchOf(held.value, isList, this.schema);
    if (problem === undefined) return;
    if (problem.code === 'schema_too_complex') this.#stop();
    else if (this.warnings.length < bounds.warnings) {
      const { message, path } = problem;
      const { entryId, locale } = held;
      const place = { entryId, contentTypeApiName, fieldApiName, locale, path };
      this.warnings.push({ code: 'value_invalid', message, ...place });
    }
  }
}

/**
 * Checks the draft values of a custom type against its new schema, the last changed entries first. Mismatches are
 * reported and kept; they cannot be published.
 */
async function revalidateValues(
  work: UnitOfWork,
  { apiName, jsonSchema }: StoredCustomFieldType,
): Promise<CustomFieldTypeWarning[]> {
  const fields = await work.use(CustomFieldTypeRepository).usingFields(apiName, bounds.fields + 1);
  const revalidation = new Revalidation(work.use(StoredValueRepository), jsonSchema);
  renewWork();
  for (const field of fields.slice(0, bounds.fields)) await revalidation.field(field);
  const { warnings, isComplete } = revalidation;
  if (isComplete && fields.length <= bounds.fields) return warnings;
  const message = `There is more than one change looks at: ${String(bounds.entries)} entries, the last changed first. Others are checked when they are written or published.`;
  return [...warnings, { code: 'revalidation_incomplete', message }];
}

/** Changes a custom field type and reports the values that do not match a new schema. */
export async function updateCustomFieldType(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.update>,
): Promise<WrittenCustomFieldType> {
  const { projectSlug: _project, apiName, ...change } = input;
  const changes = definedKeys(change);
  const types = work.use(CustomFieldTypeRepository);
  const before = await types.find(apiName);
  if (!hasChanges(before, changes)) return presentWritten(before, []);
  const after: StoredCustomFieldType = {
    ...before,
    ...changes,
    version: before.version + 1,
    updatedAt: work.now,
  };
  assertUsable(await work.use(CatalogRepository).current(), after);
  await types.save(before, after);
  const isSameSchema = isEqualJson(before.jsonSchema, after.jsonSchema);
  const refused = isSameSchema ? [] : await revalidateValues(work, after);
  return presentWritten(after, [...derivationWarnings(after), ...refused]);
}
