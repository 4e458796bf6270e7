import { AppError } from '../../contracts/errors.js';
import { assertPermitted } from '../access/authorize.js';
import { JobRefused, type AsRequester } from '../features/editorial/translations/index.js';
import { newId } from '../infrastructure/ids.js';
import type { WorkScope } from '../persistence/work/unit-of-work.js';
import type { Call } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import { presentPrincipal } from './present-principal.js';
import { projectRefusal } from './project-access.js';
import { projectScope } from './scopes.js';
import type { Services } from './services.js';

type Job = Parameters<AsRequester>[0];

/** @throws AppError 401, 403 and 404, as a call of the job's caller would */
async function requesterScope(
  services: Services,
  { id, kind, createdBy, projectSlug, environmentId }: Job,
): Promise<WorkScope> {
  const catalog = await services.catalogs.find(projectSlug, environmentId);
  if (catalog?.data.environment.id !== environmentId) throw new AppError('environment_not_found');
  const caller = { kind: createdBy.type === 'api_key' ? 'api_key' : 'user', id: createdBy.id ?? '' } as const;
  const principal = await presentPrincipal(services, catalog, caller);
  const refusal = projectRefusal(principal, catalog);
  if (refusal !== undefined) throw new AppError(refusal);
  const operation = {
    audience: 'management',
    resource: 'translations',
    action: kind === 'export' ? 'read' : 'update',
  } as const;
  const environmentSlug = catalog.data.environment.slug;
  assertPermitted(principal, operation, { surface: 'rest', environmentSlug });
  const origin = { authorization: undefined, requestId: newId(), ip: null, userAgent: null };
  const call: Call = { surface: 'rest', ...origin };
  return { ...projectScope(call, principal, catalog), metadata: { jobId: id } };
}

/** Runs parts of jobs on translations with the present rights of their callers. */
export const asRequester =
  (services: Services): AsRequester =>
  async (job, run) => {
    const scope = await mapDatabaseErrors(() => requesterScope(services, job)).catch((error: unknown) => {
      if (error instanceof AppError && error.status < 500) throw new JobRefused(error);
      throw error;
    });
    const isReadOnly = job.kind === 'export';
    const lock = isReadOnly ? 'none' : 'content';
    return mapDatabaseErrors(() => services.units.run({ scope, isReadOnly, lock }, run));
  };
