import { LRUCache } from 'lru-cache';
import { memoryCounter, type Quota, type SharedCounter } from './rate-counter.js';

/** What came of asking for one more. */
export interface Allowance {
  readonly isAllowed: boolean;
  /** How many more are known to be left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

/** How to limit. */
export interface RateLimitsOptions {
  readonly counter: SharedCounter;
  /** Milliseconds, as the processes' clocks agree on them. */
  now?(): number;
  /** Told once when the counter cannot be reached, and once when it can again. */
  onOutage(error: unknown): void;
  onRecovery(): void;
}

/** What this process holds of a quota: points taken from the window that all processes share. */
interface Lease {
  limit: number;
  left: number;
  /** What others may still take, as far as the last answer told. */
  sharedLeft: number;
  endsAt: number;
  isDrained: boolean;
  waiting: number;
  pending: Promise<void> | undefined;
}

const REMEMBERED_KEYS = 50_000;
/** A lease takes this part of what is left, so that little stays unspent where a process goes quiet. */
const LEASE_PART = 10;
const LARGEST_LEASE = 50;
const OUTAGE_MILLISECONDS = 5000;

/**
 * Limits that hold across processes at little cost: a process takes a batch of points out of the shared
 * window and spends them in memory. Points are taken before they are spent, so a limit is never
 * exceeded; those of a process that goes quiet may stay unspent until the window ends. Without the
 * shared counter each process keeps the limits by itself.
 */
export class RateLimits {
  readonly #leases = new LRUCache<string, Lease>({ max: REMEMBERED_KEYS });
  readonly #alone = memoryCounter();
  readonly #now: () => number;
  #outageUntil: number | undefined;

  constructor(private readonly options: RateLimitsOptions) {
    this.#now = options.now ?? Date.now;
  }

  /** Asks for one point. Usually answered from memory. */
  async spend(quota: Quota): Promise<Allowance> {
    const lease = this.#leaseOf(quota);
    for (;;) {
      if (this.#now() >= lease.endsAt) Object.assign(lease, { left: 0, isDrained: false });
      if (lease.left > 0) {
        lease.left -= 1;
        return this.#allowance(lease, true);
      }
      if (lease.isDrained) return this.#allowance(lease, false);
      lease.waiting += 1;
      lease.pending ??= this.#extend(quota, lease).finally(() => {
        lease.pending = undefined;
      });
      await lease.pending;
    }
  }

  /** Begins a key's window anew. */
  async forgive(key: string): Promise<void> {
    this.#leases.delete(key);
    await this.#alone.forget(key);
    await this.options.counter.forget(key).catch(() => undefined);
  }

  #leaseOf({ key, limit }: Quota): Lease {
    const known = this.#leases.get(key);
    if (known !== undefined) {
      // A limit that was raised holds for the window that has begun.
      if (known.limit !== limit) Object.assign(known, { limit, isDrained: false });
      return known;
    }
    const lease = {
      limit,
      left: 0,
      sharedLeft: limit,
      endsAt: 0,
      isDrained: false,
      waiting: 0,
      pending: undefined,
    };
    this.#leases.set(key, lease);
    return lease;
  }

  async #extend(quota: Quota, lease: Lease): Promise<void> {
    const expected = this.#now() >= lease.endsAt ? quota.limit : lease.sharedLeft;
    const share = Math.min(LARGEST_LEASE, Math.floor(expected / LEASE_PART));
    const wanted = Math.min(quota.limit, Math.max(1, share, lease.waiting));
    lease.waiting = 0;
    const { spent, msLeft } = await this.#add(quota, wanted);
    const free = quota.limit - (spent - wanted);
    lease.left = Math.max(0, Math.min(wanted, free));
    lease.sharedLeft = Math.max(0, quota.limit - spent);
    lease.isDrained = lease.left === 0;
    lease.endsAt = this.#now() + msLeft;
  }

  async #add(quota: Quota, points: number): Promise<{ spent: number; msLeft: number }> {
    if (this.#outageUntil !== undefined && this.#now() < this.#outageUntil)
      return this.#alone.add(quota, points);
    try {
      const answer = await this.options.counter.add(quota, points);
      if (this.#outageUntil !== undefined) this.options.onRecovery();
      this.#outageUntil = undefined;
      return answer;
    } catch (error) {
      if (this.#outageUntil === undefined) this.options.onOutage(error);
      this.#outageUntil = this.#now() + OUTAGE_MILLISECONDS;
      return this.#alone.add(quota, points);
    }
  }

  #allowance(lease: Lease, isAllowed: boolean): Allowance {
    const resetSeconds = Math.max(1, Math.ceil((lease.endsAt - this.#now()) / 1000));
    return { isAllowed, remaining: lease.left + lease.sharedLeft, resetSeconds };
  }
}
