import { AppError } from '../../contracts/errors.js';
import type { UserPrincipal, Principal } from '../access/principal.js';
import { systemGrants } from '../access/system-roles.js';
import type { Services } from './services.js';
import type { Catalog } from '../content/catalog.js';
import { findActiveKey } from '../features/access/api-keys/index.js';
import { atAddress, systemScope } from '../persistence/work/unit-of-work.js';

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
 * A user or key by id, with their present rights.
 * @throws AppError 401 `invalid_session`, `api_key_revoked`, `api_key_expired`, 404 `api_key_not_found`
 */
export async function presentPrincipal(
  services: Services,
  { data }: Catalog,
  { kind, id }: { readonly kind: 'user' | 'api_key'; readonly id: string },
): Promise<Exclude<Principal, { kind: 'anonymous' }>> {
  if (kind === 'user') return memberPrincipal(services, id, data.project.slug);
  const scope = atAddress(systemScope(), data);
  return services.units.run({ scope, isReadOnly: true, lock: 'none' }, (work) => findActiveKey(work, id));
}
