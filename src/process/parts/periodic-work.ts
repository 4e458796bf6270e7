import { EnvironmentWork } from '../../features/environments/index.js';
import { PromotionWork } from '../../features/promotions/index.js';
import { RedirectHits } from '../../features/redirects/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import { newId } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';

export interface PeriodicOptions {
  /** Unset: 10,000. */
  readonly promotionJobItems?: number | undefined;
  /** Time from the first counted redirect to the write, in seconds. Unset: 5. */
  readonly redirectHitSeconds?: number | undefined;
}

interface WorkOptions {
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Decisions 3.6. */
const ITEMS_AT_ONCE = 10_000;

export const openPromotions = (
  units: UnitOfWorkFactory,
  { promotionJobItems = ITEMS_AT_ONCE }: PeriodicOptions,
): PromotionWork => new PromotionWork(units, { itemsAtOnce: promotionJobItems });

/** Counts of followed redirects, written in batches. */
export const openHits = (
  units: UnitOfWorkFactory,
  { logger, clock, redirectHitSeconds = 5 }: WorkOptions & PeriodicOptions,
): RedirectHits =>
  new RedirectHits({
    ...{ units, clock, newId, flushSeconds: redirectHitSeconds },
    onError: (error) => {
      logger.warn({ err: error }, 'writing redirect hits failed; they are kept for the next attempt');
    },
  });

/** Copies, deletes and promotes environments. */
export const openEnvironments = (
  units: UnitOfWorkFactory,
  { logger, clock, promotions }: WorkOptions & { readonly promotions: PromotionWork },
): EnvironmentWork =>
  new EnvironmentWork({
    ...{ units, clock, newId, promotions },
    onError: (error) => {
      logger.error({ err: error }, 'a job of an environment failed; it is tried again');
    },
  });
