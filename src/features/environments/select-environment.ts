import { AppError } from '../../../contracts/errors.js';
import type { environments } from '../../../contracts/management/environments.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Environment } from '../../../contracts/resources/environment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertReady, authorizeIn } from './environment.policy.js';
import { presentEnvironment } from './environment.presenter.js';
import { EnvironmentRepository } from './environment.repository.js';
import { SelectionRepository } from './selection/selection.repository.js';

export async function selectEnvironment(
  work: UnitOfWork,
  { slug }: InputOf<typeof environments.select>,
): Promise<{ data: Environment }> {
  const rows = work.use(EnvironmentRepository);
  const row = await rows.lock(slug);
  const boundTo = work.scope.keyBounds?.environmentId ?? null;
  if (boundTo !== null && boundTo !== row.id) throw new AppError('environment_not_allowed');
  if (row.status !== 'promoting') assertReady(row);
  // Else the caller could not select another one.
  authorizeIn(work, row, 'environments.read');
  const selections = work.use(SelectionRepository);
  rows.noteSelection(await selections.current(), row);
  await selections.select(row.id);
  return presentEnvironment(work, row);
}
