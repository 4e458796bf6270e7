import { AppError } from '../../../contracts/errors.js';
import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ContentType } from '../../../contracts/resources/content-type.js';
import { titleFieldOf } from '../../content/title-field.js';
import { isReservedTypeName, typeNameOf } from '../../content/model/api-names.js';
import { contentTypeClash } from '../../content/graphql-names.js';
import { authorize } from '../../access/authorize.js';
import { Turns } from '../../infrastructure/turns.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentContentType } from './content-type.presenter.js';
import { ContentTypeRepository, type ContentTypeRow, type FieldRow } from './content-type.repository.js';
import { assertPattern, assertWorkflow } from './content-type.policy.js';
import { assertDisplayField } from './display-field.js';
import { assertDefinition, fieldRow } from './field-definitions.js';

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
