import { AppError } from '../../../contracts/errors.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Field } from '../../../contracts/resources/field.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ContentTypeRepository, presentField } from '../content-types/index.js';

export async function getField(
  work: UnitOfWork,
  { contentTypeApiName, fieldApiName }: InputOf<typeof fields.get>,
): Promise<{ data: Field }> {
  const type = await work.use(ContentTypeRepository).find(contentTypeApiName);
  const field = type.fields.find(({ apiName }) => apiName === fieldApiName);
  if (field === undefined) throw new AppError('field_not_found');
  return { data: presentField(field) };
}
