import { AppError } from '../../../contracts/errors.js';
import type { KeyAction } from '../../../contracts/resources/api-key.js';
import type { KeyPrincipal } from '../../access/principal.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ApiKeyRepository } from './api-key.repository.js';

/**
 * A key by its id, for callers that were identified without its secret.
 * @throws AppError `api_key_not_found`, `api_key_revoked`, `api_key_expired`
 */
export async function findActiveKey(work: UnitOfWork, id: string): Promise<KeyPrincipal> {
  const key = await work.use(ApiKeyRepository).find(id);
  if (key.revokedAt !== null) throw new AppError('api_key_revoked');
  if (key.expiresAt !== null && key.expiresAt <= work.now) throw new AppError('api_key_expired');
  const { name, type, tenantId, projectId, siteIds, environmentId, selectedEnvironmentId } = key;
  const { expiresAt, rateLimit, ipAllowlist, draftOnly: isDraftOnly, requireConfirmation } = key;
  const permissions = key.permissions as KeyAction[];
  return {
    kind: 'api_key',
    ...{
      id: key.id,
      name,
      type,
      tenantId,
      projectId,
      permissions,
      siteIds,
      environmentId,
      selectedEnvironmentId,
    },
    ...{ expiresAt, rateLimit, ipAllowlist, isDraftOnly, requireConfirmation },
  };
}
