import { AppError } from '../../../../contracts/errors.js';
import { callerNetwork } from '../../../access/address-rules.js';
import {
  systemScope,
  atAddress,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type Address,
} from '../../../persistence/work/unit-of-work.js';
import { purgeTags } from '../../../infrastructure/cache-tags.js';
import type { Clock } from '../../../infrastructure/clock.js';
import type { Coherence } from '../../../infrastructure/coherence.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';
import {
  KeyAddressRepository,
  KeyUsageRepository,
  type AddressCalls,
  type KeyCalls,
  ApiKeyRepository,
} from './api-key.repository.js';

/** Between two flushes; calls from further addresses are not counted. */
const MAXIMUM_ADDRESSES = 10_000;

type Counted = Pick<AddressCalls, 'tenantId' | 'projectId' | 'apiKeyId'>;

/** Addresses of calls, collected in memory. */
class KeyAddresses {
  readonly #calls = new Map<string, AddressCalls>();

  get size(): number {
    return this.#calls.size;
  }

  record({ tenantId, projectId, apiKeyId }: Counted, address: string, at: Date): void {
    const name = `${apiKeyId} ${address}`;
    const known = this.#calls.get(name);
    if (known !== undefined) {
      known.calls += 1;
      known.lastAt = at;
    } else if (this.#calls.size < MAXIMUM_ADDRESSES)
      this.#calls.set(name, { tenantId, projectId, apiKeyId, address, calls: 1, firstAt: at, lastAt: at });
  }

  async save(work: UnitOfWork): Promise<void> {
    const rows = [...this.#calls.values()].map((row) => ({ ...row, address: callerNetwork(row.address) }));
    if (rows.length > 0) await work.use(KeyAddressRepository).add(rows);
  }

  /** Takes back what a failed flush has not saved. */
  keep(older: KeyAddresses): void {
    for (const [name, calls] of older.#calls) {
      const newer = this.#calls.get(name);
      if (newer !== undefined)
        this.#calls.set(name, { ...calls, calls: calls.calls + newer.calls, lastAt: newer.lastAt });
      else if (this.#calls.size < MAXIMUM_ADDRESSES) this.#calls.set(name, calls);
    }
  }
}

/** Between two flushes; calls of further keys and tools are not counted. */
const MAXIMUM_COUNTS = 10_000;
const QUARTER = 900_000;

interface KeyCall {
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly apiKeyId: string;
  readonly surface: string;
  readonly tool: string | undefined;
  /** Null if it is unknown. */
  readonly address: string | null;
  readonly outcome: 'reads' | 'writes' | 'errors' | 'rateLimited';
}

/** Calls of keys, counted in memory so that no request waits for a write. */
export class KeyUsage {
  #counts = new Map<string, KeyCalls>();
  #addresses = new KeyAddresses();

  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly clock: () => Date,
  ) {}

  record({ outcome, tool = '', address, ...call }: KeyCall): void {
    const at = this.clock();
    if (address !== null) this.#addresses.record(call, address, at);
    const start = Math.floor(at.getTime() / QUARTER) * QUARTER;
    const name = `${call.apiKeyId} ${call.environmentId} ${String(start)} ${call.surface} ${tool}`;
    let count = this.#counts.get(name);
    if (count === undefined) {
      if (this.#counts.size >= MAXIMUM_COUNTS) return;
      const none = { reads: 0, writes: 0, errors: 0, rateLimited: 0 };
      count = { ...call, tool, start: new Date(start), ...none, lastAt: at };
      this.#counts.set(name, count);
    }
    count[outcome] += 1;
    count.lastAt = at;
  }

  /** Adds the counts in one transaction. After a failure they are kept for the next flush. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    const addresses = this.#addresses;
    if (counts.size === 0 && addresses.size === 0) return;
    this.#counts = new Map();
    this.#addresses = new KeyAddresses();
    const request = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;
    try {
      await this.units.run(request, async (work) => {
        await work.use(KeyUsageRepository).add([...counts.values()]);
        await addresses.save(work);
      });
    } catch (error) {
      for (const [name, count] of counts) this.#keep(name, count);
      this.#addresses.keep(addresses);
      throw error;
    }
  }

  #keep(name: string, count: KeyCalls): void {
    const newer = this.#counts.get(name);
    if (newer === undefined) {
      if (this.#counts.size < MAXIMUM_COUNTS) this.#counts.set(name, count);
      return;
    }
    for (const key of ['reads', 'writes', 'errors', 'rateLimited'] as const) newer[key] += count[key];
  }
}

const MAXIMUM_BYTES = 4 * 1024 * 1024;
const KEY_BYTES = 100;

interface Life {
  readonly expiresAt: Date | null;
}

interface ActivityParts {
  readonly units: UnitOfWorkFactory;
  readonly coherence: Coherence;
  readonly clock: Clock;
}

/**
 * Whether keys that signed a link are still active (rule access/key-expiry). Active keys are cached by id until they change, as
 * {@link ApiKeyCache} does by hash.
 */
export class KeyActivity {
  readonly #lives: TaggedCache<Life>;

  constructor(private readonly parts: ActivityParts) {
    this.#lives = new TaggedCache(parts.coherence, MAXIMUM_BYTES);
  }

  /**
   * Checks the key in a link whose signature is valid; links of users have none.
   * @param address of the project that the link belongs to
   * @throws AppError 403 with the code of the link where the key has expired or was revoked
   */
  async assertActive(
    id: string | null | undefined,
    address: Address,
    code: 'invalid_signature' | 'invalid_preview_token',
  ): Promise<void> {
    if (id !== null && id !== undefined && !(await this.#isActive(id, address))) throw new AppError(code);
  }

  async #isActive(id: string, address: Address): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { coherence, clock } = this.parts;
    const name = `${address.project.id}/${id}`;
    const known = coherence.isFresh ? this.#lives.get(name) : undefined;
    const life = known ?? (await this.#read(name, id, address));
    return life !== undefined && (life.expiresAt === null || life.expiresAt > clock());
  }

  async #read(name: string, id: string, address: Address): Promise<Life | undefined> {
    const { coherence } = this.parts;
    const fill = coherence.begin();
    try {
      const life = await this.#unrevoked(id, address);
      if (life !== undefined && fill !== undefined)
        this.#lives.store(name, life, { fill, tags: [purgeTags.apiKey(id)], bytes: KEY_BYTES });
      return life;
    } finally {
      if (fill !== undefined) coherence.end();
    }
  }

  #unrevoked(id: string, address: Address): Promise<Life | undefined> {
    const request = { scope: atAddress(systemScope(), address), isReadOnly: true, lock: 'none' } as const;
    return this.parts.units.run(request, async (work) => {
      const key = await work
        .use(ApiKeyRepository)
        .find(id)
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'api_key_not_found') return undefined;
          throw error;
        });
      return key?.revokedAt === null ? { expiresAt: key.expiresAt } : undefined;
    });
  }
}
