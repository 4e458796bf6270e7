import { setTimeout as pause } from 'node:timers/promises';
import { withTimeLimit } from '../../../../infrastructure/time-limit.js';
import {
  addressOf,
  projectAddressOf,
  systemScope,
  type Address,
  type ProjectAddress,
  type WorkScope,
  type UnitOfWorkFactory,
} from '../../../../persistence/work/unit-of-work.js';
import { CALLS_PER_TARGET, deliverDue, type DeliverParts, retrySeconds } from './deliver-due.js';
import { FAN_OUT_EVENTS, fanOut, type FannedOut } from './fan-out.js';
import { PRUNE_BATCH, WaitingRepository, type DueWebhook } from './outbox.repository.js';
import type { Logger } from '../../../../infrastructure/logger.js';
import type { WebhookOptions, WebhookServices } from '../webhook-services.js';

interface DispatcherParts extends DeliverParts {
  /** How often it looks for due work and for events of other processes. */
  readonly pollMilliseconds: number;
  onError(error: unknown): void;
  onDisabled(webhook: DueWebhook, reason: string): void;
}

/** Webhooks called concurrently, in total and per tenant. */
const LANES = 16;
const LANES_PER_TENANT = 4;
/** Rounds of one webhook before others have their turn. */
const ROUNDS = 10;
const FAN_OUT_ROUNDS = 20;
/** Events within this time leave the outbox together. */
const GATHER_MILLISECONDS = 20;
const AFTER_FAILURE_MILLISECONDS = 5000;
const STOP_MILLISECONDS = 5000;
/** A pass that takes longer hangs; the next one starts without it. */
const PASS_MILLISECONDS = 5 * 60_000;
const DAY_MILLISECONDS = 86_400_000;
/** Covers a redelivery requested on a delivery's last day. */
const BODY_DAYS = 5;

const platform = systemScope();

/** Fans out events and attempts due deliveries. Processes coordinate through the tables and survive crashes. */
export class WebhookDispatcher {
  readonly #lanes = new Map<string, { readonly tenantId: string; readonly ended: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #isRunning = false;
  #isWoken = false;
  /** When it last looked for due deliveries, in the milliseconds of `performance.now()`. */
  #lookedAt = -Infinity;

  constructor(private readonly parts: DispatcherParts) {}

  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Looks for due work soon instead of at the next poll. */
  wake(): void {
    if (!this.#isRunning || this.#isWoken) return;
    this.#isWoken = true;
    if (this.#pass === undefined) this.#lookIn(GATHER_MILLISECONDS);
  }

  /** Waits briefly for attempts in progress; the rest is repeated when its lease ends. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#pass;
    await Promise.race([this.#lanesEnd(), pause(STOP_MILLISECONDS, undefined, { ref: false })]);
  }

  /** Delivers everything due now; returns the number of attempts. */
  async runDue(): Promise<number> {
    let attempted = 0;
    for (let made = -1; made !== 0; attempted += made) {
      await this.#fanOutAll();
      made = 0;
      for (const due of await this.#dueWebhooks()) made += await this.#deliver(due, Infinity);
    }
    return attempted;
  }

  /** Deletes older deliveries and unsent events. */
  async prune(days: number): Promise<void> {
    const now = this.parts.now().getTime();
    const ages = [
      ['outbox_events', days],
      ['webhook_deliveries', days],
      ['webhook_events', days + BODY_DAYS],
    ] as const;
    for (const [table, age] of ages) {
      const before = new Date(now - age * DAY_MILLISECONDS);
      while ((await this.#inPlatform((waiting) => waiting.prune(table, before), false)) === PRUNE_BATCH);
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
      await withTimeLimit(PASS_MILLISECONDS, this.#openLanes());
    } catch (error) {
      this.parts.onError(error);
      pause = AFTER_FAILURE_MILLISECONDS;
    }
    this.#pass = undefined;
    if (this.#isRunning) this.#lookIn(this.#isWoken ? Math.min(GATHER_MILLISECONDS, pause) : pause);
  }

  async #openLanes(): Promise<void> {
    const { events, hasWebhooks } = await this.#fanOutAll();
    const isRecent = performance.now() - this.#lookedAt < this.parts.pollMilliseconds;
    // Events that no webhook receives make nothing due.
    if (events > 0 && !hasWebhooks && isRecent) return;
    this.#lookedAt = performance.now();
    for (const due of await this.#dueWebhooks()) this.#openLane(due);
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
        if (attempted === 0) return;
        this.#lookedAt = -Infinity;
        this.wake();
      });
    this.#lanes.set(due.webhookId, { tenantId: due.tenantId, ended });
  }

  /** Delivers to one webhook until nothing is due or its rounds are used up. */
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

  async #fanOutAll(): Promise<FannedOut> {
    const total = { events: 0, hasWebhooks: false };
    for (const environment of await this.#inPlatform((waiting) => waiting.environments())) {
      const request = {
        scope: this.#scopeAt(addressOf(environment)),
        isReadOnly: false,
        lock: 'none',
      } as const;
      for (let round = 0; round < FAN_OUT_ROUNDS; round += 1) {
        const { events, hasWebhooks } = await this.parts.units.run(request, fanOut);
        total.events += events;
        total.hasWebhooks ||= hasWebhooks;
        if (events < FAN_OUT_EVENTS) break;
      }
    }
    return total;
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

const POLL_MILLISECONDS = 1000;

/** Disabled webhooks are logged and audited; the service sends no mail. */
export function openDispatcher(
  { units, webhooks }: { readonly units: UnitOfWorkFactory; readonly webhooks: WebhookServices },
  options: WebhookOptions,
  { logger, newId }: { readonly logger: Logger; newId(): string },
): WebhookDispatcher {
  return new WebhookDispatcher({
    ...webhooks,
    units,
    newId,
    rules: { seconds: options.retrySeconds ?? retrySeconds, random: Math.random },
    pollMilliseconds: options.pollMilliseconds ?? POLL_MILLISECONDS,
    onError: (error) => {
      logger.error({ err: error }, 'webhook delivery failed');
    },
    onDisabled: ({ webhookId, projectSlug }, reason) => {
      logger.warn({ webhookId, projectSlug, reason }, 'webhook disabled');
    },
  });
}
