import { AppError } from '../../../contracts/errors.js';
import type { promotions } from '../../../contracts/management/promotions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Rollback } from '../../../contracts/resources/promotion.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { EntryTreeRepository } from '../tree/index.js';
import { keyText } from './item-kinds.js';
import { NodeRowRepository } from './node-row.repository.js';
import { PairRepository } from './pair.repository.js';
import { PromotedRowRepository } from './promoted-row.repository.js';
import { PromotionCheckRepository } from './promotion-check.repository.js';
import { assertPromotable } from './promotion.policy.js';
import { PromotionRepository } from './promotion.repository.js';

const STATEMENT_SECONDS = 120;
/** Items listed in a 409. */
const LISTED = 100;

/** What changed around restored nodes since: siblings with their ranks, renamed parents, new children. */
async function settleTree(
  target: UnitOfWork,
  nodeIds: readonly string[],
  siteIds: readonly string[],
): Promise<void> {
  await target.use(NodeRowRepository).settleRanks(nodeIds);
  await target.use(EntryTreeRepository).settleNodes(nodeIds, siteIds);
}

/**
 * Puts back what a promotion replaced: content, published documents, tree, paths, redirects and schema. Versions go on.
 * @throws AppError 409 `rollback_conflict` with the items that changed since
 */
export async function rollbackPromotion(
  work: UnitOfWork,
  { slug, promotionId }: InputOf<typeof promotions.rollback>,
): Promise<{ data: Rollback }> {
  const environment = await work.use(PairRepository).environment(slug);
  assertPromotable(work, environment);
  const target = work.at(environment);
  const store = target.use(PromotionRepository);
  await store.allow(STATEMENT_SECONDS);
  const promotion = await store.find(promotionId);
  const siteIds = await target.use(PromotionCheckRepository).siteIds();
  await target.use(EntryTreeRepository).lockTrees([...siteIds, null]);
  const rows = target.use(PromotedRowRepository);
  const changed = await rows.changedSince(promotion.id);
  if (changed.length > 0) {
    const items = [...new Map(changed.map(({ kind, id }) => [keyText({ kind, id }), { kind, id }])).values()];
    throw new AppError('rollback_conflict', { items: items.slice(0, LISTED), total: items.length });
  }
  await rows.restore(promotion.id);
  await settleTree(target, await rows.restoredNodes(promotion.id), siteIds);
  await rows.checkConstraints();
  await rows.addVersions(promotion.id);
  await rows.reverseRenames(promotion.createdAt);
  await rows.restoreBases(promotion.id);
  await store.markRolledBack(promotion.id);
  const data = {
    promotionId: promotion.id,
    source: promotion.source,
    target: slug,
    status: 'rolled_back',
  } as const;
  store.note('rollback', environment, { ...data, summary: promotion.summary });
  target.emit({ type: 'environment.rolled_back', data });
  return { data };
}
