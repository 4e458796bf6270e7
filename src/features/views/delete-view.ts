import type { Deleted } from '../../../contracts/envelopes.js';
import type { views } from '../../../contracts/management/views.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertOwner } from './view.policy.js';
import { ViewRepository } from './view.repository.js';

export async function deleteView(
  work: UnitOfWork,
  { id }: InputOf<typeof views.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(ViewRepository);
  const view = await repository.lock(id);
  assertOwner(work, view);
  await repository.remove(view);
  return { data: { id: view.id, deleted: true } };
}
