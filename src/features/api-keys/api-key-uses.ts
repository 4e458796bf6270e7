import type { ApiKeyLookup, KeyUse } from './api-key-lookup.repository.js';

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
