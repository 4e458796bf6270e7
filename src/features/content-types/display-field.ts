import { invalidInput } from '../../../contracts/errors.js';
import { canTitle } from '../../content/title-field.js';

/**
 * Checks the field whose values title the entries of a type.
 * @throws AppError 422 `validation_failed` if it does not exist or its values cannot be titles
 */
export function assertDisplayField(
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
