import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isWriteMark, writeMark } from './cache-tags.js';

/** Tags that are kept of the last writes, together; what an older one's notification says is acted on again. */
const KEPT_TAGS = 50_000;

/**
 * The writes of this process that it has acted on before it acknowledged them. The database tells their writer, too;
 * to forget once more would drop what was made anew since then.
 */
export class OwnWrites {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #purged = new LRUCache<string, ReadonlySet<string>>({
    maxSize: KEPT_TAGS,
    sizeCalculation: (tags) => 1 + tags.size,
  });
  #count = 0;

  /** What a write is known by: one word, which no tag is like, and no write of any other process. */
  newMark(): string {
    this.#count += 1;
    return writeMark(this.#process, this.#count);
  }

  /** Everything under these tags has been forgotten since the write was committed. */
  acted(mark: string, tags: readonly string[]): void {
    this.#purged.set(mark, new Set(tags));
  }

  /**
   * Of the words of a notification, those that still mean something. A tag that was not known when the write was
   * acknowledged stays, as do all of a write whose outcome this process never learned.
   */
  unheard(words: readonly string[]): readonly string[] {
    const [mark = '', ...tags] = words;
    if (!isWriteMark(mark)) return words;
    const purged = this.#purged.get(mark);
    return purged === undefined ? tags : tags.filter((tag) => !purged.has(tag));
  }
}
