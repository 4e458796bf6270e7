import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { environments } from '../../../contracts/management/environments.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentEnvironments } from './environment.presenter.js';
import { EnvironmentRepository } from './environment.repository.js';

export async function listEnvironments(
  work: UnitOfWork,
  input: InputOf<typeof environments.list>,
): Promise<{ data: Environment[]; meta: PageMeta }> {
  const { items, total } = await work.use(EnvironmentRepository).list(input);
  return listEnvelope({ items: await presentEnvironments(work, items), total }, input);
}
