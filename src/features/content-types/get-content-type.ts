import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ContentType } from '../../../contracts/resources/content-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentContentType } from './content-type.presenter.js';
import { ContentTypeRepository } from './content-type.repository.js';

/** Reads one content type. */
export async function getContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.get>,
): Promise<{ data: ContentType }> {
  return { data: presentContentType(await work.use(ContentTypeRepository).find(input.apiName)) };
}
