import { setTimeout as pause } from 'node:timers/promises';
import {
  addressOf,
  projectAddressOf,
  systemScope,
  type Address,
  type ProjectAddress,
  type WorkScope,
} from '../../../persistence/work/unit-of-work.js';
import { CALLS_PER_TARGET, deliverDue, type DeliverParts } from './deliver-due.js';
import { FAN_OUT_EVENTS, fanOut } from './fan-out.js';
import { PRUNED_AT_ONCE, WaitingRepository, type DueWebhook } from './waiting.repository.js';

/** What the dispatcher needs. */
export interface DispatcherParts extends DeliverParts {
  /** Looks for what other processes wrote, and for what became due, this often. */
  readonly pollMilliseconds: number;
  onError(error: unknown): void;
  /** Told when a webhook was switched off, so that its owners can be. */
  onDisabled(webhook: DueWebhook, reason: string): void;
}

/** Webhooks that are called at once, and how many of them may be of one tenant. */
const LANES = 16;
const LANES_PER_TENANT = 4;
/** Rounds of one webhook before others have their turn. */
const ROUNDS = 10;
const FAN_OUT_ROUNDS = 20;
/** Events that come shortly one after another leave the outbox together. */
const GATHER_MILLISECONDS = 20;
const AFTER_FAILURE_MILLISECONDS = 5000;
const STOP_MILLISECONDS = 5000;
const KEPT_MILLISECONDS = 30 * 86_400_000;
/** Bodies stay as long as a delivery that was asked for on its last day may need. */
const BODIES_KEPT_MILLISECONDS = 35 * 86_400_000;

const platform = systemScope();

/**
 * Tells webhooks of what happened: takes events out of the outboxes, makes deliveries of them and attempts those
 * that are due. Any number of processes may run one each: the tables say who does what, and survive every crash.
 */
export class WebhookDispatcher {
  readonly #lanes = new Map<string, { readonly tenantId: string; readonly ended: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #isRunning = false;
  #isWoken = false;

  constructor(private readonly parts: DispatcherParts) {}

  /** Begins to deliver. */
  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Something may be waiting: looks shortly instead of at the next poll. */
  wake(): void {
    if (!this.#isRunning || this.#isWoken) return;
    this.#isWoken = true;
    if (this.#pass === undefined) this.#lookIn(GATHER_MILLISECONDS);
  }

  /**
   * Begins no further attempt and waits for those that are under way, but not for slow targets: what is left
   * behind is attempted again by whoever looks after its lease.
   */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#pass;
    await Promise.race([this.#lanesEnd(), pause(STOP_MILLISECONDS, undefined, { ref: false })]);
  }

  /** Delivers all that is due by the process's clock, now; answers how many attempts were made. */
  async runDue(): Promise<number> {
    let attempted = 0;
    for (let made = -1; made !== 0; attempted += made) {
      await this.#fanOutAll();
      made = 0;
      for (const due of await this.#dueWebhooks()) made += await this.#deliver(due, Infinity);
    }
    return attempted;
  }

  /** Removes deliveries, and events that nobody took out of the outbox, once they are 30 days old. */
  async prune(): Promise<void> {
    const now = this.parts.now().getTime();
    const ages = [
      ['outbox_events', KEPT_MILLISECONDS],
      ['webhook_deliveries', KEPT_MILLISECONDS],
      ['webhook_events', BODIES_KEPT_MILLISECONDS],
    ] as const;
    for (const [table, age] of ages) {
      const before = new Date(now - age);
      while ((await this.#inPlatform((waiting) => waiting.prune(table, before), false)) === PRUNED_AT_ONCE);
    }
  }

  #lookIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isWoken = false;
      this.#pass = this.#look();
    }, milliseconds).unref();
  }

  async #look(): Promise<void> {
    let pause = this.parts.pollMilliseconds;
    try {
      await this.#fanOutAll();
      for (const due of await this.#dueWebhooks()) this.#openLane(due);
    } catch (error) {
      this.parts.onError(error);
      pause = AFTER_FAILURE_MILLISECONDS;
    }
    this.#pass = undefined;
    if (this.#isRunning) this.#lookIn(this.#isWoken ? Math.min(GATHER_MILLISECONDS, pause) : pause);
  }

  #openLane(due: DueWebhook): void {
    const ofTenant = [...this.#lanes.values()].filter(({ tenantId }) => tenantId === due.tenantId).length;
    const isFull = this.#lanes.size >= LANES || ofTenant >= LANES_PER_TENANT;
    if (isFull || this.#lanes.has(due.webhookId) || !this.#isRunning) return;
    const ended = this.#deliver(due, ROUNDS)
      .catch((error: unknown) => {
        if (this.#isRunning) this.parts.onError(error);
        return 0;
      })
      .then((attempted) => {
        this.#lanes.delete(due.webhookId);
        if (attempted > 0) this.wake();
      });
    this.#lanes.set(due.webhookId, { tenantId: due.tenantId, ended });
  }

  /** Attempts what is due for one webhook, until there is nothing more or others shall have their turn. */
  async #deliver(due: DueWebhook, rounds: number): Promise<number> {
    const scope = this.#scopeAt(projectAddressOf(due));
    let attempted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { attempted: made, disabled } = await deliverDue(scope, due.webhookId, this.parts);
      attempted += made;
      if (disabled !== undefined) this.parts.onDisabled(due, disabled);
      const isMore = made === CALLS_PER_TARGET && (this.#isRunning || rounds === Infinity);
      if (!isMore || disabled !== undefined) break;
    }
    return attempted;
  }

  async #fanOutAll(): Promise<void> {
    for (const environment of await this.#inPlatform((waiting) => waiting.environments())) {
      const request = {
        scope: this.#scopeAt(addressOf(environment)),
        isReadOnly: false,
        lock: 'none',
      } as const;
      for (let round = 0; round < FAN_OUT_ROUNDS; round += 1)
        if ((await this.parts.units.run(request, fanOut)) < FAN_OUT_EVENTS) break;
    }
  }

  #dueWebhooks(): Promise<DueWebhook[]> {
    return this.#inPlatform((waiting) => waiting.webhooks(this.parts.now(), 10 * LANES));
  }

  #inPlatform<T>(run: (waiting: WaitingRepository) => Promise<T>, isReadOnly = true): Promise<T> {
    const request = { scope: platform, isReadOnly, lock: 'none' } as const;
    return this.parts.units.run(request, (work) => run(work.use(WaitingRepository)));
  }

  #scopeAt(address: Address | ProjectAddress): WorkScope {
    return systemScope({ requestId: this.parts.newId(), address });
  }

  async #lanesEnd(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ ended }) => ended));
  }
}
