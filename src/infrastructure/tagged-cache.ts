import { LRUCache } from 'lru-cache';
import type { Coherence, Fill } from './coherence.js';

interface Kept<V> {
  readonly value: V;
  readonly tags: readonly string[];
}

/** What an entry of the index weighs beside its text, roughly, in bytes. */
const TAG_BYTES = 120;
const ENTRY_BYTES = 400;

/** How to remember a value. */
export interface Keeping {
  readonly tags: readonly string[];
  /** In bytes; what key and tags weigh is added. */
  readonly bytes: number;
}

/** Values under keys, bound in bytes, the least used of them leaving first; forgotten by their tags. */
export class TaggedCache<V extends object> {
  readonly #entries: LRUCache<string, Kept<V>>;
  readonly #byTag = new Map<string, Set<string>>();

  /** @param onLeave told of every value that is no longer here */
  constructor(
    private readonly coherence: Coherence,
    maximumBytes: number,
    onLeave?: (value: V) => void,
  ) {
    this.#entries = new LRUCache({
      maxSize: maximumBytes,
      // A single value that pushed all others out would be a poor exchange.
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

  /** Remembers what a read found, unless something that it may not have seen was purged meanwhile. */
  store(key: string, value: V, { fill, ...keeping }: Keeping & { readonly fill: Fill }): boolean {
    if (!this.coherence.isGood(fill, keeping.tags)) return false;
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

  /** Notes that a value weighs something else by now; one that is not here any more stays away. */
  weigh(key: string, value: V, bytes: number): void {
    const kept = this.#entries.peek(key);
    if (kept?.value !== value) return;
    this.#entries.set(key, { ...kept }, { size: this.#sizeOf(key, { tags: kept.tags, bytes }) });
  }

  forget(tags: readonly string[]): void {
    for (const tag of tags) for (const key of [...(this.#byTag.get(tag) ?? [])]) this.#entries.delete(key);
  }

  forgetAll(): void {
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
