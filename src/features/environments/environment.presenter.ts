import type { Actor } from '../../../contracts/resources/actor.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { EnvironmentRepository, type EnvironmentRow } from './environment.repository.js';
import { SelectionRepository } from './selection/selection.repository.js';

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
