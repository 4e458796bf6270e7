import { AppError } from '../../../contracts/errors.js';
import type { Action } from '../../../contracts/rights.js';
import { grantsFor, type Target } from '../../access/grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import {
  assertRowAllowed,
  assertSiteWritable,
  denied,
  isRowReadable,
  needsNodePaths,
  rightsOf,
} from '../shared/index.js';
import { NodePathRepository } from './node-path.repository.js';
import type { TreeId } from './tree-lock.repository.js';

/** A place in a tree: a node, or with null the level above all nodes. */
export interface TreePlace {
  readonly siteId: TreeId;
  readonly nodeId: string | null;
}

async function targetOf(work: UnitOfWork, { siteId, nodeId }: TreePlace, action: Action): Promise<Target> {
  const isNeeded = (['read', action] as const).some((one) =>
    needsNodePaths(work.scope, { resource: 'tree', action: one }),
  );
  if (nodeId === null || !isNeeded) return { siteId, nodeIds: [] };
  const paths = await work.use(NodePathRepository).ofNodes([nodeId]);
  return { siteId, nodeIds: paths.get(nodeId) ?? [] };
}

/**
 * Whether the actor may do this to a node, or below it.
 * @throws AppError 404 `tree_node_not_found` for a node that they may not read, else 403 `permission_denied`
 */
export async function assertNodeAllowed(work: UnitOfWork, place: TreePlace, action: Action): Promise<void> {
  assertSiteWritable(work.scope, place.siteId, { resource: 'tree', action });
  const target = await targetOf(work, place, action);
  if (place.nodeId !== null && !isRowReadable(work.scope, 'tree', target))
    throw new AppError('tree_node_not_found');
  assertRowAllowed(work.scope, { resource: 'tree', action }, target);
}

/**
 * The nodes at which the actor's view of a tree begins, with their depth; null where it is the whole tree.
 * @throws AppError 403 `permission_denied` where they may read nothing of it
 */
export async function readableBranches(
  work: UnitOfWork,
  siteId: TreeId,
): Promise<ReadonlyMap<string, number> | null> {
  const verb = { resource: 'tree', action: 'read' } as const;
  const rights = rightsOf(work.scope);
  if (rights.grants === null) return null;
  const scopes = grantsFor(rights, verb)
    .map(({ scope }) => scope)
    .filter(({ siteIds }) => siteIds === undefined || (siteId !== null && siteIds.includes(siteId)))
    .filter(({ contentTypes, ownOnly }) => contentTypes === undefined && ownOnly === undefined);
  if (scopes.length === 0) throw denied(work.scope, verb);
  if (scopes.some(({ treeNodeIds }) => treeNodeIds === undefined)) return null;
  const ids = new Set(scopes.flatMap(({ treeNodeIds }) => treeNodeIds ?? []));
  const paths = await work.use(NodePathRepository).ofNodes([...ids]);
  const tops = [...paths].filter(([id, path]) => !path.some((above) => above !== id && ids.has(above)));
  return new Map(tops.map(([id, path]) => [id, path.length - 1]));
}
