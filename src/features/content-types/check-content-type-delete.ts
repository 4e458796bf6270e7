import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeleteCheck } from '../../../contracts/resources/content-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ContentTypeRepository } from './content-type.repository.js';
import { DeleteReportRepository } from './delete-report.repository.js';

/** Reports what stands against deleting a content type. */
export async function checkContentTypeDelete(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.checkDelete>,
): Promise<{ data: DeleteCheck }> {
  const { type } = await work.use(ContentTypeRepository).find(input.apiName);
  return { data: await work.use(DeleteReportRepository).of(type.id, type.apiName) };
}
