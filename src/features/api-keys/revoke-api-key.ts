import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertNoEscalation } from './api-key.policy.js';
import { ApiKeyRepository } from './api-key.repository.js';

/** Takes effect at once. Idempotent. */
export async function revokeApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.revoke>,
): Promise<{ data: { id: string; revokedAt: string } }> {
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(input.id);
  if (before.revokedAt !== null)
    return { data: { id: before.id, revokedAt: before.revokedAt.toISOString() } };
  await assertNoEscalation(work, before, 'delete');
  await keys.save(before, { ...before, revokedAt: work.now, updatedAt: work.now }, 'revoke');
  work.emit({ type: 'api_key.revoked', data: { apiKeyId: before.id, name: before.name, type: before.type } });
  return { data: { id: before.id, revokedAt: work.now.toISOString() } };
}
