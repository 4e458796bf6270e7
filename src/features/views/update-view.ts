import type { views } from '../../../contracts/management/views.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { SavedView } from '../../../contracts/resources/saved-view.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertOwner, listedFilters, parseSettings, replaceDefault } from './view.policy.js';
import { presentView } from './view.presenter.js';
import { ViewRepository } from './view.repository.js';

export async function updateView(
  work: UnitOfWork,
  { projectSlug: _project, id, ...input }: InputOf<typeof views.update>,
): Promise<{ data: SavedView }> {
  const { filters, ...others } = definedKeys(input);
  const repository = work.use(ViewRepository);
  const before = await repository.lock(id);
  assertOwner(work, before);
  const { resource } = presentView(before);
  const changes = { ...others, ...(filters && { filters: listedFilters(resource, filters) }) };
  if (!hasChanges(before, changes)) return { data: presentView(before) };
  const after = { ...before, ...changes, updatedAt: work.now };
  parseSettings(resource, after);
  await replaceDefault(work, after);
  await repository.save(before, after);
  return { data: presentView(after) };
}
