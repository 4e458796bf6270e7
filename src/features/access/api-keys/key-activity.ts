import { AppError } from '../../../../contracts/errors.js';
import { purgeTags } from '../../../infrastructure/cache-tags.js';
import type { Clock } from '../../../infrastructure/clock.js';
import type { Coherence } from '../../../infrastructure/coherence.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';
import {
  atAddress,
  systemScope,
  type Address,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { ApiKeyRepository } from './api-key.repository.js';

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
