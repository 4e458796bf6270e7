import { AppError } from '../../../contracts/errors.js';
import type { Action } from '../../../contracts/rights.js';
import { authorize, isPermitted, refusal } from '../../access/authorize.js';
import { anyValue, grantsFor, needsNodePaths, type Target } from '../../access/grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { NodePathRepository } from './node-path.repository.js';
import type { TreeId } from './tree-lock.repository.js';

export interface TreePlace {
  readonly siteId: TreeId;
  readonly nodeId: string | null;
}

async function targetOf(work: UnitOfWork, { siteId, nodeId }: TreePlace, action: Action): Promise<Target> {
  const isNeeded = (['read', action] as const).some((one) => needsNodePaths(work.scope, `tree.${one}`));
  if (nodeId === null || !isNeeded) return { siteId, nodeIds: [], ...anyValue };
  const paths = await work.use(NodePathRepository).ofNodes([nodeId]);
  return { siteId, nodeIds: paths.get(nodeId) ?? [], ...anyValue };
}

/**
 * For the node and its descendants.
 * @throws AppError 404 `tree_node_not_found` if not readable, else 403 `permission_denied`
 */
export async function authorizeNode(work: UnitOfWork, place: TreePlace, action: Action): Promise<void> {
  const target = await targetOf(work, place, action);
  if (place.nodeId !== null && !isPermitted(work, 'tree.read', target))
    throw new AppError('tree_node_not_found');
  authorize(work, `tree.${action}`, target);
}

/**
 * Topmost readable nodes with their depth; null for the whole tree.
 * @throws AppError 403 `permission_denied` if nothing is readable
 */
export async function readableBranches(
  work: UnitOfWork,
  siteId: TreeId,
): Promise<ReadonlyMap<string, number> | null> {
  if (work.scope.grants === null) return null;
  const scopes = grantsFor(work.scope, 'tree.read')
    .map(({ scope }) => scope)
    .filter(({ siteIds }) => siteIds === undefined || (siteId !== null && siteIds.includes(siteId)))
    .filter(({ contentTypes, ownOnly }) => contentTypes === undefined && ownOnly === undefined);
  if (scopes.length === 0) throw refusal(work, 'tree.read');
  if (scopes.some(({ treeNodeIds }) => treeNodeIds === undefined)) return null;
  const ids = new Set(scopes.flatMap(({ treeNodeIds }) => treeNodeIds ?? []));
  const paths = await work.use(NodePathRepository).ofNodes([...ids]);
  const tops = [...paths].filter(([id, path]) => !path.some((above) => above !== id && ids.has(above)));
  return new Map(tops.map(([id, path]) => [id, path.length - 1]));
}
