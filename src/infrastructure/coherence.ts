import { LocalCommits } from './local-commits.js';

/** A read whose result is to be cached. Purges after its start make it stale. */
export interface Fill {
  /** Number of purges before it. */
  readonly since: number;
}

interface PurgeTarget {
  /** Removes everything that has one of the tags. */
  purge(tags: readonly string[]): void;
  purgeAll(): void;
}

/** Cached data is ignored after this long without a heartbeat. */
const STALE_AFTER_MS = 900;
/** Purged tags tracked while reads are running; beyond it, all of those reads are stale. */
const KEPT_TAGS = 20_000;

/**
 * Keeps the process's caches consistent with the database. Every change arrives as tags: from the process's own writes
 * before they are acknowledged, from all writes through notifications. A read that started before a purge of one of its
 * tags is never cached, and nothing is cached while the heartbeat is missing.
 */
export class Coherence {
  readonly #targets: PurgeTarget[] = [];
  readonly #own = new LocalCommits();
  readonly #purgedAt = new Map<string, number>();
  #heardAt = -Infinity;
  #count = 0;
  /** The last purge of all tags. */
  #allPurgedAt = 0;
  #open = 0;

  /** Whether the last heartbeat is recent. */
  get isFresh(): boolean {
    return performance.now() - this.#heardAt < STALE_AFTER_MS;
  }

  /** Number of purges so far. */
  get count(): number {
    return this.#count;
  }

  /** All changes that were committed before `at`, in ms of `performance.now()`, have been purged. */
  onHeartbeat(at: number): void {
    this.#heardAt = at;
  }

  /** The connection was lost. */
  onConnectionLost(): void {
    this.#heardAt = -Infinity;
  }

  add(target: PurgeTarget): void {
    this.#targets.push(target);
  }

  /** Starts a read; must be followed by {@link end}. Undefined while nothing may be cached. */
  begin(): Fill | undefined {
    if (!this.isFresh) return undefined;
    this.#open += 1;
    return { since: this.#count };
  }

  end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#purgedAt.clear();
  }

  /** Whether the result of a read may be cached under these tags. */
  isCacheable({ since }: Fill, tags: Iterable<string>): boolean {
    if (!this.isFresh || this.#allPurgedAt > since) return false;
    for (const tag of tags) if ((this.#purgedAt.get(tag) ?? 0) > since) return false;
    return true;
  }

  /** Identifies one write of this process in the database's notification. */
  newMark(): string {
    return this.#own.newMark();
  }

  /** A write of this process was committed. @param message its tags */
  onCommit(mark: string, message: string): void {
    const tags = wordsIn(message);
    this.purge(tags);
    if (tags.length > 0) this.#own.recordPurged(mark, tags);
  }

  /** A notification of a write by any process. @param message its mark, if it has one, and tags */
  onNotification(message: string): void {
    this.purge(this.#own.tagsToPurge(wordsIn(message)));
  }

  purge(tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#count += 1;
    if (this.#open > 0) {
      for (const tag of tags) this.#purgedAt.set(tag, this.#count);
      if (this.#purgedAt.size > KEPT_TAGS) this.#spoilAll();
    }
    for (const target of this.#targets) target.purge(tags);
  }

  purgeAll(): void {
    this.#count += 1;
    this.#spoilAll();
    for (const target of this.#targets) target.purgeAll();
  }

  #spoilAll(): void {
    this.#allPurgedAt = this.#count;
    this.#purgedAt.clear();
  }
}

const wordsIn = (message: string): string[] => message.split(' ').filter((word) => word !== '');
