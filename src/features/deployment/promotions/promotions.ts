import { AppError } from '../../../../contracts/errors.js';
import { authorize } from '../../../access/authorize.js';
import type { VerbName } from '../../../access/grants.js';
import type { ProjectResource } from '../../../../contracts/rights.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { type ComparedEnvironment, PairRepository } from './pair.repository.js';
import type { PromotionRecord } from '../../../../contracts/deployment/promotions/promotion.js';
import { type StoredPromotion, PromotionRepository } from './promotion.repository.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';

const readVerbs: readonly VerbName[] = [
  'contentTypes.read',
  'customFieldTypes.read',
  'workflows.read',
  'entries.read',
  'tree.read',
  'media.read',
  'redirects.read',
];

/**
 * Whether the caller may do this to everything in the environment: a comparison shows all of its content.
 * @throws AppError 403 `environment_not_allowed`, `permission_denied`
 */
function assertPermitted(
  work: UnitOfWork,
  { id, slug }: ComparedEnvironment,
  verbs: readonly VerbName[],
): void {
  const { scope } = work;
  const bound = scope.keyBounds?.environmentId ?? null;
  if (bound !== null && bound !== id) throw new AppError('environment_not_allowed', { environment: slug });
  for (const verb of verbs) authorize({ scope: { ...scope, environmentSlug: slug } }, verb, { isLive: true });
}

const written: readonly ProjectResource[] = [
  'contentTypes',
  'customFieldTypes',
  'workflows',
  'entries',
  'tree',
  'redirects',
  'media',
];
/** A promotion creates, changes and deletes, also what is public. */
const writeVerbs: readonly VerbName[] = written.flatMap((resource) =>
  (['create', 'update', 'delete'] as const).map((action): VerbName => `${resource}.${action}`),
);

/** Before the environments are known. */
export function assertMayCompare(work: UnitOfWork): void {
  for (const verb of readVerbs) authorize(work, verb, { isLive: true });
}

export function assertReadable(work: UnitOfWork, environment: ComparedEnvironment): void {
  assertPermitted(work, environment, readVerbs);
}

export function assertPromotable(work: UnitOfWork, environment: ComparedEnvironment): void {
  assertPermitted(work, environment, [...readVerbs, ...writeVerbs, 'entries.publish']);
}

const presentRecord = ({ id, done, total, ...stored }: StoredPromotion): PromotionRecord => ({
  promotionId: id,
  source: stored.source,
  target: stored.target,
  status: stored.status,
  progress: done === null || total === null ? null : { done, total },
  summary: stored.summary,
  error: stored.error,
  comment: stored.comment,
  createdAt: stored.createdAt.toISOString(),
  createdBy: stored.createdBy,
  appliedAt: stored.appliedAt?.toISOString() ?? null,
  rolledBackAt: stored.rolledBackAt?.toISOString() ?? null,
  rollbackAvailable: stored.status === 'succeeded',
});

export async function getPromotion(
  work: UnitOfWork,
  { slug, promotionId }: InputOf<typeof promotions.get>,
): Promise<{ data: PromotionRecord }> {
  assertMayCompare(work);
  const environment = await work.use(PairRepository).environment(slug);
  assertReadable(work, environment);
  return { data: presentRecord(await work.at(environment).use(PromotionRepository).find(promotionId)) };
}

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
