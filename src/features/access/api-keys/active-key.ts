import type { Actor } from '../../../../contracts/actor.js';
import { AppError } from '../../../../contracts/errors.js';
import type { KeyAction } from '../../../../contracts/access/api-keys/api-key.js';
import type { Toolset } from '../../../../contracts/rights.js';
import type { KeyPrincipal } from '../../../access/principal.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ApiKeyRepository, type ApiKeyLookup, type KeyUse, type KnownKey } from './api-key.repository.js';
import { purgeTags } from '../../../infrastructure/cache-tags.js';
import type { Coherence } from '../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';

/**
 * A key by its id, for callers that were identified without its secret.
 * @throws AppError `api_key_not_found`, `api_key_revoked`, `api_key_expired`
 */
export async function findActiveKey(work: UnitOfWork, id: string): Promise<KeyPrincipal> {
  const key = await work.use(ApiKeyRepository).find(id);
  if (key.revokedAt !== null) throw new AppError('api_key_revoked');
  if (key.expiresAt !== null && key.expiresAt <= work.now) throw new AppError('api_key_expired');
  const { name, type, tenantId, projectId, siteIds, environmentId, selectedEnvironmentId } = key;
  const { expiresAt, rateLimit, ipAllowlist, draftOnly: isDraftOnly, requireConfirmation } = key;
  const permissions = key.permissions as KeyAction[];
  const toolsets = key.toolsets as Toolset[];
  return {
    kind: 'api_key',
    id: key.id,
    name,
    type,
    tenantId,
    projectId,
    permissions,
    siteIds,
    environmentId,
    selectedEnvironmentId,
    expiresAt,
    rateLimit,
    ipAllowlist,
    isDraftOnly,
    toolsets,
    requireConfirmation,
    holderId: key.oauthClientId === null ? null : (key.createdBy as Actor).id,
  };
}

/** Between two flushes; uses of further keys are lost. */
const MAXIMUM_KEYS = 10_000;

/** Times of last use, collected in memory so that no request waits for a write. */
export class ApiKeyUses {
  #uses = new Map<string, KeyUse>();

  constructor(private readonly keys: ApiKeyLookup) {}

  record({ id, tenantId }: Omit<KeyUse, 'at'>, at: Date): void {
    const use = this.#uses.get(id);
    if (use !== undefined) use.at = at;
    else if (this.#uses.size < MAXIMUM_KEYS) this.#uses.set(id, { id, tenantId, at });
  }

  /** Writes the collected times in one statement. After a failure they are kept for the next flush. */
  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.keys.saveUses([...uses.values()]);
    } catch (error) {
      for (const [id, use] of uses) if (!this.#uses.has(id)) this.#uses.set(id, use);
      throw error;
    }
  }
}

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
      // The key of a client changes with its holder.
      if (key?.holderId === null && fill !== undefined)
        this.#cache.store(name, key, { fill, tags: [purgeTags.apiKey(key.id)], bytes: KEY_BYTES });
      return key;
    } finally {
      if (fill !== undefined) this.coherence.end();
    }
  }
}
