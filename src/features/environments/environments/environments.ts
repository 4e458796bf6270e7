import type { environments } from '../../../../contracts/environments/environments/environments.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Environment } from '../../../../contracts/environments/environments/environment.js';
import { listEnvelope, type PageMeta, type Deleted } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { Actor } from '../../../../contracts/actor.js';
import type { UnitOfWork, RunPart } from '../../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { presentEnvironment, presentEnvironments, assertReady, authorizeIn } from './environment.policy.js';
import {
  EnvironmentRepository,
  SelectionRepository,
  DefaultWorkflowRepository,
  DeletionRepository,
  type EnvironmentRow,
} from './environment.repository.js';
import { CopySizeRepository, BranchRepository } from './copy/copy.repository.js';
import { EnvironmentJobRepository, type EnvironmentJob } from './environment-job.repository.js';
import type { EnvironmentWork } from './environment-work.js';

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

type CreateInput = InputOf<typeof environments.create>;

/** The last part of a path that another operation has. */
const RESERVED = 'select';

async function assertRoom(work: UnitOfWork): Promise<void> {
  const rows = work.use(EnvironmentRepository);
  await rows.lockProject();
  const limit = limits.environmentsPerProject;
  if ((await rows.countShown()) >= limit) throw new AppError('limit_reached', { limit });
}

async function baseOf(work: UnitOfWork, from: CreateInput['from']): Promise<EnvironmentRow | null> {
  if (from === null) return null;
  const rows = work.use(EnvironmentRepository);
  const base = await (from === undefined ? rows.default() : rows.find(from));
  assertReady(base);
  authorizeIn(work, base, 'entries.read');
  return base;
}

function newRow(work: UnitOfWork, input: CreateInput, base: EnvironmentRow | null): EnvironmentRow {
  const { scope, now } = work;
  return {
    tenantId: scope.tenantId ?? '',
    projectId: scope.projectId ?? '',
    id: work.newId(),
    slug: input.slug,
    name: input.name,
    description: input.description ?? null,
    isDefault: false,
    isProtected: input.isProtected ?? false,
    status: base === null ? 'ready' : 'creating',
    baseEnvironmentId: base?.id ?? null,
    createdAt: now,
    createdBy: scope.actor,
    updatedAt: now,
  };
}

interface Opened {
  readonly requestId: string;
  /** Set if it is short enough to be waited for. */
  readonly job?: EnvironmentJob;
}

async function openEnvironment(work: UnitOfWork, input: CreateInput): Promise<Opened> {
  const { requestId } = work.scope.origin;
  if (input.slug === RESERVED) throw new AppError('reserved_slug', { path: ['slug'] });
  await assertRoom(work);
  const base = await baseOf(work, input.from);
  const row = newRow(work, input, base);
  await work.use(EnvironmentRepository).insert(row);
  if (base === null) {
    await work.use(DefaultWorkflowRepository).insertDefault(row.tenantId, row.id);
    work.emit({ type: 'environment.created', data: { environmentId: row.id, slug: row.slug } });
    return { requestId };
  }
  const job: EnvironmentJob = {
    tenantId: row.tenantId,
    projectId: row.projectId,
    projectSlug: work.scope.projectSlug ?? '',
    environmentId: row.id,
    environmentSlug: row.slug,
    kind: 'copy',
    copiesContent: input.copyContent,
    attempts: 0,
    createdBy: row.createdBy as Actor,
  };
  await work.use(EnvironmentJobRepository).put(job);
  const isShort = !input.copyContent || (await work.use(CopySizeRepository).isSmall(base.id));
  return { requestId, ...(isShort && { job }) };
}

/** The copy runs in a separate transaction. A long or failed copy continues in the background. */
export async function createEnvironment(
  inPart: RunPart,
  input: CreateInput,
  jobs: EnvironmentWork,
): Promise<{ data: Environment }> {
  const { job, requestId } = await inPart((work) => openEnvironment(work, input));
  if (job !== undefined) await jobs.run(job, requestId);
  return inPart(async (work) =>
    presentEnvironment(work, await work.use(EnvironmentRepository).find(input.slug)),
  );
}

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
