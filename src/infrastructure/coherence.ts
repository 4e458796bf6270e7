import { OwnWrites } from './local-commits.js';

/** A read whose outcome is to be remembered: what is purged from its beginning on, it must not have seen. */
export interface Fill {
  /** Purges that came before it. */
  readonly since: number;
}

/** Something that remembers under tags. */
interface Rememberer {
  /** Forgets everything that bears one of the tags. */
  forget(tags: readonly string[]): void;
  forgetAll(): void;
}

/** Without word from the database for so long, nothing that is remembered counts. */
const STALE_AFTER_MS = 900;
/** Purged tags that are kept apart while reads are under way; with more, all of those reads are spoilt. */
const KEPT_TAGS = 20_000;

/**
 * What this process may remember of the database. Every change arrives here as tags: from the process's own
 * writes before they are acknowledged, from all writes through the database's notifications. A read that began
 * before a purge of one of its tags is never remembered, and while the database is not heard nothing is.
 */
export class Coherence {
  readonly #rememberers: Rememberer[] = [];
  readonly #own = new OwnWrites();
  readonly #purgedAt = new Map<string, number>();
  #heardAt = -Infinity;
  #count = 0;
  /** The last purge that counts for every tag. */
  #allPurgedAt = 0;
  #open = 0;

  /** Whether every change up to a moment ago is known here. */
  get isFresh(): boolean {
    return performance.now() - this.#heardAt < STALE_AFTER_MS;
  }

  /** Purges so far. */
  get count(): number {
    return this.#count;
  }

  /** All changes that were committed before `at`, in ms of `performance.now()`, have been purged. */
  heardUpTo(at: number): void {
    this.#heardAt = at;
  }

  /** The database is no longer heard. */
  lose(): void {
    this.#heardAt = -Infinity;
  }

  add(rememberer: Rememberer): void {
    this.#rememberers.push(rememberer);
  }

  /** To be ended with {@link end}. Undefined while the database is not heard. */
  begin(): Fill | undefined {
    if (!this.isFresh) return undefined;
    this.#open += 1;
    return { since: this.#count };
  }

  end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#purgedAt.clear();
  }

  /** Whether what a read found may be remembered under these tags. */
  isGood({ since }: Fill, tags: Iterable<string>): boolean {
    if (!this.isFresh || this.#allPurgedAt > since) return false;
    for (const tag of tags) if ((this.#purgedAt.get(tag) ?? 0) > since) return false;
    return true;
  }

  /** A mark for one write of this process, which the database sends along with the tags of what changed. */
  newMark(): string {
    return this.#own.newMark();
  }

  /** A write of this process was committed. @param message its tags */
  written(mark: string, message: string): void {
    const tags = wordsIn(message);
    this.purge(tags);
    if (tags.length > 0) this.#own.acted(mark, tags);
  }

  /** The database tells of a write of any process. @param message its mark, if it has one, and tags */
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
