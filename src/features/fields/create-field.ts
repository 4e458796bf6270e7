import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Field } from '../../../contracts/resources/field.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import {
  assertDefinition,
  ContentTypeRepository,
  TitleRepository,
  fieldRow,
  presentField,
} from '../content-types/index.js';
import { placed } from './positions.js';

/** Adds a field at its position, by default last. */
export async function createField(
  work: UnitOfWork,
  input: InputOf<typeof fields.create>,
): Promise<{ data: Field }> {
  const { projectSlug: _project, contentTypeApiName, ...definition } = input;
  const types = work.use(ContentTypeRepository);
  const before = await types.find(contentTypeApiName, 'update');
  const { type, fields } = before;
  if (fields.length >= limits.fieldsPerContentType)
    throw new AppError('limit_reached', { limit: limits.fieldsPerContentType });
  if (fields.some(({ apiName }) => apiName === input.apiName))
    throw new AppError('api_name_conflict', { apiName: input.apiName });
  const frame = {
    ...type,
    contentTypeId: type.id,
    isTypeLocalized: type.isLocalized,
    now: work.now,
    newId: work.newId,
  };
  const field = fieldRow(frame, definition, fields.length);
  const order = placed(fields, field, input.position);
  const catalog = await work.use(CatalogRepository).current();
  assertDefinition(field, {
    siblings: order,
    types: catalog.contentTypes,
    customTypes: catalog.customFieldTypes,
    path: [],
  });
  const after = {
    ...before,
    type: { ...type, schemaVersion: type.schemaVersion + 1, updatedAt: work.now },
    fields: order,
  };
  await types.save(before, after);
  await work.use(TitleRepository).follow(before, after);
  types.note({ action: 'field.create', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName } });
  return { data: presentField(order.find(({ id }) => id === field.id) ?? field) };
}
