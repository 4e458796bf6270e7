import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { customFieldTypes } from '../../../contracts/management/custom-field-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { CustomFieldType } from '../../../contracts/resources/custom-field-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentCustomFieldType } from './custom-field-type.presenter.js';
import { CustomFieldTypeRepository } from './custom-field-type.repository.js';

/** Lists the custom field types of the environment. */
export async function listCustomFieldTypes(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.list>,
): Promise<{ data: CustomFieldType[]; meta: PageMeta }> {
  const { items, total } = await work.use(CustomFieldTypeRepository).list(input);
  return listEnvelope({ items: items.map(presentCustomFieldType), total }, input);
}
