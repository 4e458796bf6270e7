import { OwnWrites } from './local-commits.js';

/** A read whose result is to be cached. Purges after its start make it stale. */
export interface Fill {
  /** Number of purges before it. */
  readonly since: number;
}

interface Rememberer {
  /** Removes everything that has one of the tags. */
  forget(tags: readonly string[]): void;
  forgetAll(): void;
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
  readonly #rememberers: Rememberer[] = [];
  readonly #own = new OwnWrites();
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
  heardUpTo(at: number): void {
    this.#heardAt = at;
  }

  /** The connection was lost. */
  lose(): void {
    this.#heardAt = -Infinity;
  }

  add(rememberer: Rememberer): void {
    this.#rememberers.push(rememberer);
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
  isGood({ since }: Fill, tags: Iterable<string>): boolean {
    if (!this.isFresh || this.#allPurgedAt > since) return false;
    for (const tag of tags) if ((this.#purgedAt.get(tag) ?? 0) > since) return false;
    return true;
  }

  /** Identifies one write of this process in the database's notification. */
  newMark(): string {
    return this.#own.newMark();
  }

  /** A write of this process was committed. @param message its tags */
  written(mark: string, message: string): void {
    const tags = wordsIn(message);
    this.purge(tags);
    if (tags.length > 0) this.#own.acted(mark, tags);
  }

  /** A notification of a write by any process. @param message its mark, if it has one, and tags */
  hear(message: string): void {
    this.purge(this.#own.unheard(wordsIn(message)));
  }

  purge(tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#count += 1;
    if (this.#open > 0) {
      for (const tag of tags) this.#purgedAt.set(tag, this.#count);
      if (this.#purgedAt.size > KEPT_TAGS) this.#spoilAll();
    }
    for (const rememberer of this.#rememberers) rememberer.forget(tags);
  }

  purgeAll(): void {
    this.#count += 1;
    this.#spoilAll();
    for (const rememberer of this.#rememberers) rememberer.forgetAll();
  }

  #spoilAll(): void {
    this.#allPurgedAt = this.#count;
    this.#purgedAt.clear();
  }
}

const wordsIn = (message: string): string[] => message.split(' ').filter((word) => word !== '');
