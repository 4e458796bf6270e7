import { invalidInput } from '../../../../../contracts/errors.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  assertRoomBelow,
  authorizeMove,
  confirmParent,
  EntryTreeRepository,
  findParent,
  lockParent,
  type EntryPlace,
} from '../../../routing/tree/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import type { StoredEntry } from '../stored-entry.js';

/** Node id, or null for the root. */
type TreeParentId = string | null | undefined;

interface NewPlacement {
  readonly type: ContentTypeDefinition;
  readonly siteId: string;
  readonly treeParentId: TreeParentId;
}

/**
 * The place of a new entry: below the named node, else a page goes to the root of its site's tree (rule entries/write).
 * Locks no tree, so {@link lockPlaces} must follow.
 * @throws AppError 404 `tree_node_not_found`, 422 for a link or a node of another site
 */
export async function findPlace(
  work: UnitOfWork,
  { type, siteId, treeParentId }: NewPlacement,
): Promise<EntryPlace | null> {
  if (typeof treeParentId !== 'string')
    return type.isPage ? { nodeId: work.newId(), parentId: null, siteId } : null;
  const parent = await findParent(work, treeParentId);
  assertOwnTree(parent.siteId, siteId);
  return { nodeId: work.newId(), parentId: parent.id, siteId: parent.siteId };
}

/**
 * Locks the trees of the places until the end of the transaction, so it comes after all other work, and checks the
 * places again.
 * @throws AppError 404 `tree_node_not_found`, 422 for a place that has become unsuitable or is too deep
 */
export async function lockPlaces(work: UnitOfWork, places: readonly EntryPlace[]): Promise<void> {
  if (places.length === 0) return;
  await work.use(EntryTreeRepository).lockTrees(places.map(({ siteId }) => siteId));
  for (const { parentId, siteId } of places) {
    if (parentId === null) continue;
    await confirmParent(work, parentId, siteId);
    await assertRoomBelow(work, null, parentId);
  }
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
  const { place, siteId } = await work.use(EntryRepository).find(entryId, noValues);
  const treeId = place === null ? siteId : place.siteId;
  await work.use(EntryTreeRepository).lockTrees([treeId]);
  return { treeId, parentId: null };
}

/**
 * Before {@link moveEntry}. Where nothing would move, nothing is checked.
 * @throws AppError 403 `permission_denied`, 404 `tree_node_not_found`
 */
export async function authorizeEntryMove(
  work: UnitOfWork,
  { id, place }: StoredEntry,
  { treeId, parentId }: MoveTarget,
): Promise<void> {
  if (place !== null && place.siteId === treeId && place.parentId === parentId) return;
  await authorizeMove(work, { siteId: treeId, nodeId: place?.nodeId ?? null, entryId: id, parentId });
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
