import { invalidInput } from '../../../../contracts/errors.js';
import type { ContentTypeDefinition } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertRoomBelow, EntryTreeRepository, lockParent, type EntryPlace } from '../../tree/index.js';
import { EntryRepository } from '../entry.repository.js';
import type { StoredEntry } from '../stored-entry.js';

/** Node id, or null for the root. */
type TreeParentId = string | null | undefined;

interface NewPlacement {
  readonly type: ContentTypeDefinition;
  readonly siteId: string;
  readonly treeParentId: TreeParentId;
}

/**
 * Locks the tree and returns the place: below the named node, else a page goes to the root of its site's tree
 * (decisions 2.29).
 * @throws AppError 404 `tree_node_not_found`, 422 for a node of another site or beyond the maximum depth
 */
export async function placeForNew(
  work: UnitOfWork,
  { type, siteId, treeParentId }: NewPlacement,
): Promise<EntryPlace | null> {
  if (typeof treeParentId !== 'string') {
    if (!type.isPage) return null;
    await work.use(EntryTreeRepository).lockTree(siteId);
    return { nodeId: work.newId(), parentId: null, siteId };
  }
  const parent = await lockParent(work, treeParentId);
  assertOwnTree(parent.siteId, siteId);
  await assertRoomBelow(work, null, parent.id);
  return { nodeId: work.newId(), parentId: parent.id, siteId: parent.siteId };
}

/** A site's tree takes entries of the site; the global tree takes any. */
function assertOwnTree(treeId: string | null, siteId: string): void {
  if (treeId === null || treeId === siteId) return;
  const message = 'The node belongs to the tree of another site.';
  throw invalidInput({ path: ['treeParentId'], code: 'other_site', message });
}

export interface MoveTarget {
  readonly treeId: string | null;
  readonly parentId: string | null;
}

/**
 * Locks the target tree; call before locking the entry. Null means the root of the entry's current tree, else of its
 * site's.
 * @throws AppError 404 `tree_node_not_found`, `entry_not_found`
 */
export async function lockMoveTarget(
  work: UnitOfWork,
  entryId: string,
  treeParentId: string | null,
): Promise<MoveTarget> {
  if (treeParentId !== null) {
    const parent = await lockParent(work, treeParentId);
    return { treeId: parent.siteId, parentId: parent.id };
  }
  const { place, siteId } = await work.use(EntryRepository).find(entryId);
  const treeId = place === null ? siteId : place.siteId;
  await work.use(EntryTreeRepository).lockTree(treeId);
  return { treeId, parentId: null };
}

/**
 * Moves a locked entry. A no-op if it is already there and no position is given.
 * @throws AppError 409 `tree_cycle`, `slug_conflict`, 422 for another tree or too deep a place
 */
export async function moveEntry(
  work: UnitOfWork,
  entry: StoredEntry,
  { target, position }: { target: MoveTarget; position?: number | undefined },
): Promise<StoredEntry> {
  const { treeId, parentId } = target;
  const { place } = entry;
  assertOwnTree(treeId, entry.siteId);
  const trees = work.use(EntryTreeRepository);
  if (place === null) {
    await assertRoomBelow(work, null, parentId);
    const placed = { ...entry, place: { nodeId: work.newId(), parentId, siteId: treeId } };
    await trees.insert(placed, { position });
    return placed;
  }
  if (place.siteId !== treeId) {
    const message = 'An entry cannot move between trees. Remove it from its tree first.';
    throw invalidInput({ path: ['treeParentId'], code: 'other_tree', message });
  }
  if (place.parentId === parentId && position === undefined) return entry;
  await assertRoomBelow(work, place.nodeId, parentId);
  await trees.move(entry, parentId, { position });
  return { ...entry, place: { ...place, parentId } };
}
