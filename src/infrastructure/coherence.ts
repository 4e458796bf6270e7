import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isWriteMark, writeMark } from './cache-tags.js';

/** Tags kept in total; notifications of older writes purge again. */
const RECORDED_TAGS = 50_000;

/**
 * Writes whose tags this process has purged. Purging again on their notification would drop what was cached since
 * then.
 */
class LocalCommits {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #purged = new LRUCache<string, ReadonlySet<string>>({
    maxSize: RECORDED_TAGS,
    sizeCalculation: (tags) => 1 + tags.size,
  });
  #count = 0;

  newMark(): string {
    this.#count += 1;
    return writeMark(this.#process, this.#count);
  }

  recordPurged(mark: string, tags: readonly string[]): void {
    this.#purged.set(mark, new Set(tags));
  }

  /**
   * Tags of a notification still to be purged: those unknown at the acknowledgement, and all of an unknown write.
   */
  tagsToPurge(words: readonly string[]): readonly string[] {
    const [mark = '', ...tags] = words;
    if (!isWriteMark(mark)) return words;
    const purged = this.#purged.get(mark);
    return purged === undefined ? tags : tags.filter((tag) => !purged.has(tag));
  }
}

/** A read whose result is to be cached. Later purges make it stale. */
export interface Fill {
  readonly since: number;
}

interface PurgeTarget {
  purge(tags: readonly string[]): void;
  purgeAll(): void;
}

/** Of the connection that notifications of changes arrive on. */
export interface HeartbeatLimits {
  /** Cached data is ignored after this long without a heartbeat. */
  readonly staleAfterMs: number;
  /** A slower reply counts as a lost connection. */
  readonly replyMs: number;
}

export const defaultHeartbeatLimits: HeartbeatLimits = { staleAfterMs: 900, replyMs: 2000 };

/** Purged tags tracked while reads run; beyond it all those reads are stale. */
const KEPT_TAGS = 20_000;

/**
 * Keeps the caches consistent with the database. Tags arrive from the process's own writes before they are
 * acknowledged, and from all writes through notifications. A read that started before a purge of one of its tags is
 * not cached, nor is anything without a recent heartbeat.
 */
export class Coherence {
  readonly #targets: PurgeTarget[] = [];
  readonly #own = new LocalCommits();
  readonly #purgedAt = new Map<string, number>();
  #heardAt = -Infinity;
  #count = 0;
  #allPurgedAt = 0;
  #open = 0;

  constructor(private readonly limits: HeartbeatLimits = defaultHeartbeatLimits) {}

  get isFresh(): boolean {
    return performance.now() - this.#heardAt < this.limits.staleAfterMs;
  }

  get count(): number {
    return this.#count;
  }

  /** Changes committed before `at`, in ms of `performance.now()`, have been purged. */
  onHeartbeat(at: number): void {
    this.#heardAt = at;
  }

  onConnectionLost(): void {
    this.#heardAt = -Infinity;
  }

  add(target: PurgeTarget): void {
    this.#targets.push(target);
  }

  /** Starts a read; {@link end} must follow. Undefined while nothing may be cached. */
  begin(): Fill | undefined {
    if (!this.isFresh) return undefined;
    this.#open += 1;
    return { since: this.#count };
  }

  end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#purgedAt.clear();
  }

  isCacheable({ since }: Fill, tags: Iterable<string>): boolean {
    if (!this.isFresh || this.#allPurgedAt > since) return false;
    for (const tag of tags) if ((this.#purgedAt.get(tag) ?? 0) > since) return false;
    return true;
  }

  /** Identifies a write of this process in its notification. */
  newMark(): string {
    return this.#own.newMark();
  }

  /** @param message tags of a committed write */
  onCommit(mark: string, message: string): void {
    const tags = wordsIn(message);
    this.purge(tags);
    if (tags.length > 0) this.#own.recordPurged(mark, tags);
  }

  /** @param message mark, if any, and tags of a write by any process */
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
