import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import type { TreeId } from './tree-lock.repository.js';
import type { Action } from '../../../../contracts/rights.js';
import { authorize, isPermitted, refusal } from '../../../access/authorize.js';
import { anyValue, grantsFor, needsNodePaths, type Target } from '../../../access/grants.js';
import { NodePathRepository } from './node-path.repository.js';
import { TreeEntryRepository } from './tree-entry.repository.js';
import type { Catalog } from '../../../content/catalog.js';
import { assertEditable, hasReservedStates } from '../../shared/editable.js';

/** @throws AppError 409 `version_conflict` if a version is given and outdated */
export function assertNodeVersion(node: StoredNode, version: number | undefined): void {
  if (version === undefined || version === node.version) return;
  const { version: currentVersion, updatedAt } = node;
  const details = { expectedVersion: version, currentVersion, updatedAt: updatedAt.toISOString() };
  throw new AppError('version_conflict', details, 'The node has changed since the version you sent.');
}

/** @throws AppError 422 for a parent in another tree or a link */
export function assertParent(parent: StoredNode, treeId: TreeId, key: string): void {
  if (parent.siteId !== treeId) {
    throw invalidInput({ path: [key], code: 'other_tree', message: 'The node belongs to another tree.' });
  }
  if (parent.type === 'link')
    throw invalidInput({ path: [key], code: 'link_has_no_children', message: 'A link has no children.' });
}

/**
 * A node must not move below itself or exceed the maximum depth.
 * @throws AppError 409 `tree_cycle`, 422 `limit_reached`
 */
export async function assertRoomBelow(
  work: UnitOfWork,
  nodeId: string | null,
  parentId: string | null,
): Promise<void> {
  if (parentId === null) return;
  const nodes = work.use(TreeNodeRepository);
  const { ancestorIds } = await nodes.branchOf(parentId);
  if (nodeId !== null && ancestorIds.includes(nodeId)) throw new AppError('tree_cycle');
  const height = nodeId === null ? 0 : (await nodes.branchOf(nodeId)).height;
  if (ancestorIds.length + height + 1 > limits.treeDepth) {
    throw new AppError('limit_reached', { limit: limits.treeDepth }, 'The tree would become too deep.');
  }
}

interface TreePlace {
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
interface Move extends TreePlace {
  readonly entryId: string | null;
  readonly parentId: string | null;
}

/**
 * A move changes the public paths of all published locales of its page (rule access/grants).
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
