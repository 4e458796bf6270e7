import { AppError } from '../../../../contracts/errors.js';
import { isPermitted, refusal } from '../../../access/authorize.js';
import type { VerbName } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { type EnvironmentRow, EnvironmentRepository, SelectionRepository } from './environment.repository.js';
import type { Actor } from '../../../../contracts/actor.js';
import type { Environment } from '../../../../contracts/environments/environments/environment.js';

/** @throws AppError 409 `environment_not_ready` */
export function assertReady({ slug, status }: EnvironmentRow): void {
  if (status !== 'ready') throw new AppError('environment_not_ready', { environment: slug, status });
}

/**
 * Permission in another environment than that of the call.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeIn(work: UnitOfWork, environment: EnvironmentRow, name: VerbName): void {
  const { scope } = work;
  const there = { scope: { ...scope, environmentSlug: environment.slug } };
  if (!isPermitted(there, name)) throw refusal(there, name);
}

const isWorking = ({ status }: EnvironmentRow): boolean => status === 'creating' || status === 'promoting';

/** With their counts and progress; any number of environments takes two statements. */
export async function presentEnvironments(
  work: UnitOfWork,
  rows: readonly EnvironmentRow[],
): Promise<Environment[]> {
  const [facts, selectedId] = await Promise.all([
    work.use(EnvironmentRepository).facts(rows.map(({ id }) => id)),
    work.use(SelectionRepository).current(),
  ]);
  return rows.map((row) => {
    const { baseSlug = null, entryCount = 0, done = null, total = null } = facts.get(row.id) ?? {};
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      description: row.description,
      isDefault: row.isDefault,
      isProtected: row.isProtected,
      baseEnvironment: baseSlug,
      status: row.status as Environment['status'],
      progress: isWorking(row) && done !== null && total !== null ? { done, total } : null,
      entryCount,
      isSelected: row.id === selectedId,
      createdAt: row.createdAt.toISOString(),
      createdBy: row.createdBy as Actor,
      updatedAt: row.updatedAt.toISOString(),
    };
  });
}

export async function presentEnvironment(
  work: UnitOfWork,
  row: EnvironmentRow,
): Promise<{ data: Environment }> {
  const [data] = await presentEnvironments(work, [row]);
  if (data === undefined) throw new Error('One row gives one environment');
  return { data };
}
