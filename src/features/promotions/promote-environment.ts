import { AppError } from '../../../contracts/errors.js';
import type { promotions } from '../../../contracts/management/promotions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Promotion } from '../../../contracts/resources/promotion.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { applyPromotion } from './apply-promotion.js';
import { nameOf } from './difference.presenter.js';
import { PairRepository, type EnvironmentPair } from './pair.repository.js';
import { planPromotion, type PromotionPlan } from './promotion-plan.js';
import { assertPromotable, assertReadable } from './promotion.policy.js';
import { PromotedRowRepository } from './promoted-row.repository.js';
import { PromotionRepository } from './promotion.repository.js';

type Input = InputOf<typeof promotions.promote>;

/** A promotion rewrites what a whole redesign changed in one transaction. */
const STATEMENT_SECONDS = 120;

/** Ends the part of a dry run; carries its result. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';

  constructor(readonly promotion: Promotion) {
    super('a dry run was undone');
  }
}

/** @throws AppError 422 `validation_failed` */
function selectedItems({ mode, items }: Input): Input['items'] | null {
  if (mode === 'full' && items === undefined) return null;
  if (mode === 'cherryPick' && items !== undefined) return items;
  const message = mode === 'full' ? 'A full promotion takes no items.' : 'Name the items to promote.';
  throw new AppError('validation_failed', { issues: [{ path: ['items'], code: 'custom', message }] });
}

function summaryOf({ items, unchanged }: PromotionPlan): Promotion['summary'] {
  const count = (wanted: string): number => items.filter(({ change }) => change === wanted).length;
  return { created: count('created'), updated: count('updated'), deleted: count('deleted'), unchanged };
}

function presentPromotion(
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

async function writePromotion(
  work: UnitOfWork,
  plan: PromotionPlan,
  { promotionId, input }: { promotionId: string; input: Input },
): Promise<void> {
  const { publish, comment } = input;
  const promotions = work.use(PromotionRepository);
  const rows = work.use(PromotedRowRepository);
  await rows.keepFor(promotionId);
  await applyPromotion(work, plan, { publish, comment });
  await rows.keepBases(promotionId, plan.pair.branchId, plan.settled);
  await promotions.settle(plan.pair, plan.settled);
  await promotions.settleStatuses(plan.pair, plan.settledStatuses);
  const { slug } = plan.pair.source;
  const summary = summaryOf(plan);
  await promotions.insert({ id: promotionId, source: slug, comment: comment ?? null, summary });
  await rows.finish(promotionId);
}

/** The same steps as a promotion, undone at the end. */
async function rehearse(target: UnitOfWork, plan: PromotionPlan, input: Input): Promise<Promotion> {
  const planned = presentPromotion(plan, { promotionId: null, status: 'planned' });
  try {
    await target.part(async (part) => {
      await writePromotion(part, plan, { promotionId: target.newId(), input });
      throw new Rehearsed(planned);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.promotion;
    throw error;
  }
  return planned;
}

function noteWhole(target: UnitOfWork, plan: PromotionPlan, promotion: Promotion): void {
  const { source, summary, promotionId } = promotion;
  target.use(PromotionRepository).note('promote', plan.pair.target, { source, promotionId, summary });
  const items = promotion.items.map(({ kind, id, change }) => ({ kind, id, change }));
  target.emit({
    type: 'environment.promoted',
    data: { promotionId, source, target: promotion.target, summary, items },
  });
}

async function pairOf(work: UnitOfWork, { slug, target }: Input): Promise<EnvironmentPair> {
  const pair = await work.use(PairRepository).find(slug, target);
  assertReadable(work, pair.source);
  assertPromotable(work, pair.target);
  return pair;
}

/**
 * Carries changes of an environment into another in one transaction, which excludes all other writers of the project.
 * @throws AppError 409 `environment_conflict` with base, source and target of each value
 */
export async function promoteEnvironment(work: UnitOfWork, input: Input): Promise<{ data: Promotion }> {
  const { includeDependencies, conflictStrategy, publish, dryRun } = input;
  const items = selectedItems(input) ?? null;
  const pair = await pairOf(work, input);
  await work.use(PromotionRepository).allow(STATEMENT_SECONDS);
  const plan = await planPromotion(work, pair, { items, includeDependencies, conflictStrategy, publish });
  const isInTheWay = conflictStrategy === 'fail' && plan.conflicts.length > 0;
  if (isInTheWay && !dryRun)
    throw new AppError('environment_conflict', {
      conflicts: plan.conflicts.slice(0, 100),
      total: plan.conflicts.length,
    });
  const target = work.at(pair.target);
  if (dryRun) return { data: await rehearse(target, plan, input) };
  const promotionId = work.newId();
  await target.part((part) => writePromotion(part, plan, { promotionId, input }));
  const promotion = presentPromotion(plan, { promotionId, status: 'succeeded' });
  noteWhole(target, plan, promotion);
  return { data: promotion };
}
