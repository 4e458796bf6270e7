import type { environments } from '../../../../contracts/environments/environments/environments.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Environment } from '../../../../contracts/environments/environments/environment.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentEnvironment, presentEnvironments, assertReady, authorizeIn } from './environment.policy.js';
import { EnvironmentRepository, SelectionRepository } from './environment.repository.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';

export async function getEnvironment(
  work: UnitOfWork,
  { environmentSlug }: InputOf<typeof environments.get>,
): Promise<{ data: Environment }> {
  return presentEnvironment(work, await work.use(EnvironmentRepository).find(environmentSlug));
}

export async function listEnvironments(
  work: UnitOfWork,
  input: InputOf<typeof environments.list>,
): Promise<{ data: Environment[]; meta: PageMeta }> {
  const { items, total } = await work.use(EnvironmentRepository).list(input);
  return listEnvelope({ items: await presentEnvironments(work, items), total }, input);
}

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
