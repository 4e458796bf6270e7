import type { ReleaseItemInput } from '../../../../contracts/entries/releases/release.js';
import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { WorkActor } from '../../../persistence/work/unit-of-work.js';
import { readableEntries } from '../../shared/readable-entries.js';

/** What is live of a locale of an entry; `at` is an ISO string. Null if nothing is. */
export type LiveVersion = { readonly version: number; readonly at: string } | null;

/** What a publication replaced, and what it put there. */
export interface Replaced {
  readonly entry?: { readonly from: LiveVersion; readonly to: LiveVersion };
  /** Rows of redirects as JSON; null if there was or is none. */
  readonly redirect?: { readonly from: object | null; readonly to: object | null };
  readonly node?: { readonly from: NodePlace; readonly to: NodePlace };
  /** Versions of the asset. */
  readonly media?: { readonly from: number; readonly to: number };
}

export interface NodePlace {
  readonly parentId: string | null;
  /** Among its siblings, from 0. */
  readonly position: number;
}

export interface StoredItem {
  readonly id: string;
  readonly subject: string;
  /** What it does, as callers give it. */
  readonly given: ReleaseItemInput;
  readonly replaced: Replaced | null;
  readonly createdAt: Date;
  readonly createdBy: WorkActor;
}

export interface ShownItem extends StoredItem {
  /** Null if it was deleted, or if the caller cannot read it. */
  readonly title: string | null;
  readonly siteId: string | null;
  /** Without locale prefix. */
  readonly path: string | null;
}

/** A live path of an entry or of a page below it, without locale prefix. */
export interface LivePath {
  readonly entryId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly path: string;
  readonly title: string;
}

type ReleaseItemRow = Omit<ShownItem, 'given'> & {
  readonly kind: ReleaseItemInput['kind'];
  readonly entryId: string | null;
  readonly locale: string | null;
  readonly action: string | null;
  readonly pinnedVersion: number | null;
  readonly change: object;
};

/** Columns of an item, from those that the database compares and the rest. */
function columnsOf(
  given: ReleaseItemInput,
): Pick<ReleaseItemRow, 'entryId' | 'locale' | 'action' | 'pinnedVersion' | 'change'> {
  if (given.kind !== 'entry') {
    const { kind: _kind, ...change } = given;
    return { entryId: null, locale: null, action: null, pinnedVersion: null, change };
  }
  const { entryId, locale, action, pinnedVersion = null } = given;
  return { entryId, locale, action, pinnedVersion, change: {} };
}

function itemOf({
  kind,
  entryId,
  locale,
  action,
  pinnedVersion,
  change,
  ...item
}: ReleaseItemRow): ShownItem {
  const given = kind === 'entry' ? { kind, entryId, locale, action, pinnedVersion } : { kind, ...change };
  return { ...item, given: given as ReleaseItemInput };
}

/** Titles and paths come from what is there now. @param readable condition on entries `e` */
const shownSql = (readable: string): string => `
  SELECT i.id, i.kind, i.subject, i.entry_id AS "entryId", i.locale, i.action, i.pinned_version AS "pinnedVersion", i.change, i.replaced,
    i.created_at AS "createdAt", i.created_by AS "createdBy", o.title, o.site_id AS "siteId", o.path
  FROM release_items i LEFT JOIN LATERAL (
    SELECT l.title, e.site_id, (SELECT r.path FROM routes r WHERE r.environment_id = e.environment_id AND r.entry_id = e.id
        AND r.site_id = e.site_id AND r.locale = i.locale LIMIT 1) AS path
      FROM entries e JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
      WHERE i.kind = 'entry' AND e.environment_id = i.environment_id AND e.id = i.entry_id AND e.deleted_at IS NULL AND ${readable}
      ORDER BY l.locale = i.locale DESC LIMIT 1) AS e ON true
    LEFT JOIN redirects d ON i.kind = 'redirect' AND d.environment_id = i.environment_id AND d.id = (i.change ->> 'redirectId')::uuid
    LEFT JOIN tree_nodes n ON i.kind = 'treeMove' AND n.environment_id = i.environment_id AND n.id = (i.change ->> 'nodeId')::uuid
    LEFT JOIN media_assets m ON i.kind = 'media' AND m.environment_id = i.environment_id AND m.id = (i.change ->> 'assetId')::uuid
    CROSS JOIN LATERAL (SELECT
      CASE i.kind WHEN 'entry' THEN e.title WHEN 'media' THEN m.file_name
        WHEN 'redirect' THEN coalesce(d.source, i.change -> 'redirect' ->> 'source')
        ELSE coalesce(n.name, n.slug, (SELECT l.title FROM entry_locales l WHERE l.environment_id = n.environment_id
          AND l.entry_id = n.entry_id ORDER BY l.created_at, l.locale LIMIT 1)) END AS title,
      coalesce(e.site_id, d.site_id, n.site_id, (i.change -> 'redirect' ->> 'siteId')::uuid) AS site_id,
      CASE i.kind WHEN 'entry' THEN e.path WHEN 'redirect' THEN coalesce(d.source, i.change -> 'redirect' ->> 'source')
        WHEN 'treeMove' THEN (SELECT r.path FROM routes r WHERE r.environment_id = n.environment_id AND r.node_id = n.id
          ORDER BY r.locale LIMIT 1) END AS path) AS o
  WHERE i.environment_id = $1 AND i.release_id = $2 ORDER BY i.position`;

/** Live paths of entries, of pages below them and of pages below nodes. */
const livePaths = `WITH RECURSIVE below AS (
    SELECT n.id FROM tree_nodes n WHERE n.environment_id = $1 AND (n.id = ANY($2::uuid[]) OR n.entry_id = ANY($3::uuid[]))
    UNION SELECT c.id FROM below b JOIN tree_nodes c ON c.environment_id = $1 AND c.parent_id = b.id)
  SELECT r.entry_id AS "entryId", r.site_id AS "siteId", r.locale, r.path, coalesce(l.title, '') AS title
  FROM (SELECT r.* FROM below b JOIN routes r ON r.environment_id = $1 AND r.node_id = b.id
      UNION SELECT r.* FROM routes r WHERE r.environment_id = $1 AND r.node_id IS NULL AND r.entry_id = ANY($3::uuid[])) AS r
    LEFT JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = r.entry_id AND l.locale = r.locale
  WHERE r.is_live AND r.entry_id IS NOT NULL ORDER BY r.site_id, r.locale, r.path`;

/** Items of releases. Writers hold the lock of the release. */
export class ReleaseItemRepository extends Repository {
  /** In the order in which they were added. */
  async list(releaseId: string): Promise<ShownItem[]> {
    const bind: unknown[] = [this.environmentId, releaseId];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    return (await this.query<ReleaseItemRow>(shownSql(readable ?? 'true'), bind)).map(itemOf);
  }

  /** @throws AppError 409 `release_conflict` */
  async insertAll(releaseId: string, items: readonly StoredItem[]): Promise<void> {
    const rows = items.map(({ id, subject, given }) => ({
      id,
      subject,
      kind: given.kind,
      ...columnsOf(given),
    }));
    await this.mapViolations(
      this.query(
        `INSERT INTO release_items (tenant_id, environment_id, release_id, id, position, kind, subject, entry_id, locale, action,
           pinned_version, change, created_at, created_by)
         SELECT $1, $2, $3, g.id, o.last + row_number() OVER (ORDER BY g.id), g.kind, g.subject, g."entryId", g.locale, g.action,
           g."pinnedVersion", g.change, $4, $5
         FROM jsonb_to_recordset($6::jsonb) AS g (id uuid, kind text, subject text, "entryId" uuid, locale text, action text,
             "pinnedVersion" integer, change jsonb)
           CROSS JOIN (SELECT coalesce(max(position), 0) AS last FROM release_items WHERE environment_id = $2 AND release_id = $3) AS o`,
        [
          this.tenantId,
          this.environmentId,
          releaseId,
          this.bound.now,
          JSON.stringify(this.bound.scope.actor),
          JSON.stringify(rows),
        ],
      ),
      { release_items_subject_key: () => new AppError('release_conflict') },
    );
  }

  /** Subjects among these that the release has. */
  async subjectsOf(releaseId: string, subjects: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ subject: string }>(
      'SELECT subject FROM release_items WHERE environment_id = $1 AND release_id = $2 AND subject = ANY($3::text[])',
      [this.environmentId, releaseId, [...subjects]],
    );
    return new Set(rows.map(({ subject }) => subject));
  }

  /** Other releases that will change the same, by subject. */
  async rivalsOf(releaseId: string): Promise<ReadonlyMap<string, { readonly name: string }>> {
    const rows = await this.query<{ subject: string; name: string }>(
      `SELECT i.subject, r.name FROM release_items i JOIN release_items o ON o.environment_id = i.environment_id
           AND o.subject = i.subject AND o.release_id <> i.release_id
         JOIN releases r ON r.environment_id = o.environment_id AND r.id = o.release_id AND r.status IN ('open', 'scheduled')
       WHERE i.environment_id = $1 AND i.release_id = $2 ORDER BY r.name, r.id`,
      [this.environmentId, releaseId],
    );
    return new Map(rows.map((row) => [row.subject, row]));
  }

  /** @throws AppError 404 `release_item_not_found` */
  async remove(releaseId: string, id: string): Promise<void> {
    const removed = !isUuid(id)
      ? []
      : await this.query(
          'DELETE FROM release_items WHERE environment_id = $1 AND release_id = $2 AND id = $3 RETURNING id',
          [this.environmentId, releaseId, id],
        );
    if (removed.length === 0) throw new AppError('release_item_not_found');
  }

  /** Of every item of the release; absent ones replaced nothing. */
  async saveReplaced(releaseId: string, replaced: ReadonlyMap<string, Replaced>): Promise<void> {
    await this.query(
      'UPDATE release_items SET replaced = $3::jsonb -> id::text WHERE environment_id = $1 AND release_id = $2',
      [this.environmentId, releaseId, JSON.stringify(Object.fromEntries(replaced))],
    );
  }

  livePaths(nodeIds: readonly string[], entryIds: readonly string[]): Promise<LivePath[]> {
    return this.query<LivePath>(livePaths, [this.environmentId, [...nodeIds], [...entryIds]]);
  }

  /** Entries that items refer to and that are not published, in any locale. */
  async offlineTargets(
    releaseId: string,
  ): Promise<{ readonly itemId: string; readonly targetId: string; readonly title: string | null }[]> {
    return this.query(
      `SELECT i.id AS "itemId", k.target_id AS "targetId", (SELECT l.title FROM entry_locales l WHERE l.environment_id = i.environment_id
           AND l.entry_id = k.target_id ORDER BY l.locale = i.locale DESC, l.locale LIMIT 1) AS title
       FROM release_items i JOIN entry_links k ON k.environment_id = i.environment_id AND k.entry_id = i.entry_id
         AND k.locale IN ('', i.locale) AND NOT k.is_media
       WHERE i.environment_id = $1 AND i.release_id = $2 AND i.action = 'publish' AND NOT EXISTS (SELECT FROM published_entries p
         WHERE p.environment_id = i.environment_id AND p.entry_id = k.target_id)
       GROUP BY i.environment_id, i.id, i.locale, k.target_id ORDER BY i.id, k.target_id LIMIT 1000`,
      [this.environmentId, releaseId],
    );
  }

  async allowLongStatements(seconds: number): Promise<void> {
    await this.allowTime(seconds);
  }

  /** Undefined if the node does not exist. */
  async placeOf(nodeId: string): Promise<NodePlace | undefined> {
    const [place] = await this.query<NodePlace>(
      `SELECT n.parent_id AS "parentId", (SELECT count(*)::int FROM tree_nodes s
         WHERE s.environment_id = n.environment_id AND s.siblings = n.siblings AND s.rank < n.rank) AS position
       FROM tree_nodes n WHERE n.environment_id = $1 AND n.id = $2`,
      [this.environmentId, nodeId],
    );
    return place;
  }

  /** Those of the entries that have the path of another page; paths are deferred until the end of the publication. */
  async samePaths(entryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ entryId: string }>(
      `SELECT DISTINCT r.entry_id AS "entryId" FROM routes r JOIN routes o ON o.environment_id = r.environment_id
         AND o.site_id = r.site_id AND o.locale = r.locale AND o.own_path = r.own_path
         AND (o.node_id, o.entry_id) IS DISTINCT FROM (r.node_id, r.entry_id)
       WHERE r.environment_id = $1 AND r.entry_id = ANY($2::uuid[])`,
      [this.environmentId, [...entryIds]],
    );
    return new Set(rows.map(({ entryId }) => entryId));
  }
}
