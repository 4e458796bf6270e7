import { invalidInput } from '../../../contracts/errors.js';
import { canTitle } from '../../content/title-field.js';

/**
 * The field that a type names for its entries' titles.
 * @throws AppError 422 `validation_failed` where it does not exist or its values are no titles
 */
export function assertDisplayField(
  displayField: string | null | undefined,
  fields: readonly { apiName: string; type: string; isList?: boolean | undefined }[],
): void {
  if (displayField === undefined || displayField === null) return;
  const field = fields.find(({ apiName }) => apiName === displayField);
  const path = ['displayField'];
  if (field === undefined)
    throw invalidInput({ path, code: 'unknown_field', message: `There is no field ${displayField}.` });
  if (!canTitle({ type: field.type, isList: field.isList ?? false })) {
    throw invalidInput({
      path,
      code: 'not_supported',
      message: `A ${field.type} field cannot title an entry.`,
    });
  }
}
