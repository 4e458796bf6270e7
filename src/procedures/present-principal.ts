import { AppError } from '../../contracts/errors.js';
import type { KeyPrincipal, UserPrincipal } from '../access/principal.js';
import { systemGrants } from '../access/system-roles.js';
import type { Catalog } from '../content/catalog.js';
import { findActiveKey } from '../features/access/api-keys/index.js';
import { atAddress, systemScope, type WorkScope } from '../persistence/work/unit-of-work.js';
import { assertPermitted } from '../access/authorize.js';
import { JobRefused, type AsRequester } from '../features/editorial/translations/index.js';
import { newId } from '../infrastructure/ids.js';
import type { Services } from './services.js';
import type { Call } from './call.js';
import { mapDatabaseErrors } from './failures.js';
import { projectRefusal } from './project-access.js';
import { projectScope } from './scopes.js';

/**
 * An active user. Permissions are read on each call, never from a token (rule access/sessions).
 * @throws AppError `invalid_session`
 */
export async function memberPrincipal(
  { members, clock }: Services,
  userId: string,
  projectSlug: string | undefined,
): Promise<UserPrincipal> {
  const user = await members.find(userId, { projectSlug: projectSlug ?? '', now: clock() });
  if (user?.status !== 'active') throw new AppError('invalid_session');
  const { id, name, tenantId, isSuperAdmin, projectId, roles, selectedEnvironmentId } = user;
  return {
    kind: 'user',
    id,
    name,
    tenantId,
    isSuperAdmin,
    projectId,
    selectedEnvironmentId,
    isOwner: isSuperAdmin || roles.some(({ slug, isSystem }) => isSystem && slug === 'owner'),
    roleIds: roles.map((role) => role.id),
    grants: isSuperAdmin
      ? null
      : roles.flatMap(({ slug, isSystem, grants }) => (isSystem ? systemGrants(slug) : grants)),
  };
}

/**
 * The key of an OAuth client with the present rights of its holder; other keys as they are.
 * @throws AppError 401 `api_key_revoked`
 */
export async function withHolder(
  services: Services,
  key: KeyPrincipal,
  projectSlug: string,
): Promise<KeyPrincipal> {
  if (key.holderId === null) return key;
  const user = await memberPrincipal(services, key.holderId, projectSlug).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'invalid_session'
      ? new AppError('api_key_revoked')
      : error;
  });
  const isThere = user.isSuperAdmin || user.projectId === key.projectId;
  return { ...key, holder: { grants: isThere ? user.grants : [], roleIds: user.roleIds } };
}

/**
 * A user or key by id, with their present rights.
 * @throws AppError 401 `invalid_session`, `api_key_revoked`, `api_key_expired`, 404 `api_key_not_found`
 */
export async function presentPrincipal(
  services: Services,
  { data }: Catalog,
  { kind, id }: { readonly kind: 'user' | 'api_key'; readonly id: string },
): Promise<UserPrincipal | KeyPrincipal> {
  if (kind === 'user') return memberPrincipal(services, id, data.project.slug);
  const scope = atAddress(systemScope(), data);
  const request = { scope, isReadOnly: true, lock: 'none' } as const;
  const key = await services.units.run(request, (work) => findActiveKey(work, id));
  return withHolder(services, key, data.project.slug);
}

/** The current rights of a user who is not the caller; undefined where they may not enter. Leaves no activity. */
export const asUser =
  (services: Services) =>
  (userId: string) =>
  async (projectSlug: string, environment: string): Promise<WorkScope | undefined> => {
    const catalog = await services.catalogs.find(projectSlug, { slug: environment });
    const unseen = { ...services, clock: () => new Date(0) };
    try {
      const principal = await memberPrincipal(unseen, userId, projectSlug);
      if (catalog === undefined || projectRefusal(principal, catalog) !== undefined) return undefined;
      const call: Call = {
        surface: 'rest',
        authorization: undefined,
        requestId: newId(),
        ip: null,
        userAgent: null,
      };
      return projectScope(call, principal, catalog);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  };

type Job = Parameters<AsRequester>[0];

/**
 * The user or key that started a job, with its present rights.
 * @throws AppError 401, 403 and 404, as a call of theirs would
 */
export async function requesterOf(
  services: Services,
  { createdBy, projectSlug, environmentId }: Pick<Job, 'createdBy' | 'projectSlug' | 'environmentId'>,
): Promise<{ readonly principal: UserPrincipal | KeyPrincipal; readonly catalog: Catalog }> {
  const catalog = await services.catalogs.find(projectSlug, environmentId);
  if (catalog?.data.environment.id !== environmentId) throw new AppError('environment_not_found');
  const caller = { kind: createdBy.type === 'api_key' ? 'api_key' : 'user', id: createdBy.id ?? '' } as const;
  const principal = await presentPrincipal(services, catalog, caller);
  const refusal = projectRefusal(principal, catalog);
  if (refusal !== undefined) throw new AppError(refusal);
  return { principal, catalog };
}

/** @throws AppError as {@link requesterOf} */
async function requesterScope(services: Services, job: Job): Promise<WorkScope> {
  const { id, kind } = job;
  const { principal, catalog } = await requesterOf(services, job);
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
