import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ContentTypeRepository } from './content-type.repository.js';
import { DeleteReportRepository } from './delete-report.repository.js';

/** Deletes a content type that nothing stands against; else the 409 carries the whole report. */
export async function deleteContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.delete>,
): Promise<{ data: Deleted }> {
  const types = work.use(ContentTypeRepository);
  const whole = await types.find(input.apiName, 'delete');
  const report = await work.use(DeleteReportRepository).of(whole.type.id, whole.type.apiName);
  if (!report.canDelete) throw new AppError('content_type_in_use', report);
  await types.remove(whole);
  work.emit({ type: 'content_type.deleted', data: { contentTypeApiName: input.apiName } });
  return { data: { id: whole.type.id, deleted: true } };
}
