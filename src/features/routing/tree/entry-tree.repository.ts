import type { OutboxEvent, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { MovedNode } from './stored-node.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { AppError } from '../../../../contracts/errors.js';
import type { SiteDefinition } from '../../../content/catalog.js';
import { authorizeLive } from '../../../access/authorize.js';
import { publicPath, type PathStyle } from '../../../content/route-path.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { PathRedirectRepository } from './node-path.repository.js';
import { noteCreated, noteDeleted, noteLifted, placeNode, relocateNode, removeNodes } from './place-node.js';
import {
  RouteRepository,
  type PathChange,
  type SegmentPlace,
  type WantedSegment,
} from './route.repository.js';
import { ReservedPathRepository, type ReservedPath } from './reserved-path.repository.js';
import type { EntryPlace } from './tree-entry.repository.js';
import { TreeLockRepository, type TreeLockMode, type TreeId } from './tree-lock.repository.js';
import { TreeOrderRepository, type SiblingPosition } from './tree-order.repository.js';

/**
 * SQL of the path that an entry will have in a locale once its draft is published, without locale prefix; no row outside
 * its site's tree. `$1` is the environment.
 */
const draftPathSql = (
  entry: string,
  locale: string,
): string => `SELECT CASE WHEN e.id = s.home_entry_id THEN '/' ELSE coalesce(nullif(up.path, '/'), '') || '/' || own.slug END AS path
    FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
      LEFT JOIN tree_nodes n ON n.environment_id = e.environment_id AND n.entry_id = e.id AND n.site_id = s.id
      LEFT JOIN routes up ON up.environment_id = e.environment_id AND up.node_id = n.parent_id AND up.locale = ${locale}
      CROSS JOIN LATERAL (SELECT d.slug FROM entry_locales d WHERE d.environment_id = e.environment_id AND d.entry_id = e.id
        ORDER BY d.is_deleted, array_position(locale_chain(e.tenant_id, ${locale}, s.locales), d.locale), d.locale = s.default_locale DESC,
          d.created_at, d.locale LIMIT 1) own
    WHERE e.environment_id = $1 AND e.id = ${entry} AND e.deleted_at IS NULL AND (n.id IS NOT NULL OR e.id = s.home_entry_id)`;
const draftPath = { name: 'draft_path', text: draftPathSql('$2', '$3') };

interface PlacedEntry {
  readonly id: string;
  readonly siteId: string;
  readonly place: EntryPlace | null;
  readonly isHome: boolean;
}

/** Tree operations for entries; every change of an entry refreshes its paths here. */
export class EntryTreeRepository extends Repository {
  /** Call before locking the entries. `exclusive` if an entry may leave or move. */
  async lockTreesOf(entryIds: readonly string[], mode: TreeLockMode): Promise<void> {
    await new TreeLockRepository(this.bound).lockTreesOf(entryIds, mode);
  }

  /** For entries that will enter or move in the trees. */
  async lockTrees(treeIds: readonly TreeId[]): Promise<void> {
    await new TreeLockRepository(this.bound).lock(treeIds, 'exclusive');
  }

  /** For entries that are prepared before their trees are locked. */
  async lockTreesIfRetried(treeIds: readonly TreeId[]): Promise<void> {
    await new TreeLockRepository(this.bound).lockIfRetried(treeIds);
  }

  /** Retries the unit of work if an entry entered an unlocked tree before it was locked. */
  assertLocked(entries: readonly PlacedEntry[], mode: TreeLockMode): void {
    const locks = new TreeLockRepository(this.bound);
    for (const { place } of entries) if (place !== null) locks.assertLocked(place.siteId, mode);
  }

  /** Last among its siblings by default. Requires the tree's lock. */
  async insert({ id, place }: PlacedEntry, position: SiblingPosition = {}): Promise<void> {
    if (place === null) return;
    const { nodeId, parentId, siteId } = place;
    const defaults = { name: null, slug: null, url: null, hideInMenu: false, version: 1 };
    const times = { createdAt: this.bound.now, updatedAt: this.bound.now };
    const node = { id: nodeId, siteId, parentId, entryId: id, type: 'page' as const, ...defaults, ...times };
    await placeNode(this.#work, node, position);
    noteCreated(this.#recorder, [node]);
  }

  /** Requires the tree's lock. */
  async move({ place }: PlacedEntry, parentId: string | null, position: SiblingPosition = {}): Promise<void> {
    if (place === null) throw new Error('Entry has no place in a tree');
    const before = await new TreeNodeRepository(this.bound).find(place.nodeId);
    const { changes } = await relocateNode(this.#work, { before, parentId }, position);
    await this.#redirect(changes);
  }

  /**
   * Refreshes paths after slugs or publication changed. Changed paths require the exclusive lock, unless they are those
   * of the entries alone and no page is served at them: then nothing that another unit of work may write depends on them.
   * @param locales in which drafts or documents of the entries changed
   * @throws AppError 403 if a drafts-only caller would move live pages (rule access/key-limits)
   */
  async refreshPaths(entries: readonly PlacedEntry[], locales: readonly string[]): Promise<void> {
    const inTree = entries.flatMap(({ place }) => place ?? []).filter(({ siteId }) => siteId !== null);
    const routes = new RouteRepository(this.bound);
    const own = new Set(inTree.map(({ nodeId }) => nodeId));
    const changes = await routes.refresh([...own], [...new Set(locales)]);
    const locks = new TreeLockRepository(this.bound);
    const far = changes.filter(({ nodeId, isLive }) => isLive || !own.has(nodeId));
    for (const siteId of new Set(far.map((change) => change.siteId))) locks.assertLocked(siteId, 'exclusive');
    if (changes.some(({ isLive }) => isLive)) authorizeLive(this.bound, 'entries.update');
    await this.#redirect(changes);
    for (const siteId of homesOutside(entries)) await routes.refreshHome(siteId);
  }

  /**
   * Children of a removed node move up in its place; a drafts-only caller may move no live ones (rule access/key-limits).
   * @returns number of moved children by entry id
   */
  async remove(entries: readonly PlacedEntry[]): Promise<Map<string, number>> {
    const lifted = new Map<string, number>();
    const moved = new Map<string, MovedNode>();
    const routes = new RouteRepository(this.bound);
    const removed = entries.flatMap(({ id, place }) => (place === null ? [] : [{ entryId: id, ...place }]));
    for (const { entryId, nodeId, siteId } of removed) {
      const node = await new TreeNodeRepository(this.bound).find(nodeId);
      const children = await new TreeOrderRepository(this.bound).lift(node);
      for (const { before, after } of children)
        moved.set(after.id, { before: moved.get(after.id)?.before ?? before, after });
      lifted.set(entryId, children.length);
      await removeNodes(this.#work, siteId, [node]);
      noteDeleted(this.#recorder, [node]);
    }
    for (const { nodeId } of removed) moved.delete(nodeId);
    noteLifted(this.#recorder, [...moved.values()]);
    const changes = await routes.refresh([...moved.keys()]);
    if (changes.some(({ isLive }) => isLive)) authorizeLive(this.bound, 'entries.delete');
    await this.#redirect(changes);
    for (const { siteId, id } of entries.filter(({ isHome }) => isHome)) await routes.dropHomeOf(siteId, id);
    return lifted;
  }

  /** Until {@link assertPathsFree} pages may have equal paths. */
  async deferPaths(): Promise<void> {
    await this.query('SET CONSTRAINTS routes_path_key DEFERRED');
  }

  /** @throws AppError 409 `slug_conflict` */
  async assertPathsFree(): Promise<void> {
    await this.mapViolations(this.query('SET CONSTRAINTS routes_path_key IMMEDIATE'), {
      routes_path_key: () => new AppError('slug_conflict'),
    });
  }

  /** After nodes were written by id. Requires the locks of all trees and that paths are deferred. */
  async settleNodes(nodeIds: readonly string[], siteIds: readonly string[]): Promise<void> {
    const routes = new RouteRepository(this.bound);
    await this.query(
      `DELETE FROM routes r USING tree_nodes n WHERE n.environment_id = $1 AND n.id = ANY ($2::uuid[])
         AND r.environment_id = n.environment_id AND r.entry_id = n.entry_id AND r.site_id = n.site_id AND r.node_id IS NULL`,
      [this.environmentId, nodeIds],
    );
    const changes = await routes.refresh(nodeIds);
    for (const siteId of siteIds) await routes.refreshHome(siteId);
    await this.#redirect(changes);
  }

  /** The trees with entries of a type. */
  async lockType(contentTypeId: string): Promise<void> {
    await this.lockTrees(await this.#sitesOf(contentTypeId));
  }

  /** After the locales of a type changed; its trees must be locked. */
  async refreshType(contentTypeId: string): Promise<void> {
    const routes = new RouteRepository(this.bound);
    const nodes = await this.query<{ id: string }>(
      `SELECT n.id FROM tree_nodes n JOIN entries e ON e.environment_id = n.environment_id AND e.id = n.entry_id
       WHERE n.environment_id = $1 AND e.content_type_id = $2`,
      [this.environmentId, contentTypeId],
    );
    await this.#redirect(await routes.refresh(nodes.map(({ id }) => id)));
    for (const siteId of await this.#sitesOf(contentTypeId)) await routes.refreshHome(siteId);
  }

  async #sitesOf(contentTypeId: string): Promise<string[]> {
    const sites = await this.query<{ id: string }>(
      `SELECT DISTINCT coalesce(n.site_id, e.site_id) AS id FROM entries e
         LEFT JOIN tree_nodes n ON n.environment_id = e.environment_id AND n.entry_id = e.id
       WHERE e.environment_id = $1 AND e.content_type_id = $2 ORDER BY 1`,
      [this.environmentId, contentTypeId],
    );
    return sites.map(({ id }) => id);
  }

  /** For changes of a site's locales or home. */
  async refreshSite(siteId: string): Promise<void> {
    await this.lockTrees([siteId]);
    await this.#redirect(await new RouteRepository(this.bound).refreshSite(siteId));
  }

  /**
   * For changes of a site's path style.
   * @returns number of redirects created
   */
  async restyleSite(siteId: string, before: PathStyle): Promise<number> {
    await this.lockTrees([siteId]);
    return new RouteRepository(this.bound).restyleSite(siteId, before);
  }

  /** Paths and drafts of a site that start with one of its locale prefixes. */
  async reservedPaths(siteId: string): Promise<ReservedPath[]> {
    return new ReservedPathRepository(this.bound).list(siteId);
  }

  /** For changes of the fallbacks of a tenant's locales; writers of its projects must be blocked. */
  async refreshTenant(tenantId: string): Promise<void> {
    await new RouteRepository(this.bound).refreshTenant(tenantId);
  }

  /** The path that the entry will have once its draft is published, without locale prefix; undefined without a route. */
  async draftPath(entryId: string, locale: string): Promise<string | undefined> {
    const [route] = await this.query<{ path: string }>(draftPath, [this.environmentId, entryId, locale]);
    return route?.path;
  }

  /** As {@link draftPath}, by entry id and locale, separated by a space; absent without a route. */
  async draftPaths(
    places: readonly { readonly entryId: string; readonly locale: string }[],
  ): Promise<ReadonlyMap<string, string>> {
    if (places.length === 0) return new Map();
    const rows = await this.query<{ entryId: string; locale: string; path: string }>(
      `SELECT w.id AS "entryId", w.locale, p.path FROM unnest($2::uuid[], $3::text[]) AS w (id, locale)
         CROSS JOIN LATERAL (${draftPathSql('w.id', 'w.locale')} OFFSET 0) AS p`,
      [this.environmentId, places.map(({ entryId }) => entryId), places.map(({ locale }) => locale)],
    );
    return new Map(rows.map(({ entryId, locale, path }) => [`${entryId} ${locale}`, path]));
  }

  /** The public path in a locale, if published. */
  async livePath(site: SiteDefinition, entryId: string, locale: string): Promise<string | undefined> {
    const path = await new RouteRepository(this.bound).livePath(entryId, locale);
    return path === undefined ? undefined : publicPath(site, locale, path);
  }

  /** @throws AppError 404 `tree_node_not_found` for the first unknown id */
  async nodeIds(named: readonly string[] | undefined): Promise<readonly string[] | null> {
    if (named === undefined) return null;
    const nodes = new TreeNodeRepository(this.bound);
    for (const id of named) await nodes.find(id, 'treeParentId');
    return named;
  }

  /** Slugs that are taken at a place of the site's tree. */
  async takenSegments(place: SegmentPlace, segments: readonly string[]): Promise<Set<string>> {
    return new RouteRepository(this.bound).takenSegments(place, segments);
  }

  /** Why a slug is taken at a place of the site's tree. */
  async refusal(place: SegmentPlace, segment: string): Promise<AppError> {
    return new ReservedPathRepository(this.bound).refusal(place, segment);
  }

  /** Whether each slug is taken at its place of a site's tree, in one statement. */
  async areTaken(wanted: readonly WantedSegment[]): Promise<boolean[]> {
    return new RouteRepository(this.bound).areTaken(wanted);
  }

  async #redirect(changes: readonly PathChange[]): Promise<void> {
    await new PathRedirectRepository(this.bound).redirect(changes, true);
  }

  get #recorder() {
    const { log } = this.bound;
    return {
      nodes: new TreeNodeRepository(this.bound),
      emit: (event: OutboxEvent): void => {
        log.emit(event);
      },
    };
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
