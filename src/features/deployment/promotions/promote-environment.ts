import { AppError } from '../../../../contracts/errors.js';
import type {
  Promotion,
  PromotionJob,
  Rollback,
  RollbackJob,
} from '../../../../contracts/deployment/promotions/promotion.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { overridingGrants } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { hasLocales } from './item-kinds.js';
import { ItemRepository } from './item.repository.js';
import { PairRepository, type EnvironmentPair } from './pair.repository.js';
import { planPromotion, type PromotionPlan } from './promotion-plan.js';
import { assertPromotable, assertReadable } from './promotions.js';
import { PromotionRepository, type StoredPromotion } from './promotion.repository.js';
import type { PromotionWork } from './promotion-work.js';
import {
  assertNoConflict,
  presentPromotion,
  runPromotion,
  writePromotion,
  runRollback,
  type PromotionInput,
} from './run-promotion.js';
import { startPromotion, startRollback } from './start-job.js';

/** A promotion rewrites what a whole redesign changed in one transaction. */
const STATEMENT_SECONDS = 120;

/** Ends the part of a dry run; carries its result. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';

  constructor(readonly promotion: Promotion) {
    super('a dry run was undone');
  }
}

const invalid = (path: readonly (string | number)[], message: string): AppError =>
  new AppError('validation_failed', { issues: [{ path, code: 'custom', message }] });

/** @throws AppError 422 `validation_failed` */
function assertItems({ mode, items }: PromotionInput): void {
  if ((mode === 'full') !== (items === undefined))
    throw invalid(
      ['items'],
      mode === 'full' ? 'A full promotion takes no items.' : 'Name the items to promote.',
    );
  const index = items?.findIndex(({ kind, locales }) => locales !== undefined && !hasLocales(kind)) ?? -1;
  if (index >= 0) throw invalid(['items', index, 'locales'], 'Only entries and assets have locales.');
}

/** The same steps as a promotion, undone at the end. */
async function rehearse(target: UnitOfWork, plan: PromotionPlan, input: PromotionInput): Promise<Promotion> {
  const planned = presentPromotion(plan, { promotionId: null, status: 'planned' });
  try {
    await target.part(async (part) => {
      const overriding = overridingGrants(part.scope);
      await writePromotion(part, plan, { promotionId: target.newId(), input, overriding });
      throw new Rehearsed(planned);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.promotion;
    throw error;
  }
  return planned;
}

async function pairOf(work: UnitOfWork, { slug, target }: PromotionInput): Promise<EnvironmentPair> {
  const pair = await work.use(PairRepository).find(slug, target);
  assertReadable(work, pair.source);
  assertPromotable(work, pair.target);
  return pair;
}

/** Undefined if it has more items than are promoted at once. */
async function smallPlan(
  work: UnitOfWork,
  pair: EnvironmentPair,
  { input, most }: { input: PromotionInput; most: number },
): Promise<PromotionPlan | undefined> {
  const { items = null, includeDependencies, conflictStrategy, publish } = input;
  const size = items === null ? await work.use(ItemRepository).countChanged(pair) : items.length;
  if (size > most) return undefined;
  const plan = await planPromotion(work, pair, { items, includeDependencies, conflictStrategy, publish });
  return plan.items.length > most ? undefined : plan;
}

/**
 * Carries changes of an environment into another in one transaction, which excludes all other writers of the project.
 * A large promotion is a job.
 * @throws AppError 409 `environment_conflict` with base, source and target of each value
 */
export async function promoteEnvironment(
  work: UnitOfWork,
  input: PromotionInput,
  { itemsAtOnce: most }: Pick<PromotionWork, 'itemsAtOnce'>,
): Promise<{ data: Promotion | PromotionJob }> {
  assertItems(input);
  const pair = await pairOf(work, input);
  await work.use(PromotionRepository).allow(STATEMENT_SECONDS);
  const plan = await smallPlan(work, pair, { input, most });
  if (plan === undefined) {
    if (input.dryRun) throw new AppError('limit_reached', { limit: most });
    return { data: await startPromotion(work, pair, input) };
  }
  if (input.dryRun) return { data: await rehearse(work.at(pair.target), plan, input) };
  assertNoConflict(plan, input.conflictStrategy);
  const overriding = overridingGrants(work.scope);
  return { data: await runPromotion(work, plan, { promotionId: work.newId(), input, overriding }) };
}

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
