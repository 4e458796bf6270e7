import type { Deleted } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { environments } from '../../../../contracts/environments/environments/environments.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { BranchRepository } from './copy/copy.repository.js';
import {
  DeletionRepository,
  EnvironmentRepository,
  type EnvironmentRow,
  SelectionRepository,
} from './environment.repository.js';
import { EnvironmentJobRepository } from './environment-job.repository.js';
import { assertReady } from './environment.policy.js';

/** @throws AppError 409 `environment_is_default`, `environment_is_protected`, `environment_not_ready` */
async function assertDeletable(work: UnitOfWork, row: EnvironmentRow): Promise<void> {
  if (row.isDefault) throw new AppError('environment_is_default');
  if (row.isProtected) throw new AppError('environment_is_protected');
  if (row.status !== 'failed') assertReady(row);
  const copies = await work
    .use(EnvironmentRepository)
    .count({ baseEnvironmentId: row.id, status: 'creating' });
  if (copies > 0) throw new AppError('environment_not_ready', { environment: row.slug, copies });
}

/** Gone at once for callers; a job deletes the rows. */
export async function deleteEnvironment(
  work: UnitOfWork,
  { environmentSlug }: InputOf<typeof environments.delete>,
): Promise<{ data: Deleted }> {
  const rows = work.use(EnvironmentRepository);
  const row = await rows.lock(environmentSlug);
  await assertDeletable(work, row);
  await rows.markDeleted(row);
  await work.use(BranchRepository).passOn(row.id);
  await work.use(SelectionRepository).forget(row.id);
  await work.use(DeletionRepository).cancelJobs(row.id);
  await work.use(EnvironmentJobRepository).put({
    tenantId: row.tenantId,
    projectId: row.projectId,
    projectSlug: work.scope.projectSlug ?? '',
    environmentId: row.id,
    environmentSlug: row.slug,
    kind: 'delete',
    copiesContent: true,
    attempts: 0,
    createdBy: work.scope.actor,
  });
  work.emit({ type: 'environment.deleted', data: { environmentId: row.id, slug: row.slug } });
  return { data: { id: row.id, deleted: true } };
}
