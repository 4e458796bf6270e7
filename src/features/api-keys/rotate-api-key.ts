import { AppError } from '../../../contracts/errors.js';
import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey } from '../../../contracts/resources/api-key.js';
import { describeSecret, formatSecret, hashSecret } from '../../access/key-secret.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertNoEscalation, assertNotRevoked } from './api-key.policy.js';
import { presentApiKey, presentationContext } from './api-key.presenter.js';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';

/** The new secret is returned only here. The old one stays valid for the overlap. */
export async function rotateApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.rotate>,
): Promise<{ data: ApiKey & { secret: string } }> {
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(input.id);
  assertNotRevoked(before);
  if (before.expiresAt !== null && before.expiresAt <= work.now)
    throw new AppError('api_key_inactive', { status: 'expired' });
  // The caller receives the secret and with it the rights of the key.
  await assertNoEscalation(work, before, 'update');
  const secret = formatSecret(before.type, randomSecretBytes());
  const after: ApiKeyRow = {
    ...before,
    ...describeSecret(secret),
    secretHash: hashSecret(secret),
    previousSecretHash: before.secretHash,
    previousSecretExpiresAt: new Date(work.now.getTime() + input.overlapSeconds * 1000),
    updatedAt: work.now,
  };
  await keys.save(before, after, 'rotate');
  return { data: { ...presentApiKey(after, await presentationContext(work, [after])), secret } };
}
