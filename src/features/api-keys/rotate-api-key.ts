import { AppError } from '../../../contracts/errors.js';
import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey } from '../../../contracts/resources/api-key.js';
import { describeSecret, formatSecret, hashSecret } from '../../access/key-secret.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertNoEscalation, assertNotRevoked } from './api-key.policy.js';
import { presentApiKey, surroundingsOf } from './api-key.presenter.js';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';

/** Gives a key a new secret, which leaves the service once, in this answer; the old one works on for a while. */
export async function rotateApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.rotate>,
): Promise<{ data: ApiKey & { secret: string } }> {
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(input.id);
  assertNotRevoked(before);
  if (before.expiresAt !== null && before.expiresAt <= work.now)
    throw new AppError('api_key_inactive', { status: 'expired' });
  // Whoever rotates a key holds it afterwards.
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
  return { data: { ...presentApiKey(after, surroundingsOf(work)), secret } };
}
