import type { SiteDefinition } from '../../content/catalog.js';
import { publicPath } from '../../content/route-path.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { Repository } from '../../persistence/repositories/repository.js';
import { PathRedirectRepository } from './path-redirect.repository.js';
import { placeNode, relocateNode, removeNodes } from './place-node.js';
import { RouteRepository, type PathChange, type SegmentPlace } from './route.repository.js';
import type { EntryPlace } from './tree-entry.repository.js';
import { TreeLockRepository, type TreeLockMode, type TreeId } from './tree-lock.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { TreeOrderRepository, type SiblingPosition } from './tree-order.repository.js';

/** An entry as its place in a tree concerns it. */
export interface PlacedEntry {
  readonly id: string;
  readonly siteId: string;
  /** Null outside every tree. */
  readonly place: EntryPlace | null;
  /** Whether it answers `/` of its site. */
  readonly isHome: boolean;
}

/** Trees as entries see them: whoever changes an entry keeps its paths in step with this. */
export class EntryTreeRepository extends Repository {
  /**
   * Holds the trees in which entries stand; to be called before the entries are locked.
   * `exclusive` for works that will take an entry out of its tree or put it elsewhere.
   */
  async lockTreesOf(entryIds: readonly string[], mode: TreeLockMode): Promise<void> {
    await new TreeLockRepository(this.bound).lockTreesOf(entryIds, mode);
  }

  /** Holds the tree that an entry is about to enter or to be moved in. */
  async lockTree(treeId: TreeId): Promise<void> {
    await new TreeLockRepository(this.bound).lock([treeId], 'exclusive');
  }

  /** Starts the work over where an entry has come into a tree that is not held, before it was locked. */
  assertLocked(entries: readonly PlacedEntry[], mode: TreeLockMode): void {
    const locks = new TreeLockRepository(this.bound);
    for (const { place } of entries) if (place !== null) locks.assertLocked(place.siteId, mode);
  }

  /** Puts a new entry where its place says, as the last of its siblings; the tree is held. */
  async insert({ id, place }: PlacedEntry, position: SiblingPosition = {}): Promise<void> {
    if (place === null) return;
    const { nodeId, parentId, siteId } = place;
    const defaults = { name: null, slug: null, url: null, hideInMenu: false, version: 1 };
    const times = { createdAt: this.bound.now, updatedAt: this.bound.now };
    const node = { id: nodeId, siteId, parentId, entryId: id, type: 'page' as const, ...defaults, ...times };
    await placeNode(this.#work, node, position);
  }

  /** Puts an entry of a tree under another parent of it, or in another place; the tree is held. */
  async move({ place }: PlacedEntry, parentId: string | null, position: SiblingPosition = {}): Promise<void> {
    if (place === null) throw new Error('an entry outside every tree cannot be moved in one');
    const before = await new TreeNodeRepository(this.bound).find(place.nodeId);
    const { changes } = await relocateNode(this.#work, { before, parentId }, position);
    await this.#redirect(changes);
  }

  /**
   * Brings the paths of changed entries up to date. What was published of them, or what they are
   * called, may have changed; where that changes paths the tree must be held firmly.
   */
  async refreshPaths(entries: readonly PlacedEntry[]): Promise<void> {
    const inTree = entries.flatMap(({ place }) => place ?? []).filter(({ siteId }) => siteId !== null);
    const routes = new RouteRepository(this.bound);
    const changes = await routes.refresh(inTree.map(({ nodeId }) => nodeId));
    const locks = new TreeLockRepository(this.bound);
    for (const siteId of new Set(changes.map((change) => change.siteId)))
      locks.assertLocked(siteId, 'exclusive');
    await this.#redirect(changes);
    for (const siteId of homesOutside(entries)) await routes.refreshHome(siteId);
  }

  /**
   * Takes deleted entries out of their trees; what stood below one takes its place.
   * @returns how many nodes were lifted, by the entry that they stood below
   */
  async remove(entries: readonly PlacedEntry[]): Promise<Map<string, number>> {
    const lifted = new Map<string, string[]>();
    const routes = new RouteRepository(this.bound);
    const removed = entries.flatMap(({ id, place }) => (place === null ? [] : [{ entryId: id, ...place }]));
    for (const { entryId, nodeId, siteId } of removed) {
      const node = await new TreeNodeRepository(this.bound).find(nodeId);
      lifted.set(entryId, await new TreeOrderRepository(this.bound).lift(node));
      await removeNodes(this.#work, siteId, [{ id: nodeId, entryId }]);
    }
    const removedIds = new Set(removed.map(({ nodeId }) => nodeId));
    const kept = new Set([...lifted.values()].flat().filter((nodeId) => !removedIds.has(nodeId)));
    await this.#redirect(await routes.refresh([...kept]));
    for (const { siteId, id } of entries.filter(({ isHome }) => isHome)) await routes.dropHomeOf(siteId, id);
    return new Map([...lifted].map(([entryId, nodeIds]) => [entryId, nodeIds.length]));
  }

  /** Brings all paths of a site up to date: its locales or its home have changed. */
  async refreshSite(siteId: string): Promise<void> {
    await this.lockTree(siteId);
    await this.#redirect(await new RouteRepository(this.bound).refreshSite(siteId));
  }

  /** The path at which an entry is live in a locale, as visitors see it; undefined where there is none. */
  async livePath(site: SiteDefinition, entryId: string, locale: string): Promise<string | undefined> {
    const path = await new RouteRepository(this.bound).livePath(entryId, locale);
    return path === undefined ? undefined : publicPath(site, locale, path);
  }

  /**
   * Ids of nodes that a filter names.
   * @throws AppError 404 `tree_node_not_found` for the first that does not exist
   */
  async nodeIds(named: readonly string[] | undefined): Promise<readonly string[] | null> {
    if (named === undefined) return null;
    const nodes = new TreeNodeRepository(this.bound);
    for (const id of named) await nodes.find(id, 'treeParentId');
    return named;
  }

  /** Which of these slugs an entry cannot have in a place of its site's tree. */
  async takenSegments(place: SegmentPlace, segments: readonly string[]): Promise<Set<string>> {
    return new RouteRepository(this.bound).takenSegments(place, segments);
  }

  async #redirect(changes: readonly PathChange[]): Promise<void> {
    await new PathRedirectRepository(this.bound).redirect(changes, true);
  }

  get #work(): Pick<UnitOfWork, 'use' | 'now'> {
    return { use: (repository) => new repository(this.bound), now: this.bound.now };
  }
}

const homesOutside = (entries: readonly PlacedEntry[]): Set<string> =>
  new Set(
    entries
      .filter(({ isHome, place, siteId }) => isHome && place?.siteId !== siteId)
      .map(({ siteId }) => siteId),
  );
