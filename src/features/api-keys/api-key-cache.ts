import { purgeTags } from '../../infrastructure/cache-tags.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { TaggedCache } from '../../infrastructure/tagged-cache.js';
import type { ApiKeyLookup, KnownKey } from './api-key-lookup.repository.js';

/** For all cached keys together. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const KEY_BYTES = 1000;
/** Concurrent look-ups of a key share a read that is younger than this. */
const JOIN_MS = 1000;

/** A hash with its cache key. */
export class SecretHash {
  readonly name: string;

  constructor(readonly bytes: Buffer) {
    this.name = bytes.toString('hex');
  }
}

/**
 * Caches keys by hash while the database connection is live. A change, above all a revocation, takes effect here
 * before it is acknowledged, and in other processes when they are notified.
 */
export class ApiKeyCache {
  readonly #cache: TaggedCache<KnownKey>;
  readonly #pending = new Map<
    string,
    { since: number; startedAt: number; key: Promise<KnownKey | undefined> }
  >();

  constructor(
    private readonly lookup: Pick<ApiKeyLookup, 'byHash'>,
    private readonly coherence: Coherence,
  ) {
    this.#cache = new TaggedCache(coherence, MAXIMUM_BYTES);
  }

  async byHash(hash: Buffer): Promise<KnownKey | undefined> {
    const name = hash.toString('hex');
    const known = this.coherence.isFresh ? this.#cache.get(name) : undefined;
    if (known !== undefined) return known;
    const read = this.#pending.get(name);
    // A read that started before a purge may be stale; one that takes long may never end.
    const isJoinable = read?.since === this.coherence.count && performance.now() - read.startedAt < JOIN_MS;
    if (isJoinable) return read.key;
    const key = this.#read(name, hash);
    const started = { since: this.coherence.count, startedAt: performance.now(), key };
    this.#pending.set(name, started);
    try {
      return await key;
    } finally {
      if (this.#pending.get(name) === started) this.#pending.delete(name);
    }
  }

  /** Reads the cache only. */
  peek({ name }: SecretHash): KnownKey | undefined {
    return this.coherence.isFresh ? this.#cache.get(name) : undefined;
  }

  async #read(name: string, hash: Buffer): Promise<KnownKey | undefined> {
    const fill = this.coherence.begin();
    try {
      const key = await this.lookup.byHash(hash);
      if (key !== undefined && fill !== undefined)
        this.#cache.store(name, key, { fill, tags: [purgeTags.apiKey(key.id)], bytes: KEY_BYTES });
      return key;
    } finally {
      if (fill !== undefined) this.coherence.end();
    }
  }
}
