import { Repository } from '../../persistence/repository.js';

/** Whose tree: a site's id, or null for the global one. */
export type TreeId = string | null;

/** `exclusive` lets a work change nodes and paths, `shared` lets it count on them. */
export type TreeHold = 'shared' | 'exclusive';

const keyOf = (treeId: TreeId): string => treeId ?? 'global';

/** What each transaction holds. */
const held = new WeakMap<object, Map<string, TreeHold>>();

/**
 * Serialises changes of one tree. Lock order everywhere: the project's lock (unit of work), then trees
 * in the order of their keys, then rows of entries in the order of their ids, then slugs and unique
 * values. A work that finds itself in need of a tree after it has locked entries starts over.
 */
export class TreeLockRepository extends Repository {
  /**
   * Holds trees. A work that is run again holds them firmly: what made it start over may well have been
   * a path that changed.
   */
  async hold(treeIds: readonly TreeId[], wanted: TreeHold): Promise<void> {
    const hold = this.bound.attempt > 1 ? 'exclusive' : wanted;
    const mine = this.#held;
    const keys = [...new Set(treeIds.map(keyOf))].filter((key) => !this.#isHeld(key, hold)).sort();
    if (keys.length === 0) return;
    if (keys.some((key) => mine.has(key))) throw this.startOver();
    const lock = hold === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
    // Paths of a large branch take longer to rewrite than a request may usually last.
    const patience = hold === 'exclusive' ? ", set_config('statement_timeout', '60s', true)" : '';
    await this.query(
      `SELECT ${lock}(hashtextextended('tree:' || $1 || ':' || key, 0))${patience}
       FROM unnest($2::text[]) WITH ORDINALITY AS given (key, place) ORDER BY place`,
      [this.environmentId, keys],
    );
    for (const key of keys) mine.set(key, hold);
  }

  /** Holds the trees in which entries stand, before the entries themselves are locked. */
  async holdOf(entryIds: readonly string[], wanted: TreeHold): Promise<void> {
    const trees = await this.prepared<{ siteId: TreeId }>(
      'SELECT DISTINCT site_id AS "siteId" FROM tree_nodes WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])',
      [this.environmentId, entryIds],
    );
    await this.hold(
      trees.map(({ siteId }) => siteId),
      wanted,
    );
  }

  /** Starts the work over unless it holds the tree. */
  assertHeld(treeId: TreeId, hold: TreeHold): void {
    if (!this.#isHeld(keyOf(treeId), hold)) throw this.startOver();
  }

  #isHeld(key: string, hold: TreeHold): boolean {
    const mine = this.#held.get(key);
    return mine === 'exclusive' || mine === hold;
  }

  get #held(): Map<string, TreeHold> {
    const known = held.get(this.bound.transaction) ?? new Map<string, TreeHold>();
    held.set(this.bound.transaction, known);
    return known;
  }
}
