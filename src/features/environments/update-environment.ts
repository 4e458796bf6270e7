import { AppError } from '../../../contracts/errors.js';
import type { environments } from '../../../contracts/management/environments.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertReady } from './environment.policy.js';
import { presentEnvironment } from './environment.presenter.js';
import { EnvironmentRepository } from './environment.repository.js';

export async function updateEnvironment(
  work: UnitOfWork,
  { environmentSlug, name, description, isProtected }: InputOf<typeof environments.update>,
): Promise<{ data: Environment }> {
  if (name === undefined && description === undefined && isProtected === undefined)
    throw new AppError('no_update_fields');
  const rows = work.use(EnvironmentRepository);
  const before = await rows.lock(environmentSlug);
  assertReady(before);
  const changes = definedKeys({ name, description, isProtected });
  if (!hasChanges(before, changes)) return presentEnvironment(work, before);
  const after = { ...before, ...changes, updatedAt: work.now };
  await rows.save(before, after);
  return presentEnvironment(work, after);
}
