import { AppError } from '../../../../contracts/errors.js';
import { isGroup } from '../../../content/model/field-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { FieldRow } from '../content-types/index.js';
import { FieldValueRepository } from './field-values.repository.js';

type Shape = Pick<FieldRow, 'settings' | 'validations'>;

const isGroupRow = ({ settings, validations }: Shape): boolean =>
  isGroup({
    settings: settings as Record<string, unknown>,
    validations: validations as Record<string, unknown>,
  });

/**
 * A group is published as an object and a list as a list, so only fields without values change between them.
 * @throws AppError 409 `field_in_use`
 */
export async function changeGroup(work: UnitOfWork, before: FieldRow, after: Shape): Promise<void> {
  const is = isGroupRow(after);
  if (isGroupRow(before) === is) return;
  const values = work.use(FieldValueRepository);
  const entryCount = await values.countHolders(before);
  const message = 'Entries have values of this field. It can be a group or a list only while it has none.';
  if (entryCount > 0) throw new AppError('field_in_use', { field: before.apiName, entryCount }, message);
  await values.renewUnset(before, !is);
}
