import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Promotion, Rollback } from '../../../../contracts/deployment/promotions/promotion.js';
import type { Grant } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ApprovalOverride, returnEntries, type Overridden } from '../../entries/entries/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { StoredNamesRepository } from '../../environments/renames/index.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { applyPromotion } from './apply-promotion.js';
import { BaseRepository, NodeRowRepository } from './node-row.repository.js';
import { nameOf } from './compare.js';
import { KeptBaseRepository } from './kept-base.repository.js';
import { PairRepository } from './pair.repository.js';
import type { PromotionPlan } from './promotion-plan.js';
import type { PromotionProgress } from './promotion-progress.js';
import { PromotedRowRepository, type ReversedRename } from './promoted-row.repository.js';
import { PromotionRepository } from './promotion.repository.js';
import { keyText } from './item-kinds.js';
import { PromotionCheckRepository, RestoredContentRepository } from './restored-content.repository.js';
import { RowRepository } from './row.repository.js';

export type PromotionInput = InputOf<typeof promotions.promote>;

interface RunOptions {
  readonly promotionId: string;
  readonly input: Pick<PromotionInput, 'publish' | 'comment'>;
  /** The caller's right to override workflows. */
  readonly overriding: readonly Grant[];
  /** Of a job. */
  readonly progress?: PromotionProgress | undefined;
}

/** Conflicts and items listed in a 409. */
const LISTED = 100;

function summaryOf({ items, unchanged }: PromotionPlan): Promotion['summary'] {
  const count = (wanted: string): number => items.filter(({ change }) => change === wanted).length;
  return { created: count('created'), updated: count('updated'), deleted: count('deleted'), unchanged };
}

export function presentPromotion(
  plan: PromotionPlan,
  { promotionId, status }: Pick<Promotion, 'promotionId' | 'status'>,
): Promotion {
  return {
    promotionId,
    source: plan.pair.source.slug,
    target: plan.pair.target.slug,
    status,
    summary: summaryOf(plan),
    items: plan.items.map((item) => ({
      kind: item.kind,
      id: item.id,
      name: nameOf(item),
      change: item.change,
    })),
    conflicts: [...plan.conflicts],
    rollbackAvailable: promotionId !== null,
  };
}

/** @throws AppError 409 `environment_conflict` with base, source and target of each value */
export function assertNoConflict(
  { conflicts }: PromotionPlan,
  strategy: PromotionInput['conflictStrategy'],
): void {
  if (strategy !== 'fail' || conflicts.length === 0) return;
  throw new AppError('environment_conflict', {
    conflicts: conflicts.slice(0, LISTED),
    total: conflicts.length,
  });
}

/** What the promotion makes common to source and target, and to the target and others through the source. */
async function settleBases(
  work: UnitOfWork,
  promotionId: string,
  { pair, settled: items, settledStatuses: statuses }: PromotionPlan,
): Promise<void> {
  const bases = work.use(BaseRepository);
  const relatives = await work.use(PairRepository).relatives(pair);
  const followers = await bases.followers(pair, { items, relatives });
  const number = await bases.nextNumber();
  await work.use(KeptBaseRepository).keep(promotionId, { pair, number, items, followers });
  await bases.follow(pair, { items, relatives, followers });
  await bases.settle(pair, items, number);
  await bases.settleStatuses(pair, { statuses, followers });
}

/** Writes the plan into the environment of the unit of work. */
export async function writePromotion(
  work: UnitOfWork,
  plan: PromotionPlan,
  { promotionId, input: { publish, comment }, overriding, progress }: RunOptions,
): Promise<readonly Overridden[]> {
  const override = new ApprovalOverride(overriding, plan.pair.target.slug);
  const rows = work.use(PromotedRowRepository);
  await rows.keepFor(promotionId);
  await applyPromotion(work, plan, { publish, comment, override, progress });
  await settleBases(work, promotionId, plan);
  const { slug } = plan.pair.source;
  await work
    .use(PromotionRepository)
    .put({ id: promotionId, source: slug, comment: comment ?? null, summary: summaryOf(plan) });
  await rows.finish(promotionId);
  return override.used;
}

function noteWhole(
  target: UnitOfWork,
  plan: PromotionPlan,
  { promotion, overridden }: { promotion: Promotion; overridden: readonly Overridden[] },
): void {
  const { source, summary, promotionId } = promotion;
  const record = { source, promotionId, summary, ...(overridden.length > 0 && { overridden }) };
  target.use(PromotionRepository).note('promote', plan.pair.target, record);
  const items = promotion.items
    .slice(0, limits.promotedItems)
    .map(({ kind, id, change }) => ({ kind, id, change }));
  target.emit({
    type: 'environment.promoted',
    data: { promotionId, source, target: promotion.target, summary, items },
  });
}

/** Writes the plan into its target, with its record and event. */
export async function runPromotion(
  work: UnitOfWork,
  plan: PromotionPlan,
  options: RunOptions,
): Promise<Promotion> {
  const target = work.at(plan.pair.target);
  const overridden = await target.part((part) => writePromotion(part, plan, options));
  const promotion = presentPromotion(plan, { promotionId: options.promotionId, status: 'succeeded' });
  noteWhole(target, plan, { promotion, overridden });
  return promotion;
}

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
