import { Repository, type Statement } from '../../persistence/repositories/repository.js';

/** Whose tree: a site's id, or null for the global one. */
export type TreeId = string | null;

/** `exclusive` lets a work change nodes and paths, `shared` lets it count on them. */
export type TreeHold = 'shared' | 'exclusive';

const keyOf = (treeId: TreeId): string => treeId ?? 'global';

const lockCalls: Readonly<Record<TreeHold, string>> = {
  shared: "pg_advisory_xact_lock_shared(hashtextextended('tree:' || $1 || ':' || key, 0))",
  exclusive: "pg_advisory_xact_lock(hashtextextended('tree:' || $1 || ':' || key, 0))",
};
/** Paths of a large branch take longer to rewrite than a request may usually last. */
const patience: Readonly<Record<TreeHold, string>> = {
  shared: '',
  exclusive: ", set_config('statement_timeout', '60s', true)",
};

const holdStatement = (hold: TreeHold): Statement => ({
  name: `hold_trees_${hold}`,
  text: `SELECT ${lockCalls[hold]}${patience[hold]}
    FROM unnest($2::text[]) WITH ORDINALITY AS given (key, place) ORDER BY place`,
});
const holdStatements: Readonly<Record<TreeHold, Statement>> = {
  shared: holdStatement('shared'),
  exclusive: holdStatement('exclusive'),
};

/** `$3`: trees that are held already. */
const holdOfStatement = (hold: TreeHold): Statement => ({
  name: `hold_trees_of_${hold}`,
  text: `SELECT key, CASE WHEN key <> ALL ($3::text[]) THEN ${lockCalls[hold]} END${patience[hold]} FROM (
      SELECT DISTINCT coalesce(site_id::text, 'global') COLLATE "C" AS key FROM tree_nodes
      WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) ORDER BY 1 OFFSET 0) AS trees`,
});
const holdOfStatements: Readonly<Record<TreeHold, Statement>> = {
  shared: holdOfStatement('shared'),
  exclusive: holdOfStatement('exclusive'),
};

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
    const hold = this.#firmness(wanted);
    const mine = this.#held;
    const keys = [...new Set(treeIds.map(keyOf))].filter((key) => !this.#isHeld(key, hold)).sort();
    if (keys.length === 0) return;
    if (keys.some((key) => mine.has(key))) throw this.startOver();
    await this.query(holdStatements[hold], [this.environmentId, keys]);
    for (const key of keys) mine.set(key, hold);
  }

  /**
   * Holds the trees in which entries stand, before the entries themselves are locked: one statement, so that the
   * one that locks them can follow at once.
   */
  async holdOf(entryIds: readonly string[], wanted: TreeHold): Promise<void> {
    const hold = this.#firmness(wanted);
    const mine = this.#held;
    const bind = [this.environmentId, entryIds, [...mine.keys()]];
    const found = await this.query<{ key: string }>(holdOfStatements[hold], bind);
    const keys = found.map(({ key }) => key).filter((key) => !this.#isHeld(key, hold));
    if (keys.some((key) => mine.has(key))) throw this.startOver();
    for (const key of keys) mine.set(key, hold);
  }

  /** Starts the work over unless it holds the tree. */
  assertHeld(treeId: TreeId, hold: TreeHold): void {
    if (!this.#isHeld(keyOf(treeId), hold)) throw this.startOver();
  }

  #firmness(wanted: TreeHold): TreeHold {
    return this.bound.attempt > 1 ? 'exclusive' : wanted;
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
