import type { customFieldTypes } from '../../../contracts/management/custom-field-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { CustomFieldType } from '../../../contracts/resources/custom-field-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentCustomFieldType } from './custom-field-type.presenter.js';
import { CustomFieldTypeRepository } from './custom-field-type.repository.js';

export async function getCustomFieldType(
  work: UnitOfWork,
  { apiName }: InputOf<typeof customFieldTypes.get>,
): Promise<{ data: CustomFieldType }> {
  return { data: presentCustomFieldType(await work.use(CustomFieldTypeRepository).find(apiName)) };
}
