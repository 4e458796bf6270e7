import { AppError } from '../../../contracts/errors.js';
import type { Action } from '../../../contracts/rights.js';
import { authorize, isPermitted, refusal } from '../../access/authorize.js';
import { anyValue, grantsFor, needsNodePaths, type Target } from '../../access/grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { NodePathRepository } from './node-path.repository.js';
import { TreeEntryRepository } from './tree-entry.repository.js';
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

/** A node and the place that it moves to; null ids of an entry without a node and of the root. */
export interface Move extends TreePlace {
  readonly entryId: string | null;
  readonly parentId: string | null;
}

/**
 * A move changes the public paths of all published locales of its page (decisions 4.13).
 * @throws AppError 403 `permission_denied`, 404 `tree_node_not_found` for a parent that is not readable
 */
export async function authorizeMove(work: UnitOfWork, move: Move): Promise<void> {
  const { entryId, parentId, siteId } = move;
  authorize(work, 'tree.update', await targetOf(work, move, 'update'));
  await authorizeNode(work, { siteId, nodeId: parentId }, 'update');
  if (entryId !== null) await authorizeLivePage(work, entryId);
}

async function authorizeLivePage(work: UnitOfWork, entryId: string): Promise<void> {
  const live = await work.use(TreeEntryRepository).live(entryId);
  if (live === undefined) return;
  const { creatorId, ...row } = live;
  const isNeeded = needsNodePaths(work.scope, 'entries.update');
  const paths = isNeeded ? await work.use(NodePathRepository).ofEntries([entryId]) : undefined;
  const isOwn = creatorId !== null && creatorId === work.scope.actor.id;
  authorize(work, 'entries.update', { ...row, isOwn, isLive: true, nodeIds: paths?.get(entryId) ?? [] });
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
