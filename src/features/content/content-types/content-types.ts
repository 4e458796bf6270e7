import { invalidInput, AppError } from '../../../../contracts/errors.js';
import { canTitle, titleFieldOf } from '../../../content/slug-field.js';
import type { contentTypes } from '../../../../contracts/content/content-types/content-types.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { ContentType, DeleteCheck } from '../../../../contracts/content/content-types/content-type.js';
import { isReservedTypeName, typeNameOf } from '../../../content/model/api-names.js';
import { contentTypeClash } from '../../../content/graphql-names.js';
import { authorize } from '../../../access/authorize.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { presentContentType, assertPattern, assertWorkflow } from './content-type.policy.js';
import {
  ContentTypeRepository,
  type ContentTypeRow,
  type FieldRow,
  type WholeContentType,
  TitleRepository,
  SingletonRepository,
} from './content-type.repository.js';
import { assertDefinition, fieldRow } from './field-definitions.js';
import { Catalog } from '../../../content/catalog.js';
import { settleStates } from '../workflows/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { TypeLocalesRepository } from './type-locales.repository.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { DeleteReportRepository } from './delete-report.repository.js';

/**
 * Checks the field whose values title the entries of a type.
 * @throws AppError 422 `validation_failed` if it does not exist or its values cannot be titles
 */
function assertDisplayField(
  displayField: string | null | undefined,
  fields: readonly { apiName: string; type: string; isList?: boolean | undefined }[],
): void {
  if (displayField === undefined || displayField === null) return;
  const field = fields.find(({ apiName }) => apiName === displayField);
  const path = ['displayField'];
  if (field === undefined)
    throw invalidInput({ path, code: 'unknown_field', message: `Unknown field ${displayField}.` });
  if (!canTitle({ type: field.type, isList: field.isList ?? false })) {
    throw invalidInput({
      path,
      code: 'not_supported',
      message: `A field of type ${field.type} cannot be the display field.`,
    });
  }
}

type Input = InputOf<typeof contentTypes.create>;

function typeRow(work: UnitOfWork, input: Input, displayField: string | null): ContentTypeRow {
  const { tenantId, environmentId } = work.scope;
  return {
    tenantId: tenantId ?? '',
    environmentId: environmentId ?? '',
    id: work.newId(),
    apiName: input.apiName,
    typeName: typeNameOf(input.apiName),
    name: input.name,
    description: input.description ?? null,
    displayField,
    isPage: input.isPage ?? false,
    isBlock: input.isBlock ?? false,
    isSingleton: input.isSingleton ?? false,
    isLocalized: input.isLocalized ?? true,
    fieldFallback: input.fieldFallback ?? false,
    workflowSlug: input.workflowSlug ?? null,
    slugPattern: input.slugPattern ?? null,
    previewPath: input.previewPath ?? null,
    schemaVersion: 1,
    createdAt: work.now,
    updatedAt: work.now,
  };
}

function assertDistinct(fields: readonly FieldRow[]): void {
  const seen = new Set<string>();
  for (const { apiName } of fields) {
    if (seen.has(apiName)) throw new AppError('api_name_conflict', { apiName });
    seen.add(apiName);
  }
}

/** Creates a content type with its fields. */
export async function createContentType(work: UnitOfWork, input: Input): Promise<{ data: ContentType }> {
  // A grant limited to existing types creates no other.
  authorize(work, 'contentTypes.create', {});
  if (isReservedTypeName(input.apiName)) throw new AppError('reserved_api_name', { apiName: input.apiName });
  assertPattern(input.slugPattern);
  const definitions = input.fields;
  assertDisplayField(input.displayField, definitions);
  const titling = titleFieldOf({
    displayField: input.displayField ?? null,
    fields: definitions.map((field) => ({ ...field, isList: field.isList ?? false })),
  });
  const type = typeRow(work, input, titling);
  const frame = {
    ...type,
    contentTypeId: type.id,
    isTypeLocalized: type.isLocalized,
    now: work.now,
    newId: work.newId,
  };
  const fields = definitions.map((field, position) => fieldRow(frame, field, position));
  assertDistinct(fields);
  const catalog = await work.use(CatalogRepository).current();
  assertWorkflow(catalog, input.workflowSlug);
  const clash = contentTypeClash(catalog, type.apiName);
  if (clash !== undefined) throw new AppError('graphql_type_name_conflict', clash);
  const { customFieldTypes: customTypes } = catalog;
  const types = new Map<string, Pick<ContentTypeRow, 'isBlock'>>(catalog.contentTypes).set(
    type.apiName,
    type,
  );
  const turns = new Turns();
  for (const [index, field] of fields.entries()) {
    assertDefinition(field, { siblings: fields, types, customTypes, path: ['fields', index] });
    await turns.pause();
  }
  await work.use(ContentTypeRepository).insert(type, fields);
  work.emit({ type: 'content_type.created', data: { contentTypeApiName: type.apiName } });
  return { data: presentContentType({ type, fields, entryCount: 0 }) };
}

/**
 * Keeps entries of a type in existing states if another workflow applies to it.
 * @throws AppError 404 `workflow_not_found`, 409 `workflow_state_in_use`
 */
async function followWorkflow(
  work: UnitOfWork,
  before: WholeContentType,
  { type: { id, workflowSlug } }: WholeContentType,
): Promise<void> {
  if (workflowSlug === before.type.workflowSlug) return;
  const { data } = await work.use(CatalogRepository).current();
  /** The catalog may have been read after the type was saved. */
  const withWorkflow = (slug: string | null) =>
    data.contentTypes.map((known) => (known.id === id ? { ...known, workflowSlug: slug } : known));
  const catalog = new Catalog({ ...data, contentTypes: withWorkflow(before.type.workflowSlug) });
  assertWorkflow(catalog, workflowSlug);
  await settleStates(work, catalog, { contentTypes: withWorkflow(workflowSlug) });
}

/** Changes a content type; its fields have separate operations. */
export async function updateContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.update>,
): Promise<{ data: ContentType }> {
  const { projectSlug: _project, apiName, ...change } = input;
  const changes = definedKeys(change);
  assertPattern(changes.slugPattern);
  const types = work.use(ContentTypeRepository);
  const before = await types.find(apiName, 'update');
  assertDisplayField(changes.displayField, before.fields);
  if (!hasChanges(before.type, changes)) return { data: presentContentType(before) };
  const becomesSingleton = changes.isSingleton === true && !before.type.isSingleton;
  if (becomesSingleton && (await work.use(SingletonRepository).isRepeated(before.type.id))) {
    throw new AppError(
      'content_type_in_use',
      { contentTypeApiName: apiName },
      'A site has several entries of this type.',
    );
  }
  const type = {
    ...before.type,
    ...changes,
    schemaVersion: before.type.schemaVersion + 1,
    updatedAt: work.now,
  };
  const after = { ...before, type };
  const locales = work.use(TypeLocalesRepository);
  await locales.prepare(before.type, type);
  await types.save(before, after);
  await followWorkflow(work, before, after);
  await work.use(TitleRepository).follow(before, after);
  await locales.follow(before, after);
  types.note({ action: 'content_type.update', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName: apiName } });
  return { data: presentContentType(after) };
}

/** Deletes a content type that nothing stands against; else the 409 carries the whole report. */
export async function deleteContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.delete>,
): Promise<{ data: Deleted }> {
  const types = work.use(ContentTypeRepository);
  const whole = await types.find(input.apiName, 'delete');
  const report = await work.use(DeleteReportRepository).of(whole.type.id, whole.type.apiName);
  if (!report.canDelete) throw new AppError('content_type_in_use', report);
  await types.remove(whole);
  work.emit({ type: 'content_type.deleted', data: { contentTypeApiName: input.apiName } });
  return { data: { id: whole.type.id, deleted: true } };
}

/** Reports what stands against deleting a content type. */
export async function checkContentTypeDelete(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.checkDelete>,
): Promise<{ data: DeleteCheck }> {
  const { type } = await work.use(ContentTypeRepository).find(input.apiName);
  return { data: await work.use(DeleteReportRepository).of(type.id, type.apiName) };
}

/** Reads one content type. */
export async function getContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.get>,
): Promise<{ data: ContentType }> {
  return { data: presentContentType(await work.use(ContentTypeRepository).find(input.apiName)) };
}

/** Lists the content types of the environment. */
export async function listContentTypes(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.list>,
): Promise<{ data: ContentType[]; meta: PageMeta }> {
  const { items, total } = await work.use(ContentTypeRepository).list(input);
  return listEnvelope({ items: items.map(presentContentType), total }, input);
}
