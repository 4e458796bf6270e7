import { AppError } from '../../../../contracts/errors.js';
import type {
  PromotionConflict,
  PromotionRecord,
} from '../../../../contracts/deployment/promotions/promotion.js';
import type { UnitOfWork, UnitOfWorkFactory, WorkScope } from '../../../persistence/work/unit-of-work.js';
import {
  EnvironmentJobRepository,
  EnvironmentRepository,
  type EnvironmentJob,
  type JobRunner,
  type OnProgress,
} from '../../environments/environments/index.js';
import { PairRepository } from './pair.repository.js';
import { planPromotion } from './promotion-plan.js';
import { PromotionProgress } from './promotion-progress.js';
import { PromotionRepository } from './promotion.repository.js';
import { assertNoConflict, runPromotion, runRollback } from './run-promotion.js';
import type { PromotionDetails } from './start-job.js';

/** Above any promotion; a hung one must end some day. */
const STATEMENT_SECONDS = 6 * 3600;

export interface PromotionWorkOptions {
  /** Promotions and rollbacks of more items are jobs. */
  readonly itemsAtOnce: number;
}

async function promote(
  work: UnitOfWork,
  { promotionId, input, overriding = [], sourceId }: PromotionDetails,
  progress: PromotionProgress,
): Promise<void> {
  if (input === undefined) throw new Error('A promotion has an input');
  const { items = null, slug, target, conflictStrategy } = input;
  const pair = await work.use(PairRepository).find(slug, target);
  if (pair.source.id !== sourceId) throw new AppError('environment_not_found', { slug });
  const plan = await planPromotion(work, pair, { ...input, items, progress });
  assertNoConflict(plan, conflictStrategy);
  await runPromotion(work, plan, { promotionId, input, overriding, progress });
}

/** Without values of conflicts: those who may read the environment need not be permitted to read the source. */
function failureOf(error: unknown): NonNullable<PromotionRecord['error']> {
  const { code, message, details } =
    error instanceof AppError ? error : new AppError('internal_error', undefined);
  if (code !== 'environment_conflict') return { error: code, message, details };
  const { conflicts, total } = details as { conflicts: PromotionConflict[]; total: number };
  const named = conflicts.map(({ kind, id, name }) => ({ kind, id, name }));
  return { error: code, message, details: { conflicts: named, total } };
}

/**
 * Runs large promotions and rollbacks, each in one transaction: readers see all of it or nothing, and after a crash
 * the job starts again.
 */
export class PromotionWork implements JobRunner {
  readonly itemsAtOnce: number;

  constructor(
    private readonly units: UnitOfWorkFactory,
    { itemsAtOnce }: PromotionWorkOptions,
  ) {
    this.itemsAtOnce = itemsAtOnce;
  }

  async run(job: EnvironmentJob, given: WorkScope, onProgress: OnProgress): Promise<void> {
    const details = job.details as PromotionDetails;
    const scope: WorkScope = { ...given, ...details.requester };
    await this.units.run({ scope, isReadOnly: false, lock: 'schema' }, async (work) => {
      const jobs = work.use(EnvironmentJobRepository);
      if (!(await jobs.claim()) || !(await jobs.isDue(job.kind))) return;
      await work.use(PromotionRepository).allow(STATEMENT_SECONDS);
      if (job.kind === 'promote') await promote(work, details, new PromotionProgress(onProgress));
      else await runRollback(work, { slug: job.environmentSlug, promotionId: details.promotionId });
      await work.use(EnvironmentRepository).setStatus(job.environmentId, 'ready');
      await jobs.end();
    });
  }

  async giveUp(
    work: UnitOfWork,
    { kind, environmentId, details }: EnvironmentJob,
    error: unknown,
  ): Promise<void> {
    const { promotionId } = details as PromotionDetails;
    const status = kind === 'promote' ? 'failed' : 'succeeded';
    await work.use(PromotionRepository).setStatus(promotionId, status, failureOf(error));
    await work.use(EnvironmentRepository).setStatus(environmentId, 'ready');
  }
}
