import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey } from '../../../contracts/resources/api-key.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertNetworks, assertNoEscalation, assertNotRevoked, parseExpiry } from './api-key.policy.js';
import { presentApiKey, presentationContext } from './api-key.presenter.js';
import { ApiKeyRepository } from './api-key.repository.js';

/** Equal values change nothing. */
export async function updateApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.update>,
): Promise<{ data: ApiKey }> {
  const { projectSlug: _project, id, ...change } = input;
  const { expiresAt, ...given } = definedKeys(change);
  assertNetworks(given.ipAllowlist ?? []);
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(id);
  assertNotRevoked(before);
  const changes = {
    ...given,
    ...(given.ipAllowlist && { ipAllowlist: [...new Set(given.ipAllowlist)] }),
    ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt, work.now) }),
  };
  await assertNoEscalation(work, before, 'update');
  const after = { ...before, ...changes, updatedAt: work.now };
  await assertNoEscalation(work, after, 'update');
  const context = await presentationContext(work, [after]);
  if (!hasChanges(before, changes)) return { data: presentApiKey(before, context) };
  await keys.save(before, after);
  return { data: presentApiKey(after, context) };
}
