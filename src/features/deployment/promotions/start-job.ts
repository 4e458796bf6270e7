import type { PromotionJob, RollbackJob } from '../../../../contracts/deployment/promotions/promotion.js';
import { overridingGrants, type Grant } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  assertReady,
  EnvironmentJobRepository,
  EnvironmentRepository,
  type EnvironmentJob,
} from '../../environments/environments/index.js';
import type { ComparedEnvironment, EnvironmentPair } from './pair.repository.js';
import { PromotionRepository, type StoredPromotion } from './promotion.repository.js';
import type { PromotionInput } from './run-promotion.js';

/** The states of a workflow that are reserved for roles stay so in a job. */
interface Requester {
  readonly isSuperAdmin: boolean;
  readonly roleIds: readonly string[];
}

/** `details` of a job of this feature. */
export interface PromotionDetails {
  readonly promotionId: string;
  readonly requester: Requester;
  /** Of a promotion. */
  readonly input?: PromotionInput;
  /** Of a promotion: the requester's right to override workflows. */
  readonly overriding?: readonly Grant[];
  /** Another environment may take the slug of a deleted one. */
  readonly sourceId?: string;
}

const requesterOf = ({ scope: { isSuperAdmin = false, roleIds = [] } }: UnitOfWork): Requester => ({
  isSuperAdmin,
  roleIds,
});

/** @throws AppError 409 `environment_not_ready` while another job works on the environment */
async function putJob(
  work: UnitOfWork,
  { id, slug }: ComparedEnvironment,
  { kind, details }: { kind: EnvironmentJob['kind']; details: PromotionDetails },
): Promise<void> {
  const environments = work.use(EnvironmentRepository);
  assertReady(await environments.lock(slug));
  await environments.setStatus(id, 'promoting');
  await work.use(EnvironmentJobRepository).put({
    tenantId: work.scope.tenantId ?? '',
    projectId: work.scope.projectId ?? '',
    projectSlug: work.scope.projectSlug ?? '',
    environmentId: id,
    environmentSlug: slug,
    kind,
    copiesContent: true,
    attempts: 0,
    createdBy: work.scope.actor,
    details,
  });
}

/** What the caller may do was checked; everything else is when the job runs. */
export async function startPromotion(
  work: UnitOfWork,
  { source, target }: EnvironmentPair,
  input: PromotionInput,
): Promise<PromotionJob> {
  const promotionId = work.newId();
  const details = {
    promotionId,
    requester: requesterOf(work),
    overriding: overridingGrants(work.scope),
    input,
    sourceId: source.id,
  };
  await putJob(work, target, { kind: 'promote', details });
  await work
    .at(target)
    .use(PromotionRepository)
    .put({ id: promotionId, source: source.slug, comment: input.comment ?? null, summary: null });
  return {
    jobId: promotionId,
    promotionId,
    source: source.slug,
    target: target.slug,
    status: 'running',
  };
}

export async function startRollback(
  work: UnitOfWork,
  target: ComparedEnvironment,
  { id, source }: StoredPromotion,
): Promise<RollbackJob> {
  const details = { promotionId: id, requester: requesterOf(work) };
  await putJob(work, target, { kind: 'rollback', details });
  await work.at(target).use(PromotionRepository).setStatus(id, 'rolling_back');
  return { jobId: id, promotionId: id, source, target: target.slug, status: 'rolling_back' };
}
