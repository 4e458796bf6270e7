import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ContentTypeRepository, TitleRepository, type FieldRow } from '../content-types/index.js';
import { FieldValueRepository } from './field-values.repository.js';
import { leaveApprovals } from './leave-approvals.js';
import { renumbered } from './positions.js';

/** A slug field must not refer to the deleted field. */
function withoutSource(field: FieldRow, deleted: string): FieldRow {
  const { sourceField, ...settings } = field.settings as { sourceField?: string };
  return sourceField === deleted ? { ...field, settings } : field;
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
    .map((other) => withoutSource(other, field.apiName));
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
