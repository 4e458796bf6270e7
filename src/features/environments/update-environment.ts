import { AppError } from '../../../contracts/errors.js';
import type { environments } from '../../../contracts/management/environments.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
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
  const after = {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    isProtected: isProtected ?? before.isProtected,
    updatedAt: work.now,
  };
  await rows.save(before, after);
  return presentEnvironment(work, after);
}
