import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { promotions } from '../../../contracts/management/promotions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PromotionRecord } from '../../../contracts/resources/promotion.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { PairRepository } from './pair.repository.js';
import { assertMayCompare, assertReadable } from './promotion.policy.js';
import { PromotionRepository } from './promotion.repository.js';
import { presentRecord } from './promotion.presenter.js';

export async function listPromotions(
  work: UnitOfWork,
  { slug, page, limit }: InputOf<typeof promotions.list>,
): Promise<{ data: PromotionRecord[]; meta: PageMeta }> {
  assertMayCompare(work);
  const environment = await work.use(PairRepository).environment(slug);
  assertReadable(work, environment);
  const { items, total } = await work.at(environment).use(PromotionRepository).latest({ page, limit });
  return listEnvelope({ items: items.map(presentRecord), total }, { page, limit });
}
