import type { promotions } from '../../../contracts/management/promotions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PromotionRecord } from '../../../contracts/resources/promotion.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { PairRepository } from './pair.repository.js';
import { assertMayCompare, assertReadable } from './promotion.policy.js';
import { PromotionRepository } from './promotion.repository.js';
import { presentRecord } from './promotion.presenter.js';

export async function getPromotion(
  work: UnitOfWork,
  { slug, promotionId }: InputOf<typeof promotions.get>,
): Promise<{ data: PromotionRecord }> {
  assertMayCompare(work);
  const environment = await work.use(PairRepository).environment(slug);
  assertReadable(work, environment);
  return { data: presentRecord(await work.at(environment).use(PromotionRepository).find(promotionId)) };
}
