import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { environments } from '../../../../contracts/environments/environments/environments.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Actor } from '../../../../contracts/actor.js';
import type { Environment } from '../../../../contracts/environments/environments/environment.js';
import type { RunPart, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CopySizeRepository } from './copy/copy.repository.js';
import { DefaultWorkflowRepository } from './default-workflow.repository.js';
import { EnvironmentJobRepository, type EnvironmentJob } from './environment-job.repository.js';
import { assertReady, authorizeIn, presentEnvironment } from './environment.policy.js';
import { EnvironmentRepository, type EnvironmentRow } from './environment.repository.js';
import type { EnvironmentWork } from './environment-work.js';

type Input = InputOf<typeof environments.create>;

/** The last part of a path that another operation has. */
const RESERVED = 'select';

async function assertRoom(work: UnitOfWork): Promise<void> {
  const rows = work.use(EnvironmentRepository);
  await rows.lockProject();
  const limit = limits.environmentsPerProject;
  if ((await rows.countShown()) >= limit) throw new AppError('limit_reached', { limit });
}

async function baseOf(work: UnitOfWork, from: Input['from']): Promise<EnvironmentRow | null> {
  if (from === null) return null;
  const rows = work.use(EnvironmentRepository);
  const base = await (from === undefined ? rows.default() : rows.find(from));
  assertReady(base);
  authorizeIn(work, base, 'entries.read');
  return base;
}

function newRow(work: UnitOfWork, input: Input, base: EnvironmentRow | null): EnvironmentRow {
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

async function openEnvironment(work: UnitOfWork, input: Input): Promise<Opened> {
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
  input: Input,
  jobs: EnvironmentWork,
): Promise<{ data: Environment }> {
  const { job, requestId } = await inPart((work) => openEnvironment(work, input));
  if (job !== undefined) await jobs.run(job, requestId);
  return inPart(async (work) =>
    presentEnvironment(work, await work.use(EnvironmentRepository).find(input.slug)),
  );
}
