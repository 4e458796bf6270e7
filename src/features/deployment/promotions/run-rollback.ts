import { AppError } from '../../../../contracts/errors.js';
import type { Rollback } from '../../../../contracts/deployment/promotions/promotion.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { returnEntries } from '../../entries/entries/index.js';
import { StoredNamesRepository } from '../../environments/renames/index.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { keyText } from './item-kinds.js';
import { KeptBaseRepository } from './kept-base.repository.js';
import { NodeRowRepository } from './node-row.repository.js';
import { PairRepository } from './pair.repository.js';
import { PromotedRowRepository, type ReversedRename } from './promoted-row.repository.js';
import { PromotionCheckRepository, RestoredContentRepository } from './restored-content.repository.js';
import { PromotionRepository } from './promotion.repository.js';
import { RowRepository } from './row.repository.js';

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

/** @throws AppError 409 `rollback_conflict` with the items that changed since */
async function assertUnchanged(rows: PromotedRowRepository, promotionId: string): Promise<void> {
  const changed = await rows.changedSince(promotionId);
  if (changed.length === 0) return;
  const items = [...new Map(changed.map(({ kind, id }) => [keyText({ kind, id }), { kind, id }])).values()];
  throw new AppError('rollback_conflict', { items: items.slice(0, LISTED), total: items.length });
}

/** What names the types and fields, last rename first. */
async function followReversedNames(work: UnitOfWork, renames: readonly ReversedRename[]): Promise<void> {
  const names = work.use(StoredNamesRepository);
  for (const rename of renames)
    await (rename.fieldId === null ? names.renameContentType(rename) : names.renameField(rename));
}

/**
 * Puts back what a promotion replaced: content, published documents, tree, paths, redirects and schema. Versions go on, and content
 * that changes is not approved any more.
 * @throws AppError 409 `rollback_conflict` with the items that changed since
 */
export async function runRollback(
  work: UnitOfWork,
  { slug, promotionId }: { slug: string; promotionId: string },
): Promise<Rollback> {
  const environment = await work.use(PairRepository).environment(slug);
  const target = work.at(environment);
  const store = target.use(PromotionRepository);
  const promotion = await store.find(promotionId);
  const siteIds = await target.use(PromotionCheckRepository).siteIds();
  await target.use(EntryTreeRepository).lockTrees([...siteIds, null]);
  const rows = target.use(PromotedRowRepository);
  await assertUnchanged(rows, promotion.id);
  const restored = target.use(RestoredContentRepository);
  const content = await restored.find(promotion.id);
  await rows.restore(promotion.id);
  await settleTree(target, await rows.restoredNodes(promotion.id), siteIds);
  await rows.checkConstraints();
  await restored.addVersions(promotion.id, content);
  // Also what was approved before the promotion, in the workflows that the rollback leaves.
  await returnEntries(target, await target.use(CatalogRepository).current(), content);
  await target.use(RowRepository).addRestoredVersions(promotion.id);
  await followReversedNames(target, await rows.reverseRenames(promotion.appliedAt ?? promotion.createdAt));
  await target.use(KeptBaseRepository).restore(promotion.id);
  await store.markRolledBack(promotion.id);
  const { id, source, summary } = promotion;
  const data = { promotionId: id, source, target: slug, status: 'rolled_back' } as const;
  store.note('rollback', environment, { ...data, summary });
  target.emit({ type: 'environment.rolled_back', data });
  return data;
}
