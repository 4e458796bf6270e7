import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Promotion } from '../../../../contracts/deployment/promotions/promotion.js';
import type { Grant } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { applyPromotion } from './apply-promotion.js';
import { ApprovalOverride, type Overridden } from '../../entries/entries/index.js';
import { BaseRepository } from './node-row.repository.js';
import { nameOf } from './compare.js';
import { KeptBaseRepository } from './kept-base.repository.js';
import { PairRepository } from './pair.repository.js';
import type { PromotionPlan } from './promotion-plan.js';
import type { PromotionProgress } from './promotion-progress.js';
import { PromotedRowRepository } from './promoted-row.repository.js';
import { PromotionRepository } from './promotion.repository.js';

export type PromotionInput = InputOf<typeof promotions.promote>;

interface RunOptions {
  readonly promotionId: string;
  readonly input: Pick<PromotionInput, 'publish' | 'comment'>;
  /** The caller's right to override workflows. */
  readonly overriding: readonly Grant[];
  /** Of a job. */
  readonly progress?: PromotionProgress | undefined;
}

/** Conflicts listed in a 409. */
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
