import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { customFieldTypes } from '../../../contracts/management/custom-field-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CustomFieldTypeRepository } from './custom-field-type.repository.js';

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
