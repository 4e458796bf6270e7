import type { ApiKeyLookup, KeyUse } from './api-key-lookup.repository.js';

/** Keys remembered between two flushes; the uses of others are not noted. */
const REMEMBERED_KEYS = 10_000;

/** When keys were last used: gathered in memory, so that no request waits for a write. */
export class ApiKeyUses {
  #uses = new Map<string, KeyUse>();

  constructor(private readonly keys: ApiKeyLookup) {}

  note({ id, tenantId }: Omit<KeyUse, 'at'>, at: Date): void {
    const use = this.#uses.get(id);
    if (use !== undefined) use.at = at;
    else if (this.#uses.size < REMEMBERED_KEYS) this.#uses.set(id, { id, tenantId, at });
  }

  /** Writes what was gathered in one statement; what cannot be written is kept for the next time. */
  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.keys.noteUses([...uses.values()]);
    } catch (error) {
      for (const [id, use] of uses) if (!this.#uses.has(id)) this.#uses.set(id, use);
      throw error;
    }
  }
}
