import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { readableEntries } from '../../shared/readable-entries.js';
import type { StatedEntry } from '../../shared/editable.js';
import { limits } from '../../../../contracts/limits.js';
import { readJoin, readNodeColumns, type PlacedNode, type ReadNode } from './stored-node.js';
import type { TreeId } from './tree-lock.repository.js';

interface TreeEntry {
  readonly id: string;
  readonly siteId: string;
}

/** An entry with the locales that have a public document. */
interface LiveEntry {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly creatorId: string | null;
  readonly locales: readonly string[];
}

export interface EntryPlace {
  readonly nodeId: string;
  readonly parentId: string | null;
  /** Null in the global tree. */
  readonly siteId: string | null;
}

const slugErrors = { entry_locales_slug_key: () => new AppError('slug_conflict') };

export class TreeEntryRepository extends Repository {
  /** @throws AppError 404 `entry_not_found` if missing, deleted or not readable */
  async find(id: string): Promise<TreeEntry> {
    return this.#load(id, '');
  }

  async lock(id: string): Promise<TreeEntry> {
    return this.#load(id, 'FOR UPDATE');
  }

  async places(entryIds: readonly string[]): Promise<Map<string, EntryPlace>> {
    const rows = await this.query<EntryPlace & { entryId: string }>(
      `SELECT entry_id AS "entryId", id AS "nodeId", parent_id AS "parentId", site_id AS "siteId" FROM tree_nodes
       WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])`,
      [this.environmentId, entryIds],
    );
    return new Map(rows.map(({ entryId, ...place }) => [entryId, place]));
  }

  /** Undefined if no locale of the entry is published. */
  async live(entryId: string): Promise<LiveEntry | undefined> {
    const [entry] = await this.query<LiveEntry>(
      `SELECT e.content_type_id AS "contentTypeId", e.site_id AS "siteId", e.created_by->>'id' AS "creatorId",
         array_agg(p.locale ORDER BY p.locale) AS locales
       FROM entries e JOIN published_entries p ON p.environment_id = e.environment_id AND p.entry_id = e.id
       WHERE e.environment_id = $1 AND e.id = $2 GROUP BY e.environment_id, e.id`,
      [this.environmentId, entryId],
    );
    return entry;
  }

  /** The states of entries in their workflows. */
  states(entryIds: readonly string[]): Promise<(StatedEntry & { readonly id: string })[]> {
    return this.query(
      `SELECT entry_id AS id, content_type_id AS "contentTypeId", site_id AS "siteId",
         jsonb_agg(jsonb_build_object('locale', locale, 'workflowState', workflow_state)) AS locales
       FROM entry_locales WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])
       GROUP BY entry_id, content_type_id, site_id`,
      [this.environmentId, entryIds],
    );
  }

  /**
   * In its site's tree, an entry's slugs are unique by path; outside, they must be free.
   * @throws AppError 409 `slug_conflict`
   */
  async setInTree(entryIds: readonly string[], isInTree: boolean): Promise<void> {
    if (entryIds.length === 0) return;
    const marked = this.query(
      `UPDATE entry_locales SET in_tree = $3 WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND in_tree <> $3`,
      [this.environmentId, entryIds, isInTree],
    );
    await this.mapViolations(marked, slugErrors);
  }

  async #load(id: string, lock: string): Promise<TreeEntry> {
    const bind: unknown[] = [this.environmentId, id];
    const readable = readableEntries(this.bound.scope, 'entries', (value) => `$${String(bind.push(value))}`);
    const [entry] = await this.query<TreeEntry>(
      `SELECT id, site_id AS "siteId" FROM entries WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
         ${readable === null ? '' : `AND ${readable}`} ${lock}`,
      bind,
    );
    if (entry === undefined) throw new AppError('entry_not_found', { path: ['entryId'] });
    return entry;
  }
}

export interface TreeQuery {
  readonly siteId: TreeId;
  /** Null uses each entry's default locale. */
  readonly locale: string | null;
  readonly levels: number | null;
  /** Start nodes with their depth; null starts at the root. */
  readonly branches: ReadonlyMap<string, number> | null;
}

const fromRoot = `SELECT t.*, 0 AS depth FROM tree_nodes t WHERE t.environment_id = $1 AND t.parent_id IS NULL
  AND t.siblings = coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'::uuid)`;
const fromBranches = `SELECT t.*, b.depth FROM jsonb_to_recordset($6::jsonb) AS b (id uuid, depth int)
  JOIN tree_nodes t ON t.environment_id = $1 AND t.id = b.id AND t.site_id IS NOT DISTINCT FROM $2::uuid
  WHERE $4::int IS NULL OR b.depth < $4`;
const depths = (branches: ReadonlyMap<string, number>): string =>
  JSON.stringify([...branches].map(([id, depth]) => ({ id, depth })));

export class TreeListRepository extends Repository {
  /**
   * Parents before children.
   * @throws AppError 422 `limit_reached`
   */
  async list({ siteId, locale, levels, branches }: TreeQuery): Promise<PlacedNode[]> {
    const limit = limits.treeNodesPerResponse;
    const rows = await this.query<ReadNode & { depth: number; rank: string }>(
      `WITH RECURSIVE branch AS (
         ${branches === null ? fromRoot : fromBranches}
         UNION ALL
         SELECT c.*, b.depth + 1 FROM branch b JOIN tree_nodes c ON c.environment_id = $1 AND c.siblings = b.id
         WHERE $4::int IS NULL OR b.depth + 1 < $4)
       SELECT ${readNodeColumns}, n.depth, n.rank FROM (SELECT * FROM branch LIMIT $5) n ${readJoin('$3::text')}`,
      [
        this.environmentId,
        siteId,
        locale,
        levels,
        limit + 1,
        ...(branches === null ? [] : [depths(branches)]),
      ],
    );
    if (rows.length > limit)
      throw new AppError(
        'limit_reached',
        { limit },
        'The tree is too large for one response. Request less depth.',
      );
    return inReadingOrder(rows);
  }
}

function inReadingOrder(rows: readonly (ReadNode & { depth: number; rank: string })[]): PlacedNode[] {
  const ids = new Set(rows.map(({ id }) => id));
  // The parent of a start node is not visible.
  const byParent = Map.groupBy(rows, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : null,
  );
  for (const siblings of byParent.values())
    siblings.sort((a, b) => (BigInt(a.rank) < BigInt(b.rank) ? -1 : 1));
  const ordered: PlacedNode[] = [];
  const visit = (parentId: string | null): void => {
    for (const [position, { rank: _rank, ...node }] of (byParent.get(parentId) ?? []).entries()) {
      ordered.push({ ...node, position });
      visit(node.id);
    }
  };
  visit(null);
  return ordered;
}
