import type { environments } from '../../../contracts/management/environments.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentEnvironment } from './environment.presenter.js';
import { EnvironmentRepository } from './environment.repository.js';

export async function getEnvironment(
  work: UnitOfWork,
  { environmentSlug }: InputOf<typeof environments.get>,
): Promise<{ data: Environment }> {
  return presentEnvironment(work, await work.use(EnvironmentRepository).find(environmentSlug));
}
