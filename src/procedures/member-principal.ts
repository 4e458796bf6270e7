import { AppError } from '../../contracts/errors.js';
import type { UserPrincipal } from '../access/principal.js';
import { systemGrants } from '../access/system-roles.js';
import type { Services } from './services.js';

/**
 * An active user. Permissions are read on each call, never from a token (decisions 2.3).
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
    roleIds: roles.map((role) => role.id),
    grants: isSuperAdmin
      ? null
      : roles.flatMap(({ slug, isSystem, grants }) => (isSystem ? systemGrants(slug) : grants)),
  };
}
