import { Repository, type Statement } from '../../../persistence/repositories/repository.js';

export type TreeId = string | null;

/** `exclusive` permits changes; `shared` guarantees stable paths of all pages but those whose entries are locked. */
export type TreeLockMode = 'shared' | 'exclusive';

const keyOf = (treeId: TreeId): string => treeId ?? 'global';

const lockCalls: Readonly<Record<TreeLockMode, string>> = {
  shared: "pg_advisory_xact_lock_shared(hashtextextended('tree:' || $1 || ':' || key, 0))",
  exclusive: "pg_advisory_xact_lock(hashtextextended('tree:' || $1 || ':' || key, 0))",
};
/** Rewriting a large branch may exceed the usual timeout. */
const timeouts: Readonly<Record<TreeLockMode, string>> = {
  shared: '',
  exclusive: ", set_config('statement_timeout', '60s', true)",
};

const lockStatement = (mode: TreeLockMode): Statement => ({
  name: `hold_trees_${mode}`,
  text: `SELECT ${lockCalls[mode]}${timeouts[mode]}
    FROM unnest($2::text[]) WITH ORDINALITY AS given (key, place) ORDER BY place`,
});
const lockStatements: Readonly<Record<TreeLockMode, Statement>> = {
  shared: lockStatement('shared'),
  exclusive: lockStatement('exclusive'),
};

/** `$3`: trees already locked. */
const lockTreesOfStatement = (mode: TreeLockMode): Statement => ({
  name: `hold_trees_of_${mode}`,
  text: `SELECT key, CASE WHEN key <> ALL ($3::text[]) THEN ${lockCalls[mode]} END${timeouts[mode]} FROM (
      SELECT DISTINCT coalesce(site_id::text, 'global') COLLATE "C" AS key FROM tree_nodes
      WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) ORDER BY 1 OFFSET 0) AS trees`,
});
const lockTreesOfStatements: Readonly<Record<TreeLockMode, Statement>> = {
  shared: lockTreesOfStatement('shared'),
  exclusive: lockTreesOfStatement('exclusive'),
};

const locksByTransaction = new WeakMap<object, Map<string, TreeLockMode>>();

/**
 * Serializes changes of a tree. Global lock order: project (unit of work), trees by key, entry rows by id, slugs and
 * unique values. A unit of work that needs a tree after locking entries is retried. A duplicate writes new rows first.
 * Another transaction waits for them only if they share a slug outside the tree: then the database ends one of the two,
 * which is retried in order.
 */
export class TreeLockRepository extends Repository {
  /** A retried unit of work locks exclusively, because a path may have changed. */
  async lock(treeIds: readonly TreeId[], wanted: TreeLockMode): Promise<void> {
    const mode = this.#modeFor(wanted);
    const locks = this.#locks;
    const keys = [...new Set(treeIds.map(keyOf))].filter((key) => !this.#isLocked(key, mode)).sort();
    if (keys.length === 0) return;
    if (keys.some((key) => locks.has(key))) throw this.retryFailure();
    await this.query(lockStatements[mode], [this.environmentId, keys]);
    for (const key of keys) locks.set(key, mode);
  }

  /**
   * For work that locks its trees late: an attempt that another unit of work has overtaken is repeated with the
   * trees locked from the start.
   */
  async lockIfRetried(treeIds: readonly TreeId[]): Promise<void> {
    if (this.bound.attempt > 1) await this.lock(treeIds, 'exclusive');
  }

  /** Locks the entries' trees in one statement, so that the entry locks can follow at once. */
  async lockTreesOf(entryIds: readonly string[], wanted: TreeLockMode): Promise<void> {
    const mode = this.#modeFor(wanted);
    const locks = this.#locks;
    const bind = [this.environmentId, entryIds, [...locks.keys()]];
    const found = await this.query<{ key: string }>(lockTreesOfStatements[mode], bind);
    const keys = found.map(({ key }) => key).filter((key) => !this.#isLocked(key, mode));
    if (keys.some((key) => locks.has(key))) throw this.retryFailure();
    for (const key of keys) locks.set(key, mode);
  }

  /** Retries the unit of work unless the tree is locked. */
  assertLocked(treeId: TreeId, mode: TreeLockMode): void {
    if (!this.#isLocked(keyOf(treeId), mode)) throw this.retryFailure();
  }

  #modeFor(wanted: TreeLockMode): TreeLockMode {
    return this.bound.attempt > 1 ? 'exclusive' : wanted;
  }

  #isLocked(key: string, mode: TreeLockMode): boolean {
    const locks = this.#locks.get(key);
    return locks === 'exclusive' || locks === mode;
  }

  get #locks(): Map<string, TreeLockMode> {
    const known = locksByTransaction.get(this.bound.transaction) ?? new Map<string, TreeLockMode>();
    locksByTransaction.set(this.bound.transaction, known);
    return known;
  }
}
