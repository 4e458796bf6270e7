import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isWriteMark, writeMark } from './cache-tags.js';

/** Tags kept of the last writes in total; notifications of older writes purge again. */
const KEPT_TAGS = 50_000;

/**
 * The writes whose tags this process has already purged. The database notifies their writer, too; purging again would
 * drop what was cached since then.
 */
export class LocalCommits {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #purged = new LRUCache<string, ReadonlySet<string>>({
    maxSize: KEPT_TAGS,
    sizeCalculation: (tags) => 1 + tags.size,
  });
  #count = 0;

  /** A unique word for one write. */
  newMark(): string {
    this.#count += 1;
    return writeMark(this.#process, this.#count);
  }

  /** Records that these tags have been purged since the write was committed. */
  recordPurged(mark: string, tags: readonly string[]): void {
    this.#purged.set(mark, new Set(tags));
  }

  /**
   * The tags of a notification that still have to be purged: those not known when the write was acknowledged, and all
   * of a write whose outcome this process does not know.
   */
  tagsToPurge(words: readonly string[]): readonly string[] {
    const [mark = '', ...tags] = words;
    if (!isWriteMark(mark)) return words;
    const purged = this.#purged.get(mark);
    return purged === undefined ? tags : tags.filter((tag) => !purged.has(tag));
  }
}
