import type { Clock } from '../../../infrastructure/clock.js';
import { systemScope, type UnitOfWorkFactory } from '../../../persistence/work/unit-of-work.js';
import { RedirectHitRepository, type RedirectHit } from './redirect-hit.repository.js';

/** What counting needs. */
export interface RedirectHitsParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  newId(): string;
  /** Told of counts that could not be written; they are kept for the next time. */
  onError(error: unknown): void;
}

const FLUSH_SECONDS = 5;
/** Redirects that may wait to be counted; hits of more are not counted while the database is away. */
const MAXIMUM_WAITING = 50_000;

/**
 * Gathers how often redirects are followed, in memory: answering a request writes nothing. A few seconds
 * after the first hit all that came together are written by one statement.
 */
export class RedirectHits {
  #waiting = new Map<string, RedirectHit>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: RedirectHitsParts) {}

  /** Counts redirects that a request was led along. */
  count(environmentId: string, ids: readonly string[]): void {
    const at = this.parts.clock();
    for (const id of ids) this.#add({ environmentId, id, count: 1, at });
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.parts.onError);
    }, FLUSH_SECONDS * 1000).unref();
  }

  /** Writes what was gathered so far; what cannot be written waits for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const hits = [...this.#waiting.values()];
    if (hits.length === 0) return;
    this.#waiting = new Map();
    try {
      const request = {
        scope: systemScope({ requestId: this.parts.newId() }),
        isReadOnly: false,
        lock: 'none',
      } as const;
      await this.parts.units.run(request, (work) => work.use(RedirectHitRepository).add(hits));
    } catch (error) {
      for (const hit of hits) this.#add(hit);
      throw error;
    }
  }

  #add(hit: RedirectHit): void {
    const key = `${hit.environmentId} ${hit.id}`;
    const known = this.#waiting.get(key);
    if (known === undefined && this.#waiting.size >= MAXIMUM_WAITING) return;
    const at = known === undefined || known.at < hit.at ? hit.at : known.at;
    this.#waiting.set(key, { ...hit, count: hit.count + (known?.count ?? 0), at });
  }
}
