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
  /** How many points to take at once. */
  size: number;
  /** When points were taken last. */
  takenAt: number;
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
/** How much a lease takes at first. One that is spent within a second is followed by one of twice the size. */
const FIRST_LEASE = 50;
const SOON_MILLISECONDS = 1000;
const LATE_MILLISECONDS = 4000;
const OUTAGE_MILLISECONDS = 5000;

/**
 * Limits that hold across processes at little cost: a process takes a batch of points out of the shared
 * window and spends them in memory. Points are taken before they are spent, so a limit is never
 * exceeded; those of a process that goes quiet may stay unspent until the window ends. More points are taken
 * before the last are spent, so that busy callers wait for nothing. Without the shared counter each process keeps
 * the limits by itself.
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
      if (lease.left > 0) return this.#take(quota, lease);
      if (lease.isDrained) return this.#allowance(lease, false);
      lease.waiting += 1;
      await this.#extended(quota, lease);
    }
  }

  /** Takes one point out of what this process holds; undefined where it holds none, and nothing is counted. */
  spendHeld(quota: Quota): Allowance | undefined {
    const lease = this.#leaseOf(quota);
    if (lease.left === 0 || this.#now() >= lease.endsAt) return undefined;
    return this.#take(quota, lease);
  }

  /** Begins a key's window anew. */
  async reset(key: string): Promise<void> {
    this.#leases.delete(key);
    await this.#alone.forget(key);
    await this.options.counter.forget(key).catch(() => undefined);
  }

  #leaseOf({ key, limit }: Quota): Lease {
    const known = this.#leases.get(key);
    if (known !== undefined) {
      if (known.limit !== limit) {
        // A limit that was changed holds for the window that has begun.
        if (limit < known.limit) known.left = 0;
        Object.assign(known, { limit, isDrained: false });
      }
      return known;
    }
    const lease = {
      limit,
      left: 0,
      size: FIRST_LEASE,
      takenAt: -Infinity,
      sharedLeft: limit,
      endsAt: 0,
      isDrained: false,
      waiting: 0,
      pending: undefined,
    };
    this.#leases.set(key, lease);
    return lease;
  }

  /** Spends a point that is held, and sees to more in time. */
  #take(quota: Quota, lease: Lease): Allowance {
    lease.left -= 1;
    const isRunningOut = lease.left < lease.size / 2 && lease.sharedLeft >= FIRST_LEASE * LEASE_PART;
    // Whoever needs the points is told of a failure; there is none, since this process can count alone.
    if (isRunningOut && lease.pending === undefined) this.#extended(quota, lease).catch(() => undefined);
    return this.#allowance(lease, true);
  }

  #extended(quota: Quota, lease: Lease): Promise<void> {
    return (lease.pending ??= this.#extend(quota, lease).finally(() => {
      lease.pending = undefined;
    }));
  }

  /** Decides how much to take next: so much that it lasts for about a second, if the share allows it. */
  #resize(lease: Lease, share: number): void {
    const now = this.#now();
    const lasted = now - lease.takenAt;
    const factor = lasted < SOON_MILLISECONDS ? 2 : lasted > LATE_MILLISECONDS ? 0.5 : 1;
    lease.size = Math.max(FIRST_LEASE, Math.min(share, Math.ceil(lease.size * factor)));
    lease.takenAt = now;
  }

  async #extend(quota: Quota, lease: Lease): Promise<void> {
    const expected = this.#now() >= lease.endsAt ? quota.limit : lease.sharedLeft;
    const share = Math.floor(expected / LEASE_PART);
    this.#resize(lease, share);
    const wanted = Math.min(quota.limit, Math.max(1, Math.min(lease.size, share), lease.waiting));
    lease.waiting = 0;
    const { spent, msLeft } = await this.#add(quota, wanted);
    const free = quota.limit - (spent - wanted);
    const endsAt = this.#now() + msLeft;
    // What is left of a window that has ended meanwhile is worth nothing in the next one.
    const isSameWindow = this.#now() < lease.endsAt && endsAt < lease.endsAt + quota.windowSeconds * 500;
    lease.left = (isSameWindow ? lease.left : 0) + Math.max(0, Math.min(wanted, free));
    lease.sharedLeft = Math.max(0, quota.limit - spent);
    lease.isDrained = lease.left === 0;
    lease.endsAt = endsAt;
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
