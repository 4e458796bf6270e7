import { AppError } from '../../../../contracts/errors.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Rollback, RollbackJob } from '../../../../contracts/deployment/promotions/promotion.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PairRepository } from './pair.repository.js';
import { assertPromotable } from './promotions.js';
import { PromotionRepository, type StoredPromotion } from './promotion.repository.js';
import type { PromotionWork } from './promotion-work.js';
import { runRollback } from './run-rollback.js';
import { startRollback } from './start-job.js';

const STATEMENT_SECONDS = 120;

const sizeOf = ({ summary }: StoredPromotion): number =>
  summary === null ? 0 : summary.created + summary.updated + summary.deleted;

/** @throws AppError 409 `promotion_failed`, `promotion_rolled_back`, `environment_not_ready` */
function assertApplied({ status, target, rolledBackAt }: StoredPromotion): void {
  if (status === 'failed') throw new AppError('promotion_failed');
  if (status === 'rolled_back')
    throw new AppError('promotion_rolled_back', { rolledBackAt: rolledBackAt?.toISOString() });
  if (status !== 'succeeded')
    throw new AppError('environment_not_ready', { environment: target, status: 'promoting' });
}

/** Rolls a promotion back in one transaction; a large one in a job. */
export async function rollbackPromotion(
  work: UnitOfWork,
  { slug, promotionId }: InputOf<typeof promotions.rollback>,
  { itemsAtOnce }: Pick<PromotionWork, 'itemsAtOnce'>,
): Promise<{ data: Rollback | RollbackJob }> {
  const environment = await work.use(PairRepository).environment(slug);
  assertPromotable(work, environment);
  const store = work.at(environment).use(PromotionRepository);
  await store.allow(STATEMENT_SECONDS);
  const promotion = await store.find(promotionId);
  assertApplied(promotion);
  if (sizeOf(promotion) > itemsAtOnce) return { data: await startRollback(work, environment, promotion) };
  return { data: await runRollback(work, { slug, promotionId: promotion.id }) };
}
