import { LRUCache } from 'lru-cache';
import { memoryCounter, type Quota, type SharedCounter } from './rate-counter.js';
import { settled } from './promises.js';

export interface Allowance {
  readonly isAllowed: boolean;
  /** At least this many are left in the window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

export interface RateLimitsOptions {
  readonly counter: SharedCounter;
  /** Milliseconds; the clocks of all processes agree. */
  now?(): number;
  /** Called once per outage of the counter. */
  onOutage(error: unknown): void;
  onRecovery(): void;
}

/** Points of the shared window that this process has taken. */
interface Lease {
  limit: number;
  left: number;
  /** Points to take at once. */
  size: number;
  takenAt: number;
  /** The shared rest when points were last taken. */
  sharedLeft: number;
  endsAt: number;
  isDrained: boolean;
  waiting: number;
  pending: Promise<void> | undefined;
}

const REMEMBERED_KEYS = 50_000;
/** A lease takes this share of the rest, to limit what an idle process leaves unspent. */
const LEASE_PART = 10;
/** A lease spent within a second is followed by one of twice the size. */
const FIRST_LEASE = 50;
const SOON_MILLISECONDS = 1000;
const LATE_MILLISECONDS = 4000;
const OUTAGE_MILLISECONDS = 5000;

/**
 * Limits across processes at low cost: a process takes batches of points from the shared window and spends them in
 * memory, so a limit is never exceeded. It takes more before the last are spent, so busy callers do not wait.
 * Without the shared counter each process limits by itself.
 */
export class RateLimits {
  /** Grows as it fills; `max` would allocate its full capacity up front. */
  readonly #leases = new LRUCache<string, Lease>({ maxSize: REMEMBERED_KEYS, sizeCalculation: () => 1 });
  readonly #alone = memoryCounter();
  readonly #now: () => number;
  #outageUntil: number | undefined;

  constructor(private readonly options: RateLimitsOptions) {
    this.#now = options.now ?? Date.now;
  }

  /** Usually served from memory. */
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

  /** Spends a held point; undefined and uncounted if none is held. */
  spendHeld(quota: Quota): Allowance | undefined {
    const lease = this.#leaseOf(quota);
    if (lease.left === 0 || this.#now() >= lease.endsAt) return undefined;
    return this.#take(quota, lease);
  }

  /** Restarts the window of a key. */
  async reset(key: string): Promise<void> {
    this.#leases.delete(key);
    await this.#alone.forget(key);
    await settled(this.options.counter.forget(key));
  }

  #leaseOf({ key, limit }: Quota): Lease {
    const known = this.#leases.get(key);
    if (known !== undefined) {
      if (known.limit !== limit) {
        // A lowered limit applies to the current window.
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

  /** Spends a held point and requests more in time. */
  #take(quota: Quota, lease: Lease): Allowance {
    lease.left -= 1;
    const isRunningOut = lease.left < lease.size / 2 && lease.sharedLeft >= FIRST_LEASE * LEASE_PART;
    // Cannot fail: the process falls back to counting alone.
    if (isRunningOut && lease.pending === undefined) void settled(this.#extended(quota, lease));
    return this.#allowance(lease, true);
  }

  #extended(quota: Quota, lease: Lease): Promise<void> {
    return (lease.pending ??= this.#extend(quota, lease).finally(() => {
      lease.pending = undefined;
    }));
  }

  /** Aims at about a second's points, within the share. */
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
    // The rest of a past window is void.
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
