import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { fields } from '../../../../contracts/content/fields/fields.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Field } from '../../../../contracts/content/fields/field.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { compareTexts } from '../../../infrastructure/text-order.js';
import { mapNamedFields } from '../../../content/field-conditions.js';
import { isReservedFieldName } from '../../../content/model/api-names.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { leaveApproval } from '../../entries/entries/index.js';
import { RenameRepository, StoredNamesRepository } from '../../environments/renames/index.js';
import {
  assertDefinition,
  ContentTypeRepository,
  TitleRepository,
  fieldRow,
  presentField,
  type FieldRow,
} from '../content-types/index.js';
import { FieldValueRepository, type FieldLocation } from './field-values.repository.js';

/**
 * Before the values of a field are removed or converted: drafts that have one change, as by an edit (rule workflows/changed-content).
 * @param inAllLocales whether values of one locale change the others, too
 */
export async function leaveApprovals(
  work: UnitOfWork,
  field: FieldLocation,
  inAllLocales = false,
): Promise<void> {
  const holders = await work.use(FieldValueRepository).holders(field, inAllLocales);
  if (holders.length === 0) return;
  const catalog = await work.use(CatalogRepository).current();
  await leaveApproval(
    work,
    catalog,
    holders.map(({ name, ...holder }) => ({ ...holder, names: [name] })),
  );
}

/** The fields with one of them at a new place, numbered from 0 without gaps. Unmoved fields stay the same objects. */
export function placed(
  others: readonly FieldRow[],
  field: FieldRow,
  position: number | undefined,
): FieldRow[] {
  const order = [...others].sort((a, b) => a.position - b.position);
  order.splice(Math.min(position ?? order.length, order.length), 0, field);
  return renumbered(order);
}

/** The fields numbered from 0 in their order. Fields that already have their number stay the same objects. */
function renumbered(fields: readonly FieldRow[]): FieldRow[] {
  return fields.map((field, index) => (field.position === index ? field : { ...field, position: index }));
}

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

/** No field may name the deleted one, as the source of its slug or in a condition. */
function withoutNamed(field: FieldRow, deleted: string): FieldRow {
  const keep = (name: string): string | undefined => (name === deleted ? undefined : name);
  return {
    ...field,
    settings: mapNamedFields(field.settings, keep),
    validations: mapNamedFields(field.validations, keep),
  };
}

/** Deletes a field and, with `force`, its values. */
export async function deleteField(
  work: UnitOfWork,
  input: InputOf<typeof fields.delete>,
): Promise<{ data: Deleted }> {
  const types = work.use(ContentTypeRepository);
  const values = work.use(FieldValueRepository);
  const before = await types.find(input.contentTypeApiName, 'update');
  const field = before.fields.find(({ apiName }) => apiName === input.fieldApiName);
  if (field === undefined) throw new AppError('field_not_found');
  const entryCount = await values.countHolders(field);
  if (entryCount > 0 && !input.force) throw new AppError('field_in_use', { entryCount });
  await leaveApprovals(work, field);
  await values.removeValues(field);
  const displayField = before.type.displayField === field.apiName ? null : before.type.displayField;
  const remaining = before.fields
    .filter(({ id }) => id !== field.id)
    .map((other) => withoutNamed(other, field.apiName));
  const after = {
    ...before,
    type: { ...before.type, displayField, schemaVersion: before.type.schemaVersion + 1, updatedAt: work.now },
    fields: renumbered(remaining),
  };
  await types.save(before, after);
  await work.use(TitleRepository).follow(before, after);
  types.note({ action: 'field.delete', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName: input.contentTypeApiName } });
  return { data: { id: field.id, deleted: true } };
}

export async function getField(
  work: UnitOfWork,
  { contentTypeApiName, fieldApiName }: InputOf<typeof fields.get>,
): Promise<{ data: Field }> {
  const type = await work.use(ContentTypeRepository).find(contentTypeApiName);
  const field = type.fields.find(({ apiName }) => apiName === fieldApiName);
  if (field === undefined) throw new AppError('field_not_found');
  return { data: presentField(field) };
}

type SortKey = 'position' | 'name' | 'createdAt' | 'updatedAt';

function compare(a: FieldRow, b: FieldRow, key: SortKey): number {
  const [left, right] = [a[key], b[key]];
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? compareTexts(left, right)
      : Number(left) - Number(right);
  return order || (a.id < b.id ? -1 : 1);
}

/** Lists the fields of a type, in order of position unless the caller sorts them. */
export async function listFields(
  work: UnitOfWork,
  input: InputOf<typeof fields.list>,
): Promise<{ data: Field[]; meta: PageMeta }> {
  const { fields } = await work.use(ContentTypeRepository).find(input.contentTypeApiName);
  const [key, direction] = input.orderBy.split(':') as [SortKey, string];
  const sorted = [...fields].sort((a, b) => (direction === 'asc' ? compare(a, b, key) : compare(b, a, key)));
  const start = (input.page - 1) * input.limit;
  return listEnvelope(
    { items: sorted.slice(start, start + input.limit).map(presentField), total: fields.length },
    input,
  );
}

/** The field under its new name, and every field whose settings name it. */
function renamed(field: FieldRow, { from, to, now }: { from: string; to: string; now: Date }): FieldRow {
  if (field.apiName === from) return { ...field, apiName: to, updatedAt: now };
  const rename = (name: string): string => (name === from ? to : name);
  return {
    ...field,
    settings: mapNamedFields(field.settings, rename),
    validations: mapNamedFields(field.validations, rename),
  };
}

/**
 * Gives a field another apiName. Its values follow in every draft and published document, and versions
 * are read under the new name.
 */
export async function renameField(
  work: UnitOfWork,
  { contentTypeApiName, fieldApiName: from, apiName: to }: InputOf<typeof fields.rename>,
): Promise<{ data: Field }> {
  const types = work.use(ContentTypeRepository);
  const before = await types.find(contentTypeApiName, 'update');
  const { type, fields } = before;
  const field = fields.find(({ apiName }) => apiName === from);
  if (field === undefined) throw new AppError('field_not_found');
  if (to === from) return { data: presentField(field) };
  if (isReservedFieldName(to)) throw new AppError('reserved_api_name', { apiName: to });
  if (fields.some(({ apiName }) => apiName === to)) throw new AppError('api_name_conflict', { apiName: to });
  const displayField = type.displayField === from ? to : type.displayField;
  const after = {
    ...before,
    type: { ...type, displayField, schemaVersion: type.schemaVersion + 1, updatedAt: work.now },
    fields: fields.map((known) => renamed(known, { from, to, now: work.now })),
  };
  await types.save(before, after);
  const rename = { id: field.id, contentTypeId: type.id, from, to };
  await work.use(RenameRepository).renameField(rename);
  await work.use(StoredNamesRepository).renameField(rename);
  types.note({ action: 'field.rename', before, after });
  work.emit({
    type: 'content_type.updated',
    data: { contentTypeApiName, renamedField: { id: field.id, from, to } },
  });
  return { data: presentField(after.fields.find(({ id }) => id === field.id) ?? field) };
}
