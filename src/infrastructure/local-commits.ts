import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isWriteMark, writeMark } from './cache-tags.js';

/** Tags kept in total; notifications of older writes purge again. */
const KEPT_TAGS = 50_000;

/**
 * Writes whose tags this process has purged. Purging again on their notification would drop what was cached since
 * then.
 */
export class LocalCommits {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #purged = new LRUCache<string, ReadonlySet<string>>({
    maxSize: KEPT_TAGS,
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
