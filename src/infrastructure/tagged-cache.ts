import { LRUCache } from 'lru-cache';
import type { Coherence, Fill } from './coherence.js';

interface Kept<V> {
  readonly value: V;
  readonly tags: readonly string[];
}

/** Approximate overhead in bytes. */
const TAG_BYTES = 120;
const ENTRY_BYTES = 400;

export interface Keeping {
  readonly tags: readonly string[];
  /** Size of the value; key and tags are added. */
  readonly bytes: number;
}

/** An LRU cache bounded in bytes, purged by tags. */
export class TaggedCache<V extends object> {
  readonly #entries: LRUCache<string, Kept<V>>;
  readonly #byTag = new Map<string, Set<string>>();

  /** @param onLeave called for every value removed or replaced */
  constructor(
    private readonly coherence: Coherence,
    maximumBytes: number,
    onLeave?: (value: V) => void,
  ) {
    this.#entries = new LRUCache({
      maxSize: maximumBytes,
      // One value must not displace all others.
      maxEntrySize: Math.max(1, Math.floor(maximumBytes / 4)),
      dispose: ({ value, tags }, key) => {
        this.#untag(key, tags);
        onLeave?.(value);
      },
      noDisposeOnSet: true,
    });
    coherence.add(this);
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Stores the result of a read, unless one of its tags was purged since it started. */
  store(key: string, value: V, { fill, ...keeping }: Keeping & { readonly fill: Fill }): boolean {
    if (!this.coherence.isCacheable(fill, keeping.tags)) return false;
    this.#entries.delete(key);
    const size = this.#sizeOf(key, keeping);
    this.#entries.set(key, { value, tags: keeping.tags }, { size });
    if (!this.#entries.has(key)) return false;
    for (const tag of keeping.tags) {
      const keys = this.#byTag.get(tag);
      if (keys === undefined) this.#byTag.set(tag, new Set([key]));
      else keys.add(key);
    }
    return true;
  }

  /** Updates the size of a cached value. */
  weigh(key: string, value: V, bytes: number): void {
    const kept = this.#entries.peek(key);
    if (kept?.value !== value) return;
    this.#entries.set(key, { ...kept }, { size: this.#sizeOf(key, { tags: kept.tags, bytes }) });
  }

  purge(tags: readonly string[]): void {
    for (const tag of tags) for (const key of [...(this.#byTag.get(tag) ?? [])]) this.#entries.delete(key);
  }

  purgeAll(): void {
    this.#entries.clear();
  }

  #sizeOf(key: string, { tags, bytes }: Keeping): number {
    return ENTRY_BYTES + 2 * key.length + TAG_BYTES * tags.length + bytes;
  }

  #untag(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#byTag.delete(tag);
    }
  }
}
