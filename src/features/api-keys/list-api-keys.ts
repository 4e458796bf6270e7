import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey } from '../../../contracts/resources/api-key.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentApiKey, presentationContext } from './api-key.presenter.js';
import { ApiKeyRepository } from './api-key.repository.js';

/** Includes revoked keys. */
export async function listApiKeys(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.list>,
): Promise<{ data: ApiKey[]; meta: PageMeta }> {
  const { items, total } = await work.use(ApiKeyRepository).list(input);
  const context = await presentationContext(work, [...items]);
  return listEnvelope({ items: items.map((row) => presentApiKey(row, context)), total }, input);
}
