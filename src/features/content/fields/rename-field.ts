import { AppError } from '../../../../contracts/errors.js';
import type { fields } from '../../../../contracts/content/fields/fields.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Field } from '../../../../contracts/content/fields/field.js';
import { isReservedFieldName } from '../../../content/model/api-names.js';
import { mapNamedFields } from '../../../content/field-conditions.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ContentTypeRepository, presentField, type FieldRow } from '../content-types/index.js';
import { RenameRepository, StoredNamesRepository } from '../../environments/renames/index.js';

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
