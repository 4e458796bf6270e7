import type { Clock } from '../../../../infrastructure/clock.js';
import { systemScope, type UnitOfWorkFactory } from '../../../../persistence/work/unit-of-work.js';
import { RedirectHitRepository, type RedirectHit } from './active-redirects.repository.js';

export interface RedirectHitsParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  /** Time from the first counted hit to the write, in seconds. */
  readonly flushSeconds: number;
  newId(): string;
  /** Called if a flush fails; the hits are kept. */
  onError(error: unknown): void;
}

/** Further redirects are not counted while the database is unavailable. */
const MAXIMUM_WAITING = 50_000;

/** Buffers hits in memory, so that requests write nothing. Flushes a few seconds after the first hit. */
export class RedirectHits {
  #waiting = new Map<string, RedirectHit>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: RedirectHitsParts) {}

  count(environmentId: string, ids: readonly string[]): void {
    const at = this.parts.clock();
    for (const id of ids) this.#add({ environmentId, id, count: 1, at });
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.parts.onError);
    }, this.parts.flushSeconds * 1000).unref();
  }

  /** Keeps the hits if the write fails. */
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
