import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ContentType } from '../../../contracts/resources/content-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentContentType } from './content-type.presenter.js';
import { ContentTypeRepository } from './content-type.repository.js';

/** Lists the content types of the environment. */
export async function listContentTypes(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.list>,
): Promise<{ data: ContentType[]; meta: PageMeta }> {
  const { items, total } = await work.use(ContentTypeRepository).list(input);
  return listEnvelope({ items: items.map(presentContentType), total }, input);
}
