import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertEditable, hasReservedStates } from '../shared/index.js';
import type { StoredNode } from './stored-node.js';
import { TreeEntryRepository } from './tree-entry.repository.js';

/**
 * Placing, moving and removing a page changes its entry, which its workflow may reserve for some roles. Reads states
 * only if some workflow reserves any.
 * @throws AppError as {@link assertEditable}
 */
export async function assertNodesEditable(
  work: UnitOfWork,
  catalog: Catalog,
  nodes: readonly Pick<StoredNode, 'entryId'>[],
): Promise<void> {
  const entryIds = nodes.flatMap(({ entryId }) => entryId ?? []);
  if (entryIds.length === 0 || !hasReservedStates(catalog)) return;
  for (const entry of await work.use(TreeEntryRepository).states(entryIds))
    assertEditable(work, entry, { catalog, action: 'update' });
}
