import { purgeTags } from '../../infrastructure/cache-tags.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { TaggedCache } from '../../infrastructure/tagged-cache.js';
import type { ApiKeyLookup, KnownKey } from './api-key-lookup.repository.js';

/** What all keys in memory may weigh together. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const KEY_BYTES = 1000;

/** The hash of a secret, with the name under which its key is remembered. */
export class SecretHash {
  readonly name: string;

  constructor(readonly bytes: Buffer) {
    this.name = bytes.toString('hex');
  }
}

/**
 * Keys by the hashes of their secrets, remembered while the database is heard: a change of a key, its revocation
 * above all, is known here before it is acknowledged, elsewhere as soon as it is told.
 */
export class KnownKeys {
  readonly #cache: TaggedCache<KnownKey>;
  readonly #underWay = new Map<string, { since: number; key: Promise<KnownKey | undefined> }>();

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
    const read = this.#underWay.get(name);
    // What began before a purge may not know of it.
    if (read?.since === this.coherence.count) return read.key;
    const key = this.#read(name, hash);
    const started = { since: this.coherence.count, key };
    this.#underWay.set(name, started);
    try {
      return await key;
    } finally {
      if (this.#underWay.get(name) === started) this.#underWay.delete(name);
    }
  }

  /** The key of a secret's hash, if it is remembered. */
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
