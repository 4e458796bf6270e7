import type { Services } from '../../procedures/index.js';
import { EnvironmentWork } from '../../features/environments/environments/index.js';
import { PromotionWork } from '../../features/deployment/promotions/index.js';
import { RedirectHits } from '../../features/routing/redirects/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import { newId } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import { type UnitOfWorkFactory, systemScope } from '../../persistence/work/unit-of-work.js';
import { KeyAddressRepository } from '../../features/access/api-keys/index.js';
import { StoredReplyRepository } from '../../features/operations/idempotency/index.js';
import { UploadRepository } from '../../features/media/media/index.js';
import {
  ActivityCounterRepository,
  EmptySearchCountRepository,
} from '../../features/insight/reports/index.js';
import {
  PasswordResetRepository,
  sendResets,
  SessionRepository,
} from '../../features/access/sessions/index.js';
import { OAuthRepository } from '../../features/access/oauth/oauth.repository.js';
import { SyncChangeRepository } from '../../features/publishing/delivery/index.js';
import { MailRepository, MailWork } from '../../features/access/mail/index.js';
import { ImportJobRepository } from '../../features/editorial/imports/index.js';
import { TranslationJobRepository } from '../../features/editorial/translations/index.js';

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

/** Rule environments/copy. */
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
    units,
    clock,
    newId,
    flushSeconds: redirectHitSeconds,
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
    units,
    clock,
    newId,
    promotions,
    onError: (error) => {
      logger.error({ err: error }, 'a job of an environment failed; it is tried again');
    },
  });

export async function pruneExpired({
  units,
  retention,
}: Pick<Services, 'units' | 'retention'>): Promise<void> {
  const request = { scope: systemScope({ command: 'upkeep' }), isReadOnly: false, lock: 'none' } as const;
  await units.run(request, (work) => work.use(StoredReplyRepository).prune(retention.replyHours));
  await units.run(request, (work) => work.use(SessionRepository).prune());
  await units.run(request, (work) => work.use(UploadRepository).prune());
  await units.run(request, (work) => work.use(TranslationJobRepository).prune());
  await units.run(request, (work) => work.use(ImportJobRepository).prune());
  await units.run(request, (work) => work.use(ActivityCounterRepository).prune());
  await units.run(request, (work) => work.use(KeyAddressRepository).prune());
  await units.run(request, (work) => work.use(EmptySearchCountRepository).prune());
  await units.run(request, (work) => work.use(MailRepository).prune());
  await units.run(request, (work) => work.use(PasswordResetRepository).prune());
  await units.run(request, (work) => work.use(OAuthRepository).prune());
  await units.run(request, (work) => work.use(SyncChangeRepository).prune());
}

/** Mails of requested resets, and all others. */
export function openMails(
  { units, mail }: Pick<Services, 'units' | 'mail'>,
  logger: Logger,
): Pick<MailWork, 'run' | 'stop'> {
  const mails = new MailWork({ ...mail, units, newId, logger });
  return {
    run: async () => {
      await sendResets(units, mail);
      return mails.run();
    },
    stop: () => {
      mails.stop();
    },
  };
}
